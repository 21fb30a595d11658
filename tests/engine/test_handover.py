"""A game handed over in one sealed file, and two ledgers that become one: nothing is lost, nothing leaks, a fork is shown."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

from engine.handover import MAGIC, open_sealed, read_sealed
from engine.ledgermerge import LedgerMerge, Parting, compare_ledgers
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


def test_what_is_waited_for_goes_along(folder: Path, tmp_path: Path) -> None:
    run("handover", str(folder), "-o", str(tmp_path / "game.bansha"))
    told = json.loads(read_sealed(tmp_path / "game.bansha", WORDS)["status.txt"])
    assert "phase" in told


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
    data = bytearray(sealed.read_bytes())
    data[-10] ^= 1
    sealed.write_bytes(bytes(data))
    with pytest.raises(UsageError, match="被改动过"):
        open_sealed(sealed, WORDS, tmp_path / "other")
    assert not (tmp_path / "other").exists()


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


def test_a_short_passphrase_is_refused(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANSHA_PASSPHRASE", "短")
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
