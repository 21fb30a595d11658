"""The ledger on disk: what is stored and how, what a later version notices, and that nothing is lost or overwritten."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from engine.cli.cases import find_demo
from engine.desk import Desk, find_troubles, look, open_desk, store
from engine.game import load_game
from engine.ledger import LedgerError
from engine.report.playing import list_waiting
from scraper.errors import UsageError
from tests.engine.play.make import name_of, outs

NOW = datetime(2018, 6, 5, 22, 10, tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The demo's game file with its secrets, a seed, and no ledger."""
    for name in ("game.toml", "secrets.toml"):
        shutil.copy(find_demo() / name, tmp_path / name)
    secrets = tmp_path / "secrets.toml"
    secrets.write_text('seed = "s"\n' + secrets.read_text(encoding="utf-8"), encoding="utf-8")
    return tmp_path


def desk(folder: Path, version: str = "0.1.0") -> Desk:
    """The game, opened; without archive, so that votes are in the ledger."""
    return open_desk(load_game(folder), version)


def enter(folder: Path, *lines: str, operator: str = "") -> Desk:
    """A desk after some lines, each looked at and stored."""
    opened = desk(folder)
    for line in lines:
        entry = look(opened, line, now=NOW, operator=operator)
        assert entry.refused is None, str(entry.refused)
        store(opened, entry)
    return opened


def ledger(folder: Path) -> list[str]:
    """The lines on disk."""
    return (folder / "ledger.txt").read_text(encoding="utf-8").splitlines()


OPENING = ("夜0 丘比特 金箭 饺子 包子", "日1 饺子 投票 豆沙", "日1 导演 截票")


def test_a_stored_line_says_when_and_by_whom(folder: Path) -> None:
    enter(folder, "夜0 丘比特 金箭 饺子 包子 @2018-05-30T20:00 ; 私聊", operator="导演乙")
    assert ledger(folder) == [
        "夜0 丘比特 金箭 饺子 包子 entered_at=2018-06-05T22:10:00+08:00 operator=导演乙 @2018-05-30T20:00:00+08:00 ; 私聊"
    ]


def test_a_reopened_ledger_is_the_same_game(folder: Path) -> None:
    first = enter(folder, *OPENING, "夜1 狼人 杀人 1号", "夜1 导演 天亮")
    second = desk(folder)
    assert second.state == first.state
    assert outs(second.state) == [("1号", "杀人")]
    assert second.lines == 5


def test_looking_at_a_line_stores_nothing(folder: Path) -> None:
    opened = enter(folder, *OPENING)
    before = ledger(folder)
    look(opened, "夜1 狼人 杀人 1号", now=NOW)
    assert (ledger(folder), opened.state) == (before, desk(folder).state)


def test_a_refused_line_cannot_be_stored(folder: Path) -> None:
    opened = enter(folder, *OPENING)
    entry = look(opened, "夜1 女巫 救药 豆沙", now=NOW)
    assert entry.refused is not None
    assert (entry.refused.code, entry.before is entry.after) == ("E316", True)
    with pytest.raises(AssertionError):
        store(opened, entry)


def test_what_was_drawn_stands_in_the_line_and_holds_whatever_the_seed(folder: Path) -> None:
    first = enter(folder, "夜0 导演 超时 丘比特")
    (line,) = ledger(folder)
    lovers = "、".join(first.state.table.name(seat) for seat in first.state.lovers)
    assert f" 抽得={lovers} " in line
    secrets = folder / "secrets.toml"
    secrets.write_text(secrets.read_text(encoding="utf-8").replace('seed = "s"', 'seed = "another"'), encoding="utf-8")
    assert desk(folder).state.lovers == first.state.lovers


def test_insisting_is_stored_as_a_ruling_with_its_reason(folder: Path) -> None:
    opened = enter(folder, *OPENING)
    entry = look(opened, "夜1 女巫 救药 豆沙", now=NOW, force="上一局欠她的")
    store(opened, entry)
    assert "强制=是" in ledger(folder)[-1]
    assert ledger(folder)[-1].endswith("; 上一局欠她的")
    assert [(one.code, one.reason) for one in desk(folder).state.rulings] == [("E316", "上一局欠她的")]


def test_a_correction_says_what_would_be_otherwise_before_it_is_stored(folder: Path) -> None:
    # 饺子's vote of day 2 is for 1号, who was published out: it was refused, and is not in the ledger.
    opened = enter(folder, *OPENING, "夜1 狼人 杀人 1号", "夜1 导演 天亮", "日2 饺子 投票 包子")
    entry = look(opened, "补 夜1 女巫 毒药 包子", now=NOW)
    assert entry.corrects
    assert entry.changes[0] == "出局：1号（杀人） → 1号（杀人）、包子（毒药）、饺子（殉情）"
    assert "+ 包子：你已经出局" in entry.changes
    assert entry.changes[-1].startswith("第 6 行不能照办了（日2 饺子 投票 包子）：E306")
    assert outs(desk(folder).state) == [("1号", "杀人")]


def test_a_stored_correction_holds_when_the_ledger_is_read_again(folder: Path) -> None:
    opened = enter(folder, *OPENING, "夜1 狼人 杀人 1号", "夜1 导演 天亮")
    store(opened, look(opened, "补 夜1 女巫 救药 1号", now=NOW))
    assert outs(opened.state) == []
    assert opened.state == desk(folder).state
    store(opened, look(opened, "撤销 #6 ; 弄错了", now=NOW))
    assert outs(desk(folder).state) == [("1号", "杀人")]
    assert ledger(folder)[-1] == "撤销 #6 entered_at=2018-06-05T22:10:00+08:00 ; 弄错了"


def test_undoing_a_line_that_is_not_there_is_an_error(folder: Path) -> None:
    with pytest.raises(LedgerError, match="不是前面的一行"):
        look(enter(folder, *OPENING), "撤销 #9", now=NOW)


@pytest.mark.parametrize("line", ["", "; 只有备注", "夜一 女巫 毒药 4"])
def test_what_is_no_line_is_an_error(folder: Path, line: str) -> None:
    with pytest.raises(LedgerError):
        look(desk(folder), line, now=NOW)


def test_a_ruling_that_no_count_could_follow_is_an_error_at_once(folder: Path) -> None:
    with pytest.raises(LedgerError, match="裁定"):
        look(enter(folder, *OPENING[:1]), "日1 导演 裁定 票 pid=88", now=NOW)


def test_a_line_that_another_process_stored_meanwhile_is_not_overwritten(folder: Path) -> None:
    opened, other = enter(folder, *OPENING[:1]), desk(folder)
    store(other, look(other, "日1 饺子 投票 豆沙", now=NOW))
    with pytest.raises(UsageError, match="再运行一次"):
        store(opened, look(opened, "日1 饺子 投票 包子", now=NOW))
    assert [line.split(" entered_at")[0] for line in ledger(folder)] == ["夜0 丘比特 金箭 饺子 包子", "日1 饺子 投票 豆沙"]


def test_line_ends_and_a_missing_last_one_stay_as_they_are(folder: Path) -> None:
    (folder / "ledger.txt").write_bytes("; 第一行\r\n夜0 丘比特 金箭 饺子 包子".encode())
    enter(folder, "日1 饺子 投票 豆沙")
    raw = (folder / "ledger.txt").read_bytes()
    assert raw.count(b"\r\n") == 3
    assert raw.count(b"\n") == 3


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gbk", "utf-16"])
def test_a_ledger_is_read_and_goes_on_in_the_encoding_that_it_has(folder: Path, encoding: str) -> None:
    before = "夜0 丘比特 金箭 饺子 包子\r\n".encode(encoding)
    (folder / "ledger.txt").write_bytes(before)
    enter(folder, *OPENING[1:])
    raw = (folder / "ledger.txt").read_bytes()
    assert raw.startswith(before)
    assert [line.split(" entered_at")[0] for line in raw.decode(encoding).splitlines()][1] == OPENING[1]
    assert (desk(folder).lines, str(desk(folder).state.phase)) == (3, "夜1")


def test_the_director_insists_on_a_late_line_with_a_reason_too(folder: Path) -> None:
    # 豆沙 is 女巫: 女巫被刀不得自救.
    opened = enter(folder, *OPENING, "夜1 狼人 杀人 豆沙", "夜1 导演 天亮")
    refused = look(opened, "补 夜1 女巫 救药 豆沙", now=NOW).refused
    assert refused is not None
    assert refused.code == "E316"
    entry = look(opened, "补 夜1 女巫 救药 豆沙", now=NOW, force="上一局欠她的")
    assert entry.refused is None
    store(opened, entry)
    assert ledger(folder)[-1].startswith("补 夜1 女巫 救药 豆沙 强制=是 ")
    assert ledger(folder)[-1].endswith("; 上一局欠她的")
    assert (outs(opened.state), outs(desk(folder).state)) == ([], [])
    store(opened, look(opened, "撤销 #6", now=NOW, force="弄错了"))
    assert ledger(folder)[-1].endswith("; 弄错了")


def test_a_version_that_plays_otherwise_is_named(folder: Path) -> None:
    enter(folder, *OPENING, "夜1 狼人 杀人 1号", "夜1 导演 天亮")
    assert find_troubles(desk(folder, "0.2.0")) == ()
    path = folder / "ledger.txt"
    text = path.read_text(encoding="utf-8")
    digest = text.rsplit("摘要=", 1)[1][:8]
    path.write_text(text.replace(digest, "00000000"), encoding="utf-8")
    (trouble,) = find_troubles(desk(folder, "0.2.0"))
    assert (trouble.code, dict(trouble.parameters)) == ("E122", {"line": "5", "version": "0.1.0"})


def test_a_correction_is_no_other_version(folder: Path) -> None:
    opened = enter(folder, *OPENING, "夜1 狼人 杀人 1号", "夜1 导演 天亮")
    store(opened, look(opened, "补 夜1 女巫 救药 1号", now=NOW))
    assert find_troubles(desk(folder)) == ()


def test_lines_of_a_hand_written_ledger_that_are_refused_are_findings(folder: Path) -> None:
    (folder / "ledger.txt").write_text("夜0 丘比特 金箭 饺子 饺子\n", encoding="utf-8")
    (trouble,) = find_troubles(desk(folder))
    assert (trouble.code, dict(trouble.parameters)["line"]) == ("E314", "1")


def test_a_game_without_secrets_cannot_be_played(folder: Path) -> None:
    (folder / "secrets.toml").unlink()
    with pytest.raises(UsageError, match="身份"):
        desk(folder)


def test_a_game_is_taken_up_in_the_middle(folder: Path) -> None:
    path = folder / "game.toml"
    facts = ('phase = "日3"', 'sheriff = "豆沙"', 'out = [["夜行者", "杀人"], ["10号", "投票"]]', 'used = ["毒药"]')
    given = "\n".join(("", "[given]", *facts, 'lovers = ["饺子", "包子"]', ""))
    path.write_text(path.read_text(encoding="utf-8") + given, encoding="utf-8")
    opened = enter(folder, "日3 饺子 投票 老王", "日3 导演 截票")
    assert outs(opened.state) == [("夜行者", "杀人"), ("10号", "投票"), ("老王", "投票")]
    assert name_of(opened.state, opened.state.sheriff) == "豆沙"
    assert look(opened, "夜3 女巫 毒药 1号", now=NOW).refused is not None


def test_nobody_is_waited_for_who_has_said_or_may_not_any_more_tonight(folder: Path) -> None:
    opened = enter(folder, *OPENING)
    waiting = "\n".join(list_waiting(opened.state))
    assert all(word in waiting for word in (" 杀人", " 救药", " 毒药", " 吹笛", " 预言"))
    # One wolf speaks for all; <救药>发动后，该夜晚不可发动<毒药>; whoever declined has said.
    opened = enter(folder, "夜1 狼人 杀人 包子", "夜1 女巫 救药 包子", "夜1 预言 放弃", "夜1 吹笛者 吹笛 汤圆")
    waiting = "\n".join(list_waiting(opened.state))
    assert not any(word in waiting for word in (" 杀人", " 救药", " 毒药", " 吹笛", " 预言")), waiting
