"""One script, shown in every dialect and charset, gives one tally to the byte, but for what the surface cannot show."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from engine.replay import replay_case
from engine.report.values import dump, find_digest, tally_value
from tests.board.dialects import DIALECTS
from tests.board.record import render_polls, save_polls
from tests.board.script import CHARSETS, read_script
from tests.board.words import speak

CASES = Path(__file__).parents[2] / "fixtures" / "m29"
FLOORS = {"楼主": "1#", "沙发": "2#", "板凳": "3#", "地板": "4#", "樓主": "1#", "沙發": "2#"}
MINUTES = "relative = false"
"""With it X3 and the touch view print minutes, as the old boards do."""


def number_floors(text: str) -> str:
    return re.sub(r'"floor": "(\w+)"', lambda found: f'"floor": "{FLOORS.get(found[1], found[1])}"', text)


def drop_columns(text: str) -> str:
    """7.2 puts spaces before the words behind a quote."""
    return re.sub(r',?\s*"column": \d+', "", text)


def drop_lacking(text: str) -> str:
    """What api4 says of itself."""
    text = re.sub(r'\{\s*"code": "A123".*?"sentence": "[^"]*"\s*\},?', "", text, flags=re.DOTALL)
    return re.sub(r"\s+", " ", text).replace(", ]", " ]").replace("[ ]", "[]")


# What each surface cannot show: how the script is shown on x35 to lack it too, and what of the tally is left out.
CANNOT: dict[str, tuple[str, tuple[Callable[[str], str], ...]]] = {
    "x35": ("", ()),
    "x34": ("", ()),
    "x2": ("", ()),
    "v72": (MINUTES, (number_floors, drop_columns)),
    "v60": (MINUTES, (number_floors,)),
    "v61": (MINUTES, (number_floors,)),
    "touch35": (MINUTES, ()),
    "touch34": (MINUTES, ()),
    "api1": ("", ()),
    "api4": ("", (drop_lacking,)),
}
# Which surfaces show so much the same that not even the digest may differ. A Big5 board calls a floor 沙發.
ALIKE = {
    "x35": ("x35", "x34", "x2", "api1"),
    "touch35": ("touch35", "touch34"),
    "v72": ("v72",),
    "v60": ("v60", "v61"),
    "api4": ("api4",),
}


@cache
def count(case: str, dialect: str, charset: str, option: str, long: bool = False) -> tuple[str, ...]:
    """The tallies of a case as JSON; `long` writes script and game file in traditional characters."""

    def write(text: str) -> str:
        # What is no player's word stays as it is.
        return speak(text, "big5").replace("秘密數字殺", "秘密数字杀") if long else text

    script = write((CASES / case / "script.toml").read_text(encoding="utf-8"))
    script = re.sub(r"(?m)^dialect\s*=.*$", f'dialect = "{dialect}"', script)
    script = re.sub(r"(?m)^charset\s*=.*$", f'charset = "{charset}"\n{option}', script)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "case"
        copy.mkdir()
        (copy / "game.toml").write_text(write((CASES / case / "game.toml").read_text(encoding="utf-8")), encoding="utf-8")
        if (ledger := CASES / case / "ledger.txt").exists():
            shutil.copy(ledger, copy)
        save_polls(copy, render_polls(read_script(script)))
        result = replay_case(copy)
    assert result.errors == ()
    tallies = tuple(dump(tally_value(tally, result.game)) for tally in result.tallies)
    assert all(find_digest(json.loads(text)) == json.loads(text)["digest"] for text in tallies)
    return tallies


def drop_digest(text: str) -> str:
    return re.sub(r'"digest": "sha256:\w+"', "", text)


def compare(found: tuple[str, ...], wanted: tuple[str, ...], masks: tuple[Callable[[str], str], ...]) -> None:
    for mask in (drop_digest, *masks):
        wanted, found = tuple(map(mask, wanted)), tuple(map(mask, found))
    assert found == wanted
    assert any('"votes"' in text for text in found)


CASE_NAMES = pytest.mark.parametrize("case", ["one_change_only", "deleted_after_it_was_seen"])


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("dialect", DIALECTS)
@CASE_NAMES
def test_every_surface_gives_the_same_tally_to_the_byte(case: str, dialect: str, charset: str) -> None:
    option, masks = CANNOT[dialect]
    own = option if dialect.startswith("touch") else ""
    if charset == "big5":
        masks = (*masks, number_floors)
    compare(count(case, dialect, charset, own), count(case, "x35", "utf-8", option), masks)


@pytest.mark.parametrize("charset", [pytest.param(name, marks=[pytest.mark.slow] if name == "gbk" else []) for name in CHARSETS])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_surface_gives_the_same_tally_of_players_who_write_long_characters(dialect: str, charset: str) -> None:
    option, masks = CANNOT[dialect]
    own = option if dialect.startswith("touch") else ""
    if charset == "big5":
        masks = (*masks, number_floors)
    found = count("one_change_only", dialect, charset, own, True)
    compare(found, count("one_change_only", "x35", "utf-8", option, True), masks)
    # They vote as those do who write short ones.
    votes = [[(one["votes"], len(one["ballots"])) for one in json.loads(text)["counts"]] for text in found]
    short = count("one_change_only", "x35", "utf-8", option)
    assert votes == [[(one["votes"], len(one["ballots"])) for one in json.loads(text)["counts"]] for text in short]


@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("dialects", ALIKE.values())
@CASE_NAMES
def test_surfaces_that_show_the_same_give_the_same_digest(case: str, dialects: tuple[str, ...], long: bool) -> None:
    option = CANNOT[dialects[0]][0] if dialects[0].startswith("touch") else ""
    groups: list[set[tuple[str, ...]]] = []
    for charsets in (("utf-8", "gbk"), ("big5",)):
        digests = {
            tuple(json.loads(text)["digest"] for text in count(case, dialect, charset, option, long))
            for dialect in dialects
            for charset in charsets
        }
        assert len(digests) == 1
        groups.append(digests)
    # Where floors are numbers, they are the same in every charset.
    assert (groups[0] == groups[1]) == dialects[0].startswith("v")
    if dialects[0] == "touch35":
        assert groups[0] == {tuple(json.loads(text)["digest"] for text in count(case, "x35", "gbk", MINUTES, long))}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_surface_without_edit_marks_says_so_once_in_a_count_and_no_other_does(dialect: str) -> None:
    for text in count("one_change_only", dialect, "utf-8", ""):
        told = [one for one in json.loads(text)["findings"] if one["code"] == "A123"]
        assert [(one["severity"], one["parameters"]["surface"], one["parameters"]["lacks"]) for one in told] == (
            [("warning", "api4", "edited")] if dialect == "api4" else []
        )
