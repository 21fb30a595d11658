"""`bansha doctor`: each thing that may be wrong before a game is found, and told with what to do; nothing is stored."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import pytest

from engine.starting.syncing import find_mark, find_sync
from tests.board.script import Script, read_script
from tests.engine.command import Ran
from tests.engine.living import GAME, Living, living, post, vote

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")
UIDS = GAME.replace('name = "饺子"', 'name = "饺子"\nuid = 1001').replace('name = "包子"', 'name = "包子"\nuid = 1002')
UIDS = UIDS.replace('name = "豆沙"', 'name = "豆沙"\nuid = 1003')


def board(*posts: str, more: str = "") -> Script:
    accounts = "".join(
        f'[[account]]\nname = "{name}"\nuid = {uid}\n' for name, uid in (("饺子", 1001), ("包子", 1002), ("豆沙", 1003))
    )
    blocks = [f"[[post]]\ntid = 1235\npid = {pid}\n{text}\n" for pid, text in enumerate(posts, 5201)]
    return read_script(f'{more}{accounts}[[thread]]\ntid = 1235\ntitle = "第二天 投票帖"\n' + "".join(blocks))


CLEAN = (post("导演", "03T09:30", "开门"), vote("饺子", "03T10:00", "包子"), vote("包子", "03T11:00", "豆沙"))


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Living]:
    with ExitStack() as stack:
        yield stack.enter_context(living(tmp_path, board(*CLEAN), "04T12:00", UIDS))


def found(game: Living, *arguments: str) -> list[dict[str, Any]]:
    """What is not well."""
    checks: list[dict[str, Any]] = game.read("doctor", *arguments)
    return [check for check in checks if check["health"] != "good" and check["code"] != "E439"]


def bad(ran: Ran) -> list[str]:
    return [line for line in ran.out.splitlines() if line.startswith("不行")]


def test_a_game_that_is_well(game: Living) -> None:
    ran = game.run("doctor")
    assert (ran.code, bad(ran)) == (0, [])
    assert found(game) == []
    assert "第 2 天 投票帖 1235：看得到，1 页：第二天 投票帖" in ran.out


def test_nothing_is_stored(game: Living) -> None:
    before = sorted(path.name for path in game.folder.iterdir())
    game.run("doctor")
    assert sorted(path.name for path in game.folder.iterdir()) == before


def test_a_stranger_with_a_ballot(game: Living) -> None:
    game.play(board(*CLEAN, vote("路人", "03T12:00", "包子")))
    (check,) = found(game)
    assert "路人" in check["text"]


def test_a_misspelt_name(game: Living) -> None:
    game.play(board(*CLEAN[:2], vote("包子", "03T11:00", "豆纱")))
    (check,) = found(game)
    assert "豆纱" in check["text"]
    assert "豆沙" in check["text"]


def test_two_players_of_nearly_one_name(game: Living) -> None:
    path = game.folder / "game.toml"
    names = enumerate(("夜行猫", "夜行描", "狼人甲", "狼人乙"), 9)
    rows = "".join(f'[[player]]\nname = "{name}"\nuid = {uid}\n' for uid, name in names)
    path.write_text(path.read_text(encoding="utf-8").replace("[[day]]", f"{rows}[[day]]"), encoding="utf-8")
    assert [check["text"] for check in found(game)] == ["夜行猫 和 夜行描 只差一个字"]


def test_another_zone_than_the_footer_s(game: Living) -> None:
    game.play(board(*CLEAN, more='[board]\nzone = "Asia/Tokyo"\n'))
    assert any("GMT+9" in check["text"] for check in found(game))


def test_a_thread_that_is_not_there(game: Living) -> None:
    path = game.folder / "game.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("vote = 1235", "vote = 1235\ndiscussion = 77"), encoding="utf-8")
    ran = game.run("doctor")
    assert (ran.code, "讨论帖 77" in bad(ran)[0]) == (4, True)
    assert "投票的都是玩家" in ran.out


def test_a_board_that_gives_no_answer(game: Living) -> None:
    game.fail(lambda asked, reply: None)
    ran = game.run("doctor")
    assert (ran.code, len(bad(ran))) == (4, 1)


def test_days_that_overlap(game: Living) -> None:
    path = game.folder / "game.toml"
    day = "[[day]]\nnumber = 3\nopens = 2018-06-05T20:00:00\ncloses = 2018-06-07T21:00:00\nvote = 1240\n"
    path.write_text(path.read_text(encoding="utf-8") + day, encoding="utf-8")
    ran = game.run("doctor")
    assert (ran.code, "才关门" in bad(ran)[0]) == (2, True)


def test_a_seed_that_is_not_the_one_that_was_promised(game: Living) -> None:
    roles = (("饺子", "狼人"), ("包子", "预言"), ("豆沙", "村民"))
    rows = "".join(f'[[player]]\nname = "{name}"\nrole = "{role}"\n' for name, role in roles)
    (game.folder / "secrets.toml").write_text(f'seed = "s"\n{rows}', encoding="utf-8")
    (game.folder / "secrets.toml").chmod(0o600)
    assert [check["code"] for check in found(game)] == ["E442"]


@posix
def test_secrets_that_others_can_read(game: Living) -> None:
    (game.folder / "secrets.toml").write_text('[[player]]\nname = "饺子"\n', encoding="utf-8")
    (game.folder / "secrets.toml").chmod(0o644)
    assert "secrets.toml 别的用户也能读" in [check["text"] for check in found(game)]


def test_a_database_in_a_synced_folder(game: Living) -> None:
    database = game.folder / "我的坚果云" / "game.db"
    database.parent.mkdir()
    (check,) = found(game, "--db", str(database))
    assert (check["health"], "坚果云" in check["text"]) == ("bad", True)


def test_a_guest_where_a_login_is_sent(game: Living) -> None:
    host = game.served.base.split("//")[1].split(":")[0]
    line = f"{host}\tFALSE\t/\tFALSE\t2147483647\tsite_2132_auth\tabcdefghijk\n"
    (game.folder / "cookies.txt").write_text(f"# Netscape HTTP Cookie File\n{line}", encoding="utf-8")
    (game.folder / "cookies.txt").chmod(0o600)
    assert any("bansha login" in check["fix"] for check in found(game))


def test_words_of_players_steer_no_terminal(game: Living) -> None:
    game.play(board(*CLEAN, vote("路人", "03T12:00", "\\u001b[31m包子")))
    assert "\x1b" not in game.run("doctor").out


@pytest.mark.parametrize(
    ("path", "service"),
    [
        (r"C:\Users\me\OneDrive\版杀\game.db", "OneDrive"),
        (r"C:\Users\me\OneDrive - 某某公司\game.db", "OneDrive"),
        (r"D:\Dropbox\game.db", "Dropbox"),
        (r"C:\Users\me\iCloudDrive\game.db", "iCloud"),
        (r"D:\我的坚果云\版杀\game.db", "坚果云"),
        (r"C:\Users\me\Nutstore Files\game.db", "坚果云"),
        (r"D:\BaiduSyncdisk\game.db", "百度网盘"),
        (r"\\nas\share\game.db", "网络驱动器"),
        (r"C:\Users\me\games\onedrive.db", None),
        (r"C:\Users\me\Documents\mygame\game.db", None),
        (r"C:\Users\me\drop box\game.db", None),
    ],
)
def test_folders_that_windows_programs_sync(path: str, service: str | None) -> None:
    assert find_sync(PureWindowsPath(path)) == service


@pytest.mark.parametrize(
    ("path", "service"),
    [
        ("/Users/me/Library/Mobile Documents/com~apple~CloudDocs/game.db", "iCloud"),
        ("/Users/me/Library/CloudStorage/GoogleDrive-me@example.net/My Drive/game.db", "Google Drive"),
        ("/home/me/Dropbox (Personal)/game.db", "Dropbox"),
        ("/home/me/mygame/game.db", None),
    ],
)
def test_folders_that_others_sync(path: str, service: str | None) -> None:
    assert find_sync(PurePosixPath(path)) == service


def test_onedrive_may_lie_anywhere() -> None:
    assert find_sync(PureWindowsPath(r"E:\云\game.db"), {"OneDrive": "E:\\云"}) == "OneDrive"


def test_a_mark_in_a_folder_above(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert find_mark(tmp_path / "a" / "b" / "game.db") is None
    (tmp_path / "a" / ".stfolder").mkdir()
    assert find_mark(tmp_path / "a" / "b" / "game.db") == "Syncthing"
