"""What was true, and what was known, at any past moment or floor: by the recorded cases, each figure by hand from its script."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.replay import replay_case
from tests.engine.command import run

M29 = Path(__file__).parents[2] / "fixtures" / "m29"
SPEED_UP, EXTENSION = "half_of_the_living_ask_for_a_speed_up", "an_extension_ends_the_speed_up"

Count = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def count(tmp_path_factory: pytest.TempPathFactory) -> Count:
    """Counts a day of a case, with the options of the command."""
    folders: dict[str, Path] = {}

    def counted(case: str, day: int, *options: str) -> dict[str, Any]:
        if case not in folders:
            folders[case] = Path(shutil.copytree(M29 / case, tmp_path_factory.mktemp("past") / "game"))
            replay_case(folders[case], folders[case] / "game.db")
        value = json.loads(run("tally", str(folders[case]), "--day", str(day), "--json", *options).out)
        assert isinstance(value, dict)
        return value

    return counted


def votes(value: dict[str, Any]) -> dict[str, int]:
    return {one["target"]: one["votes"] for one in value["counts"]}


def void(value: dict[str, Any]) -> dict[int, str]:
    return {one["post"]["pid"]: one["reason"] for one in value["void"]}


def happened(value: dict[str, Any]) -> list[tuple[str, bool]]:
    return [(one["kind"], one["held"]) for one in value["events"]]


def codes(value: dict[str, Any]) -> set[str]:
    return {one["code"] for one in value["findings"]}


# -- --as-of: the posts up to a moment or a floor


@pytest.mark.parametrize(
    ("moment", "expected", "late"),
    [
        # Before the judgement a change stands, and nobody has judged anything.
        ("2018-06-05T17:59:58", {"年糕": 4, "老王": 5}, {}),
        ("2018-06-05T17:59:59", {"年糕": 5, "老王": 4}, {}),
        ("2018-06-05T18:00:00", {"年糕": 5, "老王": 4}, {5212: "change_accelerated"}),
        ("2018-06-05T19:30:00", {"年糕": 5, "老王": 4}, {5212: "change_accelerated", 5213: "change_accelerated"}),
        ("2018-06-05T19:45:00", {"年糕": 6, "老王": 4}, {5212: "change_accelerated", 5213: "change_accelerated"}),
    ],
)
def test_a_speed_up_is_true_from_the_second_of_its_judgement(
    count: Count, moment: str, expected: dict[str, int], late: dict[int, str]
) -> None:
    value = count(SPEED_UP, 2, "--as-of", moment)
    assert (votes(value), void(value), value["final"]) == (expected, late, False)
    assert happened(value) == ([("speed_up", True)] if moment >= "2018-06-05T18" else [])


def test_a_floor_is_the_moment_of_its_post(count: Count) -> None:
    by_floor, by_moment = (count(SPEED_UP, 2, "--as-of", cut) for cut in ("11", "2018-06-05T17:59:59"))
    assert (votes(by_floor), by_floor["as_of"]) == (votes(by_moment), "2018-06-05T17:59:59+08:00")
    assert votes(count(SPEED_UP, 2, "--as-of", "沙发")) == {"老王": 1}


def test_requests_up_to_a_moment_are_those_made_by_then(count: Count) -> None:
    value = count(SPEED_UP, 2, "--as-of", "2018-06-05T12:00:00")
    fates = {one["post"]["pid"]: one["fate"] for one in value["requests"]}
    standing = {pid for pid, fate in fates.items() if fate == "standing"}
    assert standing == {6202, 6203, 6204, 6207}
    assert {pid: fate for pid, fate in fates.items() if pid not in standing} == {
        6205: "spectator",
        6206: "seat_out",
        6208: "repeated",
    }
    (pending,) = [one["parameters"] for one in value["findings"] if one["code"] == "B511"]
    assert (pending["count"], pending["living"], pending["needed"]) == ("4", "11", "6")


def test_a_withdrawn_request_stood_until_it_was_taken_back(count: Count) -> None:
    def of_bao(moment: str) -> list[str]:
        value = count(SPEED_UP, 4, "--as-of", moment)
        return [one["fate"] for one in value["requests"] if one["seat"] == "包子"]

    assert of_bao("2018-06-11T16:59:59") == ["standing"]
    assert of_bao("2018-06-11T17:00:00") == ["withdrawn", "withdrawal"]
    assert of_bao("2018-06-11T18:10:00") == ["withdrawn", "withdrawal", "late"]


@pytest.mark.parametrize(
    ("moment", "events", "changed"),
    [
        ("2018-06-14T17:59:59", [("speed_up", True), ("close", True)], False),
        ("2018-06-14T18:00:00", [("speed_up", True), ("extension", True), ("close", True)], True),
    ],
)
def test_an_automatic_speed_up_was_true_until_the_extension(
    count: Count, moment: str, events: list[tuple[str, bool]], changed: bool
) -> None:
    value = count(EXTENSION, 5, "--as-of", moment)
    assert happened(value) == events
    assert void(value) == {5507: "change_accelerated"}
    assert (votes(value).get("夜行猫", 0) == 2) == changed


def test_a_moment_after_the_old_close_is_inside_the_new_one(count: Count) -> None:
    value = count(EXTENSION, 5, "--as-of", "2018-06-14T21:15:00")
    assert (votes(value), value["final"]) == ({"夜行猫": 3, "包子": 2}, False)
    assert count(EXTENSION, 5, "--as-of", "2018-06-14T22:00:00")["final"] is True


@pytest.mark.parametrize(
    ("cut", "final"),
    [("2018-06-05T20:59:59", False), ("2018-06-05T21:00:00", True), ("2018-06-05T21:00:01", True), ("2019-01-01T00:00:00", True)],
)
def test_a_cut_before_the_close_is_provisional_and_one_at_or_past_it_is_the_count_itself(
    count: Count, cut: str, final: bool
) -> None:
    whole, value = count(SPEED_UP, 2), count(SPEED_UP, 2, "--as-of", cut)
    assert (whole["final"], value["final"]) == (True, final)
    assert ("B402" in codes(value)) is not final
    assert (value["counts"], value["verdict"]["decision"]) == (whole["counts"], whole["verdict"]["decision"])


# -- --known-at: what had been seen and entered by then


@pytest.mark.parametrize(
    ("known", "happening", "final", "found"),
    [
        ("2018-06-05T16:30:00", [], False, {"B402", "B511"}),
        ("2018-06-05T20:50:00", [("speed_up", True)], False, {"B402"}),
        ("2018-06-05T21:03:00", [("speed_up", True)], True, set()),
    ],
)
def test_what_was_known_of_a_speed_up(
    count: Count, known: str, happening: list[tuple[str, bool]], final: bool, found: set[str]
) -> None:
    value = count(SPEED_UP, 2, "--known-at", known)
    assert (happened(value), value["final"]) == (happening, final)
    assert codes(value) & {"B402", "B403", "B510", "B511"} == found


def test_before_anybody_looked_nothing_was_known(count: Count) -> None:
    value = count(SPEED_UP, 3, "--known-at", "2018-06-06T12:00:00")
    assert (votes(value), value["requests"], value["final"]) == ({}, [], False)
    assert value["evidence"]["last_pass_before_close"] is None


def test_an_edit_and_a_deletion_are_known_from_the_look_that_saw_them(count: Count) -> None:
    first = count("edited_after_it_was_seen", 2, "--known-at", "2018-06-05T16:00:00")
    last = count("edited_after_it_was_seen", 2)
    assert "B201" not in codes(first)
    assert "B201" in codes(last)
    gone = count("deleted_after_it_was_seen", 2)
    assert "B207" in codes(gone)
    early = gone["evidence"]["last_pass_before_close"][:19]
    assert "B207" not in codes(count("deleted_after_it_was_seen", 2, "--known-at", early))


def test_both_limits_hold_together(count: Count) -> None:
    value = count(SPEED_UP, 2, "--as-of", "2018-06-05T19:30:00", "--known-at", "2018-06-05T16:30:00")
    assert (votes(value), void(value)) == ({"老王": 5, "年糕": 4}, {})
