"""`bansha deal`: what it writes where, what it never shows, and that it never deals twice."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import sys
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

import pytest

from engine.game import load_game
from tests.engine.command import run, run_on
from tests.engine.starting.games import TWELVE, write_game

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")
SEED = "一个够长的种子，谁也猜不出来的那种"


def dealt(folder: Path) -> dict[str, str]:
    return dict(load_game(folder, before_days=True).secrets.roles)


def letters(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((folder / "letters").glob("*.txt"))}


def table(folder: Path) -> list[dict[str, str]]:
    raw = (folder / "letters" / "letters.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline="")))


def test_a_game_is_dealt(tmp_path: Path) -> None:
    path = write_game(tmp_path, "m29", TWELVE, more='[switches]\n"wolf.loss" = "camp"   # 按阵营\n')
    ran = run("deal", str(path), "--seed", SEED)
    assert ran.code == 0
    game = load_game(path, before_days=True)
    assert sorted(game.secrets.roles) == sorted(TWELVE)
    assert list(game.secrets.roles.values()).count("狼人") == 3
    assert game.secrets.seed == SEED
    assert game.seed_commitment == f"sha256:{sha256(SEED.encode()).hexdigest()}"
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# 我的一局\n")
    assert '"wolf.loss" = "camp"   # 按阵营' in text
    assert SEED not in text


def test_the_screen_shows_nobody_s_identity_unless_asked(tmp_path: Path) -> None:
    write_game(tmp_path, "secret-number", TWELVE)
    ran = run("deal", str(tmp_path), "--roles", "狼人=3", "--seed", SEED)
    assert ran.code == 0
    assert not [name for name in TWELVE if name in ran.out + ran.err]
    assert SEED not in ran.out + ran.err


def test_it_shows_them_when_asked(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", TWELVE)
    ran = run("deal", str(tmp_path), "--show", "--json")
    seats = json.loads(ran.out)["seats"]
    assert {seat["name"]: seat["role"] for seat in seats} == dealt(tmp_path)


def test_the_same_seed_deals_the_same(tmp_path: Path) -> None:
    roles = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_game(tmp_path / name, "m29", TWELVE if name == "a" else TWELVE[::-1])
        run("deal", str(tmp_path / name), "--seed", SEED)
        roles.append(dealt(tmp_path / name))
    assert roles[0] == roles[1]


def test_a_seed_of_its_own_cannot_be_guessed(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", TWELVE)
    run("deal", str(tmp_path))
    assert len(bytes.fromhex(load_game(tmp_path, before_days=True).secrets.seed)) == 16


def test_a_short_seed_is_warned_of(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", TWELVE)
    assert "猜出来" in run("deal", str(tmp_path), "--seed", "七").err


@posix
def test_only_the_owner_can_read_what_was_dealt(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", TWELVE)
    before = os.umask(0)
    try:
        run("deal", str(tmp_path))
    finally:
        os.umask(before)
    files = [tmp_path / "secrets.toml", *(tmp_path / "letters").iterdir()]
    assert len(files) == 1 + 12 + 1
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE((tmp_path / "letters").stat().st_mode) == 0o700


def test_nothing_is_dealt_twice(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", TWELVE)
    run("deal", str(tmp_path))
    before = (tmp_path / "secrets.toml").read_bytes()
    ran = run("deal", str(tmp_path), "--seed", SEED)
    assert (ran.code, "已经发过牌" in ran.err) == (2, True)
    assert (tmp_path / "secrets.toml").read_bytes() == before


def test_a_game_that_has_begun_is_not_dealt(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", TWELVE)
    (tmp_path / "ledger.txt").write_text("夜0 丘比特 金箭 饺子 包子\n", encoding="utf-8")
    ran = run("deal", str(tmp_path))
    assert (ran.code, (tmp_path / "secrets.toml").exists()) == (2, False)


def test_a_letter_tells_its_player_of_himself_and_of_nobody_else(tmp_path: Path) -> None:
    write_game(tmp_path, "secret-number", TWELVE)
    run("deal", str(tmp_path), "--roles", "狼人=3")
    secrets = load_game(tmp_path, before_days=True).secrets
    written = letters(tmp_path)
    assert list(written) == [f"{place:02d}-{name}.txt" for place, name in enumerate(TWELVE, 1)]
    for name, text in zip(TWELVE, written.values(), strict=True):
        assert f"你的角色：{name}\n" in text
        assert f"角色账号：号-{name}\n" in text
        assert f"你的身份：{secrets.roles[name]}\n" in text
        assert f"你的秘密数字：{secrets.numbers[name]}\n" in text
        assert not [other for other in TWELVE if other != name and f"号-{other}" in text]
        assert secrets.seed not in text


def test_a_wolf_is_told_of_no_other_wolf_before_the_arrow(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", TWELVE)
    run("deal", str(tmp_path))
    roles, written = dealt(tmp_path), letters(tmp_path)
    wolves = [name for name in TWELVE if roles[name] == "狼人"]
    for place, name in enumerate(TWELVE, 1):
        text = written[f"{place:02d}-{name}.txt"]
        assert not [wolf for wolf in wolves if wolf != name and wolf in text]
        assert "要等丘比特选定情侣以后" in text


def test_the_archer_is_told_how_long_he_has(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", TWELVE)
    run("deal", str(tmp_path))
    roles = dealt(tmp_path)
    for row in table(tmp_path):
        # 分发身份后，爱神半小时之内不发动技能，技能目标随机决定。
        assert ("30 分钟内" in row["信"]) == (roles[row["角色"]] == "丘比特")


def test_people_and_passwords_of_spreadsheets(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", ["甲", "乙", "丙", "丁"])
    (tmp_path / "people.csv").write_bytes("玩家,QQ\r\n赵,10001\r\n=钱,10002\r\n孙,-3\r\n李,4\r\n".encode("gb18030"))
    (tmp_path / "pw.csv").write_bytes('\ufeff账号,密码\r\n号-甲,=a1\r\n号-乙,"b,2"\r\n号-丙,c3\r\n号-丁,d4\r\n'.encode())
    arguments = ("--people", str(tmp_path / "people.csv"), "--accounts", str(tmp_path / "pw.csv"))
    ran = run("deal", str(tmp_path), "--roles", "狼人=1,预言=1,村民=2", *arguments)
    assert (ran.code, "=a1" in ran.out + ran.err) == (0, False)
    rows = {row["角色"]: row for row in table(tmp_path)}
    assert sorted(row["玩家"] for row in rows.values()) == sorted(["赵", "'=钱", "孙", "李"])
    assert {row["QQ"] for row in rows.values()} == {"10001", "10002", "'-3", "4"}
    assert "密码：=a1\n" in rows["甲"]["信"]
    assert "密码：b,2\n" in rows["乙"]["信"]
    secrets = load_game(tmp_path, before_days=True).secrets
    assert secrets.passwords == {"甲": "=a1", "乙": "b,2", "丙": "c3", "丁": "d4"}
    assert sorted(secrets.people.values()) == sorted(["赵", "=钱", "孙", "李"])


def test_letters_can_be_written_again(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", TWELVE)
    run("deal", str(tmp_path))
    before, secrets = letters(tmp_path), (tmp_path / "secrets.toml").read_bytes()
    for path in (tmp_path / "letters").iterdir():
        path.unlink()
    assert run("deal", str(tmp_path), "--letters").code == 0
    assert letters(tmp_path) == before
    assert (tmp_path / "secrets.toml").read_bytes() == secrets


def test_what_stands_in_secrets_before_stays(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", ["甲", "乙", "丙", "丁"])
    (tmp_path / "secrets.toml").write_text('# 我的\n[[player]]\nname = "乙"   # 老手\npassword = "pw"\n', encoding="utf-8")
    assert run("deal", str(tmp_path), "--roles", "狼人=1,预言=1,村民=2").code == 0
    text = (tmp_path / "secrets.toml").read_text(encoding="utf-8")
    assert "# 我的" in text
    assert 'name = "乙"   # 老手' in text
    assert load_game(tmp_path, before_days=True).secrets.passwords == {"乙": "pw"}
    assert sorted(dealt(tmp_path)) == sorted(["甲", "乙", "丙", "丁"])


VESTED = '[switches]\n"wolves.channel" = "A"\n"votes.publicity" = "G"\n'


def test_vests_are_dealt_to_identity_accounts_and_published_without_whose(tmp_path: Path) -> None:
    names = ["狼人1", "狼人2", "狼人3", "狼人4", "村民1", "村民2", "村民3", "先知", "女巫", "爱神"]
    write_game(tmp_path, "vest", names, more=VESTED)
    vests = [f"马{number}" for number in range(10)]
    rows = [f"人{number},{vest},{'先知' if number == 3 else ''}" for number, vest in enumerate(vests)]
    (tmp_path / "people.csv").write_text("玩家,马甲,身份\n" + "\n".join(rows) + "\n", encoding="utf-8")
    ran = run("deal", str(tmp_path), "--people", str(tmp_path / "people.csv"))
    assert ran.code == 0, ran.err
    game = load_game(tmp_path, before_days=True)
    assert game.secrets.vests["先知"] == "马3"
    assert (game.secrets.roles["狼人4"], game.secrets.roles["爱神"]) == ("狼人", "爱神")
    assert [target.name for target in game.roster.targets or ()] == sorted(vests)
    assert not [vest for vest in vests if vest in ran.out + ran.err]


def test_file_names_that_windows_cannot_bear(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", ["a/b:c?", "CON", "甲.", "*"])
    run("deal", str(tmp_path), "--roles", "狼人=1,预言=1,村民=2")
    assert list(letters(tmp_path)) == ["01-a_b_c_.txt", "02-_CON.txt", "03-甲.txt", "04-_.txt"]


def test_check_says_which_cards_and_deals_none(tmp_path: Path) -> None:
    write_game(tmp_path, "secret-number", TWELVE)
    ran = run("deal", str(tmp_path), "--check")
    assert (ran.code, "--roles 狼人=1" in ran.err) == (2, True)
    assert run("deal", str(tmp_path), "--check", "--roles", "狼人=3").out.startswith("狼人 3、")
    assert not (tmp_path / "secrets.toml").exists()


def test_cards_that_the_rule_post_cannot_deal_want_the_directors_insistence(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", ["甲", "乙", "丙", "丁"])
    cards = ("--roles", "狼人=1,女巫=2,村民=1")
    checked = run("deal", str(tmp_path), "--check", *cards)
    # 2、女巫：1人
    assert (checked.code, "女巫：1人" in checked.err) == (1, True)
    refused = run("deal", str(tmp_path), *cards)
    assert (refused.code, (tmp_path / "secrets.toml").exists()) == (2, False)
    assert run("deal", str(tmp_path), "--force", *cards).code == 0


def test_what_an_auction_brought_goes_before_the_draw(tmp_path: Path) -> None:
    names = ["狼人1", "狼人2", "狼人3", "狼人4", "村民1", "村民2", "村民3", "先知", "女巫", "爱神"]
    write_game(tmp_path, "vest", names, more=VESTED)
    rows = "".join(f"人{number},马{number}\n" for number in range(10))
    (tmp_path / "people.csv").write_text(f"玩家,马甲\n{rows}", encoding="utf-8")
    (tmp_path / "sales.csv").write_text("玩家,身份,价格\n人4,女巫,120\n人7,狼人,90\n", encoding="utf-8")
    files = ("--people", str(tmp_path / "people.csv"), "--auction", str(tmp_path / "sales.csv"))
    ran = run("deal", str(tmp_path), *files)
    assert ran.code == 0, ran.err
    secrets = load_game(tmp_path, before_days=True).secrets
    assert (secrets.vests["女巫"], secrets.people["女巫"]) == ("马4", "人4")
    assert "马7" in [secrets.vests[name] for name in names[:4]]


def test_an_auction_that_sold_too_much_deals_nothing(tmp_path: Path) -> None:
    names = ["狼人1", "狼人2", "狼人3", "狼人4", "村民1", "村民2", "村民3", "先知", "女巫", "爱神"]
    write_game(tmp_path, "vest", names, game=f"vests = {json.dumps([f'v{number}' for number in range(10)])}\n", more=VESTED)
    (tmp_path / "sales.csv").write_text("玩家,身份,价格\nv1,女巫,120\nv2,女巫,90\n", encoding="utf-8")
    ran = run("deal", str(tmp_path), "--auction", str(tmp_path / "sales.csv"))
    assert (ran.code, "女巫" in ran.err, (tmp_path / "secrets.toml").exists()) == (2, True, False)


def test_where_rights_cannot_be_set_it_says_so(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", TWELVE)
    with patch("engine.starting.dealing.can_be_private", lambda: False):
        ran = run("deal", str(tmp_path))
    assert (ran.code, "收不起 secrets.toml" in ran.err) == (0, True)


@pytest.mark.parametrize("encoding", ["cp936", "utf-8", "ascii"])
def test_a_console_of_windows_shows_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    names = ["饺子", "包子", "豆沙", "café"]
    write_game(tmp_path, "m29", names, more='[forum]\nurl = "https://bbs.example.net/"\n')
    monkeypatch.chdir(tmp_path)
    for arguments in (
        ("deal", ".", "--roles", "狼人=1,预言=1,村民=2", "--show"),
        ("day", "1", "--vote", "1232", "--opens", "2018-05-31T09:30"),
        ("elevator",),
        ("night",),
    ):
        ran = run_on(encoding, *arguments)
        assert (ran.code, "Traceback" in ran.err) == (0, False), ran.err
