"""A game handed over in one sealed file, and two ledgers that become one: nothing is lost, nothing leaks, a fork is shown."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import stat
import warnings
import zipfile
from pathlib import Path

import pytest

from engine.game import load_game
from engine.handover import MAGIC, _lock, open_sealed, read_sealed, seal_game
from engine.ledgerfile import append_lines
from engine.ledgermerge import LedgerMerge, Parting, compare_ledgers
from engine.privatefile import save_private
from scraper.errors import UsageError
from tests.engine.command import run

FIXTURES = Path(__file__).parents[2] / "fixtures"
WORDS = "一句很长很长的口令"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game with a ledger, secrets, an archive and cookies; the passphrase is in the environment."""
    here = tmp_path / "game"
    shutil.copytree(FIXTURES / "m29/whole_game", here)
    (here / "cookies.txt").write_text("# Netscape HTTP Cookie File\n", encoding="utf-8")
    run("replay", str(here), "--db", str(here / "game.db"))
    monkeypatch.setenv("BANSHA_PASSPHRASE", WORDS)
    return here


def test_the_other_director_finds_everything_but_the_cookies(folder: Path, tmp_path: Path) -> None:
    assert run("handover", str(folder), "-o", str(tmp_path / "game.bansha")).code == 0
    ran = run("handover", "--open", str(tmp_path / "game.bansha"), "-o", str(tmp_path / "other"))
    assert ran.code == 0, ran.err
    names = {path.name for path in (tmp_path / "other").iterdir()}
    assert names == {"game.toml", "ledger.txt", "secrets.toml", "game.db", "status.txt"}
    for name in ("game.toml", "ledger.txt", "secrets.toml"):
        assert (tmp_path / "other" / name).read_bytes() == (folder / name).read_bytes()
    said = [run("tally", str(here), "--day", "2", "--json").out for here in (folder, tmp_path / "other")]
    assert said[0] == said[1] != ""


def test_what_is_waited_for_goes_along_in_words(folder: Path, tmp_path: Path) -> None:
    """The game as its ledger runs it, and what the votes wait for: here a ballot of the second day that needs a ruling."""
    ledger = folder / "ledger.txt"
    kept = ledger.read_text(encoding="utf-8").split("\n夜3 ")[0]
    ledger.write_text(f"{kept}\n", encoding="utf-8")
    run("handover", str(folder), "-o", str(tmp_path / "game.bansha"))
    told = read_sealed(tmp_path / "game.bansha", WORDS)["status.txt"].decode().splitlines()
    assert told[0].startswith(("夜", "日"))
    assert any(line.strip().startswith("等 ") for line in told)


def test_a_game_that_is_only_counted_tells_what_its_votes_wait_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANSHA_PASSPHRASE", WORDS)
    here = tmp_path / "counted"
    shutil.copytree(FIXTURES / "m29/three_days", here)
    run("replay", str(here), "--db", str(here / "game.db"))
    run("handover", str(here), "-o", str(tmp_path / "game.bansha"))
    told = read_sealed(tmp_path / "game.bansha", WORDS)["status.txt"].decode().splitlines()
    assert "第 3 天 罚牌等确认：K先生 黄牌（未投票）" in told


def test_a_game_whose_ledger_is_still_empty_tells_of_its_first_night(folder: Path, tmp_path: Path) -> None:
    (folder / "ledger.txt").unlink()
    run("handover", str(folder), "-o", str(tmp_path / "game.bansha"))
    told = read_sealed(tmp_path / "game.bansha", WORDS)["status.txt"].decode().splitlines()
    assert told[0] == "夜0"
    assert any(line.strip().startswith("等 丘比特：") for line in told)


def test_a_game_before_its_deal_says_so(folder: Path, tmp_path: Path) -> None:
    for name in ("ledger.txt", "secrets.toml"):
        (folder / name).unlink()
    run("handover", str(folder), "-o", str(tmp_path / "game.bansha"))
    assert "还没有发牌" in read_sealed(tmp_path / "game.bansha", WORDS)["status.txt"].decode().splitlines()[0]


def test_no_word_of_the_game_can_be_read_in_the_sealed_file(folder: Path, tmp_path: Path) -> None:
    run("handover", str(folder), "-o", str(tmp_path / "game.bansha"))
    data = (tmp_path / "game.bansha").read_bytes()
    assert data.startswith(MAGIC)
    assert not any(word in data for word in (b"game.toml", b"SQLite", "女巫".encode(), WORDS.encode()))


@pytest.mark.skipif(os.name != "posix", reason="Windows takes the rights of the folder")
def test_what_comes_out_is_for_its_owner_only(folder: Path, tmp_path: Path) -> None:
    run("handover", str(folder), "-o", str(tmp_path / "game.bansha"))
    run("handover", "--open", str(tmp_path / "game.bansha"), "-o", str(tmp_path / "other"))
    files = [tmp_path / "game.bansha", *(tmp_path / "other").iterdir()]
    assert all(not path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO) for path in files)


def test_a_wrong_passphrase_and_a_changed_file_open_nothing(folder: Path, tmp_path: Path) -> None:
    sealed = tmp_path / "game.bansha"
    run("handover", str(folder), "-o", str(sealed))
    with pytest.raises(UsageError, match="口令不对"):
        open_sealed(sealed, "另一句口令不对", tmp_path / "other")
    whole = sealed.read_bytes()
    # In the salt, in the middle, in the last letter and its padding (of which base64 lets some go unseen), more, less.
    bits = [whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :] for place in (20, 33, len(whole) // 2, -6, -2, -3)]
    for data in (
        *bits,
        whole + b"\n",
        whole + b"=",
        whole[:-1],
        whole[:-1000],
        whole[:30],
        whole[:18],
        whole[:-4] + b"@@" + whole[-4:],
    ):
        sealed.write_bytes(data)
        with pytest.raises(UsageError, match="被改动过"):
            open_sealed(sealed, WORDS, tmp_path / "other")
    assert not list(tmp_path.glob("*other*"))


def test_another_file_is_no_handover(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANSHA_PASSPHRASE", WORDS)
    (tmp_path / "note.txt").write_text("你好", encoding="utf-8")
    ran = run("handover", "--open", str(tmp_path / "note.txt"), "-o", str(tmp_path / "other"))
    assert ran.code == 2
    assert "不是交接文件" in ran.err


def test_nothing_is_overwritten(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "game.bansha").write_bytes(b"mine")
    assert run("handover", str(folder), "-o", str(tmp_path / "game.bansha")).code == 2
    assert (tmp_path / "game.bansha").read_bytes() == b"mine"


@pytest.mark.parametrize("weak", ["短", " " * 12, "\u3000" * 9, "aaaaaaaaaaaa", "abababababab", "a  b  c  "])
def test_a_weak_passphrase_is_refused(weak: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANSHA_PASSPHRASE", weak)
    assert run("handover", str(folder), "-o", str(tmp_path / "game.bansha")).code == 2
    assert not (tmp_path / "game.bansha").exists()


@pytest.mark.parametrize(
    ("ours", "theirs", "merged"),
    [
        (["一", "二"], ["一", "二", "三"], LedgerMerge(added=("三",))),
        (["一", "二", "三"], ["一", "二"], LedgerMerge(ahead=1)),
        (["一"], ["一 "], LedgerMerge()),
        ([], ["一"], LedgerMerge(added=("一",))),
        (["一", "二"], ["一", "贰", "三"], LedgerMerge(partings=(Parting(2, "二", "贰"), Parting(3, None, "三")))),
    ],
)
def test_a_longer_ledger_is_taken_over_and_a_fork_listed(ours: list[str], theirs: list[str], merged: LedgerMerge) -> None:
    assert compare_ledgers(ours, theirs) == merged


def test_a_line_keeps_its_number_where_our_ledger_ends_in_empty_lines(folder: Path, tmp_path: Path) -> None:
    mine, other = folder / "ledger.txt", tmp_path / "other.txt"
    mine.write_text("夜0 丘比特 金箭 饺子 包子\n\n", encoding="utf-8")
    other.write_text("夜0 丘比特 金箭 饺子 包子\n日1 导演 截票\n日1 导演 撤销 #2\n", encoding="utf-8")
    before = mine.read_bytes()
    assert run("merge", str(folder), str(other)).code == 1
    assert mine.read_bytes() == before


def test_lines_are_added_as_they_are_and_a_fork_writes_nothing(folder: Path, tmp_path: Path) -> None:
    mine, other = folder / "ledger.txt", tmp_path / "other.txt"
    whole = mine.read_text(encoding="utf-8")
    other.write_text(whole, encoding="utf-8")
    mine.write_text("".join(whole.splitlines(keepends=True)[:-2]), encoding="utf-8")
    ran = run("merge", str(folder), str(other))
    assert ran.code == 0, ran.err
    assert mine.read_text(encoding="utf-8") == whole
    other.write_text(whole.replace("夜1", "夜 1", 1) + "日9 导演 截票\n", encoding="utf-8")
    forked = run("merge", str(folder), str(other), "--json")
    assert forked.code == 1
    assert json.loads(forked.out)["partings"][0]["theirs"].startswith("夜 1")
    assert mine.read_text(encoding="utf-8") == whole


def test_a_game_is_handed_over_and_merged_before_its_first_day(folder: Path, tmp_path: Path) -> None:
    game = folder / "game.toml"
    text = game.read_text(encoding="utf-8")
    game.write_text(text.split("[[day]]", 1)[0], encoding="utf-8")
    (folder / "ledger.txt").unlink()
    ran = run("handover", str(folder), "-o", str(tmp_path / "game.bansha"))
    assert ran.code == 0, ran.err
    assert run("handover", "--open", str(tmp_path / "game.bansha"), "-o", str(tmp_path / "other")).code == 0
    ran = run("merge", str(folder), str(tmp_path / "other" / "game.db"))
    assert ran.code == 0, ran.err


def test_a_passphrase_is_the_same_however_a_keyboard_spells_it(folder: Path, tmp_path: Path) -> None:
    """A Mac types é as two characters, Windows as one; a shell leaves a space at the end; some bytes are in no encoding."""
    game = load_game(folder, before_days=True)
    for number, (written, typed) in enumerate(
        [("cafe\u0301 au lait", "caf\u00e9 au lait "), ("\udce4\udcbdabcdefg", "\udce4\udcbdabcdefg")]
    ):
        seal_game(game, game.database, "", written, tmp_path / f"{number}.bansha")
        assert "game.toml" in read_sealed(tmp_path / f"{number}.bansha", typed)


def sealed_with(path: Path, names: list[str]) -> Path:
    """A file that was sealed by another program, with the right passphrase."""
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w") as archive:
        warnings.simplefilter("ignore")
        for name in names:
            archive.writestr(name, b"x")
    salt = bytes(16)
    path.write_bytes(MAGIC + salt + _lock(WORDS, salt).encrypt(packed.getvalue() if names else b"no zip"))
    return path


@pytest.mark.parametrize(
    "names",
    [
        ["../../evil.toml"],
        ["game.toml", "..\\evil"],
        ["C:\\evil.txt"],
        ["/etc/evil"],
        ["templates/../../evil"],
        ["game.toml", "game.toml"],
        ["GAME.TOML"],
        ["cookies.txt"],
        ["\x1b[31m"],
        [],
    ],
)
def test_a_name_that_is_none_of_ours_opens_nothing(names: list[str], tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    sealed = sealed_with(tmp_path / "in" / "game.bansha", names)
    with pytest.raises(UsageError) as told:
        open_sealed(sealed, WORDS, tmp_path / "in" / "other")
    assert "\x1b" not in str(told.value)
    assert [path.name for path in (tmp_path / "in").iterdir()] == ["game.bansha"]
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_what_dies_while_it_unpacks_leaves_no_half_of_a_game(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed, other = tmp_path / "game.bansha", tmp_path / "other"
    run("handover", str(folder), "-o", str(sealed))
    written: list[Path] = []

    def die(path: Path, data: bytes) -> None:
        if written:
            raise KeyboardInterrupt
        written.append(path)
        save_private(path, data)

    monkeypatch.setattr("engine.handover.save_private", die)
    with pytest.raises(KeyboardInterrupt):
        open_sealed(sealed, WORDS, other)
    assert (written[0].parent != other, other.exists()) == (True, False)
    monkeypatch.undo()
    other.mkdir()
    assert "game.toml" in open_sealed(sealed, WORDS, other)


def test_where_nothing_can_be_written_is_told(folder: Path, tmp_path: Path) -> None:
    sealed, file = tmp_path / "game.bansha", tmp_path / "file"
    run("handover", str(folder), "-o", str(sealed))
    file.write_text("x", encoding="utf-8")
    for output in (file, file / "below", folder):
        ran = run("handover", "--open", str(sealed), "-o", str(output))
        assert (ran.code, ran.err.count("改法")) == (2, 1), ran.err
    for output in (tmp_path / "nowhere" / "game.bansha", folder):
        assert run("handover", str(folder), "-o", str(output)).code == 2
    assert run("handover", "--open", str(tmp_path / "none.bansha"), "-o", str(tmp_path / "new")).code == 2


def test_templates_go_along_and_say_the_same(folder: Path, tmp_path: Path) -> None:
    (folder / "templates").mkdir()
    (folder / "templates" / "record.bbcode").write_text("{{ title }}", encoding="utf-8")
    (folder / "templates" / "other.txt").write_text("x", encoding="utf-8")
    run("handover", str(folder), "-o", str(tmp_path / "game.bansha"))
    assert run("handover", "--open", str(tmp_path / "game.bansha"), "-o", str(tmp_path / "deep" / "other")).code == 0
    assert [path.name for path in (tmp_path / "deep" / "other" / "templates").iterdir()] == ["record.bbcode"]


def test_on_windows_it_is_said_that_others_may_read_it(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.privatefile.can_be_private", lambda: False)
    ran = run("handover", str(folder), "-o", str(tmp_path / "game.bansha"))
    assert (ran.code, "设不了" in ran.err) == (0, True)


def first_line(ledger: Path) -> str:
    """The first line of a ledger that is no remark."""
    return next(line for line in ledger.read_text(encoding="utf-8").splitlines() if line and line[0] in "夜日")


@pytest.mark.skipif(os.name != "posix", reason="Windows takes the rights of the folder")
def test_a_ledger_and_a_database_that_are_made_are_their_owners_only(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "m29/whole_game", tmp_path / "game")
    ledger = tmp_path / "game" / "ledger.txt"
    first = first_line(ledger)
    old = os.umask(0o022)
    try:
        run("replay", str(tmp_path / "game"), "--db", str(tmp_path / "game" / "game.db"))
        ledger.unlink()
        assert run("do", str(tmp_path / "game"), first).code == 0
    finally:
        os.umask(old)
    for name in ("ledger.txt", "game.db"):
        assert stat.S_IMODE((tmp_path / "game" / name).stat().st_mode) == 0o600, name


def test_a_line_names_its_operator_even_where_nobody_said_who(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the command line, else the settings, else the one director; of two directors it is the computer's user."""
    first = first_line(folder / "ledger.txt")
    game = folder / "game.toml"
    text = game.read_text(encoding="utf-8")
    (directors,) = re.findall(r"^directors.*$", text, re.M)
    monkeypatch.setenv("LOGNAME", "laptop")
    for named, options, by in (
        ('directors = ["导演甲"]', (), "导演甲"),
        ('directors = ["导演甲", "导演乙"]', (), "laptop"),
        ('directors = ["导演甲"]', ("--operator", "助手"), "助手"),
    ):
        game.write_text(text.replace(directors, named), encoding="utf-8")
        (folder / "ledger.txt").unlink(missing_ok=True)
        assert run("do", str(folder), first, *options).code == 0
        assert f" operator={by}" in (folder / "ledger.txt").read_text(encoding="utf-8")


def test_a_ledger_of_another_game_is_not_taken_over(folder: Path, tmp_path: Path) -> None:
    mine, other = folder / "ledger.txt", tmp_path / "other.txt"
    before = mine.read_bytes()
    for line, said in (("日9 导演 代投 谁也不是 包子", "谁也不是"), ("日9 导演 “截票", "other.txt")):
        other.write_bytes(before + f"{line}\n".encode())
        ran = run("merge", str(folder), str(other))
        assert (ran.code, said in ran.err) == (2, True), ran.err
        assert mine.read_bytes() == before


@pytest.mark.parametrize("encoding", ["gbk", "utf-8-sig", "utf-16"])
def test_a_ledger_in_another_encoding_with_other_line_ends_goes_on(encoding: str, folder: Path, tmp_path: Path) -> None:
    mine, other = folder / "ledger.txt", tmp_path / "other.txt"
    lines = mine.read_text(encoding="utf-8").splitlines()
    mine.write_bytes("\r\n".join(lines[:-2]).encode(encoding))
    other.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    assert run("merge", str(folder), str(other)).code == 0
    assert mine.read_bytes().decode(encoding).split("\r\n") == [*lines, ""]


def test_somebody_who_writes_meanwhile_loses_nothing(folder: Path, tmp_path: Path) -> None:
    mine, other = folder / "ledger.txt", tmp_path / "other.txt"
    whole = mine.read_text(encoding="utf-8")
    other.write_text(f"{whole}日9 导演 截票\n", encoding="utf-8")
    raw = mine.read_bytes()
    mine.write_bytes(raw + "日9 导演 红牌 饺子\n".encode())
    with pytest.raises(UsageError, match="别人写过"):
        append_lines(mine, ["日9 导演 截票"], known=raw)
    assert mine.read_bytes().endswith("红牌 饺子\n".encode())


def test_what_is_no_database_but_may_be_meant_is_told(folder: Path, tmp_path: Path) -> None:
    run("handover", str(folder), "-o", str(tmp_path / "game.bansha"))
    for other, said in ((folder, "文件夹"), (tmp_path / "game.bansha", "handover --open")):
        ran = run("merge", str(folder), str(other))
        assert (ran.code, said in ran.err) == (2, True)


def test_an_empty_folder_that_one_stands_in_is_filled(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("handover", str(folder), "-o", str(tmp_path / "game.bansha"))
    here = tmp_path / "here"
    here.mkdir(mode=0o755)
    monkeypatch.chdir(here)
    assert run("handover", "--open", str(tmp_path / "game.bansha"), "-o", ".").code == 0
    assert (Path.cwd() / "game.toml").is_file()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    assert os.name != "posix" or stat.S_IMODE(here.stat().st_mode) == 0o700
