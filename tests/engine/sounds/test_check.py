"""The check of a game from its archive: whose posts, which threads, which evidence; what it says of what it could not see."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from engine.game import load_game
from engine.ledger import parse_ledger
from engine.report.sounds.bbcode import write_bbcode
from engine.sounds.check import limit_check
from engine.store import VIEWS, drop_tallies, save_speech, save_tallies
from tally.finding import Severity, sentence
from tally.sounds.chant import Placing
from tests.engine.sample import TALLY
from tests.engine.sounds.game import archived, check, look, moment, outline, post, write_game

# Two days of one chanted seat: a breach, a suspect, a night post, a clean one, and words of somebody else.
LIFE = (
    post(81, "03T10:00", "哼人")
    + post(82, "03T11:00", "哼唧 唧哼哼 唧哼唧 唧哼")
    + post(83, "03T12:00", "哼哼")
    + post(84, "03T13:00", "我是饺子", "饺子")
    + post(85, "05T22:00", "晚安")
    + post(86, "06T10:00", "早", tid=1238)
)


def codes(found: object) -> list[str]:
    return [finding.code for finding in found.findings]  # type: ignore[attr-defined]


def test_every_post_of_a_chanted_seat_in_every_thread_is_placed_once(tmp_path: Path) -> None:
    game = write_game(tmp_path)
    with archived(game) as archive:
        look(archive, LIFE, "08T21:30")
    found = check(game)
    assert outline(found) == [
        ("包子", 81, 1, "error", "C101"),
        ("包子", 86, 1, "error", "C101"),
        ("包子", 82, 1, "warning", "C105"),
        ("包子", 85, 1, "note", "C107"),
    ]
    assert [(one.chant.seat, dict(one.placed)) for one in found.seats] == [("包子", {Placing.INSIDE: 4, Placing.NIGHT: 1})]
    assert [found.count(severity) for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE)] == [2, 1, 1]
    assert codes(found) == []
    assert found.seen_until == moment("08T21:30")


def test_a_check_is_limited_to_a_day_with_its_night_and_to_a_seat(tmp_path: Path) -> None:
    game = write_game(tmp_path, two='barred = ["豆沙"]', three="")
    with archived(game) as archive:
        look(archive, LIFE, "08T21:30")
    found = check(game)
    assert [pid for _, pid, *_ in outline(limit_check(found, day=2))] == [81, 82, 85]
    assert [pid for _, pid, *_ in outline(limit_check(found, day=3))] == [86]
    assert outline(limit_check(found, seat="豆沙")) == []
    assert limit_check(found, seat="豆沙").seats == ()
    assert outline(limit_check(found, seat="包子")) == outline(found)


def test_what_was_known_at_a_moment_is_what_had_been_seen_and_ruled_by_then(tmp_path: Path) -> None:
    ledger = "日2 导演 裁定 发言 tid=1234 pid=81 合规 entered_at=2018-06-05T12:00 ; 手滑\n"
    game = write_game(tmp_path, ledger=ledger)
    with archived(game) as archive:
        look(archive, post(81, "03T10:00", "哼人"), "03T11:00")
        look(archive, LIFE, "08T21:30")
    assert outline(check(game, known_at=moment("04T12:00"))) == [("包子", 81, 1, "error", "C101")]
    assert outline(check(game, known_at=moment("05T13:00"))) == [("包子", 81, 1, "note", "C108 C101")]


def test_where_nobody_is_chanted_nothing_is_read(tmp_path: Path) -> None:
    game = write_game(tmp_path)
    path = tmp_path / "game.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('chanted = ["包子"]', ""), encoding="utf-8")
    found = check(load_game(game.path))
    assert (found.seats, found.posts, found.findings, found.seen_until) == ((), (), (), None)


# -- what was not seen


def test_a_thread_that_nobody_looked_at_is_told_of_and_is_no_breach(tmp_path: Path) -> None:
    game = write_game(tmp_path)
    with archived(game) as archive:
        look(archive, LIFE, "05T21:30", (1235,))
    found = check(game)
    assert [sentence(finding) for finding in found.findings] == [
        "第 2 天的帖子 1234 还没有看过，里面的没有查",
        "第 3 天的帖子 1238 还没有看过，里面的没有查",
    ]
    assert (found.seen_until, found.count(Severity.ERROR)) == (None, 0)
    assert codes(limit_check(found, day=2)) == ["C201"]


def test_a_page_that_did_not_come_is_told_of(tmp_path: Path) -> None:
    game = write_game(tmp_path, three="piper_out = true")
    with archived(game) as archive:
        look(archive, LIFE, "08T21:30", lost=(2,))
    found = check(game)
    assert [sentence(finding) for finding in found.findings] == ["第 2 天的帖子 1234 没有看全，缺第 2 页"]
    assert [pid for _, pid, *_ in outline(found)] == [81, 82]


def test_a_board_in_another_zone_is_told_of_once(tmp_path: Path) -> None:
    game = write_game(tmp_path)
    path = tmp_path / "game.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("[forum]\n", '[forum]\ntimezone = "Asia/Tokyo"\n'), encoding="utf-8")
    game = load_game(path)
    with archived(game) as archive:
        look(archive, LIFE, "08T21:30")
    found = check(game)
    assert [dict(finding.parameters) for finding in found.findings if finding.code == "B303"] == [
        {"printed": "GMT+8", "set": "GMT+9"}
    ]
    assert "暂定" in write_bbcode(found, game)


def test_a_day_whose_facts_forget_a_chanted_seat_is_told_of(tmp_path: Path) -> None:
    game = write_game(tmp_path, two="", three="")
    path = tmp_path / "game.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('vote = 1238\nchanted = ["包子"]', 'vote = 1238\nchanted = ["豆沙"]'), encoding="utf-8")
    game = load_game(path)
    with archived(game) as archive:
        look(archive, LIFE, "08T21:30")
    found = check(game)
    assert [finding.parameters for finding in found.findings if finding.code == "C205"] == [
        (("seat", "包子"), ("since", "2"), ("day", "3"))
    ]
    assert ("包子", 86, 1, "error", "C101") in outline(found)
    path.write_text(text.replace('vote = 1238\nchanted = ["包子"]', 'vote = 1238\nout = ["包子"]'), encoding="utf-8")
    assert codes(check(load_game(path))) == []


# -- who speaks


def test_another_account_is_the_seats_by_a_ruling_or_a_substitute(tmp_path: Path) -> None:
    life = post(81, "03T10:00", "哼人", "替身") + post(82, "04T10:00", "人", "包打听")
    for ledger, expected in (
        ("", [82]),
        ("日2 导演 裁定 账号 替身 为 包子\n", [81, 82]),
        ("日2 导演 替补 包子 账号=替身 @2018-06-03T09:40\n", [81, 82]),
    ):
        folder = tmp_path / str(len(ledger))
        folder.mkdir()
        game = write_game(folder, ledger=ledger)
        with archived(game) as archive:
            look(archive, life, "08T21:30")
        found = check(game)
        assert sorted(pid for _, pid, *_ in outline(found)) == expected
        if "替补" in ledger:
            # Whoever still has the old account need not be the player.
            old = next(one for one in found.posts if one.source.pid == 82)
            assert [(one.severity, dict(one.parameters)["doubt"]) for one in old.findings] == [(Severity.WARNING, "old_account")]


def test_a_remark_is_his_by_name_under_anybodys_post(tmp_path: Path) -> None:
    comment = '  [[post.comments]]\n  author = "{}"\n  at = 2018-06-04T12:00:00\n  text = "人"\n'
    life = post(
        81, "03T10:00", "大家好", "饺子", more=comment.format("包打听") + comment.format("豆沙").replace("12:00", "12:01")
    )
    game = write_game(tmp_path)
    with archived(game) as archive:
        look(archive, life, "08T21:30")
    (found,) = check(game).posts
    assert (found.seat, found.source.pid, dict(found.findings[0].parameters)["place"]) == ("包子", 81, "comment")


# -- signatures and names


def signed(words: str) -> str:
    return f'[[account]]\nname = "包打听"\nsignature = "{words}"\n'


def test_a_signature_is_compared_with_the_last_one_from_before_the_chant(tmp_path: Path) -> None:
    before, after = post(81, "02T10:00", "晚安"), post(82, "04T10:00", "哼")
    game = write_game(tmp_path)
    with archived(game) as archive:
        look(archive, signed("好吃") + before, "02T12:00")
        look(archive, signed("豆沙是狼") + before + after, "05T21:30")
    (found,) = check(game).posts
    assert [dict(one.parameters) for one in found.findings] == [{"place": "signature", "text": "豆沙是狼"}]


def test_a_signature_that_guests_may_not_have_been_shown_is_no_change(tmp_path: Path) -> None:
    before, after = post(81, "02T10:00", "晚安"), post(82, "04T10:00", "哼")
    game = write_game(tmp_path)
    with archived(game) as archive:
        look(archive, before, "02T12:00")
        look(archive, signed("好吃") + before + after, "05T21:30")
    assert check(game).posts == ()


def test_an_added_signature_is_a_change_where_signatures_were_shown(tmp_path: Path) -> None:
    other = '[[account]]\nname = "饺子"\nsignature = "我是饺子"\n'
    before, after = post(80, "02T09:30", "早", "饺子") + post(81, "02T10:00", "晚安"), post(82, "04T10:00", "哼")
    game = write_game(tmp_path)
    with archived(game) as archive:
        look(archive, other + before, "02T12:00")
        look(archive, other + signed("豆沙是狼") + before + after, "05T21:30")
    assert [dict(one.parameters)["place"] for post in check(game).posts for one in post.findings] == ["signature"]


def test_a_vote_for_a_ruled_name_is_exempt_to_its_end(tmp_path: Path) -> None:
    life = post(81, "03T10:00", "投票对象：老豆（狼）", tid=1235)
    game = write_game(tmp_path, ledger="日2 导演 裁定 名字 老豆 为 豆沙\n")
    with archived(game) as archive:
        look(archive, life, "08T21:30")
    (found,) = check(game).posts
    assert "".join(chr(int(one.codepoint[2:], 16)) for one in found.findings) == "（狼）"


# -- rulings that fit nowhere


def test_a_ruling_that_matches_nothing_is_a_warning_of_the_check(tmp_path: Path) -> None:
    game = write_game(tmp_path, ledger="日2 导演 裁定 发言 tid=1234 pid=99 合规\n日2 导演 裁定 发言 tid=1234 pid=83 合规\n")
    with archived(game) as archive:
        look(archive, LIFE, "08T21:30")
    assert [sentence(finding) for finding in check(game).findings] == [
        "账本第 1 行的裁定对不上任何帖子或名字",
        "账本第 2 行的裁定用不上：这一帖没有什么要裁定的",
    ]


# -- rows


def rows(database: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(database)
    try:
        return connection.execute('SELECT day, code, severity, seat, tid, pid, revision, line, "column" FROM findings').fetchall()
    finally:
        connection.close()


def test_the_findings_view_holds_what_was_found_beside_the_counts_own(tmp_path: Path) -> None:
    game = write_game(tmp_path, ledger="日2 导演 裁定 发言 tid=1234 pid=99 合规\n")
    counted = (2, "B105", "warning", "a&b<c>", 1235, 5204, 1, None, None)
    checked = [
        (2, "C101", "error", "包子", 1234, 81, 1, 1, 2),
        (3, "C101", "error", "包子", 1238, 86, 1, 1, 1),
        (2, "C105", "warning", "包子", 1234, 82, 1, None, None),
        (2, "C107", "note", "包子", 1234, 85, 1, None, None),
        (None, "E202", "warning", None, None, None, None, None, None),
    ]
    with archived(game) as archive:
        look(archive, LIFE, "08T21:30")
        save_tallies(archive, game, [TALLY], parse_ledger("", game.zone))
    found = check(game)
    with archived(game) as archive:
        for _ in range(2):
            save_speech(archive, found)
            assert rows(game.database) == [counted, *checked]
        save_tallies(archive, game, [TALLY], parse_ledger("", game.zone))
        assert sorted(map(repr, rows(game.database))) == sorted(map(repr, [counted, *checked]))
        drop_tallies(archive)
        save_speech(archive, found)
        assert rows(game.database) == checked
    connection = sqlite3.connect(game.database)
    columns = [column[1] for column in connection.execute("PRAGMA table_info(findings)")]
    connection.close()
    assert columns == list(VIEWS["findings"])


@pytest.mark.parametrize("changed", ['[speech]\npunctuation = "ignore"', ""])
def test_two_checks_of_one_archive_are_the_same(tmp_path: Path, changed: str) -> None:
    game = write_game(tmp_path, more=changed)
    with archived(game) as archive:
        look(archive, LIFE, "08T21:30")
    assert check(game).posts == check(game).posts
