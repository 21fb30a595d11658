"""docs/sounds.md names every code, doubt and place, and what it shows is read."""

from __future__ import annotations

import re
from pathlib import Path

from engine.game import load_game
from tally.finding import KINDS
from tally.sounds.sets import SOUND_RULES
from tally.sounds.terms import SOUND_TERMS

PAGE = (Path(__file__).parents[3] / "docs" / "sounds.md").read_text(encoding="utf-8")
GAME = """[game]
ruleset = "m29"
[[player]]
name = "包子"
[[day]]
number = 2
opens = 2018-06-03T09:30:00
closes = 2018-06-05T21:00:00
vote = 1235
"""


def test_every_code_of_the_sounds_stands_there() -> None:
    assert [code for code in KINDS if code.startswith("C") and code not in PAGE] == []


def test_every_doubt_and_place_stands_there() -> None:
    doubts = re.findall(r"`(\w+)`", PAGE)
    terms = list(SOUND_TERMS)
    first, last = terms.index("time_unknown"), terms.index("old_account")
    assert [term for term in terms[first : last + 1] if term not in doubts] == []
    places = terms[terms.index("image") : terms.index("altered_quote_author") + 1]
    assert [place for place in places if not re.search(rf"\b{place}\b", PAGE)] == []


def test_the_sets_are_printed_as_they_are() -> None:
    for rules in SOUND_RULES.values():
        assert not rules.order or re.search(rf"\| {len(rules.chars)} \| {rules.order} \|", PAGE)


def test_the_table_shown_is_read(tmp_path: Path) -> None:
    (shown,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "game.toml").write_text(GAME + shown, encoding="utf-8")
    assert load_game(tmp_path).speech.rules.order == "喵汪"
