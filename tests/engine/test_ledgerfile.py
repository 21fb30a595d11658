"""Lines added to a ledger: at the end, in its encoding and with its line ends, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.ledgerfile import append_lines
from engine.textfile import read_text
from scraper.errors import UsageError

LINE = "日2 导演 黄牌 饺子 ; 未投票"


def test_a_ledger_that_is_not_there_is_made(tmp_path: Path) -> None:
    path = tmp_path / "ledger.txt"
    assert append_lines(path, [LINE, LINE]) == 1
    assert path.read_bytes() == f"{LINE}\n{LINE}\n".encode()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_a_ledger_goes_on_as_its_editor_left_it(tmp_path: Path, encoding: str, end: str, last: bool) -> None:
    path = tmp_path / "ledger.txt"
    before = f"; 账本{end}日1 导演 截票{end if last else ''}".encode(encoding)
    path.write_bytes(before)
    assert append_lines(path, [LINE]) == 3
    after = path.read_bytes()
    assert after.startswith(before)
    assert read_text(path) == f"; 账本\n日1 导演 截票\n{LINE}\n"
    text = after.decode(encoding)
    assert text.replace("\r\n", "").count("\n") == (0 if end == "\r\n" else 3)


def test_a_ledger_that_cannot_be_written_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="写不进去"):
        append_lines(tmp_path, [LINE])
    with pytest.raises(UsageError, match="写不进去"):
        append_lines(tmp_path / "no" / "ledger.txt", [LINE])
    path = tmp_path / "ledger.txt"
    path.write_bytes(b"\xff\xff")
    with pytest.raises(UsageError, match=r"ledger\.txt:1"):
        append_lines(path, [LINE])
    assert path.read_bytes() == b"\xff\xff"
