"""Posts as templates, ours or the director's: what players wrote is never code, and a broken one is named by its line."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from engine.elevator import write_elevator
from engine.game import Game
from engine.report.templating import Code, Template, check_templates, render
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
    ("text", "post"),
    [
        ("{{ lines|join('；') }}", "[b]一[/b]；[[b][/b]二]"),
        ("{{ lines|join(code) }}", "[b]一[/b][hr][[b][/b]二]"),
        ("{{ riders|join('、', attribute='name') }}", "[i]甲[/i]、[[b][/b]乙]"),
        ("{{ lines|join('\\n') }}", "[b]一[/b]\n[[b][/b]二]"),
        ("{{ lines|join(word) }}", "[b]一[/b][[b][/b]喵][[b][/b]二]"),
        ("{{ '[b]' ~ word ~ '[/b]' }} {{ '[b]' + word + '[/b]' }}", "[b][[b][/b]喵][/b] [b][[b][/b]喵][/b]"),
        ("{{ '[hr]' }}{{ ['[hr]', word]|join }}{{ none_of_it|default('[hr]') }}", "[hr][hr][[b][/b]喵][hr]"),
        ("{{ word|replace('喵', '[hr]') }}", "[[b][/b][[b][/b]hr]]"),
        ("{{ code ~ word }}", "[hr][[b][/b]喵]"),
        ("{{ code + word }} {{ word + code }}", "[hr][[b][/b]喵] [[b][/b]喵][hr]"),
        ("{{ code|trim }}{{ word|trim }}", "[hr][[b][/b]喵]"),
        ("{{ code|replace('h', '[') }}", "[[r]"),
        ("{{ '1+1'|replace(1, 2) }}", "2+2"),
        ("{{ code|replace('h', word) }}", "[[[b][/b]喵]r]"),
        ("{% macro row(line) %}[*]{{ line }}{% endmacro %}{{ row(code) }}{{ row(word) }}", "[*][hr][*][[b][/b]喵]"),
        ("{% set head %}[size=4]{{ word }}[/size]{% endset %}{{ head }}", "[size=4][[b][/b]喵][/size]"),
        ("{% block end %}[hr]{% endblock %}{{ self.end() }}", "[hr][hr]"),
    ],
)
def test_code_stays_code_and_text_stays_text_however_a_template_puts_them_together(tmp_path: Path, text: str, post: str) -> None:
    riders = [{"name": Code("[i]甲[/i]")}, {"name": "[乙]"}]
    values = {"lines": [Code("[b]一[/b]"), "[二]"], "riders": riders, "code": Code("[hr]"), "word": "[喵]"}
    assert render(Template.ELEVATOR, write(tmp_path, text), **values) == post


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("一\n二 {{ title 三 }}", 2),
        ("一\n{% for x in threads %}\n", 2),
        ("一\n二\n{{ nothing_of_this_name }}", 3),
        ("一\n{{ title + 1 }}", 2),
        ("一\n{{ title.__class__.__mro__ }}", 2),
        ("一\n{{ threads[0].nothing }}", 2),
        ("{% include 'elsewhere' %}", 1),
        ("一\n{% include '../secrets.toml' %}", 2),
        ("一\n{% extends 'elevator.bbcode' %}", 2),
        ("一\n{{ title|no_such_filter }}", 2),
        ("一\n{% for a in range(99999) %}\n{% for b in range(99999) %}\n{% endfor %}\n{% endfor %}", 3),
        ("一\n{{ '喵' * 999999999 }}", 2),
        ("一\n{{ 9 ** 999999999 }}", 2),
        ("", 1),
        ("{% for rider in [] %}\n一\n{% endfor %}\n", 1),
        ("一\n{{ '%999999999d' % 1 }}", 2),
        ("一\n{{ title.ljust(999999999) }}", 2),
        ("一\n{{ '{0.__class__}'.format(title) }}", 2),
        ("一\n{{ lipsum.__globals__ }}", 2),
        ("一\n{{ threads.append(1) }}", 2),
        ("一\n{{ open('game.toml') }}", 2),
        ("一\n{{ 1 / 0 }}", 2),
    ],
)
def test_a_broken_template_is_an_error_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    own = write(tmp_path, text)
    with pytest.raises(UsageError) as error:
        render(Template.ELEVATOR, own, title="题", threads=[{"tid": 1, "riders": []}])
    assert f"elevator.bbcode:{line}: " in str(error.value)
    assert error.value.exit_code == 2


def test_a_part_that_a_value_has_not_is_told_without_words_of_the_program(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as told:
        render(Template.ELEVATOR, write(tmp_path, "一\n{{ title.day }}"), title=Code("喵"))
    assert "elevator.bbcode:2: 模板写得不对（前面的值没有 day 这一项）" in str(told.value)


def test_a_template_that_calls_itself_is_an_error_of_its_file(tmp_path: Path) -> None:
    """Which of its lines is the last one before the end is chance."""
    own = write(tmp_path, "{% macro f() %}\n{{ f() }}\n{% endmacro %}\n{{ f() }}")
    with pytest.raises(UsageError, match=r"elevator\.bbcode:[124]: .*它一层层套着自己"):
        render(Template.ELEVATOR, own, title="题", threads=[])


def test_a_name_that_there_is_not_is_told_with_those_that_there_are(tmp_path: Path) -> None:
    own = write(tmp_path, "{{ titel }}")
    with pytest.raises(UsageError) as error:
        write_elevator(own, [1], ["饺子"], {})
    assert "没有 titel 这个变量，可以用的有 title、threads" in str(error.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tally.bbcode.txt", "改名为 tally.bbcode"),
        ("Tally.bbcode", "改名为 tally.bbcode"),
        ("tallys.bbcode", "改名为 tally.bbcode"),
        ("elevator.bbcode.j2", "改名为 elevator.bbcode"),
        ("晨报.bbcode", "模板的名字有 ruling.bbcode、elevator.bbcode"),
    ],
)
def test_a_file_that_no_post_is_made_from_is_an_error(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / name).write_text("x", encoding="utf-8")
    with pytest.raises(UsageError) as error:
        write_elevator(game(tmp_path), [1], ["饺子"], {})
    assert name in str(error.value)
    assert said in str(error.value)


@pytest.mark.parametrize("name", [".DS_Store", "desktop.ini", "Thumbs.db", "tally.bbcode~", "README.txt"])
def test_what_a_system_or_an_editor_leaves_there_is_none_of_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / name).write_text("x", encoding="utf-8")
    assert write_elevator(game(tmp_path), [1], ["饺子"], {}).text


def test_bytes_that_no_encoding_reads_are_named_by_their_line(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates/elevator.bbcode").write_bytes(b"ok\n\xff\xff\xff")
    with pytest.raises(UsageError, match=r"elevator\.bbcode:2: "):
        write_elevator(game(tmp_path), [1], ["饺子"], {})


def test_a_post_that_is_provisional_says_so_whatever_its_template_leaves_out(tmp_path: Path) -> None:
    own = write(tmp_path, "{{ title }}", "announcement")
    values = {"title": "题", "moment": "开门", "sections": ()}
    assert render(Template.ANNOUNCEMENT, own, provisional="", **values) == "题"
    assert render(Template.ANNOUNCEMENT, own, provisional="暂定", **values) == "题\n[color=red][b]【暂定】[/b][/color]\n"


def test_a_debugger_goes_on_after_a_post_was_made(tmp_path: Path) -> None:
    def trace(*_: object) -> None:
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        write_elevator(game(tmp_path), [1], ["饺子"], {})
        assert sys.gettrace() is trace
    finally:
        sys.settrace(before)


def test_every_template_of_ours_is_there() -> None:
    ours = Path(render.__code__.co_filename).parent / "templates"
    assert {path.stem for path in ours.iterdir()} == {template.value for template in Template}


@pytest.mark.parametrize(
    ("text", "said"),
    [("一\n{{ title", "elevator.bbcode:2: "), ("一\n二\n{{ titel }}", "elevator.bbcode:3: 模板写得不对（没有 titel 这个变量")],
)
def test_templates_are_read_before_a_post_hangs_on_them(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError) as error:
        check_templates(write(tmp_path, text))
    assert said in str(error.value)


def test_ours_are_given_what_they_use(tmp_path: Path) -> None:
    """Each of ours, as if it were the director's."""
    ours = Path(render.__code__.co_filename).parent / "templates"
    shutil.copytree(ours, tmp_path / "templates")
    assert check_templates(game(tmp_path)) == len(Template)
