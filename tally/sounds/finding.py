"""One finding about a chanted player's post, and what its codes mean."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from scraper.post import Source
from tally.finding import Finding, Severity, severity


@dataclass(frozen=True, slots=True)
class SoundFinding:
    """One thing that a chanted seat posted.

    `severity` is the finding's own: C110 is softened by `speech.punctuation`, and a breach that the evidence cannot prove is a
    warning, with the parameter `doubt` saying why. `source` names the revision, the line and the column in the text of the
    message as the archive prints it (1-based, a smiley as wide as `[:name:]`); both are None where it has no place there.
    `codepoint` and `name` are "" where it is not about one character. `at` is when it was said, or
    the earliest that it can have been, and `day` the first day that it can have been (None: in the night).
    `machine` is the severity by the rule's text alone, where the director ruled otherwise.
    """

    code: str
    severity: Severity
    seat: str
    source: Source
    codepoint: str
    name: str
    parameters: tuple[tuple[str, str], ...]
    at: datetime
    day: int | None
    machine: Severity | None = None

    @property
    def finding(self) -> Finding:
        """The same as a finding of the registry: code point and name are parameters, and the severity where it is its own."""
        extra = (("codepoint", self.codepoint), ("name", self.name)) if self.codepoint else ()
        if self.machine is not None:
            extra = (*extra, ("machine", self.machine.value))
        finding = Finding(self.code, (*extra, *self.parameters), self.seat, self.source)
        if self.severity is severity(finding):
            return finding
        return replace(finding, parameters=(*finding.parameters, ("severity", self.severity.value)))
