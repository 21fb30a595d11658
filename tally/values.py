"""What a written value names: the target behind a label, the voter behind 代投, one target out of several lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tally.formats import Form, find_inline_reasons, peel
from tally.names import NO_MATCH, How, Match, Names

_VOTER_ENDS = re.compile(r"[\s，,。.；;（(]")


def read_value(rest: str, names: Names) -> tuple[str, Match, tuple[Form, int] | None]:
    """The target as written, what it names, and the form and start of a reason that shares the line."""
    whole = rest.strip()
    if (found := names.find(whole)) is not None:
        return whole, found, None
    cuts = list(find_inline_reasons(rest))
    for cut in cuts:
        value = rest[: cut.start].strip()
        if value and (found := names.find(value)) is not None:
            return value, found, (cut.form, cut.text)
    value = rest[: cuts[0].start].strip() if cuts else whole
    return value, match_value(value, names), (cuts[0].form, cuts[0].text) if cuts else None


def match_value(value: str, names: Names) -> Match:
    """What a value names: as a whole, else without stops, remarks and brackets; else what it may mean."""
    if (found := names.find(value)) is not None:
        return found
    shortest = value
    for shorter in peel(value):
        if shorter and (found := names.find(shorter)) is not None:
            return found
        shortest = shorter or shortest
    return names.miss(shortest)


def find_voter(rest: str, names: Names) -> str | None:
    """The seat that a 代投 names; what follows its name after a comma, a stop or a bracket is a remark."""
    value = rest.strip()
    for attempt in (value, _VOTER_ENDS.split(value, maxsplit=1)[0]):
        found = match_value(attempt, names) if attempt else None
        if found is not None and found.seat is not None:
            return found.seat
    return None


def combine(matches: Sequence[Match]) -> Match:
    """One target out of several lines: the same one in all, else ambiguous."""
    if not matches:
        return NO_MATCH
    meanings = {(match.seat, match.how is How.ABSTAIN) for match in matches}
    if len(matches) == 1 or (len(meanings) == 1 and matches[0].found):
        return matches[0]
    named = [match.seat or "弃权" for match in matches if match.found]
    several = [seat for match in matches for seat in match.candidates]
    candidates = tuple(dict.fromkeys([*named, *several]))
    text = "\n".join(match.text for match in matches)
    hints = tuple(dict.fromkeys(hint for match in matches for hint in match.hints))
    if not candidates:
        return Match(text, hints=hints)
    return Match(text, candidates=candidates, hints=hints)
