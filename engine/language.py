"""Which language the terminal speaks, and its catalogue of sentences.

What goes on a board, into JSON or into SQLite is Chinese and never asks here.
"""

from __future__ import annotations

import gettext
import locale
import os
import sys
from collections.abc import Callable, Mapping
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


def read_language(word: str) -> str | None:
    """The language that a word asks for (zh, zh_TW, en_US.UTF-8, English…); None where it asks for neither."""
    folded = word.strip().lower()
    if folded.startswith("en"):
        return "en"
    return "zh" if folded.startswith(("zh", "chinese", "cn", "中")) else None


def choose_language(
    environment: Mapping[str, str] = os.environ, platform: str = sys.platform, name_locale: Callable[[], str] | None = None
) -> str:
    """The language of the terminal: what BANSHA_LANG asks for, else the locale's; Chinese where neither asks for English.

    `name_locale` says what Windows calls the language in which it speaks to its user.
    """
    if asked := read_language(environment.get("BANSHA_LANG", "")):
        return asked
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name, ""):
            return read_language(value) or "zh"
    # Windows sets none of these.
    return read_language((name_locale or _name_windows_locale)()) or "zh" if platform == "win32" else "zh"


def _name_windows_locale() -> str:
    """The language of Windows's own windows; where it does not tell, that of its dates and numbers."""
    if sys.platform == "win32":
        import ctypes

        code = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        if found := locale.windows_locale.get(code):
            return found
    return locale.getlocale()[0] or ""


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
