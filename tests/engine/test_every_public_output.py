"""No command shows a secret unasked: every command in every form, in the middle of a game on a board, errors and --verbose too.

Whoever adds a command or a form finds it missing here, and says whose it is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_group

from engine.cli.app import app
from engine.counting import open_archive
from engine.game import Game, load_game
from engine.play.state import GameState
from tests.board.members import Members
from tests.board.script import read_script
from tests.engine.living import Living, living, post, vote
from tests.engine.tables import play_randomly, write_game
from tests.engine.test_no_secret_leaves import find_leaks

# What goes before a form, or makes one: which of them a command has is asked of the program.
FORMS = ("--json", "--csv", "--bbcode", "--html", "--datasette", "--public")
# Every line that shows or writes what others than the director may see, or that says how its work goes.
PUBLIC = {
    "announce": ["", "--json", "--moment opening --day 2", "--moment close --day 1 --json", "--moment end", "--moment midday"],
    "post": ["--day 2 --provisional", "--day 2", "--announce close --day 1 --provisional --json", "--day 2 --provisional --yes"],
    "day": ["1", "2 --json", "9"],
    "elevator": ["", "--json", "--day 1"],
    "morning": ["--day 2", "--day 2 --json"],
    "tally": ["--day 1 --bbcode", "--day 1 --public", "--day 1 --public --json", "--day 1 --public --csv"],
    "check": ["--bbcode"],
    "report": ["--public -o {out}/r.html", "--public -o {out}/r.html --json", "--public -o {out}/r.html --datasette {out}/d"],
    "export": ["--public -o {out}/t", "--public -o {out}/t --json"],
    "status": ["--public", "--public --json"],
    "fetch": ["--day 1", "--day 1 --json"],
    "poll": ["--day 1", "--day 1 --json"],
    "rollcall": ["1001", "1001 --json"],
    "doctor": ["", "--json"],
    "deal": ["--letters", "--letters --json", ""],
    "login": ["--user 导演", "--user 导演 --question 9", "--user 导演 --json"],
    "record": ["{out}/case --day 1", "{out}/other --day 1 --json"],
    "handover": ["-o {out}/g.bansha", "", "-o {out}/h.bansha --json"],
    "merge": ["{out}/none.db", "{game}/game.db --json", "{game}/ledger.txt --json", "{game}/secrets.toml"],
    "assistants": ["", "--json"],
    "reveal": ["", "--json", "-o {out}/a"],
}
# What the director alone sees, and by which right.
DIRECTORS = {
    "tally": {"": "all votes", "--json": "all votes", "--csv": "all votes"},
    "check": {"": "suspects", "--json": "suspects", "--html": "suspects"},
    "report": {"": "findings", "--json": "findings", "--datasette": "findings"},
    "export": {"": "the ledger", "--json": "the ledger"},
    "watch": {"": "the table of tally; what it offers to publish is tally --bbcode", "--json": "the JSON of tally"},
    "explain": {"": "one voter's posts", "--json": "one voter's posts"},
    "cards": {"": "proposals", "--json": "proposals"},
    "status": {"": "the whole table", "--json": "the whole table"},
    "do": {"": "what a line brings", "--json": "what a line brings"},
    "night": {"": "a night", "--json": "a night"},
    "ledger": {"": "the ledger", "--json": "the ledger"},
    "init": {"": "there are no secrets yet", "--json": "there are no secrets yet"},
    "demo": {"": "a recorded example", "--json": "a recorded example"},
    "replay": {"": "a recorded case", "--json": "a recorded case"},
    "simulate": {"": "random games", "--json": "random games"},
}


def test_every_form_of_every_command_is_somebodys() -> None:
    commands: dict[str, Any] = dict(get_group(app).commands)
    for name, command in commands.items():
        has = {option for one in command.params for option in one.opts}
        forms = {"", *(form for form in FORMS[:-1] if form in has)}
        told = {*DIRECTORS.get(name, {})}
        for line in PUBLIC.get(name, []):
            asked = [form for form in FORMS[:-1] if form in line.split()]
            # Where there is a public version, what is not asked for it is the director's.
            told |= {asked[0] if asked else ""} if "--public" not in has or {"--public", "--bbcode"} & {*line.split()} else set()
        assert forms <= told, name
    assert {*PUBLIC, *DIRECTORS} == {*commands}


def board(names: list[str]) -> str:
    blocks = []
    for tid, title in ((1001, "第一天 投票"), (2001, "第一天 讨论"), (1002, "第二天 投票"), (2002, "第二天 讨论")):
        blocks.append(f'[[thread]]\ntid = {tid}\ntitle = "{title}"\n')
        blocks.append(f"[[post]]\ntid = {tid}\npid = {tid * 100}\n{post('导演', '03T09:30', '开')}")
        for place, name in enumerate(names, 1):
            text = vote(name, f"03T10:{place:02d}", str(place)) if tid < 2000 else post(name, f"03T10:{place:02d}", "大家好")
            blocks.append(f"[[post]]\ntid = {tid}\npid = {tid * 100 + place}\n{text}")
    return "\n".join(blocks)


@pytest.fixture(scope="module", params=["secret-number", pytest.param("vest", marks=pytest.mark.slow)])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Living, Game, GameState]]:
    """A random game in its second night on a board, with people, passwords and a seed."""
    folder = tmp_path_factory.mktemp("secret")
    games = (play_randomly(request.param, seed) for seed in range(50))
    # One that is in its second night, and goes on.
    players, turns = next(one for one in games if one[1] and one[1][-1].order.phase.number > 3)
    lines = [str(turn.order) for turn in turns if turn.order.phase.number < 2]
    with living(folder, read_script(board([player.name for player in players])), "03T12:00", "") as site:
        site.served.board.faults = (Members(site.served.board, {"导演": "pw"}),)
        write_game(folder, request.param, players, lines, days=2, people=True, cards=turns[0].before.table, directors='["导演"]')
        game = folder / "game.toml"
        game.write_text(
            f'{game.read_text(encoding="utf-8")}[forum]\nurl = "{site.served.base}"\ninterval = 0.0\n', encoding="utf-8"
        )
        site.set("05T21:10")
        assert site.run("fetch", "--day", "1").code == 0
        loaded = load_game(folder)
        open_archive(loaded, loaded.database).close()
        yield site, loaded, turns[len(lines) - 1].state


@pytest.mark.parametrize(("command", "line"), [(command, line) for command, lines in PUBLIC.items() for line in lines])
def test_no_secret_stands_in_it(
    command: str, line: str, place: tuple[Living, Game, GameState], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BANSHA_PASSPHRASE", "一句很长很长的口令")
    monkeypatch.setenv("BANSHA_PASSWORD", "pw-of-director-zzz")
    site, game, state = place
    ran = site.run_here("-v", command, str(site.folder), *line.format(out=tmp_path, game=site.folder).split())
    assert "Traceback" not in ran.err
    texts = {"out": ran.out, "err": ran.err, **dict(read_files(tmp_path))}
    leaks = [(name, leak) for name, text in texts.items() for leak in find_leaks(text, game, state)]
    assert leaks == []
    assert any(texts.values())


def read_files(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file that a command wrote, as text, but for the sealed one; a database by its rows."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix == ".db":
            with closing(sqlite3.connect(path)) as copy:
                yield path.name, "\n".join(copy.iterdump())
        elif path.is_file() and path.suffix != ".bansha":
            yield path.name, path.read_bytes().decode("utf-8", "replace")
