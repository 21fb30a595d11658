"""Who posts is public in 秘密数字杀 and 马甲杀, and what is voted for is hidden: no output links the two before it is published.

The strongest form of it: give the same numbers or vests to other seats in secrets.toml, and every output is the same to the byte.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.engine.command import run

FIXTURES = Path(__file__).parents[2] / "fixtures"
GAMES = {
    "secret-number/ties_and_the_sheriffs_ballot": ("number", ("云朵", "秋水", "飞鸟")),
    "secret-number/the_first_to_reach_is_sheriff": ("number", ()),
    "secret-number/numbers_are_whole_tokens": ("number", ()),
    "secret-number/the_idiot_feigns": ("number", ("阿木",)),
    "vest/ties_and_the_sheriffs_vest": ("vest", ()),
    "vest/sent_off_in_the_middle_of_the_day": ("vest", ("狼人二",)),
    "vest/the_idiots_ballot_weighs_nothing": ("vest", ("白痴",)),
}
# What was published with its seat in these games: the idiot's number, and the vest of who was sent off.
TOLD = {"阿木": "6", "狼人二": "寒江", "白痴": "晚钟", "云朵": "1", "秋水": "4", "飞鸟": "7"}


def read_players(game: str) -> list[str]:
    return re.findall(r'^\[\[player\]\]\nname = "(.+)"$', game, re.M)


def write_secrets(folder: Path, kind: str, shift: int, told: tuple[str, ...]) -> dict[str, str]:
    """Secrets in which every number or vest that nobody has told is moved on by some seats."""
    game = (folder / "game.toml").read_text(encoding="utf-8")
    seats = read_players(game)
    every = [str(number) for number in range(1, len(seats) + 1)]
    if kind == "vest":
        (line,) = re.findall(r"^vests\s+= \[(.+)\]$", game, re.M)
        every = re.findall(r'"(.+?)"', line)
    held = {seat: TOLD[seat] for seat in told}
    free = [word for word in every if word not in held.values()]
    free = free[shift:] + free[:shift]
    held |= dict(zip((seat for seat in seats if seat not in told), free, strict=True))
    value = {seat: word if kind == "number" else f'"{word}"' for seat, word in held.items()}
    text = "".join(f'[[player]]\nname = "{seat}"\n{kind} = {value[seat]}\n' for seat in seats)
    (folder / "secrets.toml").write_text(text, encoding="utf-8")
    (folder / "secrets.toml").chmod(0o600)
    return held


def every_output(folder: Path, seats: list[str]) -> list[str]:
    """What every command that reads votes prints, in every form, and every row of the database."""
    database = folder / "game.db"
    database.unlink(missing_ok=True)
    said = [run("replay", str(folder), "--db", str(database)), run("replay", str(folder), "--json")]
    (days,) = [re.findall(r"^number\s+= (\d+)$", (folder / "game.toml").read_text(encoding="utf-8"), re.M)]
    for day in days:
        for form in ((), ("--json",), ("--csv",), ("--bbcode",), ("--public",), ("--public", "--json"), ("--public", "--csv")):
            said.append(run("tally", str(folder), "--day", day, *form))
        said += [run("explain", str(folder), seat, "--day", day, *more) for seat in seats for more in ((), ("--json",))]
    texts = [part for ran in said for part in (ran.out, ran.err)]
    connection = sqlite3.connect(database)
    for view in ("ballots", "tallies", "findings", "events"):
        texts.append(repr(connection.execute(f"SELECT * FROM {view}").fetchall()))
    connection.close()
    return [text.replace(str(folder), "FOLDER") for text in texts]


# Most of them with the slow searches: each is counted twice in every form.
LATER = (
    "secret-number/ties_and_the_sheriffs_ballot",
    "secret-number/the_idiot_feigns",
    "secret-number/numbers_are_whole_tokens",
    "vest/sent_off_in_the_middle_of_the_day",
)


@pytest.mark.parametrize("case", [pytest.param(case, marks=[pytest.mark.slow] if case in LATER else []) for case in GAMES])
def test_other_secrets_change_no_byte_of_any_output(case: str, tmp_path: Path) -> None:
    kind, told = GAMES[case]
    folder = Path(shutil.copytree(FIXTURES / case, tmp_path / "case"))
    seats = read_players((folder / "game.toml").read_text(encoding="utf-8"))
    first = write_secrets(folder, kind, 0, told)
    before = every_output(folder, seats[:2])
    second = write_secrets(folder, kind, 1, told)
    assert first != second
    assert every_output(folder, seats[:2]) == before
    assert any("投票" in text or "verdict" in text for text in before)


def test_without_secrets_the_outputs_are_the_same_too(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(FIXTURES / "secret-number/numbers_are_whole_tokens", tmp_path / "case"))
    seats = read_players((folder / "game.toml").read_text(encoding="utf-8"))
    before = every_output(folder, seats[:1])
    write_secrets(folder, "number", 0, ())
    assert every_output(folder, seats[:1]) == before


def test_no_line_names_a_seat_beside_the_vest_that_is_its_own(tmp_path: Path) -> None:
    """A link would be the two alone: a voter stands beside whom he votes for, as everybody could read on the board."""
    folder = Path(shutil.copytree(FIXTURES / "vest/ties_and_the_sheriffs_vest", tmp_path / "case"))
    seats = read_players((folder / "game.toml").read_text(encoding="utf-8"))
    held = write_secrets(folder, "vest", 3, ())
    voted = {("先知", "长风"), ("先知", "墨客")}
    for text in every_output(folder, seats[:1]):
        for seat, vest in held.items():
            assert not re.search(rf"{seat}[（(：: =]{{1,3}}{vest}", text) or (seat, vest) in voted


def publish_as(folder: Path, publicity: str, day: int, **game: str) -> tuple[dict[str, object], list[str]]:
    """What is published of a day of the vests' game: the JSON, and every form as text."""
    path = folder / "game.toml"
    text = re.sub(r'"votes.publicity" = "."', f'"votes.publicity" = "{publicity}"', path.read_text(encoding="utf-8"))
    for key, value in game.items():
        text = text.replace("[game]\n", f"[game]\n{key} = {value}\n")
    path.write_text(text, encoding="utf-8")
    run("replay", str(folder), "--db", str(folder / "game.db"))
    number = ("--day", str(day))
    printed = run("tally", str(folder), *number, "--public", "--json").out
    forms = [
        printed,
        *(run("tally", str(folder), *number, *form).out for form in (("--public",), ("--public", "--csv"), ("--bbcode",))),
    ]
    return json.loads(printed), forms


@pytest.mark.parametrize(
    ("publicity", "game", "shown"),
    [("F", {}, "verdict"), ("G", {}, "all"), ("H", {}, "all"), ("F", {"ended": "true"}, "all")],
)
def test_a_close_publishes_what_the_option_says(tmp_path: Path, publicity: str, game: dict[str, str], shown: str) -> None:
    """F 投票过程在比赛/游戏结束前不予公布; G 当天计票结束后予以公布; H 全程公开."""
    folder = Path(shutil.copytree(FIXTURES / "vest/the_first_to_reach_is_sheriff", tmp_path / "case"))
    seats = read_players((folder / "game.toml").read_text(encoding="utf-8"))
    value, forms = publish_as(folder, publicity, 1, **game)
    assert value["public"] == shown
    (elected,) = value["verdict"]["seats"]  # type: ignore[index]
    for text in forms:
        assert elected in text
        assert any(seat in text for seat in seats) == (shown == "all"), text


def test_no_form_tells_whose_vest_the_sheriff_is(tmp_path: Path) -> None:
    """The vest was elected in public; which account votes twice is in no published form, and in the director's own."""
    folder = Path(shutil.copytree(FIXTURES / "vest/ties_and_the_sheriffs_vest", tmp_path / "case"))
    value, forms = publish_as(folder, "H", 2)
    assert value["weights"] == "hidden"
    assert {ballot["weight"] for one in value["counts"] for ballot in one["ballots"]} == {1}  # type: ignore[attr-defined]
    assert not any("×2" in text for text in forms)
    assert "×2" in run("tally", str(folder), "--day", "2").out
    file = tmp_path / "public.json"
    file.write_text(forms[0], encoding="utf-8")
    assert run("tally", str(folder), "--verify", str(file)).code == 0


def test_the_secrets_are_asked_only_for_what_was_published(tmp_path: Path) -> None:
    """A seat that is out takes its number along: by secrets.toml, where the game file lists names alone."""
    folder = Path(shutil.copytree(FIXTURES / "secret-number/ties_and_the_sheriffs_ballot", tmp_path / "case"))
    path = folder / "game.toml"
    path.write_text(re.sub(r"^out_numbers = .*\n", "", path.read_text(encoding="utf-8"), flags=re.M), encoding="utf-8")
    ran = run("replay", str(folder), "--json")
    assert '"B407"' in ran.out
    write_secrets(folder, "number", 0, ("云朵", "秋水", "飞鸟"))
    ran = run("replay", str(folder))
    assert "与 expected.toml 一致" in ran.out
