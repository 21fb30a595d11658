"""Game folders that need no board: players as they were dealt, and a ledger that holds the votes too."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from engine.play.randomplay import Habits, Turn, play_game
from engine.play.table import Player, Table
from engine.rulesets import find_playable
from engine.secrets import commit_seed
from engine.simulate import deal_table, default_switches, random_roles, rules_of

SEED = "试验用的种子 3f9c1e"


def write_game(
    folder: Path,
    ruleset: str,
    players: Sequence[Player],
    lines: Iterable[str] = (),
    *,
    days: int = 0,
    people: bool = False,
    switches: Mapping[str, object] = MappingProxyType({}),
    cards: Table | None = None,
    **game: str,
) -> Path:
    """A game file with its secrets and ledger; `days` are days with threads 100N (vote) and 200N (discussion).

    `cards` is the table whose spare cards and faces the secrets tell too.
    """
    folder.mkdir(exist_ok=True)
    chosen = {**({"votes.publicity": "F", "wolves.channel": "A"} if ruleset == "vest" else {}), **switches}
    turned = "".join(f'"{name}" = {json.dumps(value)}\n' for name, value in chosen.items())
    keys = "".join(f"{key} = {value}\n" for key, value in game.items())
    seats = "".join(f'[[player]]\nname = "{player.name}"\n' for player in players)
    blocks = "".join(
        f"[[day]]\nnumber = {number}\nopens = 2018-06-{3 * number:02d}T09:30:00\ncloses = 2018-06-{3 * number + 2:02d}T21:00:00\n"
        f"vote = {1000 + number}\ndiscussion = {2000 + number}\n"
        for number in range(1, days + 1)
    )
    top = f'[game]\ntitle = "试局"\nruleset = "{ruleset}"\nseed_commitment = "{commit_seed(SEED)}"\n{keys}'
    text = f"{top}[switches]\n{turned}{seats}{blocks}"
    (folder / "game.toml").write_text(text, encoding="utf-8")
    told = [f'seed = "{SEED}"\n']
    for key, words in (("spare", cards.spare), ("faces", cards.faces)) if cards is not None else ():
        told += [f"{key} = {json.dumps(words, ensure_ascii=False)}\n"] if words else []
    for place, player in enumerate(players, 1):
        told.append(f'[[player]]\nname = "{player.name}"\nrole = "{player.role}"\n')
        told += [f"number = {player.number}\n"] if player.number is not None else []
        told += [f'vest = "{player.vest}"\n'] if player.vest is not None else []
        told += [f'person = "真人乙{place}"\npassword = "pw-{place}-zzz"\n'] if people else []
    secrets = folder / "secrets.toml"
    secrets.write_text("".join(told), encoding="utf-8")
    secrets.chmod(0o600)
    (folder / "ledger.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


def play_randomly(ruleset: str, seed: int, *, nonsense: float = 0.0) -> tuple[tuple[Player, ...], tuple[Turn, ...]]:
    """A random game of a rule system by its own default switches, from the deal to its end, without what was refused."""
    found = find_playable(ruleset)
    dice = random.Random(seed)
    rules = rules_of(found, default_switches(found))
    table = deal_table(found, rules, random_roles(found, dice), dice, SEED)
    turns = tuple(play_game(table, dice, Habits(nonsense=nonsense, surrenders=0.0)))
    return table.players, tuple(turn for turn in turns if turn.refused is None)
