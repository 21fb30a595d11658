"""A director's own templates, in every command that posts from them: each is used, and a broken one is told by its line."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.report.templatewords import COMMANDS, VARIABLES, list_names
from engine.report.templating import Template
from tests.engine.command import Ran, run
from tests.engine.test_examples import Place, at_a_place, begin_announcements, begin_days, begin_end, begin_posting, begin_watch
from tests.engine.test_examples import run_line as type_in

SOUNDS = Path(__file__).parents[2] / "fixtures" / "m29" / "sounds_characters"


def check_sounds(place: Place) -> None:
    """A recorded game with breaches, in place of the example."""
    shutil.copytree(SOUNDS, place.folder / "mygame")
    assert run("replay", "mygame", "--db", "mygame/game.db").code in (0, 1)


# How a place begins, what is typed, and the file that then holds the post ("" for standard output).
TYPED: dict[str, tuple[Callable[[Place], None], str, str]] = {
    "tally --bbcode": (begin_announcements, "tally mygame --day 2 --bbcode", ""),
    "post": (begin_posting, "post mygame --day 2", ""),
    "watch": (begin_watch, "watch mygame", ""),
    "announce --moment close": (begin_announcements, "announce mygame --moment close --day 2", ""),
    "announce": (begin_announcements, "announce mygame --moment opening --day 2", ""),
    "post --announce": (begin_announcements, "post mygame --announce close --day 2", ""),
    "reveal": (begin_end, "reveal mygame --offline", ""),
    "elevator": (begin_days, "elevator mygame --day 1", ""),
    "day": (begin_days, "day mygame 2 --vote 1235 --discussion 1234", ""),
    "check --bbcode": (check_sounds, "check mygame --bbcode", ""),
    "reveal -o": (begin_end, "reveal mygame -o archive --offline", "archive/record.bbcode"),
}
USES = [(template, command) for template, commands in COMMANDS.items() for command in commands]


def write(place: Place, template: Template, text: str) -> None:
    folder = place.folder / "mygame" / "templates"
    folder.mkdir()
    (folder / f"{template}.bbcode").write_text(text, encoding="gbk")


def made(place: Place, ran: Ran, file: str) -> str:
    return (place.folder / file).read_text(encoding="utf-8-sig") if file else ran.out


@pytest.mark.parametrize(("template", "command"), USES)
def test_each_template_of_ones_own_is_used_by_each_command_that_posts_it(
    template: Template, command: str, tmp_path: Path
) -> None:
    begin, line, file = TYPED[command]
    with at_a_place(tmp_path) as place:
        begin(place)
        # Every name that the page of templates lists may be used.
        names = "".join(f"{{{{ {name} }}}}" for name in list_names(template))
        write(place, template, f"我自己的帖子 [b]{{{{ title }}}}[/b]{{% if false %}}{names}{{% endif %}}\n{{# {names} #}}")
        ran = type_in(place, line)
        assert ran.code in (0, 1), ran.err
        assert "我自己的帖子 [b]" in made(place, ran, file)


@pytest.mark.parametrize(("template", "command"), USES)
def test_a_broken_template_ends_the_command_with_its_file_and_line(template: Template, command: str, tmp_path: Path) -> None:
    begin, line, _ = TYPED[command]
    with at_a_place(tmp_path) as place:
        begin(place)
        write(place, template, "第一行\n第二行 {{ nothing_of_this_name }}\n")
        ran = type_in(place, line)
        assert ran.code == 2, ran.out + ran.err
        assert f"{template}.bbcode:2: " in ran.err
        assert "nothing_of_this_name" in ran.err
        assert "Traceback" not in ran.err


@pytest.mark.parametrize(("template", "command"), [(template, commands[0]) for template, commands in COMMANDS.items()])
def test_a_template_has_every_variable_that_is_documented(template: Template, command: str, tmp_path: Path) -> None:
    begin, line, file = TYPED[command]
    with at_a_place(tmp_path) as place:
        begin(place)
        asked = "".join(f"{{% if {name} is defined %}}<{name}>{{% endif %}}" for name in list_names(template))
        write(place, template, f"{asked}\n")
        text = made(place, type_in(place, line), file)
        assert [name for name in list_names(template) if f"<{name}>" not in text] == []
        assert {one.name.split("[")[0].split(".")[0] for one in VARIABLES[template]} == {*list_names(template)}
