"""Every command that cannot begin ends with 2 and a line that says why and what to do, in either language; never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.main import get_group

from engine.cli.app import app
from tests.engine.command import run
from tests.engine.english import CHINESE

# What each command needs besides a game; those without one are tried with something else that is not there.
MORE = {"explain": ["饺子"], "do": ["日1 导演 截票"], "merge": ["other.db"], "record": ["case"], "handover": ["-o", "x.bansha"]}
MORE |= {"report": ["-o", "a.html"], "export": ["-o", "tables"]}
WITHOUT_GAME = {"demo", "init", "simulate", "replay", "rollcall"}
NAMES = [name for name in get_group(app).commands if name not in WITHOUT_GAME]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", NAMES)
def test_a_game_that_is_not_there(name: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANSHA_LANG", language)
    ran = run(name, str(tmp_path / "game.toml"), *MORE.get(name, []))
    assert ran.code == 2, ran.out + ran.err
    assert str(tmp_path / "game.toml") in ran.out + ran.err
    assert ("改法" if language == "zh" else "Fix: ") in ran.out + ran.err
    assert "Traceback" not in ran.err
    assert language == "zh" or not CHINESE.search(ran.out + ran.err)


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "no-such-rules"],
        ["replay", "no-such-case"],
        ["rollcall", "no-such-game.toml", "1200"],
        ["demo", "--dir", "."],
        ["init"],
        ["tally"],
        ["tally", "a", "b"],
        ["tally", "--nothing"],
        ["nothing"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_meant(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.toml").write_text("x", encoding="utf-8")
    ran = run(*words)
    assert ran.code == 2, ran.out + ran.err
    assert ran.err
    assert "Traceback" not in ran.err
