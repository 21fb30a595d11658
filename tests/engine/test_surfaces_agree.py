"""One script, shown in every dialect and charset, gives one tally to the byte, but for what the surface cannot show."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from engine.replay import replay_case
from engine.report.values import dump, tally_value
from tests.board.dialects import DIALECTS
from tests.board.record import render_polls, save_polls
from tests.board.script import read_script

CASES = Path(__file__).parents[2] / "fixtures" / "m29"
FLOORS = {"楼主": "1#", "沙发": "2#", "板凳": "3#", "地板": "4#"}
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


@cache
def count(case: str, dialect: str, charset: str, option: str) -> tuple[str, ...]:
    script = (CASES / case / "script.toml").read_text(encoding="utf-8")
    script = re.sub(r"(?m)^dialect\s*=.*$", f'dialect = "{dialect}"', script)
    script = re.sub(r"(?m)^charset\s*=.*$", f'charset = "{charset}"\n{option}', script)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "case"
        copy.mkdir()
        shutil.copy(CASES / case / "game.toml", copy)
        save_polls(copy, render_polls(read_script(script)))
        result = replay_case(copy)
    assert result.errors == ()
    return tuple(re.sub(r'"digest": "sha256:\w+"', "", dump(tally_value(tally, result.game))) for tally in result.tallies)


@pytest.mark.parametrize("charset", ["utf-8", "gbk"])
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("case", ["one_change_only", "deleted_after_it_was_seen"])
def test_every_surface_gives_the_same_tally_to_the_byte(case: str, dialect: str, charset: str) -> None:
    option, masks = CANNOT[dialect]
    own = option if dialect.startswith("touch") else ""
    wanted, found = count(case, "x35", "utf-8", option), count(case, dialect, charset, own)
    for mask in masks:
        wanted, found = tuple(map(mask, wanted)), tuple(map(mask, found))
    assert found == wanted
    assert any("B" in text for text in found)
