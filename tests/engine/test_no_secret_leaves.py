"""Before the end no public output holds a secret: every output, at many moments, of whole games of several systems."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from engine.announcing.moments import Moment
from engine.counting import open_archive
from engine.game import Game, load_game
from engine.play.state import GameState
from engine.play.views import see_public
from engine.secrets import load_secrets
from tests.engine.command import run
from tests.engine.tables import SEED, play_randomly, write_game

FIXTURES = Path(__file__).parents[2] / "fixtures"
# What rules publish in words that hold a role's name, and that tell of nobody who has it.
PUBLIC = re.compile(
    r"乌鸦（诅咒）|翻开角色牌（女仆）|被吹笛|吹笛者(已经)?出局|吹笛(出局|状态)|(狼人|村民|吹笛者|情侣|吸血鬼|白狼|吹笛|黑情侣)阵营|白痴和隐狼|(审讯|撕咬|血饮)"
)
SECRETS_OF_ALL = (SEED, "真人乙", "zzz")


def read_outputs(folder: Path, out: Path, *, threads: bool) -> Iterator[tuple[str, str]]:
    """Every public output of a game as it stands: what makes it, and all of its text."""
    game = str(folder)
    for moment in Moment:
        for options in ((), ("--day", "1"), ("--day", "2"), ("--day", "3")):
            yield f"announce {moment}", run("announce", game, "--moment", moment.value, *options).out
            if threads:
                posted = run("post", game, "--announce", moment.value, "--provisional", *options)
                yield f"post {moment}", posted.out
    yield "status", run("status", game, "--public").out
    yield "status json", run("status", game, "--public", "--json").out
    yield "elevator", run("elevator", game).out
    for day in ("1", "2", "3"):
        yield "morning", run("morning", game, "--day", day).out
        if threads:
            for form in (("--public",), ("--public", "--json"), ("--public", "--csv"), ("--bbcode",)):
                yield f"tally {form}", run("tally", game, "--day", day, *form).out
    shutil.rmtree(out, ignore_errors=True)
    run("report", game, "--public", "-o", str(out.with_suffix(".html")), "--datasette", str(out / "datasette"))
    run("export", game, "--public", "-o", str(out / "csv"))
    run("export", game, "--public", "--json", "-o", str(out / "json"))
    yield "report", out.with_suffix(".html").read_text(encoding="utf-8")
    for path in sorted(out.rglob("*.csv")) + sorted(out.rglob("*.json")):
        yield path.name, path.read_text(encoding="utf-8")
    with closing(sqlite3.connect(out / "datasette" / "game.db")) as copy:
        yield "datasette", "\n".join(copy.iterdump())


def find_leaks(text: str, game: Game, state: GameState | None) -> Iterator[str]:
    """The secrets that a text holds."""
    yield from (word for word in (*SECRETS_OF_ALL, game.secrets.seed) if word and word in text)
    view = see_public(state) if state is not None else None
    lines = text.splitlines()
    for name, vest in game.secrets.vests.items():
        if view is None or name not in view.vests:
            yield from (f"{name} is {vest}: {line}" for line in lines if _holds(line, name) and vest in line)
    shown = set(view.numbers.values()) if view is not None else set()
    listed = {game.secrets.numbers[one] for one in (view.out if view is not None else ()) if one in game.secrets.numbers}
    for line in lines:
        for found in re.findall(r"秘密数字[： ]*([\d、]+)", line):
            numbers = {int(number) for number in found.split("、") if number}
            if not numbers <= shown | listed:
                yield f"number: {line}"
    if view is not None and state is not None and not state.table.hides_targets:
        hidden = {player.role for player in state.table.players} - set(view.roles.values())
        # A role that is public may have a hidden one in its name: 高级村民.
        public = re.compile("|".join(map(re.escape, {*view.roles.values()})) or "(?!)")
        for line in lines:
            plain = public.sub("", PUBLIC.sub("", line))
            yield from (f"role {role}: {line}" for role in hidden if role in plain)


def _holds(line: str, name: str) -> bool:
    return re.search(rf"{re.escape(name)}(?!\d)", line) is not None


@pytest.mark.parametrize(
    "ruleset", ["m29", *(pytest.param(name, marks=pytest.mark.slow) for name in ("vest", "secret-number", "assertion", "table"))]
)
def test_a_random_game_keeps_its_secrets_to_the_end(ruleset: str, tmp_path: Path) -> None:
    """As each of three phases ends, in the middle of a game; the ledger holds remarks, and votes that are nobody's affair."""
    for seed in range(50):
        players, turns = play_randomly(ruleset, seed)
        ends = [place for place, (one, other) in enumerate(pairwise(turns), 2) if one.state.phase != other.state.phase]
        cuts = [cut for cut in ends if not turns[cut - 1].state.winner][1:6:2]
        if len(cuts) == 3:
            break
    assert len(cuts) == 3
    for cut in cuts:
        lines = [f"{turn.order} ; {SEED}" if not turn.order.values else str(turn.order) for turn in turns[:cut]]
        folder = write_game(tmp_path / "game", ruleset, players, lines, days=3, people=True, cards=turns[0].before.table)
        game = load_game(folder)
        open_archive(game, game.database).close()
        texts = list(read_outputs(folder, tmp_path / "out", threads=False))
        assert any(f"{Moment.OPENING}" in what and text for what, text in texts)
        leaks = [(what, leak) for what, text in texts for leak in find_leaks(text, game, turns[cut - 1].state)]
        assert leaks == []


@pytest.mark.parametrize(
    ("case", "until"),
    [
        ("m29/whole_game", "夜3"),
        pytest.param("m29/whole_game", "夜2", marks=pytest.mark.slow),
        ("vest/whole_game", "夜2"),
        pytest.param("assertion/whole_game", "夜2", marks=pytest.mark.slow),
    ],
)
def test_a_recorded_game_keeps_its_secrets_to_the_end(case: str, until: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(FIXTURES / case, tmp_path / "game"))
    run("replay", str(folder), "--db", str(folder / "game.db"))
    ledger = folder / "ledger.txt"
    kept = ledger.read_text(encoding="utf-8").split(f"\n{until} ")[0]
    ledger.write_text(f"{kept}\n", encoding="utf-8")
    game = load_game(folder)
    secrets = load_secrets(folder, game.ruleset, tuple(seat.name for seat in game.roster.seats))
    assert secrets.seed or case.startswith("assertion")
    texts = list(read_outputs(folder, tmp_path / "out", threads=True))
    assert sum(bool(text) for _what, text in texts) > len(Moment)
    leaks = [(what, leak) for what, text in texts for leak in find_leaks(text, game, None)]
    assert leaks == []


def test_the_search_finds_what_it_is_for(tmp_path: Path) -> None:
    """A text with a secret of every kind in it: or the tests above could not fail."""
    players, turns = play_randomly("vest", 5)
    folder = write_game(tmp_path / "game", "vest", players, people=True)
    game = load_game(folder, before_days=True)
    name, vest = next(iter(game.secrets.vests.items()))
    text = f"{SEED}\n真人乙3\npw-3-zzz\n{name}（{vest}）\n"
    assert len(list(find_leaks(text, game, turns[0].state))) >= 4
    players, turns = play_randomly("m29", 5)
    folder = write_game(tmp_path / "other", "m29", players)
    (leak, *_rest) = find_leaks("角色1 是狼人", load_game(folder, before_days=True), turns[0].state)
    assert leak.startswith("role 狼人")
    players, turns = play_randomly("secret-number", 5)
    folder = write_game(tmp_path / "third", "secret-number", players)
    (leak,) = find_leaks("出局：角色1；秘密数字：3", load_game(folder, before_days=True), turns[0].state)
    assert leak.startswith("number")
