"""What the director has confirmed, carried over days: yellow cards that make a red one, points that send off.

黄牌 → 红牌: M29 gives no number, two by default. 累计扣满12分者将予以罚下处理 (马甲杀).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tally.cards import OFFENCES
from tally.finding import Finding
from tally.policy import CardPolicy
from tally.result import Card


class Penalty(StrEnum):
    """What a ledger line gives a seat."""

    YELLOW = "yellow"
    RED = "red"
    POINTS = "points"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Mark:
    """One penalty of the ledger: for whom, on which day, in which line, how many points, and the remark that says why."""

    kind: Penalty
    seat: str
    day: int
    line: int
    points: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """What one seat has been given up to and with a day: its yellow cards and points by line, and what sent it off."""

    seat: str
    yellows: tuple[Mark, ...]
    deductions: tuple[Mark, ...]
    off: Mark | None

    @property
    def points(self) -> int:
        """All points that it lost."""
        return sum(mark.points for mark in self.deductions)


def find_records(marks: Iterable[Mark], day: int) -> tuple[Record, ...]:
    """The record of every seat that was given anything up to and with a day, in the order in which they first were."""
    known = [mark for mark in marks if mark.day <= day]
    return tuple(
        Record(
            seat,
            tuple(mark for mark in known if mark.seat == seat and mark.kind is Penalty.YELLOW),
            tuple(mark for mark in known if mark.seat == seat and mark.kind is Penalty.POINTS),
            next((mark for mark in known if mark.seat == seat and mark.kind in (Penalty.RED, Penalty.OFF)), None),
        )
        for seat in dict.fromkeys(mark.seat for mark in known)
    )


def settle_cards(
    proposals: Sequence[Card], marks: Sequence[Mark], day: int, policy: CardPolicy
) -> tuple[tuple[Card, ...], tuple[Finding, ...]]:
    """A day's proposals with the lines that confirm them, and what lines of that day have brought: a red card, a sending off.

    A line confirms the proposal whose offence its remark names; without a remark the first of that seat that no line confirms.
    A line whose remark names an offence that nothing proposes is a finding; any other remark is the director's own matter.
    """
    cards, findings = list(proposals), []
    of_the_day = [mark for mark in marks if mark.day == day and (not mark.reason or _offence(mark))]
    for mark in sorted(of_the_day, key=lambda mark: (not _offence(mark), mark.line)):
        index = next((place for place, card in enumerate(cards) if _confirms(mark, card)), None)
        if index is not None:
            cards[index] = replace(cards[index], confirmed=mark.line)
        elif _offence(mark):
            parameters = (("line", str(mark.line)), ("seat", mark.seat), ("reason", mark.reason))
            findings.append(Finding("D106", parameters, mark.seat))
    for record in find_records(marks, day):
        brought = _find_sending_off(record, policy)
        if brought is not None and any(mark.line == brought.confirmed and mark.day == day for mark in marks):
            cards.append(brought)
    return tuple(cards), tuple(findings)


def _confirms(mark: Mark, card: Card) -> bool:
    fits = (card.seat, card.card, card.confirmed) == (mark.seat, mark.kind.value, None)
    return fits and _offence(mark) in ("", card.reason)


def _offence(mark: Mark) -> str:
    return next((offence for offence in OFFENCES if mark.reason.startswith(offence)), "")


def _find_sending_off(record: Record, policy: CardPolicy) -> Card | None:
    """What sends a seat off: a line that says so, else the line with which its cards or points were so many."""
    if policy.sent_off_at is not None:
        total, kind = 0, Penalty.OFF
        for place, mark in enumerate(record.deductions, 1):
            total += mark.points
            if total >= policy.sent_off_at and record.off is None:
                lines = tuple(one.line for one in record.deductions[:place])
                return Card(record.seat, kind.value, f"累计扣 {total} 分", points=total, lines=lines, confirmed=mark.line)
    elif len(record.yellows) >= policy.yellow_to_red and record.off is None:
        made = record.yellows[: policy.yellow_to_red]
        lines = tuple(mark.line for mark in made)
        return Card(record.seat, Penalty.RED.value, f"累计 {len(made)} 张黄牌", lines=lines, confirmed=lines[-1])
    if record.off is not None:
        return Card(record.seat, record.off.kind.value, record.off.reason, lines=(record.off.line,), confirmed=record.off.line)
    return None


def count_after(card: Card, records: Iterable[Record]) -> tuple[int, int]:
    """How many yellow cards and points a seat has once a proposed card is confirmed."""
    record = next((one for one in records if one.seat == card.seat), None)
    yellows, points = (len(record.yellows), record.points) if record is not None else (0, 0)
    open_card = card.confirmed is None
    return yellows + (open_card and card.card == Penalty.YELLOW), points + (card.points if open_card else 0)
