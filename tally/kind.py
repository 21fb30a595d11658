"""What kind of finding a code is: its severity and its sentences."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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
