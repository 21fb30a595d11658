"""Threads that move while somebody reads them, and boards that answer otherwise than asked: through a real client and socket."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from scraper.passes import Change
from scraper.post import PostState
from tests.board.orders import cached, newest_first, page_of, sticky
from tests.board.script import Script
from tests.board.server import Asked, Board, Fault, Reply
from tests.scraper.looks import at, post, thread
from tests.scraper.reader import Reader, kinds, reading

GONE = "deleted = 2018-06-03T12:00:00"


def chat(count: int, per_page: int = 2, **more: str) -> Script:
    """So many posts, a minute apart from 10:00; `p3` gives post 3 further keys."""
    return thread(
        *(post("路人", f"10:{minute:02d}", f"第{minute}帖", more.get(f"p{minute + 1}", "")) for minute in range(count)),
        per_page=per_page,
    )


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def read(stack: ExitStack, folder: Path, script: Script) -> Reader:
    return stack.enter_context(reading(folder, script))


def while_reading(board: Board, after: int, moment: str, day: int = 3) -> Fault:
    """The board's clock moves on when so many pages of a pass were handed out."""
    count = 0

    def move(asked: Asked, reply: Reply) -> Reply:
        nonlocal count
        count += 1
        if count == after:
            board.clock = at(moment, day)
        return reply

    return move


# Between two passes


def test_a_thread_that_lost_a_page_answers_with_its_last_one(stack: ExitStack, tmp_path: Path) -> None:
    reader = read(stack, tmp_path, chat(5, p4=GONE, p5=GONE))
    assert reader.poll("11:00").pages == 3
    outcome = reader.poll("12:10")
    assert (reader.asked()[0], outcome.pages, outcome.seen, outcome.errors, outcome.why) == (3, 2, (1, 2), (), "")
    assert kinds(outcome) == {4: [Change.MISSING], 5: [Change.MISSING]}
    assert kinds(reader.poll("12:20")) == {4: [Change.GONE], 5: [Change.GONE]}


def test_after_a_deletion_the_address_leads_to_itself_and_the_floors_are_others(stack: ExitStack, tmp_path: Path) -> None:
    reader = read(stack, tmp_path, chat(9, p2=GONE))
    reader.poll("11:00")
    before = {pid: history.latest.floor for pid, history in reader.histories().items()}
    renumbered = set[str]()

    def renumber(asked: Asked, reply: Reply) -> Reply:
        if asked.address in renumbered:
            return reply
        renumbered.add(asked.address)
        return Reply(302, (("Location", asked.address),), b"")

    outcome = reader.poll("12:10", 3, renumber)
    assert (outcome.why, outcome.errors) == ("", ())
    # Page 4 is the last now, and from there back to page 1, since all of them have moved.
    assert outcome.seen == (1, 2, 3, 4)
    told = kinds(outcome)
    assert told.pop(2) == [Change.MISSING]
    assert told == {pid: [Change.MOVED] for pid in range(3, 10)}
    after = {pid: history.latest.floor for pid, history in reader.histories().items()}
    assert [after[pid] for pid in range(3, 10)] == [before[pid - 1] for pid in range(3, 10)]
    assert all(len(history.revisions) == 1 for history in reader.histories().values())


def test_a_deletion_far_from_the_end_is_met_where_the_posts_have_moved(stack: ExitStack, tmp_path: Path) -> None:
    reader = read(stack, tmp_path, chat(41, p37=GONE))
    reader.poll("11:00")
    outcome = reader.poll("12:10")
    # 21 pages before, 20 now: 20 and 19 begin with other posts, page 18 does not, and then one page in its turn.
    assert reader.asked() == [21, 19, 18, 1]
    assert kinds(outcome)[37] == [Change.MISSING]
    # It must stand between pages 18 and 19.
    assert kinds(reader.poll("12:20")) == {37: [Change.GONE]}
    assert reader.asked() == [20, 18, 19]
    reader.poll("12:30")
    assert reader.asked() == [20, 2]


def test_a_post_that_comes_back_is_told_and_stands_again(stack: ExitStack, tmp_path: Path) -> None:
    reader = read(stack, tmp_path, chat(5, p2=f"{GONE}\nrestored = 2018-06-03T13:00:00"))
    for time in ("11:00", "12:10", "12:20"):
        reader.poll(time)
    assert reader.histories()[2].state is PostState.DELETED
    outcome = reader.poll("13:10")
    assert kinds(outcome)[2] == [Change.RETURNED]
    assert reader.histories()[2].state is PostState.NORMAL


def test_an_old_first_page_from_a_cache_makes_nothing_gone_for_good(stack: ExitStack, tmp_path: Path) -> None:
    reader = read(stack, tmp_path, chat(4, per_page=10))
    old = cached(reader.board, 1)
    reader.move(at("10:01"))
    assert reader.poll("10:01", 3, old).new == (1, 2)
    assert reader.poll("10:10").new == (3, 4)
    assert kinds(reader.poll("10:20", 3, old)) == {3: [Change.MISSING], 4: [Change.MISSING]}
    assert kinds(reader.poll("10:30")) == {3: [Change.RETURNED], 4: [Change.RETURNED]}
    assert {history.state for history in reader.histories().values()} == {PostState.NORMAL}


@pytest.mark.parametrize(("before", "after"), [(4, 10), (10, 4), (4, 3)])
def test_another_number_of_posts_a_page_loses_nothing(stack: ExitStack, tmp_path: Path, before: int, after: int) -> None:
    reader = read(stack, tmp_path, chat(50, before))
    reader.poll("10:40")
    assert len(reader.histories()) == 41
    reader.board.script = replace(reader.board.script, settings=replace(reader.board.script.settings, per_page=after))
    for time, day in (("11:00", 3), ("12:00", 3), ("21:05", 5), ("21:10", 5)):
        assert reader.poll(time, day).why == ""
    assert reader.histories().keys() == set(range(1, 51))
    assert {history.state for history in reader.histories().values()} == {PostState.NORMAL}
    assert (reader.gaps(), reader.sweeps()) == ((), 2)


# In the middle of a pass


def test_a_thread_that_grows_while_it_is_read_is_read_to_its_new_end(stack: ExitStack, tmp_path: Path) -> None:
    reader = read(stack, tmp_path, chat(20))
    reader.poll("10:05", 3, while_reading(reader.board, 2, "10:09"))
    assert reader.asked() == [1, 2, 3, 4, 5]
    assert (reader.gaps(), sorted(reader.histories())) == ((), list(range(1, 11)))


def test_a_thread_that_shrinks_while_it_is_read_proves_nothing_about_what_lies_between_its_pages(
    stack: ExitStack, tmp_path: Path
) -> None:
    reader = read(stack, tmp_path, chat(7, p1="", p2=GONE))
    # When page 1 and 2 were handed out post 2 is deleted: post 5 moves to page 2, past the reader.
    outcome = reader.poll("11:00", 3, while_reading(reader.board, 2, "12:10"))
    assert "shrank from 4 pages to 3" in outcome.why
    assert 5 not in reader.histories()
    # Between post 4 of page 2 and post 6 of page 3.
    assert reader.gaps() == (2, 3)
    assert reader.poll("12:20").why == ""
    assert (reader.gaps(), 5 in reader.histories()) == ((), True)


def test_a_post_that_moves_past_the_reader_in_one_sweep_is_met_in_the_other(stack: ExitStack, tmp_path: Path) -> None:
    script = chat(8, p2="deleted = 2018-06-05T21:01:00")
    reader = read(stack, tmp_path, script)
    reader.poll("10:03")
    # Seven posts stay on four pages: nothing tells that one has moved.
    assert reader.poll("21:00:30", 5, while_reading(reader.board, 2, "21:01", 5)).why == ""
    assert 5 not in reader.histories()
    reader.poll("21:02", 5)
    assert (5 in reader.histories(), reader.sweeps()) == (True, 2)


def test_a_known_post_that_moves_past_the_reader_of_a_shrinking_thread_is_not_missing(stack: ExitStack, tmp_path: Path) -> None:
    reader = read(stack, tmp_path, chat(7, p2="deleted = 2018-06-05T21:01:00"))
    reader.poll("10:30")
    # Post 2 goes when pages 1 and 2 were handed out, and post 5 from page 3 to page 2: nobody says that it is not there.
    outcome = reader.poll("21:00:30", 5, while_reading(reader.board, 2, "21:01", 5))
    assert "shrank from 4 pages to 3" in outcome.why
    assert 5 not in kinds(outcome)
    assert reader.histories()[5].missing_since is None


def test_the_same_page_under_two_numbers_is_missing_under_one(stack: ExitStack, tmp_path: Path) -> None:
    reader = read(stack, tmp_path, chat(6))

    def twice(asked: Asked, reply: Reply) -> Reply:
        if page_of(asked) != 2:
            return reply
        first = Board(reader.board.script, reader.board.clock).answer(
            replace(asked, address=asked.address.replace("page=2", "page=1"))
        )
        assert first is not None
        return replace(first, body=first.body.replace(b"<strong>1</strong>", b"<strong>2</strong>"))

    outcome = reader.poll("11:00", 3, twice)
    assert (outcome.seen, outcome.missing, outcome.exit_code) == ((1, 3), (2,), 4)
    assert "page 2 came with the posts of page 1" in outcome.why
    assert 2 in reader.gaps()
    assert reader.poll("11:10").why == ""
    assert (reader.gaps(), len(reader.histories())) == ((), 6)


def test_a_page_that_breaks_off_again_and_again_is_missing_and_then_made_up_for(stack: ExitStack, tmp_path: Path) -> None:
    reader = read(stack, tmp_path, chat(6))

    def cut(asked: Asked, reply: Reply) -> Reply:
        return replace(reply, sent=len(reply.body) // 2) if page_of(asked) == 3 else reply

    outcome = reader.poll("11:00", 3, cut)
    assert (outcome.seen, outcome.missing, outcome.exit_code) == ((1, 2), (3,), 4)
    assert reader.gaps() == (3,)
    assert reader.poll("11:10").seen[-1] == 3
    assert reader.gaps() == ()


def test_a_page_that_breaks_off_once_is_asked_for_again(stack: ExitStack, tmp_path: Path) -> None:
    reader = read(stack, tmp_path, chat(6))

    def cut(asked: Asked, reply: Reply) -> Reply:
        return replace(reply, sent=len(reply.body) // 2) if page_of(asked) == 2 and asked.nth == 1 else reply

    assert reader.poll("11:00", 3, cut).complete
    assert reader.asked() == [1, 2, 2, 3]


# Other orders


@pytest.mark.parametrize(("per_page", "plain"), [(2, 2), (5, 1)])
def test_a_thread_that_shows_its_newest_posts_first_is_asked_for_the_usual_order(
    stack: ExitStack, tmp_path: Path, per_page: int, plain: int
) -> None:
    reader = read(stack, tmp_path, chat(9, per_page=per_page))
    reverse = newest_first(reader.board)
    outcome = reader.poll("10:06", 3, reverse)
    assert (outcome.complete, outcome.pages) == (True, -(-7 // per_page))
    # With two posts a page the first one shows 1 and 7, and only the second that this is the wrong way round.
    assert ["ordertype=2" in asked.address for asked in reader.board.asked] == [False] * plain + [True] * outcome.pages
    assert [history.latest.floor for history in reader.histories().values()][4:] == ["5#", "6#", "7#"]
    # From then on the order is known.
    outcome = reader.poll("10:10", 3, reverse)
    assert all("ordertype=2" in asked.address for asked in reader.board.asked)
    assert (outcome.new, outcome.why, reader.gaps()) == ((8, 9), "", ())


def test_a_thread_that_stays_newest_first_is_read_whole(stack: ExitStack, tmp_path: Path) -> None:
    reader = read(stack, tmp_path, chat(9))
    reverse = newest_first(reader.board, always=True)

    def lose(asked: Asked, reply: Reply) -> Reply:
        return Reply(404, reply.headers, b"<html><title>404</title></html>") if page_of(asked) == 2 else reply

    for time, posts in (("10:06", 7), ("10:10", 9)):
        outcome = reader.poll(time, 3, reverse)
        assert (outcome.complete, len(reader.histories())) == (True, posts)
    # Post 2 is alone on the last page. Nothing follows from that about those of the page that did not come.
    for time in ("10:20", "10:30"):
        assert reader.poll(time, 3, reverse, lose).missing == (2,)
    assert reader.gaps() == (2,)
    assert {history.state for history in reader.histories().values()} == {PostState.NORMAL}


def test_copies_of_a_sticky_post_are_no_posts_of_page_1(stack: ExitStack, tmp_path: Path) -> None:
    reader = read(stack, tmp_path, chat(9, p5="deleted = 2018-06-03T12:00:00"))
    stuck = sticky(reader.board, 7, 4)
    outcome = reader.poll("10:30", 3, stuck)
    assert (outcome.complete, sorted(outcome.new)) == (True, list(range(1, 10)))
    assert reader.histories()[7].latest.floor == "7#"
    first = reader.archive.fetch_passes(7)[0].looks[0]
    assert (first.number, first.first, first.last) == (1, 1, 2)
    for time in ("10:40", "10:50"):
        outcome = reader.poll(time, 3, stuck)
        assert (outcome.changes, outcome.why) == ((), "")
    # One that is deleted behind a copy is gone all the same.
    reader.poll("12:10", 3, sticky(reader.board, 7, 3))
    reader.poll("12:20", 3, sticky(reader.board, 7, 3))
    assert reader.histories()[5].state is PostState.DELETED
    assert reader.histories()[7].state is PostState.NORMAL


def test_a_copy_that_is_alone_on_its_own_page_is_no_repeated_page(stack: ExitStack, tmp_path: Path) -> None:
    reader = read(stack, tmp_path, chat(7))
    assert reader.poll("10:30", 3, sticky(reader.board, 7, 4)).complete
