"""The deck of requests: what was tried in the progress thread, each with neighbours that differ in one thing and end otherwise.

Eleven seats, the window from 09:30 to 21:00, judged at 18:00:00: six must ask (大于等于存活人数的一半). Five seats (乙 to 己)
have asked for a speed-up unless a row says otherwise, and the post under test, by 甲 at 12:00, is the last: it decides. Results
are by hand from the rule post and its reading. `fate` is "" for a post that is no request; `brings` is what is granted then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from scraper.post import PostState, Quote
from tally.day import Day, Limits, Out
from tally.roster import Account, Roster
from tests.tally.make import DIRECTOR, PROGRESS, Wrote, at, make_day, make_roster

SEATS = ("甲", "乙", "丙", "丁", "戊", "己", "庚", "辛", "壬", "癸", "子")
ROSTER = make_roster(SEATS)
FIVE = tuple(Wrote("申请加速", by=seat, clock=f"10:0{place}", tid=PROGRESS) for place, seat in enumerate(SEATS[1:6]))
FASTER, LONGER, NOTHING, OPEN = "加速", "延时", "", "说不清"


@dataclass(frozen=True)
class Row:
    """One script: its posts after the five, where the last ends, what is granted, the findings about it."""

    name: str
    posts: tuple[Wrote, ...]
    fate: str
    brings: str
    findings: tuple[str, ...] = ()
    also: Mapping[int, str] = field(default_factory=dict)
    day: Day = field(default_factory=make_day)
    roster: Roster = ROSTER
    before: tuple[Wrote, ...] = FIVE

    @property
    def script(self) -> tuple[Wrote, ...]:
        """All posts, in order."""
        return (*self.before, *self.posts)


def asked(text: str = "申请加速", by: str = "甲", clock: str = "12:00", **changes: object) -> Wrote:
    """A post in the progress thread."""
    return replace(Wrote(text, by=by, clock=clock, tid=PROGRESS), **changes)  # type: ignore[arg-type]


def one(name: str, text: str, fate: str, brings: str, *findings: str, **changes: object) -> Row:
    """A row of one post more than the five."""
    about = {key: changes.pop(key) for key in ("day", "roster", "before") if key in changes}
    row = Row(name, (asked(text, **changes),), fate, brings, findings)  # type: ignore[arg-type]
    return replace(row, **about)  # type: ignore[arg-type]


def moved(announced: str, closes: str) -> Day:
    """A day whose close was 21:00 until something else was announced."""
    return make_day(closes=at(closes), moved=(Limits(at(announced), at("09:30"), at("21:00")),))


QUOTED = Quote(900, PROGRESS, "乙", "2018-6-5 10:00", "申请加速")
_FIRST, *_REST = ROSTER.seats
CHANGED_HANDS = replace(ROSTER, seats=(replace(_FIRST, accounts=(*_FIRST.accounts, Account("甲二号", 77, at("11:00")))), *_REST))
# One of the twelve more: half of twelve is six for both kinds.
TWELVE = make_roster((*SEATS, "丑"))
SIX_EACH = tuple(
    asked("申请加速" if place < 6 else "申请延时", seat, f"11:{place:02}") for place, seat in enumerate((*SEATS, "丑"))
)

ROWS: dict[str, tuple[Row, ...]] = {
    "the form": (
        one("alone", "申请加速", "standing", FASTER),
        one("before a reason", "申请加速 大家都累了", "standing", FASTER),
        one("before a stop and a reason", "申请加速，大家都累了！", "standing", FASTER),
        one("a reason in the next line", "申请加速\n明天要考试", "standing", FASTER),
        one("in one pair of brackets", "【申请加速】明天要考试", "standing", FASTER),
        one("in traditional characters", "申請加速", "standing", FASTER),
        one("a zero-width space inside", "申请\u200b加速", "standing", FASTER),
        one("behind an empty line", "\n　\n申请加速", "standing", FASTER),
        one("below a quote", "申请加速", "standing", FASTER, links=(QUOTED,)),
        one("for the other kind", "申请延时", "standing", NOTHING),
        one("a word before it", "我申请加速", "", NOTHING, "B503"),
        one("glued to a question", "申请加速吗", "", NOTHING, "B503"),
        one("a question mark behind it", "申请加速？", "", NOTHING, "B503"),
        one("talk about it", "申请加速的人够了没有", "", NOTHING, "B503"),
        one("a space inside", "申请 加速", "", NOTHING, "B503"),
        one("in the second line", "早上好\n申请加速", "", NOTHING, "B503"),
        one("the rule post's other word", "申请延迟", "", NOTHING, "B503"),
        one("somebody else's words", "附议加速", "", NOTHING, "B503"),
        one("a plus", "加速+1", "", NOTHING, "B503"),
        one("both kinds in one line", "申请加速、申请延时", "", NOTHING, "B503"),
        one("taken back in one breath", "申请加速（取消）", "", NOTHING, "B503"),
        one("a direction mark behind it", "申请加速\u202e", "", NOTHING, "B503"),
        one("only in a quote", "同感", "", NOTHING, links=(QUOTED,)),
        one("chat", "今天好慢", "", NOTHING),
    ),
    "the moment of the judgement": (
        one("at 18:00:00", "申请加速", "standing", FASTER, clock="18:00:00"),
        one("at 18:00:01", "申请加速", "late", NOTHING, "B506", clock="18:00:01"),
        one("at 17:59:59", "申请加速", "standing", FASTER, clock="17:59:59"),
        one("at the opening second", "申请加速", "standing", FASTER, clock="09:30:00"),
        one("a second before", "申请加速", "before_open", NOTHING, "B506", clock="09:29:59"),
        one(
            "in the minute of the judgement where seconds are not printed",
            "申请加速",
            "standing",
            FASTER,
            "B514",
            clock="18:00",
            exact=False,
        ),
        one("a minute later", "申请加速", "late", NOTHING, "B506", clock="18:01", exact=False),
    ),
    "the close that was in force": (
        one("moved to 22:00 at 17:00", "申请加速", "standing", FASTER, clock="18:30", day=moved("17:00", "22:00")),
        one(
            "moved to 22:00 at 18:30, when it had been judged",
            "申请加速",
            "late",
            NOTHING,
            "B506",
            clock="18:20",
            day=moved("18:30", "22:00"),
        ),
        one("moved to 20:00 at 16:00", "申请加速", "late", NOTHING, "B506", clock="17:30", day=moved("16:00", "20:00")),
        one("the same, in time", "申请加速", "standing", FASTER, clock="17:00", day=moved("16:00", "20:00")),
    ),
    "half of the living": (
        one("one of eleven is out: five of ten are half", "今天好慢", "", FASTER, day=make_day(out=(Out("子"),))),
        one("nobody is out: five of eleven are less", "今天好慢", "", NOTHING),
        one("he goes out in the second of the judgement", "今天好慢", "", FASTER, day=make_day(out=(Out("子", at("18:00")),))),
        one("he goes out a second later", "今天好慢", "", NOTHING, day=make_day(out=(Out("子", at("18:00:01")),))),
    ),
    "one request a seat": (
        Row("the same again", (asked(), asked(clock="13:00")), "repeated", FASTER, ("B506",), {0: "standing"}),
        Row("again by one of the five", (asked(by="乙"),), "repeated", NOTHING, ("B506",)),
        Row("by another seat", (asked(by="庚"),), "standing", FASTER),
    ),
    "both kinds by one seat": (
        Row("the later is a speed-up", (asked("申请延时"), asked(clock="13:00")), "standing", FASTER, ("B505",), {0: "replaced"}),
        Row(
            "the later is an extension",
            (asked(), asked("申请延时", clock="13:00")),
            "standing",
            NOTHING,
            ("B505",),
            {0: "replaced"},
        ),
        Row("the later is too late", (asked(), asked("申请延时", clock="18:00:01")), "late", FASTER, ("B506",), {0: "standing"}),
        Row(
            "there and back",
            (asked(), asked("申请延时", clock="13:00"), asked(clock="14:00")),
            "standing",
            FASTER,
            ("B505",),
            {0: "replaced", 1: "replaced"},
        ),
    ),
    "taken back": (
        Row("撤回申请", (asked(), asked("撤回申请", clock="13:00")), "withdrawal", NOTHING, (), {0: "withdrawn"}),
        Row(
            "取消申请, with a reason",
            (asked(), asked("取消申请，我又有空了", clock="13:00")),
            "withdrawal",
            NOTHING,
            (),
            {0: "withdrawn"},
        ),
        Row("after the judgement", (asked(), asked("撤回申请", clock="18:00:01")), "late", FASTER, ("B506",), {0: "standing"}),
        Row(
            "by somebody else",
            (asked(), asked("撤回申请", by="庚", clock="13:00")),
            "nothing_to_withdraw",
            FASTER,
            ("B506",),
            {0: "standing"},
        ),
        Row("in other words", (asked(), asked("撤回加速申请", clock="13:00")), "", FASTER, ("B503",), {0: "standing"}),
        Row(
            "and asked for again",
            (asked(), asked("撤回申请", clock="13:00"), asked(clock="14:00")),
            "standing",
            FASTER,
            (),
            {0: "withdrawn", 1: "withdrawal"},
        ),
        Row("with nothing to take back", (asked("撤回申请"),), "nothing_to_withdraw", NOTHING, ("B506",)),
    ),
    "who may ask": (
        one("a seat", "申请加速", "standing", FASTER),
        one(
            "a seat that is out",
            "申请加速",
            "seat_out",
            NOTHING,
            "B504",
            day=make_day(out=(Out("甲"), Out("子"), Out("癸"))),
            before=FIVE[:3],
        ),
        one(
            "the same seat, in",
            "申请加速",
            "standing",
            FASTER,
            day=make_day(out=(Out("子"), Out("癸"), Out("壬"))),
            before=FIVE[:3],
        ),
        one(
            "a seat that goes out before the judgement",
            "申请加速",
            "left",
            NOTHING,
            "B506",
            day=make_day(out=(Out("甲", at("15:00")), Out("子"))),
            before=FIVE[:4],
        ),
        one("a spectator", "申请加速", "spectator", NOTHING, "B504", by="路人"),
        one("the director", "申请加速", "", NOTHING, by=DIRECTOR),
        one("the account before the substitute's", "申请加速", "old_account", NOTHING, "B504", roster=CHANGED_HANDS),
        one("the same account in its time", "申请加速", "standing", FASTER, clock="10:30", roster=CHANGED_HANDS),
        one("the substitute", "申请加速", "standing", FASTER, by="甲二号", uid=77, roster=CHANGED_HANDS),
        one("a seat that may not vote today", "申请加速", "standing", FASTER, day=make_day(barred=frozenset({"甲"}))),
    ),
    "what becomes of a request": (
        one("edited away after it was seen", "申请加速", "standing", FASTER, "B507", edits=(("13:00", "算了"),)),
        one("chat edited into one", "占楼", "", NOTHING, "B507", edits=(("13:00", "申请加速"),)),
        one("a reason added", "申请加速", "standing", FASTER, edits=(("13:00", "申请加速\n累"),)),
        one("deleted after it was seen", "申请加速", "standing", FASTER, "B507", state=PostState.DELETED, missing_since="13:00"),
        one("edited before it was first seen, in time", "申请加速", "standing", FASTER, "B507", mark="17:59"),
        one("edited before it was first seen, after the judgement", "申请加速", "doubtful", OPEN, mark="18:00"),
        one("never read", "", "doubtful", OPEN, state=PostState.BLOCKED, unreadable=True),
        one(
            "never read, and decides nothing", "", "doubtful", NOTHING, state=PostState.BLOCKED, unreadable=True, before=FIVE[:4]
        ),
        Row(
            "never read, and asked for again",
            (asked("", state=PostState.BLOCKED, unreadable=True), asked(clock="13:00")),
            "standing",
            FASTER,
            (),
            {0: "replaced"},
        ),
        one(
            "never read, by a seat that is out",
            "",
            "",
            NOTHING,
            state=PostState.BLOCKED,
            unreadable=True,
            day=make_day(out=(Out("甲"),)),
            before=FIVE[:4],
        ),
    ),
    "a longer day": (
        Row(
            "six of twelve ask for either",
            (asked("申请延时", "丑", "13:00"),),
            "repeated",
            LONGER,
            ("B506",),
            roster=TWELVE,
            before=SIX_EACH,
        ),
        Row(
            "five of twelve ask for longer",
            (asked("撤回申请", "丑", "13:00"),),
            "withdrawal",
            FASTER,
            roster=TWELVE,
            before=SIX_EACH,
        ),
        Row(
            "a seat changes its mind for longer",
            (asked("申请延时", "甲", "13:00"),),
            "standing",
            LONGER,
            ("B505",),
            roster=TWELVE,
            before=SIX_EACH,
        ),
    ),
}
