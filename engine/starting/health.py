"""What `bansha doctor` says of one thing that it looked at: it is well, or a finding with its code says what is not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scraper.errors import BanshaError
from tally.finding import Finding, Severity, severity


class Health(StrEnum):
    """How a check came out."""

    GOOD = "good"
    LOOK = "look"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: what, and `text` where it is well, else the finding and on which floor (`where`).

    `exit_code` is that of the command where it is bad. `told` says that the finding's own words tell what to do.
    """

    what: str
    text: str = ""
    finding: Finding | None = None
    where: str = ""
    exit_code: int = 0
    told: bool = False

    @property
    def health(self) -> Health:
        """How it is: an error is bad, any other finding wants a look."""
        if self.finding is None:
            return Health.GOOD
        return Health.BAD if severity(self.finding) is Severity.ERROR else Health.LOOK


def find(what: str, code: str, *, exit_code: int | None = None, told: bool = False, **parameters: object) -> Check:
    """A check that found something; parameters may be phrases. An error exits with 1 where nothing else is said."""
    pairs = tuple((name, value if isinstance(value, str) else str(value)) for name, value in parameters.items())
    return weigh(what, Finding(code, pairs), exit_code=exit_code, told=told)


def weigh(what: str, finding: Finding, *, where: str = "", exit_code: int | None = None, told: bool = False) -> Check:
    """A check that found what another part of the program has a code for."""
    wrong = severity(finding) is Severity.ERROR
    return Check(what, "", finding, where, (1 if exit_code is None else exit_code) if wrong else 0, told)


def words(error: BanshaError) -> str:
    """The sentence of an error, which may still be said in another language."""
    return error.args[0] if error.args and isinstance(error.args[0], str) else str(error)
