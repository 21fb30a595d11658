"""Each finding of `bansha doctor` appears with its code, what to do and a sentence in both languages, and just not appears."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from scraper.errors import UsageError
from tally.advice import ADVICE
from tally.doctorkinds import DOCTOR_KINDS
from tests.board.members import Members
from tests.board.replies import say_in_a_box
from tests.board.server import Asked, Reply
from tests.engine.command import run
from tests.engine.living import Living, living, post, vote
from tests.engine.starting.test_doctor import CLEAN, UIDS, board

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")
SEED = "一个种子"
DAY_3 = "[[day]]\nnumber = 3\nopens = 2018-06-06T09:30:00\ncloses = 2018-06-08T21:00:00\nvote = 1240\n"


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Living]:
    with ExitStack() as stack:
        yield stack.enter_context(living(tmp_path, board(*CLEAN), "04T12:00", UIDS))


def checks(game: Living, *arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = game.read("doctor", *arguments)
    return found


def codes(game: Living, *arguments: str) -> list[str]:
    """The findings, each of which says what to do: by itself, or in its words."""
    found = [check for check in checks(game, *arguments) if check["code"] and check["code"] != "E439"]
    assert all(check["fix"] or "改法" in check["text"] for check in found), found
    return [check["code"] for check in found]


def edit(game: Living, old: str, new: str) -> None:
    path = game.folder / "game.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def add(game: Living, text: str) -> None:
    path = game.folder / "game.toml"
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def with_third(game: Living, tid: int = 1240) -> None:
    """A third day with a thread of its own on the board."""
    add(game, DAY_3.replace("1240", str(tid)))
    opening = f"[[post]]\ntid = 1240\npid = 9001\n{post('导演', '03T09:30', '第三天在这里')}"
    game.play(board(*CLEAN, more=f'[[thread]]\ntid = 1240\ntitle = "第三天 投票帖"\n{opening}'))


def tell_secrets(game: Living, *names: str, seed: str = SEED) -> None:
    rows = "".join(
        f'[[player]]\nname = "{name}"\nrole = "{role}"\n'
        for name, role in zip(("饺子", "包子", "豆沙"), ("狼人", "预言", "村民"), strict=True)
        if name in names
    )
    path = game.folder / "secrets.toml"
    path.write_text(f'seed = "{seed}"\n{rows}', encoding="utf-8")
    path.chmod(0o600)


def commit(game: Living, seed: str) -> None:
    edit(game, 'ruleset = "m29"', f'ruleset = "m29"\nseed_commitment = "sha256:{sha256(seed.encode()).hexdigest()}"')


def test_every_code_has_its_own_advice_in_both_languages() -> None:
    assert [kind.code for kind in DOCTOR_KINDS if kind.code not in ADVICE] == []
    assert all(chinese and english and chinese != english for kind in DOCTOR_KINDS for chinese, english in [ADVICE[kind.code]])


def test_a_game_that_is_well_has_no_code(game: Living) -> None:
    assert codes(game) == []


def test_the_terminal_says_it_in_its_own_language(game: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    add(game, DAY_3.replace("number = 3", "number = 4"))
    assert "[E432] 没有第 3 天。改法：补上" in game.run("doctor").out
    monkeypatch.setenv("BANSHA_LANG", "en")
    out = game.run("doctor").out
    assert "[E432] Day 3 is missing. Fix: add its [[day]]" in out
    assert "第 3 天" not in out


# The file.


def test_a_file_that_cannot_be_read(game: Living) -> None:
    edit(game, 'title = "试局"', "title = 试局")
    ran = game.run("doctor")
    assert (ran.code, codes(game)) == (2, ["E430"])


def test_a_ledger_that_cannot_be_read(game: Living) -> None:
    (game.folder / "ledger.txt").write_text("日二 导演\n", encoding="utf-8")
    assert (game.run("doctor").code, codes(game)) == (2, ["E430"])


def test_no_day_yet_still_asks_the_board(game: Living) -> None:
    edit(game, UIDS[UIDS.index("[[day]]") :].format(), "")
    game.fail(Members(game.served.board, {"导演": "x"}))
    found = checks(game)
    assert codes(game) == ["E431"]
    assert "打得开" in [check["text"] for check in found]
    assert "以游客的身份在看，看得到" in [check["text"] for check in found]
    game.fail(lambda asked, reply: None)
    assert codes(game) == ["E431", "E444"]
    for words, code in (("论坛暂时关闭，请稍后再来", "E444"), ("抱歉，您尚未登录，没有权限访问本站", "E446")):
        box(words)(game)
        assert codes(game) == ["E431", code]


def test_a_day_that_is_missing(game: Living) -> None:
    with_third(game)
    assert codes(game) == []
    edit(game, "number = 3", "number = 4")
    assert codes(game) == ["E432", "E453"]


def test_two_days_in_one_thread(game: Living) -> None:
    with_third(game, tid=1235)
    assert codes(game) == ["E433"]


@pytest.mark.parametrize(("opens", "found"), [("2018-06-05T21:00:00", []), ("2018-06-05T20:59:59", ["E434"])])
def test_days_that_overlap_by_a_second_and_just_not(game: Living, opens: str, found: list[str]) -> None:
    with_third(game)
    edit(game, "opens = 2018-06-06T09:30:00", f"opens = {opens}")
    assert codes(game) == found


@pytest.mark.parametrize(("closes", "found"), [("06T09:30", []), ("06T09:31", ["E434"])])
def test_days_that_a_line_of_the_ledger_makes_overlap(game: Living, closes: str, found: list[str]) -> None:
    with_third(game)
    (game.folder / "ledger.txt").write_text(f"日2 导演 关门 @2018-06-{closes}\n", encoding="utf-8")
    assert codes(game) == found


def test_names_that_differ_by_one_character(game: Living) -> None:
    names: tuple[tuple[str, list[str]], ...] = (("夜行猫", ["E435"]), ("夜猫", []), ("夜走猫头", []))
    for name, found in names:
        before = (game.folder / "game.toml").read_text(encoding="utf-8")
        edit(game, "[[day]]", f'[[player]]\nname = "夜行描"\nuid = 9\n[[player]]\nname = "{name}"\nuid = 10\n[[day]]')
        assert codes(game) == found, name
        (game.folder / "game.toml").write_text(before, encoding="utf-8")


def test_a_player_without_uid(game: Living) -> None:
    edit(game, 'name = "豆沙"\nuid = 1003', 'name = "豆沙"')
    assert codes(game) == ["E436"]


@pytest.mark.parametrize(
    ("text", "found"),
    [("{{ title }}", []), ("{{ title", ["E456"]), ("{{ titel }}", ["E456"])],
    ids=["good", "broken", "no such name"],
)
def test_templates_of_ones_own(game: Living, text: str, found: list[str]) -> None:
    (game.folder / "templates").mkdir()
    (game.folder / "templates" / "tally.bbcode").write_text(text, encoding="utf-8")
    assert codes(game) == found


# The computer.


def test_a_database_and_secrets_that_are_carried_away(game: Living, tmp_path: Path) -> None:
    for folder, found in (("OneDrive - 某公司", ["E437"]), ("我的坚果云", ["E437"]), ("onedriveless", []), ("box", [])):
        (tmp_path / folder).mkdir()
        assert codes(game, "--db", str(tmp_path / folder / "game.db")) == found, folder
    tell_secrets(game, "饺子", "包子", "豆沙")
    commit(game, SEED)
    away = tmp_path / "Dropbox"
    away.mkdir()
    for name in ("game.toml", "secrets.toml"):
        (game.folder / name).rename(away / name)
    there = run("doctor", str(away), "--db", str(tmp_path / "game.db"), "--json")
    assert '"E455"' in there.out
    assert '"E437"' not in there.out


@posix
@pytest.mark.parametrize("name", ["secrets.toml", "cookies.txt"])
@pytest.mark.parametrize(("mode", "found"), [(0o600, []), (0o640, ["E438"]), (0o604, ["E438"])])
def test_files_that_others_can_read(game: Living, name: str, mode: int, found: list[str]) -> None:
    host = game.served.base.split("//")[1].split(":")[0]
    words = {
        "secrets.toml": '[[player]]\nname = "饺子"\n',
        "cookies.txt": f"# Netscape HTTP Cookie File\n{host}\tFALSE\t/\tFALSE\t2147483647\tplain\tx\n",
    }
    (game.folder / name).write_text(words[name], encoding="utf-8")
    (game.folder / name).chmod(mode)
    assert [code for code in codes(game) if code == "E438"] == found


def test_a_computer_that_sets_no_rights(game: Living) -> None:
    with patch("engine.starting.doctor.can_be_private", lambda: False):
        assert codes(game) == []
        tell_secrets(game, "饺子", "包子", "豆沙")
        commit(game, SEED)
        assert codes(game) == ["E454"]


# The deal.


def test_not_dealt_yet_is_only_noted(game: Living) -> None:
    (check,) = [check for check in checks(game) if check["code"]]
    assert (check["code"], check["health"], game.run("doctor").code) == ("E439", "look", 0)


def test_a_game_taken_up_in_the_middle_is_told_to_write_its_roles(game: Living) -> None:
    with (game.folder / "game.toml").open("a", encoding="utf-8") as file:
        file.write('[given]\nphase = "日2"\n')
    (check,) = [check for check in checks(game) if check["code"]]
    assert (check["code"], game.run("doctor").code) == ("E439", 0)
    assert "从中间接手的、别处发过牌的，在 secrets.toml 写每人的 role" in check["fix"]


def test_a_player_without_a_role(game: Living) -> None:
    tell_secrets(game, "饺子", "包子")
    commit(game, SEED)
    assert codes(game) == ["E440"]


def test_the_seed_against_its_commitment(game: Living) -> None:
    tell_secrets(game, "饺子", "包子", "豆沙")
    assert codes(game) == ["E442"]
    commit(game, "另一个")
    assert codes(game) == ["E441"]
    tell_secrets(game, "饺子", "包子", "豆沙", seed="另一个")
    assert codes(game) == []


# The board.


def box(words: str) -> Callable[[Living], None]:
    return lambda game: game.fail(lambda asked, reply: say_in_a_box(game.served.board, reply, words, link=""))


def elsewhere(game: Living) -> None:
    def move(asked: Asked, reply: Reply) -> Reply:
        if "tid=1235" not in asked.address:
            return reply
        return replace(reply.with_header("Location", "forum.php?mod=viewthread&tid=1240"), status=302, body=b"")

    with_third(game)
    edit(game, DAY_3, "")
    game.fail(move)


def unknown(game: Living) -> None:
    page = b"<html><head><title>Welcome</title></head><body><p>hello</p></body></html>"
    game.fail(lambda asked, reply: replace(reply, body=page))


def empty(game: Living) -> None:
    game.fail(lambda asked, reply: replace(reply, body=b""))


@pytest.mark.parametrize(
    ("breaks", "code", "exit_code"),
    [
        (box("抱歉，您尚未登录，没有权限访问该版块"), "E446", 4),
        (box("抱歉，您没有权限访问该版块，本版块只有特定用户组可以访问"), "E447", 4),
        (box("抱歉，指定的主题不存在或已被删除或正在被审核"), "E448", 4),
        (elsewhere, "E449", 4),
        (box("论坛暂时关闭，请稍后再来"), "E444", 4),
        (unknown, "E451", 8),
        (empty, "E452", 4),
    ],
)
def test_a_thread_that_cannot_be_read(game: Living, breaks: Callable[[Living], None], code: str, exit_code: int) -> None:
    breaks(game)
    ran = game.run("doctor")
    found = codes(game)
    assert (ran.code, found) == (exit_code, [code]), ran.out
    # What nobody could read is not said to be well.
    assert "投票的都是玩家" not in ran.out


def test_a_board_that_gives_no_answer(game: Living) -> None:
    game.fail(lambda asked, reply: None)
    assert codes(game) == ["E444"]


def test_no_board_at_all(game: Living) -> None:
    path = game.folder / "game.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(f'url = "{game.served.base}"\ninterval = 0.0\n', ""), encoding="utf-8")
    assert (game.run("doctor").code, codes(game)) == (2, ["E443"])


def test_a_login_that_ran_out(game: Living) -> None:
    host = game.served.base.split("//")[1].split(":")[0]
    line = f"{host}\tFALSE\t/\tFALSE\t2147483647\tsite_2132_auth\tabcdefghijk\n"
    (game.folder / "cookies.txt").write_text(f"# Netscape HTTP Cookie File\n{line}", encoding="utf-8")
    (game.folder / "cookies.txt").chmod(0o600)
    assert (codes(game), game.run("doctor").code) == (["E445"], 4)


def lock(mark: str, words: bytes = b'id="thread_subject"') -> Callable[[Asked, Reply], Reply]:
    """The mark of a closed thread behind its title."""

    def close(asked: Asked, reply: Reply) -> Reply:
        head, _, rest = reply.body.partition(words)
        title, end, rest = rest.partition(b"</span>")
        return replace(reply, body=head + words + title + end + mark.encode() + rest)

    return close


@pytest.mark.parametrize(
    "mark",
    [
        '<img src="static/image/common/locked.gif" alt="关闭" title="关闭" class="vm" />',
        '<i class="fico-lock fnmr" title="关闭"></i>',
    ],
)
@pytest.mark.parametrize(
    ("moment", "health"), [("03T09:00", "look"), ("04T12:00", "bad"), ("05T20:59", "bad"), ("05T21:01", None)]
)
def test_a_thread_that_takes_no_replies_while_its_day_lasts(game: Living, mark: str, moment: str, health: str | None) -> None:
    game.play(board(post("导演", "02T20:00", "明天开门"), *CLEAN[1:]))
    game.fail(lock(mark))
    game.set(moment)
    found = [check for check in checks(game) if check["code"] == "E450"]
    assert [check["health"] for check in found] == ([] if health is None else [health])


def test_the_mark_of_a_closed_thread_in_a_post_is_nothing(game: Living) -> None:
    game.play(board(*CLEAN, post("饺子", "03T12:00", '<img src="static/image/common/locked.gif" title="关闭" /> 关闭')))
    assert codes(game) == []


def test_a_thread_of_another_day(game: Living) -> None:
    edit(game, "number = 2", "number = 1")
    assert codes(game) == ["E453"]


# The votes.


def test_who_votes_and_what_they_write(game: Living) -> None:
    game.play(board(*CLEAN, vote("路人", "03T12:00", "包子")))
    assert codes(game) == ["B102"]
    game.play(board(*CLEAN, vote("豆沙", "03T12:00", "饺孑")))
    assert codes(game) == ["B105"]
    game.play(board(*CLEAN, vote("豆沙", "03T12:00", "饺子")))
    assert codes(game) == []


def test_a_ledger_that_no_count_could_follow_is_told_before_the_ballots(game: Living) -> None:
    with patch("engine.starting.boardcheck.derive_facts", side_effect=UsageError("账本走不下去。改法：看第 3 行。")):
        assert codes(game) == ["E430"]
        assert game.run("doctor").code == 2


def test_the_zone_of_the_footer(game: Living) -> None:
    game.play(board(*CLEAN, more='[board]\nzone = "Asia/Tokyo"\n'))
    assert codes(game) == ["B303"]
    edit(game, "[forum]", '[forum]\ntimezone = "Asia/Tokyo"')
    assert codes(game) == []


@pytest.mark.skipif(os.name != "posix", reason="symbolic links want rights on Windows")
def test_a_folder_that_leads_into_a_synced_one(game: Living, tmp_path: Path) -> None:
    (tmp_path / "Dropbox" / "g").mkdir(parents=True)
    (tmp_path / "plain").symlink_to(tmp_path / "Dropbox" / "g", target_is_directory=True)
    assert codes(game, "--db", str(tmp_path / "plain" / "game.db")) == ["E437"]
