"""A director's file that is changed stays his: comments, order, encoding, byte order mark and line ends are as they were."""

from __future__ import annotations

import codecs
import sys
import tomllib
from pathlib import Path

import pytest

from engine.gamewriting import append_table, set_keys
from engine.tomlfile import Key
from scraper.errors import GameFileError, UsageError
from scraper.phrases import phrase

GAME = """# 我的一局
[game]
title = "试局"   # 名字
ruleset = "m29"

[[player]]
name = "饺子" # 甲

# 第一天
[[day]]
number = 1   # 一
# 夜里的事写在这里

# 开关
[switches] # 开
"ballot.freeze" = 60
"""
DAY = "[[day]]\nnumber = 2\n"


COMMITTED: dict[Key, object] = {("game", "seed_commitment"): "sha256:ab"}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("encoding", "mark"),
    [("utf-8", b""), ("utf-8", codecs.BOM_UTF8), ("gb18030", b""), ("utf-16-le", codecs.BOM_UTF16_LE)],
)
def test_only_the_changed_line_is_new(tmp_path: Path, encoding: str, mark: bytes, newline: str) -> None:
    path = tmp_path / "game.toml"
    path.write_bytes(mark + GAME.replace("\n", newline).encode(encoding))
    set_keys(path, COMMITTED)
    raw = path.read_bytes()
    assert raw.startswith(mark)
    expected = GAME.replace('ruleset = "m29"\n', 'ruleset = "m29"\nseed_commitment = "sha256:ab"\n')
    assert raw.removeprefix(mark).decode(encoding) == expected.replace("\n", newline)


def test_a_day_goes_behind_the_last_one_and_before_the_next_heading(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_bytes(GAME.encode())
    append_table(path, "day", DAY)
    before, after = GAME.split("\n# 开关\n")
    assert path.read_text(encoding="utf-8") == f"{before}\n[[day]]\nnumber = 2\n\n# 开关\n{after}"


def test_a_first_day_goes_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_bytes(b'[game]\nruleset = "m29"')
    append_table(path, "day", DAY)
    assert path.read_text(encoding="utf-8") == '[game]\nruleset = "m29"\n\n[[day]]\nnumber = 2\n'


def test_days_that_stand_apart_stay_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    text = GAME + "[[day]]\nnumber = 2\n[cards]\nmin_posts = 3\n"
    path.write_bytes(text.encode())
    append_table(path, "day", "[[day]]\nnumber = 3\n")
    assert path.read_text(encoding="utf-8") == text.replace("[cards]", "\n[[day]]\nnumber = 3\n\n[cards]")


def test_lines_with_ends_of_both_kinds_keep_their_own(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_bytes(b'[game]\r\ntitle = "a"\nruleset = "m29"\r\n')
    set_keys(path, COMMITTED)
    assert path.read_bytes() == b'[game]\r\ntitle = "a"\nruleset = "m29"\r\nseed_commitment = "sha256:ab"\r\n'


def test_a_change_that_does_not_load_leaves_the_file_and_its_folder_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_bytes(GAME.encode())

    def refuse(draft: Path) -> None:
        assert tomllib.loads(draft.read_text(encoding="utf-8"))["game"]["seed_commitment"] == "sha256:ab"
        raise UsageError("不行")

    with pytest.raises(UsageError, match="不行"):
        set_keys(path, COMMITTED, check=refuse)
    assert path.read_bytes() == GAME.encode()
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.toml"]


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        # A new key comes behind the last of its table, before the comments that lead to the next one.
        (("day", 0, "vote"), 1235, "number = 1   # 一\n", "number = 1   # 一\nvote = 1235\n"),
        (("game", "elevator"), ["饺子"], 'ruleset = "m29"\n', 'ruleset = "m29"\nelevator = ["饺子"]\n'),
        (("player", 0, "uid"), 7, '"饺子" # 甲\n', '"饺子" # 甲\nuid = 7\n'),
        # A value that is there is replaced, and what stands behind it stays.
        (("day", 0, "number"), 2, "number = 1   # 一", "number = 2   # 一"),
        (("switches", "ballot.freeze"), 30, '"ballot.freeze" = 60', '"ballot.freeze" = 30'),
        (("forum", "url"), "https://a.example/", "= 60\n", '= 60\n\n[forum]\nurl = "https://a.example/"\n'),
    ],
)
def test_a_key_is_set_where_it_belongs_and_nothing_else_moves(
    tmp_path: Path, key: Key, value: object, old: str, new: str
) -> None:
    path = tmp_path / "game.toml"
    path.write_bytes(GAME.encode())
    set_keys(path, {key: value})
    assert path.read_text(encoding="utf-8") == GAME.replace(old, new)


def test_tables_that_stand_apart_keep_their_order_when_a_key_is_set(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    text = GAME + "[[player]]\nname = '包子'\n[[day]]\n\tnumber = 2\n"
    path.write_bytes(text.encode())
    set_keys(path, {("day", 1, "vote"): 1235, ("player", 1, "uid"): 8})
    expected = text.replace("\tnumber = 2\n", "\tnumber = 2\n\tvote = 1235\n").replace("'包子'\n", "'包子'\nuid = 8\n")
    assert path.read_text(encoding="utf-8") == expected


def test_a_comment_in_the_midst_of_a_value_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    text = '[[day]]\nnumber = 1\nout = ["豆沙", # 夜里\n  "包#子"]\nbarred = ["#"]\n'
    path.write_bytes(text.encode())
    with pytest.raises(UsageError, match=r"game\.toml:3.*注释"):
        set_keys(path, {("day", 0, "out"): []})
    assert path.read_bytes() == text.encode()
    set_keys(path, {("day", 0, "barred"): []})
    assert path.read_text(encoding="utf-8") == text.replace('["#"]', "[]")


def test_tables_inside_one_line_are_said_to_be_so(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    text = "day = [{ number = 1 }]\n"
    path.write_bytes(text.encode())
    with pytest.raises(UsageError, match=r"\[\[day\]\]"):
        append_table(path, "day", DAY)
    with pytest.raises(UsageError, match=r"\[\[day\]\]"):
        set_keys(path, {("day", 0, "vote"): 1})
    assert path.read_bytes() == text.encode()


def test_an_error_about_the_change_names_the_file_and_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_bytes(GAME.encode())

    def refuse(draft: Path) -> None:
        raise GameFileError(phrase("{name}:3: {problem}", name=str(draft), problem=phrase("不行")))

    with pytest.raises(GameFileError) as caught:
        append_table(path, "day", DAY, check=refuse)
    assert str(caught.value) == f"{path}（改了以后，没有存）:3: 不行"


@pytest.mark.skipif(sys.platform == "win32", reason="making a link needs a privilege on Windows")
def test_a_file_that_is_a_link_stays_one(tmp_path: Path) -> None:
    path, link = tmp_path / "game.toml", tmp_path / "here.toml"
    path.write_bytes(GAME.encode())
    link.symlink_to(path)
    set_keys(link, {("day", 0, "number"): 2})
    assert link.is_symlink()
    assert "number = 2" in path.read_text(encoding="utf-8")
