"""The deal proved from its documentation alone (docs/cli.md): the seed, the commitment, the cards, numbers and people."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import tomllib
from pathlib import Path
from unittest.mock import patch

import pytest

from scraper.errors import UsageError
from tests.engine.command import run
from tests.engine.starting.games import write_game

NAMES = tuple(f"角色{number:02d}" for number in range(20))
PEOPLE = tuple(f"人{number:02d}" for number in range(20))
VEST = '[switches]\n"wolves.channel" = "B"\n"votes.publicity" = "G"\n'
VESTS = f"vests = {json.dumps([f'马{number}' for number in range(18)])}\n"
# System, players, --roles, further keys and tables, what makes lovers there ("": nobody).
GAMES = (
    ("m29", 12, "", "", "", "丘比特"),
    ("secret-number", 13, "狼人=3", "", "", "丘比特"),
    ("secret-number", 20, "狼人=6", "", "", "丘比特"),
    ("assertion", 14, "", "", "", ""),
    ("table", 10, "猎人=1", "", "", "丘比特"),
    ("table", 18, "村民=6,白痴=1", "", "", "丘比特"),
    ("vest", 18, "", VESTS, VEST, "爱神"),
)


def draw(seed: str, purpose: str, items: list[str]) -> list[str]:
    """As the page says: again and again the one at SHA-256(seed, purpose, how many are left) mod how many are left."""
    left, drawn = list(items), []
    while left:
        number = int(hashlib.sha256(f"{seed}\n{purpose} {len(left)}".encode()).hexdigest(), 16)
        drawn.append(left.pop(number % len(left)))
    return drawn


def deal(folder: Path, system: str, players: int, roles: str, keys: str, tables: str, people: bool = True) -> None:
    write_game(folder, system, NAMES[:players], game=keys, more=tables)
    more = ["--roles", roles] if roles else []
    if people and system != "vest":
        (folder / "people.txt").write_text("".join(f"{name}\n" for name in PEOPLE[:players]), encoding="utf-8")
        more += ["--people", str(folder / "people.txt")]
    ran = run("deal", str(folder), *more)
    assert ran.code == 0, ran.err


def secrets(folder: Path) -> dict[str, object]:
    return tomllib.loads((folder / "secrets.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("system", "players", "roles", "keys", "tables", "archer"), GAMES)
def test_whoever_has_the_seed_can_draw_it_again(
    tmp_path: Path, system: str, players: int, roles: str, keys: str, tables: str, archer: str
) -> None:
    deal(tmp_path, system, players, roles, keys, tables)
    told = secrets(tmp_path)
    seed, rows = str(told["seed"]), {row["name"]: row for row in told["player"]}  # type: ignore[attr-defined]
    text = (tmp_path / "game.toml").read_text(encoding="utf-8")
    assert re.findall(r'^seed_commitment = "(.*)"$', text, re.MULTILINE) == [
        f"sha256:{hashlib.sha256(seed.encode()).hexdigest()}"
    ]
    shown = run("deal", str(tmp_path), "--check", *(["--roles", roles] if roles else [])).out.strip()
    counts = [part.split() for part in re.split("、|，", shown)]
    drawn = draw(seed, "发牌 身份", [role for role, count in counts for _ in range(int(count))])
    spare: list[str] = []
    if "盗贼" in drawn:
        spare = [card for card in drawn if card != "盗贼"][:2]
        for card in spare:
            drawn.remove(card)
    assert told.get("spare", []) == spare
    assert [rows[name]["role"] for name in NAMES[:players]] == drawn
    if system == "secret-number":
        numbers = draw(seed, "发牌 秘密数字", [str(number) for number in range(1, players + 1)])
        assert [str(rows[name]["number"]) for name in NAMES[:players]] == numbers
    if system != "vest":
        assert [rows[name]["person"] for name in NAMES[:players]] == draw(seed, "发牌 玩家", list(PEOPLE[:players]))


@pytest.mark.parametrize(("system", "players", "roles", "keys", "tables", "archer"), GAMES)
def test_a_letter_knows_its_own_seat_and_no_other(
    tmp_path: Path, system: str, players: int, roles: str, keys: str, tables: str, archer: str
) -> None:
    deal(tmp_path, system, players, roles, keys, tables, people=False)
    told = secrets(tmp_path)
    rows = told["player"]
    assert isinstance(rows, list)
    raw = (tmp_path / "letters" / "letters.csv").read_bytes()
    table = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline="")))
    assert len(table) == players
    for row in table:
        letter = row["信"]
        others = [one for one in rows if one["name"] != row["角色"]]
        assert not [one["name"] for one in others if one["name"] in letter]
        assert not [one["vest"] for one in others if one.get("vest") and re.search(rf"{one['vest']}(?!\d)", letter)]
        assert (f"要等{archer}选定情侣以后" in letter) == bool(archer)
    # Two of one role have the same letter but for their names, accounts, numbers and vests.
    plain = {re.sub(r"角色\d+|马\d+|秘密数字：\d+", "", row["信"]) for row in table if row["身份"] == "村民"}
    assert len(plain) == 1


def test_letters_tell_not_whether_the_archer_lies_aside(tmp_path: Path) -> None:
    # Fifteen with 盗贼: seventeen cards, of which two lie on the table, 丘比特 among them in some seeds.
    texts = {}
    for number in range(40):
        folder = tmp_path / str(number)
        folder.mkdir()
        write_game(folder, "table", NAMES[:15])
        run("deal", str(folder), "--roles", "村民=5,猎人=1", "--seed", f"足够长的一个种子，第 {number} 个")
        aside = "丘比特" in secrets(folder).get("spare", [])  # type: ignore[operator]
        texts[aside] = "要等丘比特选定情侣以后" in next((folder / "letters").glob("01-*.txt")).read_text(encoding="utf-8")
        if len(texts) == 2:
            break
    assert texts == {True: True, False: True}


def test_without_an_archer_nobody_is_told_to_wait_for_him(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", NAMES[:4])
    assert run("deal", str(tmp_path), "--roles", "狼人=2,村民=2", "--force").code == 0
    text = next((tmp_path / "letters").glob("01-*.txt")).read_text(encoding="utf-8")
    assert "开局以后告诉你" in text
    assert "情侣" not in text


@pytest.mark.parametrize("before", [None, '# 我的\n[[player]]\nname = "角色00"\npassword = "pw"\n'])
def test_a_deal_that_cannot_be_committed_is_none(tmp_path: Path, before: str | None) -> None:
    write_game(tmp_path, "m29", NAMES[:12])
    path = tmp_path / "secrets.toml"
    if before is not None:
        path.write_text(before, encoding="utf-8")
    with patch("engine.starting.dealing.set_keys", side_effect=UsageError("写不进去")):
        assert run("deal", str(tmp_path)).code == 2
    assert (path.read_text(encoding="utf-8") if path.exists() else None) == before
    assert not (tmp_path / "letters").exists()
    assert run("deal", str(tmp_path)).code == 0


@pytest.mark.parametrize(
    ("encoding", "mark", "end"),
    [("utf-8", b"\xef\xbb\xbf", "\r\n"), ("gb18030", b"", "\r\n"), ("utf-16-le", b"\xff\xfe", "\r\n")],
)
def test_the_commitment_goes_into_a_file_as_it_was_saved(tmp_path: Path, encoding: str, mark: bytes, end: str) -> None:
    path = write_game(tmp_path, "m29", NAMES[:12])
    text = path.read_text(encoding="utf-8").replace("\n", end)
    path.write_bytes(mark + text.encode(encoding))
    assert run("deal", str(tmp_path)).code == 0
    after = path.read_bytes()
    assert after.startswith(mark)
    lines = after[len(mark) :].decode(encoding).split(end)
    assert [line for line in lines if not line.startswith("seed_commitment")] == text.split(end)


@pytest.mark.parametrize("sign", ["\t", ",", "，", ";"])
def test_a_list_of_people_as_any_program_saves_it(tmp_path: Path, sign: str) -> None:
    write_game(tmp_path, "m29", NAMES[:4])
    rows = "".join(f"{name}{sign}{number}\r\n" for number, name in enumerate(PEOPLE[:4]))
    (tmp_path / "people.csv").write_text(f"玩家{sign}QQ\r\n{rows}", encoding="utf-8")
    ran = run("deal", str(tmp_path), "--people", str(tmp_path / "people.csv"), "--roles", "狼人=1,预言=1,村民=2")
    assert ran.code == 0, ran.err
    rows_of = secrets(tmp_path)["player"]
    assert isinstance(rows_of, list)
    assert sorted(row["person"] for row in rows_of) == list(PEOPLE[:4])


def test_what_steers_a_terminal_is_refused_where_it_stands_and_no_secret_is_shown(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", NAMES[:4])
    (tmp_path / "people.txt").write_text("赵\n钱\n孙\x1b[31m\n李\n", encoding="utf-8")
    ran = run("deal", str(tmp_path), "--people", str(tmp_path / "people.txt"), "--roles", "狼人=1,预言=1,村民=2")
    assert (ran.code, "people.txt" in ran.err, "\x1b" in ran.err) == (2, True, False)
    ran = run("deal", str(tmp_path), "--roles", "狼人=1,预言=1,村民=2", "--seed", "秘密\x1b种子" * 5)
    assert (ran.code, "--seed" in ran.err, "秘密" in ran.err) == (2, True, False)
    assert not (tmp_path / "secrets.toml").exists()
    for line in ('seed = "秘密\\u001b"', '[[player]]\nname = "角色00"\npassword = "秘密\\u001b"'):
        (tmp_path / "secrets.toml").write_text(f"{line}\n", encoding="utf-8")
        ran = run("deal", str(tmp_path), "--check", "--roles", "狼人=1,预言=1,村民=2")
        assert (ran.code, "看不见的字符" in ran.err, "秘密" in ran.err) == (2, True, False)
