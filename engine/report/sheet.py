"""Tallies as CSV for a spreadsheet: UTF-8 with a byte order mark, one row a thing, and no cell that a spreadsheet would run.

It opens in Excel with a double click. The kind of a row stands in its first cell; a column that a kind has no use for is empty.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from engine.game import Game
from engine.publicity import publish_tally
from engine.report.bbcode import NO_WEIGHTS
from engine.report.safe import defuse
from engine.report.terminal import clock, name_by, verdict_sentence
from engine.report.words import Words
from scraper.post import Source
from tally.ballot import Ballot
from tally.finding import Finding, sentence, severity
from tally.publish import Published, Shown
from tally.result import Card, DayTally, NeedsRuling, Step

COLUMNS = (
    *("类别", "天", "轮次", "投票对象", "票数", "投票人", "权重", "时间", "帖子", "pid", "楼层", "账本行"),
    *("写的是", "原因", "说明"),
)
_WORDS = Words("zh")


@dataclass(frozen=True, slots=True)
class Line:
    """One row, its cells in the order of the columns."""

    kind: str
    day: int
    poll: str = ""
    target: str = ""
    votes: int | str = ""
    voter: str = ""
    weight: int | str = ""
    at: str = ""
    tid: int | str = ""
    pid: int | str = ""
    floor: str = ""
    line: int | str = ""
    raw: str = ""
    reason: str = ""
    remark: str = ""


def write_public_csv(tallies: Iterable[DayTally], digests: Iterable[str], game: Game, operator: str = "") -> bytes:
    """The bytes of the file with what everybody may see alone."""
    parts = [(publish_tally(tally, game), digest) for tally, digest in zip(tallies, digests, strict=True)]
    return _write(line for one, digest in parts for line in _public_lines(one, digest, game, operator))


def _public_lines(one: Published, digest: str, game: Game, operator: str) -> Iterator[Line]:
    yield from list_lines(one.tally, digest, game, operator, one.shown)
    if not one.weights:
        yield Line("说明", one.tally.day, one.tally.poll, remark=NO_WEIGHTS)


def write_csv(tallies: Iterable[DayTally], digests: Iterable[str], game: Game, operator: str = "") -> bytes:
    """The bytes of the file; `digests` are those of the tallies' JSON, in the same order."""
    pairs = zip(tallies, digests, strict=True)
    return _write(line for tally, digest in pairs for line in list_lines(tally, digest, game, operator))


def _write(lines: Iterable[Line]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for line in lines:
        writer.writerow([_defuse(getattr(line, field.name)) for field in fields(Line)])
    return codecs.BOM_UTF8 + text.getvalue().encode("utf-8")


def _defuse(cell: int | str) -> int | str:
    """A text that no spreadsheet runs: what would open a formula gets an apostrophe, control characters are shown."""
    return cell if isinstance(cell, int) else defuse(cell)


def list_lines(tally: DayTally, digest: str, game: Game, operator: str = "", shown: Shown = Shown.ALL) -> Iterator[Line]:
    """The rows of one tally, in the order of the table on a terminal; a verdict only where it is `shown`."""
    day, poll = tally.day, tally.poll
    state = "最终结果" if tally.final else "暂定，不是最终结果"
    yield Line("状态", day, poll, at=clock(tally.as_of, game), reason=state)
    for count in tally.counts:
        yield Line("票数", day, poll, count.target, count.votes)
    for count in tally.counts:
        yield from (_ballot("有效", tally, ballot, game, count.target) for ballot in count.ballots)
    yield from (_ballot("弃权", tally, ballot, game) for ballot in tally.abstained)
    yield from (_ballot("已改票", tally, ballot, game, ballot.target or "") for ballot in tally.replaced)
    yield from (_ballot("无效", tally, ballot, game, ballot.target or "") for ballot in tally.void)
    yield from (_doubt(tally, doubt) for doubt in tally.needs_ruling)
    yield from (Line("未投票", day, poll, voter=seat) for seat in tally.not_voted)
    yield from (_card(tally, card) for card in tally.cards)
    verdict = tally.verdict
    named = "、".join(verdict.seats) or verdict.role or ""
    if tally.is_blank:
        yield Line("判定", day, poll, reason=_WORDS("unread"))
    elif shown is not Shown.NOTHING:
        yield Line("判定", day, poll, named, reason=_WORDS.decision(verdict.decision), remark=verdict.because)
    yield from (_step(tally, step, game) for step in verdict.race)
    for event in tally.events:
        line = event.line if event.line is not None else ""
        yield Line("经过", day, poll, voter="、".join(event.seats), at=clock(event.at, game), line=line, remark=event.because)
    yield from (_finding(tally, finding) for finding in tally.findings)
    yield Line("摘要", day, poll, remark=digest)
    if operator:
        yield Line("操作人", day, poll, remark=operator)


def _ballot(kind: str, tally: DayTally, ballot: Ballot, game: Game, target: str = "") -> Line:
    tid, pid, floor = _place(ballot.post)
    remarks = [mark for mark in (name_by(ballot, _WORDS), _WORDS("ruled") if ballot.ruled else "", ballot.file) if mark]
    return Line(
        kind,
        tally.day,
        tally.poll,
        target,
        voter=ballot.voter,
        weight=ballot.weight if kind == "有效" else "",
        at=clock(ballot.at, game),
        tid=tid,
        pid=pid,
        floor=floor,
        line=ballot.line if ballot.line is not None else "",
        raw=ballot.raw,
        reason=_WORDS.reason(ballot.reason) if ballot.reason is not None and kind == "无效" else "",
        remark="，".join(remarks),
    )


def _step(tally: DayTally, step: Step, game: Game) -> Line:
    """One step of a race, the votes being the target's after it."""
    ballot = step.ballot
    tid, pid, floor = _place(ballot.post)
    line = ballot.line if ballot.line is not None else ""
    at = clock(ballot.at, game)
    return Line(
        "先后", tally.day, tally.poll, step.target, step.votes, ballot.voter, at=at, tid=tid, pid=pid, floor=floor, line=line
    )


def _doubt(tally: DayTally, doubt: NeedsRuling) -> Line:
    tid, pid, floor = _place(doubt.post)
    told = "；".join(f"{one.ruling}：{verdict_sentence(one.verdict, _WORDS)}" for one in doubt.readings)
    return Line("待裁定", tally.day, tally.poll, voter=doubt.voter, tid=tid, pid=pid, floor=floor, raw=doubt.raw, remark=told)


def _card(tally: DayTally, card: Card) -> Line:
    given = card.confirmed if card.confirmed is not None else ""
    state = _WORDS("card_open") if card.confirmed is None else _WORDS("card_given", line=card.confirmed)
    points = f" {card.points}" if card.points else ""
    return Line(
        "罚牌", tally.day, tally.poll, voter=card.seat, line=given, raw=_WORDS.card(card.card) + points, reason=card.reason,
        remark=state,
    )  # fmt: skip


def _finding(tally: DayTally, finding: Finding) -> Line:
    tid, pid, floor = _place(finding.source)
    told = f"{_WORDS.severity(severity(finding))}：{sentence(finding)}"
    return Line(
        "须留意", tally.day, tally.poll, voter=finding.seat or "", tid=tid, pid=pid, floor=floor, reason=finding.code, remark=told
    )


def _place(post: Source | None) -> tuple[int | str, int | str, str]:
    return (post.tid, post.pid, post.floor) if post is not None else ("", "", "")
