"""expected.toml: what a case's days must give, written by hand from the rule text, and how a count differs from it.

A list (`[[tally]]`, `[[void]]`, …) is complete for every day that it mentions, and says nothing of the others. Of findings the
notes need not be listed. Keys that a row leaves out are not compared. Where a day has several votes, `poll` names the one that a
row is about; `among` stands for the seats of a verdict that a draw picks from.

An `[[alternative]]` is the same recording under other switches or another [cards], with lists of its own that stand alone, or
with the `error` that the game file then gets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING

from engine.gamefile import Section
from engine.tomlfile import read_toml
from scraper.phrases import phrase
from scraper.post import History, Source
from tally.ballot import Ballot
from tally.finding import Severity, severity
from tally.result import DayTally

if TYPE_CHECKING:
    from engine.scenario import Expect

FILE = "expected.toml"

# Times of a case are the game's, without an offset.
_CLOCK = "%Y-%m-%dT%H:%M:%S"

Value = str | int | bool | tuple[str, ...]
Row = Mapping[str, Value]

# Each list: the keys a row must have, those it may have, and what it is called in a difference.
_LISTS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    "tally": (("target", "votes", "voters"), ("poll",), phrase("票数")),
    "abstained": (("voter",), ("pid", "line", "poll"), phrase("弃权")),
    "void": (("voter", "reason"), ("pid", "line", "rule", "poll"), phrase("无效")),
    "replaced": (("voter",), ("pid", "line", "poll"), phrase("已改票")),
    "needs_ruling": (("pid", "voter"), ("poll",), phrase("待裁定")),
    "verdict": (("decision", "seats"), ("final", "complete", "role", "among", "clause", "poll"), phrase("判定")),
    "event": (("kind", "at"), ("held", "seats"), phrase("经过")),
    "finding": (("code",), ("pid", "severity", "seat", "poll"), phrase("须留意")),
    "card": (("seat", "card", "reason"), ("confirmed",), phrase("罚牌")),
    "sound": (
        ("pid", "revision", "code"),
        ("seat", "characters", "severity", "machine", "place", "doubt", "why", "measures", "ruling"),
        phrase("叫声"),
    ),
}
_SOUND = "sound"
_TEXTS = (
    *("target", "voter", "reason", "decision", "role", "code", "severity", "seat", "card", "poll", "rule", "clause"),
    *("characters", "machine", "place", "doubt", "why", "measures", "ruling"),
)


@dataclass(frozen=True, slots=True)
class Expected:
    """The rows of each list by day, in the order of the file; `outcome` is how the game of the ledger must end."""

    path: Path
    rows: Mapping[str, Mapping[int, tuple[Row, ...]]]
    alternatives: tuple[Alternative, ...] = ()
    outcome: Expect | None = None

    @property
    def days(self) -> tuple[int, ...]:
        """Every day that some list mentions."""
        return tuple(sorted({day for days in self.rows.values() for day in days}))


@dataclass(frozen=True, slots=True)
class Alternative:
    """What a case gives under other `switches` or `cards`; `error` is a part of what the game file then gets instead."""

    title: str
    switches: Mapping[str, object]
    cards: Mapping[str, object]
    expected: Expected
    error: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """One list of one day that is not as expected: rows missing, rows too many, the posts that they are about."""

    day: int
    what: str
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    posts: tuple[str, ...]


def load_expected(folder: Path) -> Expected | None:
    """The expectations of a case, None where it has none; GameFileError names the line that is wrong."""
    path = folder / FILE
    if not path.exists():
        return None
    file = read_toml(path)
    root = Section(file, (), file.values)
    root.allow(*_LISTS, "outcome", "alternative")
    outcome = None
    if "outcome" in root.values:
        from engine.scenario import read_expect

        outcome = read_expect(root.table("outcome"))
    alternatives = tuple(_read_alternative(one, path) for one in root.tables("alternative"))
    return Expected(path, _read_lists(root), alternatives, outcome)


def _read_alternative(section: Section, path: Path) -> Alternative:
    section.allow("title", "switches", "cards", "error", *_LISTS)
    switches, cards = section.table("switches").values, section.table("cards").values
    if not switches and not cards:
        raise section.error(
            "", phrase("缺少 switches 或 cards，和这个案例没有不同"), phrase('写上 switches = {{ "reach" = "first_touch" }}')
        )
    title = section.text("title") or "、".join(f"{name}={value}" for name, value in (*switches.items(), *cards.items()))
    return Alternative(title, switches, cards, Expected(path, _read_lists(section)), section.text("error"))


def _read_lists(root: Section) -> Mapping[str, Mapping[int, tuple[Row, ...]]]:
    rows: dict[str, dict[int, list[Row]]] = {}
    for name, (needed, allowed, _) in _LISTS.items():
        days = rows.setdefault(name, {})
        for section in root.tables(name):
            section.allow("day", *needed, *allowed)
            section.need("day", *needed)
            day = section.integer("day", least=1)
            assert day is not None
            days.setdefault(day, []).append({key: _read(section, key) for key in section.values if key != "day"})
    return {name: {day: tuple(found) for day, found in days.items()} for name, days in rows.items()}


def _read(section: Section, key: str) -> Value:
    if key in (*_TEXTS, "kind"):
        return section.text(key)
    if key in ("final", "complete", "held"):
        return section.boolean(key)
    if key in ("voters", "seats", "among"):
        return tuple(sorted(section.texts(key)))
    if key == "at":
        return f"{section.moment(key, UTC):{_CLOCK}}"
    number = section.integer(key)
    assert number is not None
    return number


def compare(expected: Expected, tally: DayTally, histories: Iterable[History]) -> tuple[Difference, ...]:
    """Every list that mentions this day and does not hold what was counted; posts are cited with their floor, pid and words."""
    posts = {history.first.pid: history for history in histories}
    found = []
    for name, (_, _, label) in _LISTS.items():
        # What chanted players posted is no part of a count; engine.sounds.expected compares it.
        rows = expected.rows[name].get(tally.day, ())
        here = tuple(_settle(row, tally) for row in rows if row.get("poll", "") == tally.poll)
        if not here or name == _SOUND:
            continue
        missing, extra = match_rows(here, _counted(name, tally))
        if missing or extra:
            cited = _cite(tally, posts, [*missing, *extra])
            what = f"{tally.poll} · {label}" if tally.poll else label
            found.append(Difference(tally.day, what, describe_rows(missing), describe_rows(extra), tuple(cited)))
    return tuple(found)


def _settle(row: Row, tally: DayTally) -> Row:
    """A row without what is not counted: which vote it is about, and for a draw, among whom it was."""
    seats = tally.verdict.seats
    drawn = isinstance(among := row.get("among"), tuple) and len(seats) == 1 and seats[0] in among
    return {key: seats if key == "seats" and drawn else value for key, value in row.items() if key not in ("poll", "among")}


def match_rows(expected: tuple[Row, ...], counted: list[Row]) -> tuple[list[Row], list[Row]]:
    """Expected rows that nothing counted fits, and counted rows that were not expected (notes may stay unsaid)."""
    left, missing = list(counted), []
    for row in expected:
        fitting = next((one for one in left if all(one.get(key) == value for key, value in row.items())), None)
        if fitting is None:
            missing.append(row)
        else:
            left.remove(fitting)
    return missing, [row for row in left if row.get("severity") != Severity.NOTE.value]


def _counted(name: str, tally: DayTally) -> list[Row]:
    """What was counted, as rows of a list."""
    match name:
        case "tally":
            return [
                {"target": count.target, "votes": count.votes, "voters": tuple(sorted(ballot.voter for ballot in count.ballots))}
                for count in tally.counts
            ]
        case "abstained":
            return [_row(ballot) for ballot in tally.abstained]
        case "void":
            return [
                {**_row(ballot), "reason": ballot.reason.value if ballot.reason else "", "rule": ballot.rule}
                for ballot in tally.void
            ]
        case "replaced":
            return [_row(ballot) for ballot in tally.replaced]
        case "needs_ruling":
            return [{"pid": doubt.post.pid, "voter": doubt.voter} for doubt in tally.needs_ruling]
        case "verdict":
            verdict = tally.verdict
            row = {"decision": verdict.decision.value, "seats": tuple(sorted(verdict.seats)), "role": verdict.role or ""}
            return [{**row, "final": tally.final, "complete": tally.complete, "clause": verdict.clause}]
        case "finding":
            return [
                {
                    "code": finding.code,
                    "severity": severity(finding).value,
                    "seat": finding.seat or "",
                    "pid": finding.source.pid if finding.source else 0,
                }
                for finding in tally.findings
            ]
        case "event":
            return [
                {"kind": event.kind.value, "at": f"{event.at:{_CLOCK}}", "held": event.held, "seats": tuple(sorted(event.seats))}
                for event in tally.events
            ]
        case "card":
            return [
                {"seat": card.seat, "card": card.card, "reason": card.reason, "confirmed": card.confirmed or 0}
                for card in tally.cards
            ]
    raise AssertionError(name)


def _row(ballot: Ballot) -> Row:
    return {"pid": ballot.post.pid if ballot.post else 0, "voter": ballot.voter, "line": ballot.line or 0}


def describe_rows(rows: Iterable[Row]) -> tuple[str, ...]:
    """Rows as their author would write them."""
    return tuple(
        "  ".join(f"{key}={_write(value)}" for key, value in row.items() if value not in ("", 0) or value is False)
        for row in rows
    )


def _write(value: Value) -> str:
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return f"[{' '.join(value)}]"
        case _:
            return str(value)


def _cite(tally: DayTally, posts: Mapping[int, History], rows: list[Row]) -> list[str]:
    """The posts that a difference is about: those it names, and every ballot of the voters who are in it on one side only."""
    pids = {row["pid"] for row in rows if row.get("pid")}
    voters: set[Value] = {row["voter"] for row in rows if "voter" in row}
    by_target: dict[Value, list[set[str]]] = {}
    for row in rows:
        if isinstance(named := row.get("voters"), tuple):
            by_target.setdefault(row["target"], []).append(set(named))
    for sides in by_target.values():
        voters |= sides[0] ^ sides[1] if len(sides) == 2 else sides[0]
    cited: list[str] = []
    for source, voter, fate in sorted(_fates(tally), key=lambda fate: fate[0].pid):
        if source.pid in pids or voter in voters:
            words = _words(posts.get(source.pid))
            cited.append(
                phrase(
                    "{floor} pid={pid} {voter}「{words}」{fate}",
                    floor=source.floor,
                    pid=source.pid,
                    voter=voter,
                    words=words,
                    fate=fate,
                )
            )
            pids.discard(source.pid)
    for pid in sorted(pid for pid in pids if isinstance(pid, int)):
        cited.append(
            phrase("pid={pid}「{words}」不是票", pid=pid, words=_words(posts[pid]))
            if pid in posts
            else phrase("pid={pid} 不在投票帖里", pid=pid)
        )
    return cited


def _fates(tally: DayTally) -> Iterable[tuple[Source, str, str]]:
    """Every post that is a ballot, its voter, and where it stands."""
    for count in tally.counts:
        for ballot in count.ballots:
            if ballot.post:
                yield ballot.post, ballot.voter, phrase("计为 {target}", target=count.target)
    for ballots, fate in ((tally.abstained, phrase("弃权")), (tally.replaced, phrase("已改票")), (tally.void, phrase("无效"))):
        for ballot in ballots:
            if ballot.post:
                yield (
                    ballot.post,
                    ballot.voter,
                    phrase("{fate} {reason}", fate=fate, reason=ballot.reason.value) if ballot.reason else fate,
                )
    for doubt in tally.needs_ruling:
        yield doubt.post, doubt.voter, phrase("待裁定")


def _words(history: History | None) -> str:
    return " / ".join(line for line in history.first.message.text.split("\n") if line.strip()) if history else "?"
