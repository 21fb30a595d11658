"""What a director may type into votes.csv, where no vote is posted (断言): each cell names its target, or is refused."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from engine.game import load_game
from engine.ledger import LedgerError
from engine.votetable import FILE, read_table
from engine.voting import read_votes
from tests.tally.grammar import ASSERTION, Cell, cells

GAME = """[game]
ruleset = "assertion"
directors = ["导演"]
{players}
[[day]]
number = 1
opens = 2021-07-01T09:30:00
closes = 2021-07-02T21:00:00
"""
CELLS = cells()


def test_the_grammar_has_cells_of_every_kind() -> None:
    assert len(CELLS) > 60
    assert {cell.names for cell in CELLS} == {*ASSERTION.targets, "弃权", ""}


@pytest.mark.parametrize("cell", [pytest.param(cell, id=f"{cell.text!r}: {cell.made_of}") for cell in CELLS])
def test_a_cell_names_its_target_or_is_refused(cell: Cell, tmp_path: Path) -> None:
    seats = (*ASSERTION.voters, *ASSERTION.targets)
    aliases = {seat: list(words) for seat, words in ASSERTION.spellings.items()}
    players = "".join(f'[[player]]\nname = "{seat}"\naliases = {aliases.get(seat, [])}\n' for seat in seats)
    (tmp_path / "game.toml").write_text(GAME.format(players=players), encoding="utf-8")
    with (tmp_path / FILE).open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([("day", "voter", "target"), ("1", "村一", cell.text)])
    game = load_game(tmp_path)
    if not cell.names:
        with pytest.raises(LedgerError, match=r"votes\.csv:2:3"):
            read_votes(game, read_table(game.vote_table, game.zone), game.days[0])
        return
    (ballot,) = read_votes(game, read_table(game.vote_table, game.zone), game.days[0]).ballots
    assert ballot.target == (None if cell.names == "弃权" else cell.names)
