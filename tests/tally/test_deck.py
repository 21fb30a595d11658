"""The deck, row by row: where each post ends and what is said about it."""

from __future__ import annotations

import pytest

from tests.tally.deck import ROWS, Case
from tests.tally.make import codes_of, count, pid_of, result_of

CASES = [pytest.param(case, id=f"{row}: {case.name}") for row, cases in ROWS.items() for case in cases]


def test_every_row_has_two_neighbours_that_end_otherwise() -> None:
    assert list(ROWS) == list(range(1, 50))
    for row, cases in ROWS.items():
        first = (cases[0].result, cases[0].findings)
        others = [case for case in cases[1:] if (case.result, case.findings) != first]
        assert len(others) >= 2, row
        assert len({case.name for case in cases}) == len(cases), row


@pytest.mark.parametrize("case", CASES)
def test_the_post_ends_in_its_one_place(case: Case) -> None:
    tally = count(case.posts, case.table)
    last = len(case.posts) - 1
    assert result_of(tally, last) == case.result
    assert codes_of(tally, last) - {"D101"} == set(case.findings)
    for index, result in case.also.items():
        assert result_of(tally, index) == result, pid_of(index)
