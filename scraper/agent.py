"""How bansha names itself to boards."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version

from scraper.errors import UsageError
from scraper.phrases import phrase

_CONTACT = re.compile(r"(?:https?://|mailto:)[!-'*-~]+")

# Discuz! looks for these anywhere in an agent's name and shows phones and robots other pages (X3.4, function_core.php; X2's list
# is a part of it). Most are names of makers of phones, short enough to stand in any address.
_WORDS = """
android phone mobile wap netfront java ucweb symbian series webos sony blackberry dopod nokia samsung palmsource xda pieplus meizu
midp cldc foma docomo up.browser up.link blazer helio hosin huawei novarra coolpad techfaith alcatel amoi ktouch nexian ericsson
philips sagem wellcom bunjalloo maui iemobile spice bird zte longcos pantech gionee portalmmm hiptop benq haier 320x320 240x320
176x220 cect compal ctl lg nec tcl daxian dbtel eastcom konka kejian lenovo mot soutec sgh sed capitel panasonic sharp panda pad
alg bot crawl spider slurp sohu-search lycos robozilla
"""
OTHER_VIEWS = tuple(_WORDS.split())


def user_agent(contact: str = "", release: str | None = None) -> str:
    """How bansha names itself to boards; `contact` is where a board's administrator finds out who asks, "" where nobody says.

    No word of its own turns on Discuz!'s robot or phone view.
    """
    if release is None:
        try:
            release = version("bansha")
        except PackageNotFoundError:
            release = "0"
    return f"bansha/{release} (+{contact})" if contact else f"bansha/{release}"


def read_contact(text: str) -> str:
    """A contact as a director set it; UsageError where it is no address, or has the board show him what phones or robots see."""
    contact = text.strip()
    if contact and not _CONTACT.fullmatch(contact):
        raise UsageError(
            phrase(
                "contact {contact!r}: boards are told an address. Write https://… or mailto:…, in ASCII and without spaces.",
                contact=contact,
            )
        )
    if found := max((word for word in OTHER_VIEWS if word in contact.lower()), key=len, default=""):
        raise UsageError(
            phrase(
                "contact {contact!r}: boards show other pages to whoever has {word!r} in his name. Write an address without it.",
                contact=contact,
                word=found,
            )
        )
    return contact
