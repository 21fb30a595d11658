"""What a pass asks for: little where nothing happened, enough that no post slips through, everything when the span is over."""

from __future__ import annotations

import random

import pytest

from scraper.absence import find_order
from scraper.coverage import count_sweeps, take_stock
from scraper.passes import Order
from scraper.schedule import Aim, Span
from tests.scraper.rounds import CLOSES, OPENS, Thread, Watch, at

# 2,000 posts in the window on 200 pages: post N is N minutes after the opening, and the window has 3,570.
LONG = 2000


def long_thread() -> Thread:
    return Thread(list(range(1, LONG + 1)))


def watched(thread: Thread) -> Watch:
    watch = Watch()
    watch.look(thread, at(40))
    return watch


# What a round costs


def test_the_first_pass_reads_everything() -> None:
    thread = Thread(list(range(1, 35)))
    watch = watched(thread)
    assert watch.asked == [[1, 2, 3, 4]]


def test_an_unchanged_thread_of_200_pages_costs_two_requests_a_round() -> None:
    watch = watched(long_thread())
    for number in range(10):
        assert watch.look(long_thread(), at(41 + number)).aim is Aim.ROUND
    assert [len(asked) for asked in watch.asked[1:]] == [2] * 10
    assert {asked[0] for asked in watch.asked[1:]} == {200}


def test_every_earlier_page_has_its_turn_the_one_not_seen_for_longest_first() -> None:
    thread, watch = Thread(list(range(1, 46))), Watch()
    for hours in range(40, 49):
        watch.look(thread, at(hours))
    assert watch.asked == [[1, 2, 3, 4, 5], [5, 1], [5, 2], [5, 3], [5, 4], [5, 1], [5, 2], [5, 3], [5, 4]]


def test_a_page_on_which_a_post_is_missing_comes_before_its_turn() -> None:
    watch = watched(long_thread())
    watch.look(long_thread(), at(41), suspects=[150])
    assert watch.asked[1] == [200, 150]


def test_a_thread_of_one_page_costs_one_request() -> None:
    thread, watch = Thread([1, 2, 3]), Watch()
    watch.look(thread, at(1))
    watch.look(thread, at(2))
    assert watch.asked == [[1], [1]]


def test_new_pages_are_read_whatever_follows_the_last_known_one() -> None:
    thread = Thread(list(range(1, 26)))
    watch = watched(thread)
    thread.posts += range(26, 48)
    watch.look(thread, at(41))
    assert watch.asked[1] == [3, 4, 5, 1]


def test_pages_that_only_hold_earlier_posts_are_left_alone() -> None:
    # 100 posts of the days before on pages 1 to 10, then 30 of this one.
    thread = Thread([*range(-100, 0), *range(1, 31)])
    watch = watched(thread)
    for hours in (41, 42, 43, 44):
        watch.look(thread, at(hours))
    # Page 10 ends before the opening, but what is inserted or deleted moves the border: it is watched.
    assert watch.asked[1:] == [[13, 11], [13, 12], [13, 11], [13, 12]] or watch.asked[1:] == [
        [13, 10],
        [13, 11],
        [13, 12],
        [13, 10],
    ]


# What never slips through


def test_posts_that_moved_up_a_page_before_anybody_saw_them_are_followed() -> None:
    thread = Thread(list(range(1, 31)))
    watch = watched(thread)
    # Five new posts; then so many deletions that the first of them stand on the page before the last known one.
    thread.posts += range(31, 36)
    for pid in (2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 15, 16):
        thread.posts.remove(pid)
    watch.look(thread, at(41))
    assert watch.met >= set(range(1, 36))
    assert watch.asked[1][:3] == [3, 2, 1]


def test_pages_that_a_pass_missed_come_along_until_they_are_seen() -> None:
    watch, thread = Watch(), Thread(list(range(1, 46)))
    watch.look(thread, at(40), lost=[2, 3])
    watch.look(thread, at(41), lost=[3])
    watch.look(thread, at(42))
    watch.look(thread, at(43))
    # With those beside them: only pages that follow each other in one pass show that nothing stands between them.
    assert watch.asked[1:] == [[5, 1, 2, 3, 4], [5, 2, 3, 4, 1], [5, 1]]


def test_a_first_pass_that_was_cut_off_is_taken_up() -> None:
    watch, thread = Watch(), Thread(list(range(1, 76)))
    watch.look(thread, at(40), cut_after=4)
    watch.look(thread, at(41))
    # From the end back to page 4, which was seen; then page 1 in its turn.
    assert watch.asked[1] == [8, 7, 6, 5, 4, 1]
    assert watch.met == set(range(1, 76))


def test_a_round_that_was_cut_off_before_it_met_what_was_known_is_made_up_for() -> None:
    thread = Thread(list(range(1, 31)))
    watch = watched(thread)
    thread.posts += range(31, 41)
    del thread.posts[0:15]
    # 25 posts on three pages: 36 to 40 are on page 3, 26 to 35 on page 2.
    watch.look(thread, at(41), cut_after=1)
    assert 31 not in watch.met
    watch.look(thread, at(42))
    assert watch.met == set(range(1, 41))


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_deleted_restored_and_lost_every_post_that_stood_is_met(seed: int) -> None:
    chance = random.Random(seed)
    thread, watch = Thread(list(range(1, chance.randrange(2, 60))), per_page=5), Watch()
    hidden, back = list[int](), set[int]()
    newest = max(thread.posts)
    for hours in range(1, 40):
        for _ in range(chance.randrange(4)):
            match chance.randrange(3):
                case 0 if len(thread.posts) > 5:
                    hidden.append(thread.posts.pop(chance.randrange(1, len(thread.posts))))
                case 1 if hidden:
                    pid = hidden.pop(chance.randrange(len(hidden)))
                    back.add(pid)
                    thread.posts = sorted([*thread.posts, pid])
                case _:
                    fresh = chance.randrange(1, 9)
                    thread.posts += range(newest + 1, newest + 1 + fresh)
                    newest += fresh
        standing = set(thread.posts)
        watch.look(thread, at(hours), lost=[chance.randrange(1, 12)] if chance.random() < 0.2 else ())
        stock = take_stock(watch.passes, OPENS)
        if stock is not None and not stock.gaps:
            # One that comes back before anybody met it waits for its page's turn, or the sweep.
            assert standing - back <= watch.met, f"after {hours} rounds"


# Threads that are otherwise


def test_a_thread_that_shrank_is_read_from_its_new_end() -> None:
    thread = Thread(list(range(1, 46)))
    watch = watched(thread)
    del thread.posts[20:40]
    watch.look(thread, at(41))
    assert watch.asked[1][0] == 5
    assert watch.passes[-1].pages == 3
    assert watch.met >= set(thread.posts)


@pytest.mark.parametrize(("before", "after"), [(10, 20), (20, 10), (10, 30)])
def test_another_number_of_posts_a_page_loses_nothing(before: int, after: int) -> None:
    thread = Thread(list(range(1, 101)), before)
    watch = watched(thread)
    thread.per_page = after
    thread.posts += range(101, 105)
    watch.look(thread, at(41))
    assert watch.met == set(range(1, 105))
    watch.look(thread, at(60))
    assert count_sweeps(watch.passes, OPENS, CLOSES).done == 1


def test_a_thread_in_no_order_is_read_whole_each_time() -> None:
    thread = Thread(list(range(1, 31)), reverse=True)
    watch = watched(thread)
    assert watch.look(thread, at(41)).oldest_first
    assert watch.asked[1] == [1, 2, 3]


# When the span is over


def test_when_the_span_is_over_all_its_pages_are_swept_twice_and_then_no_more() -> None:
    thread = Thread(list(range(1, 46)))
    watch = watched(thread)
    aims = [watch.look(thread, at(hours)).aim for hours in (60, 60.1, 60.2)]
    assert aims == [Aim.SWEEP, Aim.SWEEP, Aim.ROUND]
    assert watch.asked[1:] == [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [5, 1]]


def test_a_sweep_leaves_out_what_lies_before_the_span() -> None:
    thread = Thread([*range(-105, 0), *range(1, 31)])
    watch = watched(thread)
    watch.look(thread, at(60))
    # Page 11 holds the last five posts from before the opening.
    assert watch.asked[1] == [11, 12, 13, 14]
    assert count_sweeps(watch.passes, OPENS, CLOSES).done == 1


def test_a_sweep_goes_back_where_the_border_has_moved() -> None:
    thread = Thread([*range(-105, 0), *range(1, 31)])
    watch = watched(thread)
    # Twelve of the earlier posts were deleted: the opening is on page 10 now.
    del thread.posts[0:12]
    watch.look(thread, at(60))
    assert watch.asked[1] == [11, 10, 12, 13]
    assert count_sweeps(watch.passes, OPENS, CLOSES).done == 1


def test_a_sweep_that_was_cut_off_is_taken_up_where_nothing_moved() -> None:
    watch = watched(long_thread())
    watch.look(long_thread(), at(60), cut_after=150)
    watch.look(long_thread(), at(60.5))
    assert watch.asked[2] == [150, *range(151, 201)]
    assert count_sweeps(watch.passes, OPENS, CLOSES).done == 1


def test_a_sweep_that_was_cut_off_begins_anew_where_something_moved() -> None:
    thread = Thread(list(range(1, 46)))
    watch = watched(thread)
    watch.look(thread, at(60), cut_after=3)
    thread.posts.remove(4)
    watch.look(thread, at(60.5))
    assert watch.asked[2] == [3, 1, 2, 4, 5]
    assert count_sweeps(watch.passes, OPENS, CLOSES).done == 1


def test_a_sweep_that_missed_a_page_is_made_up_for() -> None:
    thread = Thread(list(range(1, 46)))
    watch = watched(thread)
    watch.look(thread, at(60), lost=[2])
    assert count_sweeps(watch.passes, OPENS, CLOSES).missing == (2,)
    watch.look(thread, at(60.5))
    assert watch.asked[2] == [5, 2]
    assert count_sweeps(watch.passes, OPENS, CLOSES).done == 1


def test_a_post_that_moves_past_the_reader_in_one_sweep_is_met_in_the_other() -> None:
    thread = Thread(list(range(1, 26)))
    watch = watched(thread)
    thread.posts += range(26, 41)

    def delete(count: int) -> None:
        if count == 3:
            thread.posts.remove(5)

    # When page 3 has been read a post of page 1 is deleted: 31 moves from page 4 to page 3.
    watch.look(thread, at(60), between=delete)
    assert 31 not in watch.met
    watch.look(thread, at(60.1))
    assert watch.met == set(range(1, 41))


def test_a_span_that_begins_with_the_thread_is_swept_from_its_first_page() -> None:
    thread = Thread(list(range(1, 46)))
    watch = watched(thread)
    watch.look(thread, at(60), span=Span(at(-1000), CLOSES))
    assert watch.asked[1] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("pids", "order"),
    [
        ([1, 2, 3], Order.RISING),
        ([1, 2, 4, 3, 5, 6], Order.RISING),
        ([1, 3, 2, 4, 6, 5, 7], Order.RISING),
        # At an end the page would say that it reaches further than it does.
        ([2, 1, 3, 4, 5], Order.MIXED),
        ([1, 2, 3, 5, 4], Order.MIXED),
        # Moved further, or far apart: threads that were merged.
        ([1, 4, 2, 3, 5, 6], Order.MIXED),
        ([1, 2, 90, 40, 95, 96], Order.MIXED),
        ([1, 9, 8, 7, 6], Order.FALLING),
        ([9, 8, 7, 6, 1], Order.FALLING),
    ],
)
def test_a_page_is_in_order_but_for_neighbours_of_one_moment(pids: list[int], order: Order) -> None:
    assert find_order(pids) is order
