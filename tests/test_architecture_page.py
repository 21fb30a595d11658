"""docs/architecture.md: every name in it is there, and a post that is fetched and counted meets each function of its table."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from tests.engine.test_examples import at_a_place, begin_looks, run_line

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = tuple(dict.fromkeys(re.findall(r"`((?:scraper|tally|engine|catalogues|bench|tests)(?:\.\w+)+)`", PAGE)))
STEPS = re.findall(r"^\| \d+ \| (.+) \|$", PAGE, re.MULTILINE)


def resolve(name: str) -> Any:
    """What a dotted name means; AttributeError or ImportError where there is no such thing."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            found = getattr(found, part)
        return found
    raise ImportError(name)


@pytest.mark.parametrize("name", NAMED)
def test_every_name_of_the_page_is_there(name: str) -> None:
    assert resolve(name) is not None


def test_every_function_that_is_named_without_its_module_is_there() -> None:
    files = [path for room in ("scraper", "tally", "engine") for path in (ROOT / room).rglob("*.py")]
    source = "\n".join(path.read_text(encoding="utf-8") for path in files)
    words = [word for word in re.findall(r"`([a-z]\w+_\w+)`", PAGE) if word != "needs_ruling"]
    assert words
    assert [word for word in words if not re.search(rf"\b(def|class) {word}\b", source)] == []


def code_of(name: str) -> CodeType | None:
    """The code of a function that the page names; None for a module or a class."""
    found = resolve(name)
    found = getattr(found, "__wrapped__", found)
    code = getattr(found, "__code__", None)
    return code if isinstance(code, CodeType) else None


def test_a_post_that_is_fetched_and_counted_meets_each_function_of_the_table(tmp_path: Path) -> None:
    named = [name for step in STEPS for name in re.findall(r"`((?:scraper|tally|engine)(?:\.\w+)+)`", step)]
    functions = {code: name for name in named if (code := code_of(name)) is not None}
    assert len(functions) > 12
    met: set[str] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and (name := functions.get(frame.f_code)) is not None:
            met.add(name)

    def profiled(call: Callable[[], Any]) -> None:
        before = sys.getprofile()
        sys.setprofile(note)
        try:
            call()
        finally:
            sys.setprofile(before)

    with at_a_place(tmp_path) as place:
        begin_looks(place)
        profiled(lambda: run_line(place, "fetch mygame --day 2"))
        profiled(lambda: run_line(place, "tally mygame --day 2"))
    # A post of plain text needs no lxml.
    assert {*functions.values()} - met <= {"scraper.message.read_message"}
