"""Findings: what a director must look at, as a code with parameters; the sentences are texts over them.

Codes: A… archive and reading of pages, B… ballots and windows, C… sounds, D… cards and activity, E… game file, ledger and
rulings. A finding is an error (nothing is final until the director decides), a warning (counted, but look) or a note.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from scraper.post import Source


class Severity(StrEnum):
    """How much a finding matters: an error stops a tally from being final, a warning does not, a note is for the record."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a code means: its severity, and the sentence over the parameters in Chinese and in English."""

    code: str
    severity: Severity
    chinese: str
    english: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at: a code of the registry, its parameters by name, the seat and the place it concerns."""

    code: str
    parameters: tuple[tuple[str, str], ...] = ()
    seat: str | None = None
    source: Source | None = None


KINDS: Mapping[str, Kind] = {}


def severity(finding: Finding) -> Severity:
    """How much a finding matters."""
    return KINDS[finding.code].severity


def sentence(finding: Finding, language: str = "zh") -> str:
    """What a finding says, in Chinese ("zh") or English ("en")."""
    kind = KINDS[finding.code]
    return (kind.chinese if language == "zh" else kind.english).format_map(dict(finding.parameters))
