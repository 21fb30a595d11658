"""A small tally made by hand, with every kind of thing that a report must show."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from engine.game import Game, load_game
from scraper.post import Source
from tally.ballot import Act, Ballot, Reason
from tally.finding import Finding
from tally.result import Card, Count, DayTally, Decision, Evidence, NeedsRuling, OpenReading, Step, Verdict

GAME = """[game]
title = "试局"
ruleset = "m29"
directors = ["[M29]导演"]
[[player]]
name = "饺子"
[[player]]
name = "包子"
[[player]]
name = "豆沙"
[[player]]
name = "a&b<c>"
[[day]]
number = 1
opens = 2018-05-31T09:30:00
closes = 2018-06-02T21:00:00
vote = 1232
[[day]]
number = 2
opens = 2018-06-03T09:30:00
closes = 2018-06-05T21:00:00
vote = 1235
sheriff = "饺子"
"""


def game(folder: Path) -> Game:
    """The game of the sample."""
    path = folder / "game.toml"
    path.write_text(GAME, encoding="utf-8")
    return load_game(path)


def at(hour: int, minute: int = 0) -> datetime:
    """A moment of 2018-06-04, UTC."""
    return datetime(2018, 6, 4, hour, minute, tzinfo=UTC)


def post(pid: int) -> Source:
    """A post of the sample's thread; its floor is its number less 5200."""
    return Source(1235, pid, 1, f"{pid - 5200}#")


FIRST = Ballot("饺子", "饺子", Act.VOTE, "包子", "包子", at(1), post(5202), weight=2)
PROXY = Ballot("豆沙", "[M29]导演", Act.PROXY, "包子", "包子", at(2), None, line=7)
RULED = Ballot("包子", "包子", Act.VOTE, "饺孑", "饺子", at(3), post(5203), ruled=True)
OLD = Ballot("饺子", "饺子", Act.VOTE, "豆沙", "豆沙", at(0), post(5201), reason=Reason.REPLACED)
VOID = Ballot("a&b<c>", "a&b<c>", Act.VOTE, "\x1b[31m包子\u202e\n=1+1", None, at(4), post(5204), reason=Reason.UNKNOWN_TARGET)
ABSTENTION = Ballot("a&b<c>", "a&b<c>", Act.ABSTAIN, "弃权", None, at(5), post(5205))

EXILE = Verdict(Decision.EXILE, ("包子",), "讨论日获得投票最多的角色将出局。", "包子得 3 票，票数最高，出局。")

TALLY = DayTally(
    day=2,
    as_of=datetime(2018, 6, 5, 13, 0, tzinfo=UTC),
    complete=True,
    final=True,
    counts=(Count("包子", 3, (FIRST, PROXY)), Count("饺子", 1, (RULED,))),
    abstained=(ABSTENTION,),
    not_voted=("豆沙",),
    void=(VOID,),
    replaced=(OLD,),
    not_ballots=(post(5206), post(5207)),
    needs_ruling=(),
    cards=(Card("豆沙", "yellow", "未投票"),),
    verdict=EXILE,
    findings=(Finding("B105", (("raw", "饱子"), ("hints", "包子")), seat="a&b<c>", source=post(5204)),),
    evidence=Evidence(at(12), at(14)),
)

DOUBTFUL = replace(
    TALLY,
    complete=False,
    final=False,
    needs_ruling=(NeedsRuling("包子", "饺子", post(5208), (OpenReading("计为 饺子", (("包子", 3), ("饺子", 2)), EXILE),)),),
    verdict=Verdict(
        Decision.EXILE,
        (),
        "替罪羊代替所有平票的角色出局",
        "平票",
        role="替罪羊",
        race=(Step(FIRST, "包子", 2), Step(RULED, "饺子", 1)),
    ),
    evidence=Evidence(at(12), None, (2, 3)),
)
