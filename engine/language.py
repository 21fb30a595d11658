"""Which language the terminal speaks, and its catalogue of sentences.

What goes on a board, into JSON or into SQLite is Chinese and never asks here.
"""

from __future__ import annotations

import gettext
import locale
import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from scraper.phrases import Lookup, Phrase, both, translate

if TYPE_CHECKING:
    from tally.finding import Finding

LANGUAGES = ("zh", "en")
DOMAIN = "bansha"
FOLDER = Path(__file__).parent / "locales"
# The folder of each language's catalogue, in gettext's own spelling.
LOCALES: Mapping[str, str] = {"zh": "zh_CN", "en": "en"}


def choose_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the terminal: BANSHA_LANG, else the locale's; Chinese where neither asks for English."""
    for name in ("BANSHA_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name, ""):
            return "en" if value.lower().startswith("en") else "zh"
    if sys.platform == "win32":
        # Windows sets none of these; its own name for the locale is like "English_United States".
        return "en" if (locale.getlocale()[0] or "").lower().startswith("en") else "zh"
    return "zh"


@cache
def load_catalogue(language: str) -> Lookup:
    """The catalogue of a language ("zh" or "en"): template → template; what it does not hold stays as it is."""
    return gettext.translation(DOMAIN, FOLDER, [LOCALES[language]], fallback=True).gettext


def localize(text: object) -> str:
    """A text in the language of the terminal: a phrase translated, anything else as it is."""
    return translate(text, load_catalogue(choose_language()))


def tell_finding(finding: Finding, language: str | None = None) -> str:
    """What a finding says, in the language of the terminal or the one that is named."""
    from tally.finding import sentence

    spoken = language or choose_language()
    return sentence(finding, spoken, load_catalogue(spoken))


def say_finding(finding: Finding) -> Phrase:
    """What a finding says, as a text that can still be said in both languages."""
    return both(tell_finding(finding, "zh"), tell_finding(finding, "en"))
