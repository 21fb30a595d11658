"""Posts as templates, ours or the director's: what players wrote is never code, and a broken one is named by its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.elevator import write_elevator
from engine.game import Game
from engine.report.templating import Code, Template, render
from scraper.errors import UsageError
from tests.engine.sample import game


def write(folder: Path, text: str, name: str = "elevator", encoding: str = "utf-8") -> Game:
    """The sample's game with a template of its own."""
    (folder / "templates").mkdir()
    (folder / f"templates/{name}.bbcode").write_text(text, encoding=encoding)
    return game(folder)


def test_without_one_of_its_own_a_game_has_ours(tmp_path: Path) -> None:
    floor = write_elevator(game(tmp_path), [1235], ["饺子", "[b]x"], {"饺子": 7})
    assert floor.text.splitlines()[1:] == [
        "[url=forum.php?mod=viewthread&tid=1235&page=1&authorid=7]饺子[/url]",
        "[[b][/b]b]x",
    ]
    assert floor.unknown == ("[b]x",)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk"])
def test_the_directors_own_template_goes_first_in_whatever_encoding(tmp_path: Path, encoding: str) -> None:
    own = write(tmp_path, "点我：{% for rider in threads[0].riders %}{{ rider.name }} {% endfor %}", encoding=encoding)
    assert write_elevator(own, [1], ["饺子", "包子"], {}).text == "点我：饺子 包子 "


def test_a_value_is_shown_to_the_letter_and_code_is_code(tmp_path: Path) -> None:
    own = write(tmp_path, "{{ one }} {{ other }}")
    assert render(Template.ELEVATOR, own, one="[b]喵[/b]", other=Code("[b]喵[/b]")) == "[[b][/b]b]喵[[b][/b]/b] [b]喵[/b]"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("一\n二 {{ title 三 }}", 2),
        ("一\n{% for x in threads %}\n", 2),
        ("一\n二\n{{ nothing_of_this_name }}", 3),
        ("一\n{{ title + 1 }}", 2),
        ("一\n{{ title.__class__.__mro__ }}", 2),
        ("{% include 'elsewhere' %}", 1),
    ],
    ids=["syntax", "never closed", "unknown name", "wrong kind", "outside the sandbox", "no such template"],
)
def test_a_broken_template_is_an_error_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    own = write(tmp_path, text)
    with pytest.raises(UsageError) as error:
        render(Template.ELEVATOR, own, title="题", threads=[])
    assert f"elevator.bbcode:{line}: " in str(error.value)


def test_every_template_of_ours_is_there() -> None:
    ours = Path(render.__code__.co_filename).parent / "templates"
    assert {path.stem for path in ours.iterdir()} == {template.value for template in Template}
