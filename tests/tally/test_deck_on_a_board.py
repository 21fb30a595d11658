"""The rows of the deck that hang on how a page reads, as players type them and as a board shows them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from scraper.page import read_page
from scraper.post import History, Revision
from tally.count import count_day
from tally.roster import Account, Roster, Seat
from tests.board.dialects import DIALECTS
from tests.board.script import parse_script
from tests.board.server import Asked, Board
from tests.tally.deck import TABLE
from tests.tally.make import DECK, DIRECTOR, VOTE_THREAD, at, codes_of, pid_of, result_of

SEEN = at("21:05")
# On the board an account has the number that its first mention gives it: here they are known by name.
ROSTER = Roster(tuple(Seat(name, (Account(name),)) for name in DECK), (Account(DIRECTOR),))


@dataclass(frozen=True)
class Typed:
    """One post as it is typed, in BBCode; `quote` is the index of the post whose quoting button was pressed."""

    text: str
    by: str = "饺子"
    clock: str = "10:00:00"
    quote: int | None = None
    comment: str = ""
    rating: str = ""


@dataclass(frozen=True)
class Row:
    """A row of the deck: its posts, where the last ends, and the findings about it."""

    number: int
    name: str
    posts: tuple[Typed, ...]
    result: str
    findings: tuple[str, ...] = ()


OTHERS = Typed("投票对象：包子\n投票理由：略", by="青岚", clock="09:45:00")
FIRST = Typed("投票对象：包子\n投票理由：略", clock="09:50:00")
CHANGE = "改票对象：豆沙\n改票理由：略"
SIGNATURE = {"老王": "投票对象：包子\n投票理由：略"}

ROWS = (
    Row(12, "a zero-width space", (Typed("投票对象：包\u200b子\n投票理由：略"),), "→包子", ("B103",)),
    Row(18, "a quoted ballot and 同意", (OTHERS, Typed("同意", quote=0)), "not a ballot"),
    Row(18, "the quote typed by hand", (Typed("[quote]投票对象：包子\n投票理由：略[/quote]\n同意"),), "not a ballot"),
    Row(19, "an own ballot below a quote", (OTHERS, Typed("投票对象：豆沙\n投票理由：略", quote=0)), "→豆沙"),
    Row(19, "an own ballot without reason below a quote", (OTHERS, Typed("投票对象：豆沙", quote=0)), "void no_reason"),
    Row(
        24,
        "bold, colour and a smiley inside the name",
        (Typed("投票对象：[b]包[/b]:smile:[color=red]子[/color]\n投票理由：略"),),
        "→包子",
    ),
    Row(24, "a smiley for a character", (Typed("投票对象：包:smile:\n投票理由：略"),), "void unknown_target", ("B105",)),
    Row(25, "the label split by tags", (Typed("投[b]票对象[/b]：包子\n[size=4]投票理由[/size]：略"),), "→包子"),
    Row(25, "a list mark before the label", (Typed("[list=1]\n[*]投票对象：包子\n[*]投票理由：略\n[/list]"),), "→包子"),
    Row(27, "a change that quotes the own ballot", (FIRST, Typed(CHANGE, quote=0)), "→豆沙"),
    Row(28, "a change without a quote", (FIRST, Typed(CHANGE)), "void change_not_reply", ("B108",)),
    Row(29, "a change that quotes someone else's", (OTHERS, FIRST, Typed(CHANGE, quote=0)), "void change_not_reply"),
    Row(
        29,
        "a change whose quote was typed by hand",
        (OTHERS, FIRST, Typed("同意", by="老王", quote=0), Typed("[quote]投票对象：包子\n投票理由：略[/quote]\n" + CHANGE)),
        "void change_not_reply",
    ),
    Row(44, "in a comment", (Typed("路过", comment="投票对象：包子 投票理由：略"),), "not a ballot"),
    Row(44, "in a rating's reason", (Typed("路过", rating="投票对象：包子"),), "not a ballot"),
    Row(44, "in the signature", (Typed("路过", by="老王"),), "not a ballot"),
    Row(45, "inside a code block", (Typed("[code]投票对象：包子\n投票理由：略[/code]"),), "not a ballot"),
    Row(49, "marks that HTML needs", (Typed("投票对象：a&b<c>\n投票理由：略"),), "→a&b<c>"),
)


def read_histories(posts: tuple[Typed, ...], dialect: str, viewer: str = "") -> list[History]:
    """The posts as one look at the board reads them."""
    names = {typed.by for typed in posts} | set(SIGNATURE)
    board = {
        # The touch view prints relative times without the absolute one; a board with them switched off prints that.
        "board": {
            "dialect": dialect,
            "per_page": 30,
            "viewer": viewer,
            "noise": True,
            "relative": not dialect.startswith("touch"),
        },
        "account": [{"name": name, "signature": SIGNATURE.get(name, "")} for name in sorted(names)],
        "thread": [{"tid": VOTE_THREAD, "title": "投票帖"}],
        "post": [_scripted(index, typed) for index, typed in enumerate(posts)],
    }
    reply = Board(parse_script(board), SEEN).answer(Asked("GET", f"/thread-{VOTE_THREAD}-1-1.html"))
    assert reply is not None
    page = read_page(
        reply.body,
        tid=VOTE_THREAD,
        seen_at=SEEN,
        zone=ZoneInfo("Asia/Shanghai"),
        content_type=dict(reply.headers)["Content-Type"],
    )
    return [History((Revision(1, SEEN, post),), post.state, SEEN) for post in page.posts]


def _scripted(index: int, typed: Typed) -> dict[str, object]:
    post: dict[str, object] = {
        "tid": VOTE_THREAD,
        "pid": pid_of(index),
        "author": typed.by,
        "at": datetime.fromisoformat(f"2018-06-05T{typed.clock}"),
        "text": typed.text,
    }
    if typed.quote is not None:
        post["quote"] = pid_of(typed.quote)
    if typed.comment:
        post["comments"] = [{"author": "饺子", "at": datetime.fromisoformat("2018-06-05T10:05:00"), "text": typed.comment}]
    if typed.rating:
        post["ratings"] = [{"author": "饺子", "at": datetime.fromisoformat("2018-06-05T10:05:00"), "reason": typed.rating}]
    return post


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.number}: {row.name}")
def test_the_row_reads_off_a_page_as_it_does_from_values(row: Row, dialect: str) -> None:
    tally = count_day(read_histories(row.posts, dialect), day=TABLE.day, roster=ROSTER, policy=TABLE.policy, seen_until=SEEN)
    last = len(row.posts) - 1
    assert result_of(tally, last) == row.result
    assert codes_of(tally, last) - {"D101"} == set(row.findings)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("viewer", "result", "codes"), [("饺子", "→包子", {"B109"}), ("", "needs_ruling", {"A111", "B204"})])
def test_a_hidden_ballot_counts_for_who_may_see_it_and_is_in_doubt_for_who_may_not(
    dialect: str, viewer: str, result: str, codes: set[str]
) -> None:
    posts = (Typed("[hide]投票对象：包子\n投票理由：略[/hide]"),)
    tally = count_day(read_histories(posts, dialect, viewer), day=TABLE.day, roster=ROSTER, policy=TABLE.policy, seen_until=SEEN)
    if viewer and dialect.startswith("v6"):
        # 6.x prints a notice before the hidden words and does not say where they end: the warning is that of the notice.
        codes = {"A111"}
    assert (result_of(tally, 0), codes_of(tally, 0)) == (result, codes)
