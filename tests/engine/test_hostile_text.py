"""What players wrote and are called steers no terminal, runs in no spreadsheet, and works on no board and no page.

One game in which every name, title, reason and post is hostile, and every command in every form; the same under the console of
a Chinese Windows, which shows less than what players write.
"""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.cli.app import app
from engine.play.order import quote
from tests.board.members import Members
from tests.board.script import read_script
from tests.engine.living import Living, living

NAMES = (
    "饺子",
    "[b]包[/b]",
    "=1+1",
    "<script>a</script>",
    "@all",
    "逆序",
    "{{1234*8765}}",
    "[red]红[/red]",
    "-2+3|x",
    "a\"b'c",
    ":lol: www.x.y",
    "[/url][url=http://e]点[/url]",
)
ROLES = ("村民", "村民", "村民", "村民", "狼人", "狼人", "狼人", "女巫", "预言", "替罪羊", "吹笛者", "丘比特")
HIDDEN = " \u202e"
# Accounts may have what no name of the game file may: it is the board that lets people be called so.
ACCOUNTS = {"逆序": "逆\u202e序\u200b"}
TITLE = "[M29] <i>局</i> [red]x[/red] =1+1 第二天"
# In the words of TOML: an address that a terminal hides under a word, colours, a cleared screen, C1, direction, formulas, codes.
REASON = (
    "\\u001b]8;;http://evil\\u001b\\\\点\\u001b]8;;\\u001b\\\\ \\u001b[31m\\u001b[2J \\u009b31m \\u202e反 [img]http://x/y.png[/img]"
    " =cmd|' /C calc'!A0 <script>a</script> [bold]b[/bold] {{1234*8765}}"
)
# What would steer a terminal, or cannot be seen. A line end is none, and CSV has its own.
STEERING = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
# Codes that would work on a board, and what a page would run.
CODES = ("[b]包[/b]", "[url=http://e]", "[img]http", "www.x.y", "@all", ":lol:", "[red]红")
GAME = """[game]
title = {title}
ruleset = "m29"
directors = ["导演"]
[forum]
url = "{{url}}"
interval = 0.0
{players}
[[day]]
number = 1
opens = 2018-05-31T09:30:00
closes = 2018-06-02T21:00:00
vote = 1232
[[day]]
number = 2
opens = 2018-06-03T09:30:00
closes = 2018-06-05T21:00:00
vote = 1235
discussion = 1234
"""


def toml(text: str) -> str:
    """A text as TOML writes it."""
    return json.dumps(text)


def board() -> str:
    """Threads in which everybody posts, votes for the next one, and gives the worst reason."""
    blocks = [f"[[thread]]\ntid = {tid}\ntitle = {toml(TITLE + HIDDEN + word + '帖')}\n" for tid, word in THREADS]
    for tid, _word in THREADS:
        for place, name in enumerate(NAMES):
            target = NAMES[(place + 1) % len(NAMES)] if place % 3 else "\x1b[2J=HYPERLINK(1)"
            words = f"投票对象：{target}\n投票理由：" if tid == 1235 else "哼哼 "
            text = toml(words)[1:-1] + REASON
            edits = f'edits = [{{ at = 2018-06-05T20:30:00, text = "改了 {REASON}" }}]\n' if place == 4 else ""
            blocks.append(
                f"[[post]]\ntid = {tid}\npid = {tid * 100 + place}\nauthor = {toml(ACCOUNTS.get(name, name))}\n"
                f'at = 2018-06-03T10:{place:02d}:00\ntext = "{text}"\n{edits}'
            )
    return "\n".join(blocks)


THREADS = ((1234, "讨论"), (1235, "投票"), (1201, "报到"))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    """The game in its second night, read from the board, with a ledger and secrets."""
    folder = tmp_path_factory.mktemp("hostile")
    players = (
        "".join(f"[[player]]\nname = {toml(name)}\naccount = {toml(ACCOUNTS.get(name, name))}\n" for name in NAMES)
        .replace("{", "{{")
        .replace("}", "}}")
    )
    game = GAME.format(title=toml(TITLE), players=players)
    with living(folder, read_script(board()), "03T12:00", game) as site:
        site.served.board.faults = (Members(site.served.board, {"导演": "pw"}),)
        rows = "".join(f"[[player]]\nname = {toml(name)}\nrole = {toml(role)}\n" for name, role in zip(NAMES, ROLES, strict=True))
        (folder / "secrets.toml").write_text(f'seed = "s"\n{rows}', encoding="utf-8")
        (folder / "secrets.toml").chmod(0o600)
        one, two, three = (quote(NAMES[place]) for place in (1, 2, 11))
        lines = (
            f"夜0 {three} 金箭 {one} {two} ; \x1b[31m备注",
            f"日1 {one} 投票 {quote(NAMES[9])}",
            "日1 导演 截票",
            f"夜1 {quote(NAMES[10])} 吹笛 {quote(NAMES[5])} {quote(NAMES[6])}",
            "夜1 导演 天亮",
            f"日2 导演 答疑 {quote('[url=http://e]问[/url] =1')} {quote('答 <script>a</script> @all')}",
            f"日2 导演 黄牌 {quote(NAMES[5])} ; =1+1 [b]包[/b]",
            f"日2 导演 场外助理 {quote(NAMES[3])} 助理={quote('[b]包[/b]www.x.y')}",
        )
        (folder / "ledger.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        (folder / "logs").mkdir()
        (folder / "logs" / "饺子.txt").write_text("\x1b[31m[b]包[/b] @all", encoding="utf-8")
        (folder / "logs" / "[red]谁\u202e.txt").write_text("?", encoding="utf-8")
        (folder / "notice.txt").write_text("\x1b[31m公告\u202e", encoding="utf-8")
        (folder / "morning.txt").write_text("\x1b[31m村民 狼人 \u202e" + NAMES[7], encoding="utf-8")
        site.set("05T21:10")
        for day in ("2",):
            assert site.run("fetch", "--day", day).code == 0
        yield site


# Each line of a command: what it is of, and its words after the game. `R` for all that reaches no board.
LINES = {
    "fetch": ["--day 2", "--day 2 --json"],
    "poll": ["--day 2"],
    "watch": ["--day 2", "--day 2 --json"],
    "doctor": ["", "--json"],
    "rollcall": ["1201", "1201 --json"],
    "tally": ["--day 2", "--day 2 --json", "--day 2 --csv -o {out}/v.csv", "--day 2 --bbcode", "--day 2 --public"],
    "explain": [f"--day 2 -- {place}" for place in (5, 7, 8, 11)] + ["4 --day 2 --json"],
    "check": ["", "--json", "--html", "--bbcode", "--notes"],
    "cards": ["--day 2", "--day 2 --json"],
    "report": ["-o {out}/r.html --datasette {out}/d", "-o {out}/p.html --public --json"],
    "export": ["-o {out}/t", "-o {out}/j --json", "-o {out}/p --public"],
    "announce": [f"--moment {moment} --day 2 {form}" for moment in ("opening", "midday", "close") for form in ("", "--json")]
    + ["--moment start", "--moment speedup --day 2"],
    "morning": ["--day 2", "--day 2 --check {here}/morning.txt", "--day 2 --check {here}/morning.txt --json"],
    "post": ["--day 2 --provisional", "--file {here}/notice.txt --day 2", "--announce close --day 2 --provisional --json"],
    "status": ["", "--json", "--public", "--public --json", "--seat 5", "--seat 10 --json"],
    "ledger": ["", "--json"],
    "do": ["日2_导演_红牌_5 --dry-run", "日2_导演_红牌_5 --dry-run --json", "日2_导演_截票 --dry-run", "日2_1_喵_2 --dry-run"],
    "night": ["10_吹笛_2 --json", "--time-up 过时的"],
    "elevator": ["--day 2", "--day 2 --json"],
    "day": ["2 --progress 1236", "2 --json"],
    "assistants": ["", "--json"],
    "reveal": [
        "--force \x1b[31m理由[b]包[/b] --offline --reward 胜=1 -o {out}/a --logs {here}/logs",
        "--force x --json --reviews 1234",
    ],
    "record": ["{out}/case --day 2"],
    "merge": ["{out}/other.db", "{out}/other.txt", "{out}/fork.txt"],
    "handover": ["-o {out}/g.bansha"],
    "deal": ["--check", "--letters"],
    "login": ["--user 导演"],
}
# These are of no game of this one: a URL, a recorded case, a random game.
ELSEWHERE = {"init", "demo", "replay", "simulate"}


def test_every_command_is_tried() -> None:
    assert {command.name or command.callback.__name__ for command in app.registered_commands if command.callback} == {
        *LINES,
        *ELSEWHERE,
    }


def words_of(line: str, place: Living, out: Path) -> list[str]:
    """The words of a line; a number is the name of that place, where it stands for one, and _ a space inside a word."""
    found = []
    for word in line.split():
        word = word.format(out=out, here=place.folder) if "{out}" in word or "{here}" in word else word
        parts = [
            quote(NAMES[int(part)]) if part.isdigit() and len(part) < 3 and "_" in word else part for part in word.split("_")
        ]
        found.append(" ".join(parts) if not word.startswith("/") else word)
    return found


def all_lines() -> Iterator[Any]:
    """Every line on a console that shows everything; the first of each command on a Chinese Windows too, the others slowly."""
    for command, lines in LINES.items():
        for place, line in enumerate(lines):
            yield pytest.param(command, line, "utf-8")
            yield pytest.param(command, line, "cp936", marks=[pytest.mark.slow] if place else [])


@pytest.mark.parametrize(("command", "line", "encoding"), list(all_lines()))
def test_nothing_that_players_wrote_works_anywhere(
    command: str, line: str, encoding: str, place: Living, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BANSHA_PASSPHRASE", "一句很长很长的口令")
    monkeypatch.setenv("BANSHA_PASSWORD", "pw")
    here = Path(shutil.copytree(place.folder, tmp_path / "game"))
    shutil.copyfile(here / "game.db", tmp_path / "other.db")
    ledger = (here / "ledger.txt").read_text(encoding="utf-8")
    (tmp_path / "other.txt").write_text(f"{ledger}日2 导演 黄牌 {quote(NAMES[7])} ; \x1b[31m\u202e\n", encoding="utf-8")
    (tmp_path / "fork.txt").write_text(f"{ledger}".replace("备注", "\x1b[2J\u202e"), encoding="utf-8")
    words = words_of(line, place, tmp_path)
    if command in ("explain", "status"):
        words = [
            NAMES[int(word)] if word.isdigit() and words[place_ - 1] != "--day" else word for place_, word in enumerate(words)
        ]
    ran = place.run_in(here, encoding, command, *words)
    assert "Traceback" not in ran.err
    # A thread that the game names is not on the board, and a day has nothing to tell of a speed-up: said, and no crash.
    assert ran.code in (0, 1, {"doctor": 4, "announce": 2}.get(command, 0)), ran.err
    texts = {"out": ran.out, "err": ran.err, **dict(read_files(tmp_path, here))}
    for name, text in texts.items():
        check_text(name, text, command, line)


def read_files(folder: Path, game: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and game not in path.parents and path.suffix in (".csv", ".json", ".html", ".bbcode"):
            yield path.name, path.read_bytes().decode("utf-8")


def check_text(name: str, text: str, command: str, line: str) -> None:
    if name.endswith(".csv"):
        check_table(text)
        return
    assert not STEERING.search(text), (name, STEERING.findall(text), text[:2000])
    if name.endswith(".html") or "--html" in line:
        assert "<script" not in text
        assert "<i>局" not in text
        return
    if name.endswith(".json") or ("--json" in line and name == "out"):
        json.loads(text)
        codes = [value for value in strings(json.loads(text)) if "[b]" in value and "\n" in value]
        for code in codes if command in ("announce", "post", "elevator", "day") else ():
            check_code(code)
        return
    bbcode = name.endswith(".bbcode") or (name == "out" and ("--bbcode" in line or command in ("announce", "elevator", "reveal")))
    if bbcode or (name == "out" and command == "post" and "--file" not in line):
        check_code(text)
    assert "10816010" not in text, "a template was run"


@pytest.mark.parametrize("line", ["tally --day 2", "status", "elevator --day 2", "announce --moment start"])
def test_what_looks_like_a_style_is_shown_to_the_letter(line: str, place: Living) -> None:
    """`[red]` is a style of the library that draws the tables: whoever is called so is not eaten."""
    command, *words = line.split()
    shown = place.run(command, *words).out.replace("[b][/b]", "")
    assert [name for name in (*NAMES[:4], NAMES[7]) if name not in shown] == []


def check_code(text: str) -> None:
    for code in CODES:
        assert code not in text, (code, text)


def check_table(text: str) -> None:
    assert text.startswith("\ufeff")
    assert not STEERING.search(text.removeprefix("\ufeff"))
    for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")):
        for cell in row:
            assert not cell.lstrip().startswith(("=", "+", "@", "\t", "\r", "|", "%")), cell
            assert not cell.lstrip().startswith("-") or re.fullmatch(r"-\d+(\.\d+)?", cell), cell


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)
