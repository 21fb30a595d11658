"""What partial passes are worth for a day: they hide no missing page, and prove completeness only where nothing moved."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from engine.looks import Looks, judge_looks
from tally.day import Day
from tests.scraper.rounds import CLOSES, OPENS, Thread, Watch, at

DAY = Day(2, OPENS, CLOSES, 1235)


def judge(watch: Watch) -> Looks:
    return judge_looks(watch.passes, DAY)


def thread(posts: int = 45) -> Thread:
    return Thread(list(range(1, posts + 1)))


def test_a_partial_pass_after_a_whole_one_leaves_it_complete() -> None:
    watch = Watch()
    for hours in (40, 41, 42):
        watch.look(thread(), at(hours))
    assert [one.complete for one in watch.passes] == [True, False, False]
    assert judge(watch).complete is True


def test_a_page_once_missed_stays_missing_while_later_passes_ask_for_others() -> None:
    watch = Watch()
    watch.look(thread(), at(40), lost=[3])
    assert judge(watch).evidence.missing_pages[0] <= 3 <= judge(watch).evidence.missing_pages[-1]
    watch.look(thread(), at(41), lost=[3])
    assert (judge(watch).complete, 3 in judge(watch).evidence.missing_pages) == (False, True)
    watch.look(thread(), at(42))
    assert (judge(watch).complete, judge(watch).evidence.missing_pages) == (True, ())


def test_the_end_of_the_thread_missed_is_missing_though_everything_before_was_seen() -> None:
    watch = Watch()
    watch.look(thread(), at(40))
    watch.look(thread(), at(41), lost=[5])
    assert (judge(watch).complete, judge(watch).evidence.missing_pages) == (False, (5,))


def test_one_round_after_the_close_is_no_reading_of_all_pages() -> None:
    watch = Watch()
    watch.look(thread(), at(40))
    # After the close one page was read, then somebody stopped it.
    watch.look(thread(), at(60), cut_after=1)
    looks = judge(watch)
    assert looks.complete is False
    assert looks.evidence.missing_pages == (2, 3, 4, 5)


def test_two_halves_are_one_reading_where_nothing_moved_between_them() -> None:
    watch = Watch()
    watch.look(thread(), at(40))
    watch.look(thread(), at(60), cut_after=3)
    watch.look(thread(), at(60.5))
    assert watch.asked[2] == [3, 4, 5]
    assert judge(watch).complete is True


def test_two_halves_are_none_where_something_moved_between_them() -> None:
    watch, moved = Watch(), thread()
    watch.look(moved, at(40))
    watch.look(moved, at(60), cut_after=3)
    moved.posts.remove(7)
    # Asked again for page 3 it begins with another post, and the pages before it were read at another time.
    watch.look(moved, at(60.5), cut_after=1)
    looks = judge(watch)
    assert (looks.complete, looks.evidence.missing_pages) == (False, (1, 2, 4, 5))


def test_pages_behind_the_close_need_not_come() -> None:
    # The window ends with post 3570; pages 358 and 359 are of later posts.
    watch, later = Watch(), Thread(list(range(1, 3590)))
    watch.look(later, at(70), lost=[359])
    assert watch.passes[-1].complete is False
    assert judge(watch).complete is True


def test_pages_before_the_opening_need_not_come() -> None:
    watch, long = Watch(), Thread([*range(-105, 0), *range(1, 31)])
    watch.look(long, at(60), lost=[2])
    assert judge(watch).complete is True
    other = Watch()
    # Page 11 holds posts from both sides of the opening.
    other.look(long, at(60), lost=[11])
    assert judge(other).complete is False


@pytest.mark.parametrize(("behind", "after"), [(0, True), (180, False)])
def test_a_pass_began_when_the_slower_clock_says_so(behind: int, after: bool) -> None:
    watch = Watch()
    watch.look(thread(), CLOSES + timedelta(seconds=60))
    (one,) = watch.passes
    told = replace(one, told_at=one.started_at - timedelta(seconds=behind))
    looks = judge_looks([told], DAY)
    assert (looks.evidence.first_pass_after_close is not None) is after
    assert looks.seen_until == told.told_at
