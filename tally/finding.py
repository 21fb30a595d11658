"""Findings: what a director must look at, as a code with parameters; the sentences are texts over them.

Codes: A… archive and reading of pages, B… ballots and windows, C… sounds, D… cards and activity, E… game file, ledger and
rulings. A finding is an error (nothing is final until the director decides), a warning (counted, but look) or a note.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Formatter

from scraper.phrases import Lookup, translate
from scraper.post import Source
from tally.kind import Kind, Severity
from tally.kinds import KINDS
from tally.words import place_words, term_words

__all__ = ["KINDS", "Finding", "Kind", "Severity", "sentence", "severity"]

# How much of a player's own words a sentence quotes, in characters.
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at: a code of the registry, its parameters by name, the seat and the place it concerns."""

    code: str
    parameters: tuple[tuple[str, str], ...] = ()
    seat: str | None = None
    source: Source | None = None


# What is added to a finding that has such a parameter.
DOUBT = ("（不能证实：{doubt:term}）", " (not proved: {doubt:term})")
SIDE_NOTES = (
    ("reason", "（理由：{reason:text}）", " (reason: {reason:text})"),
    ("operator", "（录入：{operator:text}）", " (entered by {operator:text})"),
)
_UNKNOWN = Kind("", Severity.WARNING, "", "")


def severity(finding: Finding) -> Severity:
    """How much a finding matters; a warning for a code that this version does not know.

    A finding may say so itself by a parameter `severity`: a breach that is not proved, or that a switch softens, is less.
    """
    own = dict(finding.parameters).get("severity")
    return KINDS.get(finding.code, _UNKNOWN).severity if own is None else Severity(own)


def sentence(finding: Finding, language: str = "zh", lookup: Lookup = str) -> str:
    """What a finding says, in Chinese ("zh") or English ("en"); its code and parameters where the code is unknown.

    Parameters that are phrases are said by the catalogue `lookup`.
    """
    kind = KINDS.get(finding.code)
    if kind is None:
        return " ".join((finding.code, *(f"{name}={value}" for name, value in finding.parameters)))
    template = kind.chinese if language == "zh" else kind.english
    parameters = dict(finding.parameters)
    if "doubt" in parameters:
        template += DOUBT[language != "zh"]
    # What a director decided is told with his reason, and by whom it was entered.
    for name, chinese, english in SIDE_NOTES:
        if name in parameters and f"{{{name}" not in template:
            template += chinese if language == "zh" else english
    return _Words(language, lookup).vformat(template, (), parameters)


class _Words(Formatter):
    """Formats parameters of findings; a parameter that is missing shows as its name, never as an error."""

    def __init__(self, language: str, lookup: Lookup) -> None:
        self._language = language
        self._lookup = lookup

    def get_value(self, key: int | str, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        return kwargs.get(str(key), f"{{{key}}}")

    def format_field(self, value: object, format_spec: str) -> str:
        text = translate(value, self._lookup)
        match format_spec:
            case "place":
                return place_words(text, self._language)
            case "term":
                return term_words(text, self._language)
            case "terms":
                return re.sub(r"[a-z_]+", lambda word: term_words(word[0], self._language), text)
            case "text":
                line = " ／ ".join(part.strip() for part in text.splitlines() if part.strip())
                return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
            case _:
                return text
