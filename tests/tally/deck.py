"""The deck: every row of the table of tried ballots with neighbours that differ in one thing and end otherwise.

The results are by hand from the rule post and its reading. Voter 饺子, 10:00, window 09:30 to 21:00, 汤圆 out. The post under
test is a script's last one. `findings` are the codes about it (D101, which every voter without a vote gets, aside).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.rulesets.m29 import VOTE
from scraper.post import Comment, Flaw, PostState, Quote, Rating, Smiley, Style, Text
from tally.day import Out
from tally.policy import ChangeReply, Edits, SecondVote
from tally.roster import Account, Roster
from tally.ruling import Ruling, RulingKind
from tests.tally.make import (
    DIRECTOR,
    Table,
    Wrote,
    at,
    ballot_text,
    code_block,
    hidden,
    make_day,
    make_roster,
    outs,
    tokens,
    words,
)

TABLE = Table(day=make_day(out=outs("汤圆")))
NOBODY_OUT = Table(day=make_day())
CHANTED = Table(day=make_day(out=outs("汤圆"), chanted=("饺子",)))


@dataclass(frozen=True)
class Case:
    """One script: its name, its posts, where the last ends, the findings about it, and where others end."""

    name: str
    posts: tuple[Wrote, ...]
    result: str
    findings: tuple[str, ...] = ()
    table: Table = field(default=TABLE)
    also: Mapping[int, str] = field(default_factory=dict)


def one(name: str, text: str, result: str, *findings: str, table: Table = TABLE, **changes: object) -> Case:
    """A case of one post."""
    return Case(name, (replace(Wrote(text), **changes),), result, findings, table)  # type: ignore[arg-type]


def change(name: str, result: str, *findings: str, table: Table = TABLE, target: str = "豆沙", **changes: object) -> Case:
    """A case of a vote for 包子 at 10:00 and a change at 15:00 that quotes it."""
    second = replace(Wrote(ballot_text(target, change=True), clock="15:00", quotes=(0,)), **changes)  # type: ignore[arg-type]
    return Case(name, (Wrote(ballot_text("包子")), second), result, findings, table)


def with_policy(**changes: object) -> Table:
    """The table with switches."""
    return replace(TABLE, policy=replace(VOTE, **changes))  # type: ignore[arg-type]


def _with_new_account() -> Table:
    roster = make_roster()
    first, *rest = roster.seats
    seat = replace(first, accounts=(*first.accounts, Account("饺子二号", 2000, at("12:00"))))
    return replace(TABLE, roster=Roster((seat, *rest), roster.directors))


NEW_ACCOUNT = _with_new_account()
WANG_LEAVES = Table(day=make_day(out=(*outs("汤圆"), Out("老王", at("15:00")))))
PROXY = "代投：豆沙\n投票对象：包子\n投票理由：略"
QUOTED = Quote(900, 1235, "包子", "2018-6-5 09:40", "投票对象：包子\n投票理由：略")
BOLD, RED = Style(bold=True), Style(color="red")

ROWS: dict[int, tuple[Case, ...]] = {
    1: (
        one("in two lines", "投票对象：包子\n投票理由：好吃", "→包子"),
        one("without the reason's line", "投票对象：包子", "void no_reason"),
        one("a name that nobody has", "投票对象：馒头\n投票理由：好吃", "void unknown_target"),
    ),
    2: (
        one("half-width, in one line", "投票对象:包子 投票理由:好吃", "→包子"),
        one("the reason without its label", "投票对象:包子 理由:好吃", "void no_reason"),
        one("a full-width semicolon", "投票对象；包子 投票理由：好吃", "void unknown_target", "B105"),
    ),
    3: (
        one("glued", "投票对象：包子投票理由：好吃", "→包子"),
        one("a word too much before the glue", "投票对象：包子吧投票理由：好吃", "void unknown_target", "B105"),
        one("nothing after the glue", "投票对象：包子投票理由：", "void no_reason"),
    ),
    4: (
        one("labels in brackets", "【投票对象】包子\n【投票理由】好吃", "→包子"),
        one("nothing behind the bracket", "【投票对象】\n【投票理由】好吃", "void malformed"),
        one("another word in the bracket", "【投票】包子\n【理由】好吃", "not a ballot", "B101"),
    ),
    5: (
        one("the reason first", "投票理由：划水\n投票对象：老王", "→老王"),
        one("the target's label does not open a line", "投票理由：划水 投票对象：老王", "void malformed"),
        one("an empty reason first", "投票理由：\n投票对象：老王", "void no_reason"),
    ),
    6: (
        one("a final stop", "投票对象：老王。\n投票理由：略", "→老王"),
        one("a stop that is not the end", "投票对象：老王。包子。\n投票理由：略", "void ambiguous_target", "B106"),
        one("nothing but a stop", "投票对象：。\n投票理由：略", "void malformed"),
    ),
    7: (
        one("traditional characters", "投票對象：青嵐\n投票理由：略", "→青岚"),
        one("another character", "投票對象：青風\n投票理由：略", "void unknown_target", "B105"),
        one("half of the name", "投票對象：青\n投票理由：略", "void unknown_target", "B105"),
    ),
    8: (
        one("full-width digits", "投票对象：１０号\n投票理由：略", "→10号"),
        one("one digit less", "投票对象：１号\n投票理由：略", "→1号"),
        one("a number that nobody has", "投票对象：１１号\n投票理由：略", "void unknown_target", "B105"),
    ),
    9: (
        one("a remark in brackets", "投票对象：10号（他最可疑）\n投票理由：略", "→10号"),
        one("the remark without brackets", "投票对象：10号他最可疑\n投票理由：略", "void unknown_target", "B105"),
        one("a name behind the remark", "投票对象：10号（可疑）1号\n投票理由：略", "void ambiguous_target", "B106"),
        one("another number in the remark", "投票对象：1号（不是10号）\n投票理由：略", "→1号"),
    ),
    10: (
        one("begins two names", "投票对象：夜行\n投票理由：略", "void ambiguous_target", "B106"),
        one("a whole name", "投票对象：夜行猫\n投票理由：略", "→夜行猫"),
        one("a third name", "投票对象：夜行人\n投票理由：略", "void unknown_target", "B105"),
    ),
    11: (
        one("a full-width small letter", "投票对象：ｋ先生\n投票理由：略", "→K先生"),
        one("without the letter", "投票对象：先生\n投票理由：略", "void unknown_target", "B105"),
        one("a Cyrillic letter", "投票对象：К先生\n投票理由：略", "void unknown_target", "B105"),
    ),
    12: (
        one("a zero-width space inside", "投票对象：包\u200b子\n投票理由：略", "→包子", "B103"),
        one("a plain name", "投票对象：包子\n投票理由：略", "→包子"),
        one("a direction mark inside", "投票对象：包\u202e子\n投票理由：略", "void unknown_target", "B104", "B105"),
        one("a zero-width space in a near miss", "投票对象：包\u200b籽\n投票理由：略", "void unknown_target", "B105"),
    ),
    13: (
        one("an empty target", "投票对象：\n投票理由：略", "void malformed"),
        one("with a name", "投票对象：包子\n投票理由：略", "→包子"),
        one("the name in the next line", "投票对象：\n包子\n投票理由：略", "void malformed"),
        one("an empty form above a full one", "投票对象：\n投票对象：包子\n投票理由：略", "→包子"),
    ),
    14: (
        one("undecided", "投票对象：再看看\n投票理由：略", "void unknown_target"),
        one("undecided with a name", "投票对象：再看看包子\n投票理由：略", "void unknown_target", "B105"),
        one("the abstention", "投票对象：弃权\n投票理由：再看看", "弃权"),
    ),
    15: (
        one("the abstention", "投票对象：弃权\n投票理由：不知道", "弃权"),
        one("in traditional characters", "投票對象：棄權\n投票理由：不知道", "弃权"),
        one("a word more", "投票对象：弃权吧\n投票理由：不知道", "void unknown_target", "B105"),
        one("another word", "投票对象：无\n投票理由：不知道", "void unknown_target"),
    ),
    16: (
        one("a player named nearly so", "投票对象：弃权者\n投票理由：略", "→弃权者"),
        one("a character less", "投票对象：弃权\n投票理由：略", "弃权"),
        one("another last character", "投票对象：弃权人\n投票理由：略", "void unknown_target", "B105"),
    ),
    17: (
        one(
            "three lines, two names",
            "投票对象：包子\n投票对象：豆沙\n投票对象：包子\n投票理由：略",
            "void ambiguous_target",
            "B106",
        ),
        one("three lines, one name", "投票对象：包子\n投票对象：包子。\n投票对象：包 子\n投票理由：略", "→包子"),
        one("a name and the abstention", "投票对象：包子\n投票对象：弃权\n投票理由：略", "void ambiguous_target", "B106"),
        one("both formats", "投票对象：包子\n改票对象：包子\n投票理由：略", "void malformed"),
    ),
    18: (
        one("a quoted ballot and 同意", "同意", "not a ballot", links=(QUOTED,)),
        one("a quoted ballot and an own one", "投票对象：豆沙\n投票理由：同意", "→豆沙", links=(QUOTED,)),
        one("a quoted ballot and a vote in chat", "同意，投包子", "not a ballot", "B101", links=(QUOTED,)),
    ),
    19: (
        one("an own ballot below a quote", "投票对象：豆沙\n投票理由：略", "→豆沙", links=(QUOTED,)),
        one("an own ballot without reason below a quote that has one", "投票对象：豆沙", "void no_reason", links=(QUOTED,)),
        one("an own reason below a quoted target", "投票理由：略", "void malformed", links=(QUOTED,)),
    ),
    20: (
        one("a target that is out", "投票对象：汤圆\n投票理由：略", "void target_out"),
        one("the same while it is in", "投票对象：汤圆\n投票理由：略", "→汤圆", table=NOBODY_OUT),
        one("a target that never was", "投票对象：元宵\n投票理由：略", "void unknown_target"),
    ),
    21: (
        one("a voter who is out", ballot_text("包子"), "void voter_out", "D102", by="汤圆"),
        one("the same while he is in", ballot_text("包子"), "→包子", by="汤圆", table=NOBODY_OUT),
        one("one who is out chats", "大家加油", "not a ballot", "D102", by="汤圆"),
    ),
    22: (
        one("a spectator's ballot", ballot_text("包子"), "not a ballot", "B102", by="路人"),
        one("a spectator's chat", "围观", "not a ballot", by="路人"),
        one("the same words by a player", ballot_text("包子"), "→包子", by="豆沙"),
        one(
            "the director gives the account a seat",
            ballot_text("包子"),
            "→包子",
            "E201",
            by="路人",
            table=replace(TABLE, rulings=(Ruling(RulingKind.ACCOUNT, 7, value="豆沙", name="路人"),)),
        ),
    ),
    23: (
        one("composed", "投票对象：Napol\u00e9on\n投票理由：略", "→Napoléon"),
        one("decomposed", "投票对象：Napole\u0301on\n投票理由：略", "→Napoléon"),
        one("without the accent", "投票对象：Napoleon\n投票理由：略", "void unknown_target", "B105"),
        one("another accent", "投票对象：Napole\u0300on\n投票理由：略", "void unknown_target", "B105"),
    ),
    24: (
        one(
            "bold, colour and a smiley inside the name",
            "",
            "→包子",
            message=tokens(
                (Text("投票对象："), Text("包", BOLD), Smiley("smile"), Text("子", RED)),
                (Text("投票理由：略"),),
            ),
        ),
        one(
            "a smiley in place of a character",
            "",
            "void unknown_target",
            "B105",
            message=tokens((Text("投票对象：包"), Smiley("smile")), (Text("投票理由：略"),)),
        ),
        one("a line end inside the name", "投票对象：包\n子\n投票理由：略", "void unknown_target", "B105"),
    ),
    25: (
        one(
            "the label split by tags",
            "",
            "→包子",
            message=tokens((Text("投"), Text("票对象", BOLD), Text("：包子")), (Text("投票理由：略"),)),
        ),
        one("the label split by a space", "投 票对象：包子", "not a ballot", "B101"),
        one("the label split by a line end", "投票\n对象：包子\n投票理由：略", "void malformed"),
    ),
    26: (
        one("the label inside a chat line", "我觉得投票对象：应该写清楚", "not a ballot"),
        one("the same words without what is before", "投票对象：应该写清楚\n投票理由：略", "void unknown_target"),
        one("a name behind the label inside a line", "我觉得投票对象：包子", "not a ballot", "B101"),
    ),
    27: (
        replace(change("quoting the own ballot", "→豆沙"), also={0: "replaced"}),
        replace(change("without its reason", "void no_reason", text="改票对象：豆沙"), also={0: "→包子"}),
        replace(change("in the first format", "void second_vote", "B107", text=ballot_text("豆沙")), also={0: "→包子"}),
        change(
            "in the first format, under the switch",
            "→豆沙",
            text=ballot_text("豆沙"),
            table=with_policy(second=SecondVote.REPLACE),
        ),
    ),
    28: (
        change("without a quote", "void change_not_reply", "B108", quotes=()),
        change("a reply header that links to it", "→豆沙", quotes=(), links=(Quote(101, None, "饺子", "", "", reply=True),)),
        change(
            "a reply header that links elsewhere",
            "void change_not_reply",
            quotes=(),
            links=(Quote(900, None, "饺子", "", "", reply=True),),
        ),
        change("without a quote, under the switch", "→豆沙", quotes=(), table=with_policy(change_reply=ChangeReply.OPTIONAL)),
    ),
    29: (
        Case(
            "quoting someone else's ballot of the same text",
            (
                Wrote(ballot_text("包子")),
                Wrote(ballot_text("包子"), by="青岚", clock="10:05"),
                Wrote(ballot_text("豆沙", change=True), clock="15:00", quotes=(1,)),
            ),
            "void change_not_reply",
        ),
        Case(
            "quoting both",
            (
                Wrote(ballot_text("包子")),
                Wrote(ballot_text("包子"), by="青岚", clock="10:05"),
                Wrote(ballot_text("豆沙", change=True), clock="15:00", quotes=(1, 0)),
            ),
            "→豆沙",
        ),
        Case(
            "quoting the own one of the two",
            (
                Wrote(ballot_text("包子")),
                Wrote(ballot_text("包子"), by="青岚", clock="10:05"),
                Wrote(ballot_text("豆沙", change=True), clock="15:00", quotes=(0,)),
            ),
            "→豆沙",
        ),
        Case(
            "quoting the own chat",
            (
                Wrote("早上好", clock="09:40"),
                Wrote(ballot_text("包子")),
                Wrote(ballot_text("豆沙", change=True), clock="15:00", quotes=(0,)),
            ),
            "void change_not_reply",
        ),
    ),
    30: (
        Case(
            "a second change",
            (
                Wrote(ballot_text("包子")),
                Wrote(ballot_text("豆沙", change=True), clock="15:00", quotes=(0,)),
                Wrote(ballot_text("青岚", change=True), clock="16:00", quotes=(1,)),
            ),
            "void change_limit",
            also={1: "→豆沙"},
        ),
        Case(
            "after a change that was void",
            (
                Wrote(ballot_text("包子")),
                Wrote(ballot_text("豆沙", change=True), clock="15:00"),
                Wrote(ballot_text("青岚", change=True), clock="16:00", quotes=(0,)),
            ),
            "→青岚",
        ),
        Case(
            "where two are allowed",
            (
                Wrote(ballot_text("包子")),
                Wrote(ballot_text("豆沙", change=True), clock="15:00", quotes=(0,)),
                Wrote(ballot_text("青岚", change=True), clock="16:00", quotes=(1,)),
            ),
            "→青岚",
            table=with_policy(changes=2),
        ),
    ),
    31: (
        change("at 20:00:00", "void change_too_late", clock="20:00:00"),
        change("at 20:00:01", "void change_too_late", clock="20:00:01"),
        change("at 19:59:59", "→豆沙", clock="19:59:59"),
        change("at the closing second", "void change_too_late", clock="21:00:00"),
        one("a first vote in the last hour", ballot_text("包子"), "→包子", clock="20:30"),
    ),
    32: (
        one("without any standing vote", ballot_text("包子", change=True), "void nothing_to_change"),
        Case(
            "after a void ballot that it quotes",
            (Wrote("投票对象：包子"), Wrote(ballot_text("豆沙", change=True), clock="15:00", quotes=(0,))),
            "void nothing_to_change",
        ),
        change("with a standing vote", "→豆沙"),
        Case(
            "after an abstention",
            (Wrote(ballot_text("弃权")), Wrote(ballot_text("豆沙", change=True), clock="15:00", quotes=(0,))),
            "→豆沙",
        ),
    ),
    33: (
        change("to the same target", "→包子", target="包子"),
        Case(
            "and then to another",
            (
                Wrote(ballot_text("包子")),
                Wrote(ballot_text("包子", change=True), clock="15:00", quotes=(0,)),
                Wrote(ballot_text("豆沙", change=True), clock="16:00", quotes=(1,)),
            ),
            "void change_limit",
        ),
        change("to nobody that is known", "void unknown_target", target="馒头"),
    ),
    34: (
        one("at the closing second", ballot_text("包子"), "→包子", clock="21:00:00"),
        one("a second later", ballot_text("包子"), "void after_close", clock="21:00:01"),
        one("at the opening second", ballot_text("包子"), "→包子", clock="09:30:00"),
        one("a second earlier", ballot_text("包子"), "void before_open", clock="09:29:59"),
        one("the closing minute where seconds are not printed", ballot_text("包子"), "→包子", "B301", clock="21:00", exact=False),
    ),
    35: (
        one("a new target after it was seen", ballot_text("包子"), "→包子", "B201", edits=(("11:00", ballot_text("豆沙")),)),
        one("an edit mark and the same words", ballot_text("包子"), "→包子", edits=(("11:00", ballot_text("包子")),)),
        one(
            "a new target, under the switch",
            ballot_text("包子"),
            "→豆沙",
            "B210",
            edits=(("11:00", ballot_text("豆沙")),),
            table=with_policy(edits=Edits.LATEST),
        ),
        one(
            "void under the other switch",
            ballot_text("包子"),
            "void edited",
            edits=(("11:00", ballot_text("豆沙")),),
            table=with_policy(edits=Edits.VOID),
        ),
    ),
    36: (
        one("an edit mark from before the last hour", ballot_text("包子"), "→包子", "B202", mark="19:59"),
        one("an edit mark from the last hour", ballot_text("包子"), "needs_ruling", "B203", mark="20:00"),
        one("an edit mark from after the close", ballot_text("包子"), "needs_ruling", "B203", mark="21:02"),
        one("the same on a ballot that is void anyway", "投票对象：包子", "void no_reason", "B202", mark="20:00"),
    ),
    37: (
        one("deleted", ballot_text("包子"), "→包子", "B207", state=PostState.DELETED, missing_since="12:00"),
        one("blocked", ballot_text("包子"), "→包子", "B208", state=PostState.BLOCKED),
        one("never seen before it was blocked", "", "needs_ruling", "B204", state=PostState.BLOCKED, unreadable=True),
        one("deleted chat", "早上好", "not a ballot", state=PostState.DELETED, missing_since="12:00"),
    ),
    38: (
        one("edited into a good one", "投票对象：包子", "void no_reason", "B206", edits=(("11:00", ballot_text("包子")),)),
        one("edited into another bad one", "投票对象：包子", "void no_reason", "B201", edits=(("11:00", "投票对象：豆沙"),)),
        Case("posted again", (Wrote("投票对象：包子"), Wrote(ballot_text("包子"), clock="11:00")), "→包子"),
        one("chat edited into a ballot", "占楼", "not a ballot", "B209", edits=(("11:00", ballot_text("包子")),)),
    ),
    39: (
        one("by the director", PROXY, "→包子", by=DIRECTOR),
        Case(
            "for nobody that is known",
            (Wrote("投票帖", by=DIRECTOR, clock="09:30"), Wrote(PROXY.replace("豆沙", "馒头"), by=DIRECTOR)),
            "not a ballot",
            ("B112",),
        ),
        one("without its reason", "代投：豆沙\n投票对象：包子", "void no_reason", by=DIRECTOR),
        Case(
            "where the voter has a vote",
            (Wrote(ballot_text("青岚"), by="豆沙"), Wrote(PROXY, by=DIRECTOR, clock="11:00")),
            "void second_vote",
            ("B107",),
        ),
        Case(
            "as his change",
            (
                Wrote(ballot_text("青岚"), by="豆沙"),
                Wrote("代投：豆沙\n改票对象：包子\n改票理由：略", by=DIRECTOR, clock="11:00"),
            ),
            "→包子",
            also={0: "replaced"},
        ),
    ),
    40: (
        one(
            "with a condition",
            "代投：豆沙\n如果老王没投他就\n投票对象：包子\n投票理由：略",
            "void conditional_proxy",
            by=DIRECTOR,
        ),
        one("with 只要", "代投：豆沙\n只要老王没有投票\n投票对象：包子\n投票理由：略", "void conditional_proxy", by=DIRECTOR),
        one("with words that may be one", PROXY + "\n老王没投就投他", "→包子", "B116", by=DIRECTOR),
        one("with a condition in the reason", PROXY.replace("略", "若老王没投他"), "void conditional_proxy", by=DIRECTOR),
        one("with a word that only looks like one", PROXY.replace("略", "若干疑点"), "→包子", by=DIRECTOR),
        one("in the last hour", PROXY, "void proxy_too_late", by=DIRECTOR, clock="20:00"),
        one("a second before the last hour", PROXY, "→包子", by=DIRECTOR, clock="19:59:59"),
    ),
    41: (
        one("by a player", PROXY, "void proxy_not_director", by="青岚"),
        one("a player's own ballot that speaks of it", ballot_text("包子") + "\n代投辛苦了", "→包子", by="青岚"),
        one("by a spectator", PROXY, "not a ballot", "B102", by="路人"),
    ),
    42: (
        one("the target leaves later that day", ballot_text("老王"), "void target_out", table=WANG_LEAVES),
        one("voted for when he has just left", ballot_text("老王"), "void target_out", table=WANG_LEAVES, clock="15:00:00"),
        Case(
            "the voter votes again",
            (Wrote(ballot_text("老王")), Wrote(ballot_text("包子"), clock="16:00")),
            "→包子",
            table=WANG_LEAVES,
            also={0: "void target_out"},
        ),
        Case(
            "and still has his change",
            (
                Wrote(ballot_text("老王")),
                Wrote(ballot_text("包子"), clock="16:00"),
                Wrote(ballot_text("豆沙", change=True), clock="17:00", quotes=(1,)),
            ),
            "→豆沙",
            table=WANG_LEAVES,
        ),
        Case(
            "he votes again before the target leaves",
            (Wrote(ballot_text("老王")), Wrote(ballot_text("包子"), clock="14:59:59")),
            "void second_vote",
            ("B107",),
            table=WANG_LEAVES,
        ),
    ),
    43: (
        one("from the new account", ballot_text("包子"), "→包子", by="饺子二号", clock="13:00", table=NEW_ACCOUNT),
        one("from the old account", ballot_text("包子"), "void old_account", clock="13:00", table=NEW_ACCOUNT),
        one("from the old account before", ballot_text("包子"), "→包子", clock="11:00", table=NEW_ACCOUNT),
        one(
            "from the new account before",
            ballot_text("包子"),
            "not a ballot",
            "B102",
            by="饺子二号",
            clock="11:00",
            table=NEW_ACCOUNT,
        ),
    ),
    44: (
        one("in a comment", "路过", "not a ballot", comments=(Comment("饺子", 1000, ballot_text("包子"), at("10:01")),)),
        one("in the signature", "路过", "not a ballot", signature=ballot_text("包子")),
        one("in a rating's reason", "路过", "not a ballot", ratings=(Rating("饺子", 1000, "投票对象：包子"),)),
        one("a target in the post, a reason in the signature", "投票对象：包子", "void no_reason", signature="投票理由：略"),
        one("in the post", "路过\n" + ballot_text("包子"), "→包子", signature="投票对象：豆沙"),
    ),
    45: (
        one("inside [hide]", "", "→包子", "B109", message=hidden(ballot_text("包子"))),
        one("beside [hide]", "", "→包子", message=tokens(*words(ballot_text("包子")).lines, (Text("悄悄话", hidden=True),))),
        one(
            "a hidden part that is not shown",
            "外面的字",
            "needs_ruling",
            "A111",
            "B204",
            flaws=(Flaw("A111", (("text", "隐藏"),)),),
        ),
        one("inside a code block", "", "not a ballot", message=code_block(ballot_text("包子"))),
    ),
    46: (
        one("弃权 alone", "弃权", "not a ballot", "B101"),
        one("a verb and a name", "投饺子", "not a ballot", "B101"),
        one("a sentence", "我投包子一票", "not a ballot", "B101"),
        one("a label with spaces", "投 票 对 象：包子", "not a ballot", "B101"),
        one("chat about the vote", "投票真难", "not a ballot"),
        one("chat about a player", "包子说得对", "not a ballot"),
    ),
    47: (
        one("an empty reason", "投票对象：包子\n投票理由：", "void no_reason"),
        one("the reason in the next line", "投票对象：包子\n投票理由：\n好吃", "→包子"),
        one(
            "a smiley for a reason",
            "",
            "→包子",
            message=tokens((Text("投票对象：包子"),), (Text("投票理由："), Smiley("lol"))),
        ),
        one("by a chanted player", "投票对象：包子\n投票理由：", "→包子", table=CHANTED),
    ),
    48: (
        one("for oneself", ballot_text("饺子"), "→饺子"),
        one("for oneself while out", ballot_text("汤圆"), "void voter_out", "D102", by="汤圆"),
        one("for oneself under another name", ballot_text("饺子王"), "void unknown_target", "B105"),
    ),
    49: (
        one("a semicolon for the colon", "投票对象；包子\n投票理由：略", "void unknown_target", "B105"),
        one("two names", "投票对象：包子、豆沙\n投票理由：略", "void ambiguous_target", "B106"),
        one("a name with marks in it", "投票对象：a&b<c>\n投票理由：略", "→a&b<c>"),
        one("a pair of brackets for the colon", "投票对象【包子】\n投票理由：略", "→包子"),
    ),
}
