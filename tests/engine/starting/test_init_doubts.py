"""`bansha init` never guesses who plays: a question, a condition, a sign-up of somebody else are shown, and nobody is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import pytest

from engine.asking import Stopped
from engine.game import load_game
from tests.board.server import Board, serve
from tests.engine.command import Ran, run
from tests.engine.living import post, vote
from tests.engine.starting.test_init import NOW, VOTES, Director, begin, board, players, script


def sign_up(*posts: str) -> tuple[int, str, list[str]]:
    """A sign-up thread of these posts behind the director's."""
    return 7, "[M29] 试局 报名帖", [post("导演", "01T10:00", "回帖报名。"), post("老实人", "01T10:01", "报名"), *posts]


def listed(folder: Path, *posts: str, more: tuple[str, ...] = ()) -> tuple[list[str], Ran]:
    """Who is put on the list besides the one who surely signed up, and what the command said."""
    with board(script(sign_up(*posts))) as base:
        ran = begin(folder, base, 7, more=more)
    assert ran.code == 0, ran.err
    return [name for name, _ in players(load_game(folder, before_days=True)) if name != "老实人"], ran


@pytest.mark.parametrize(
    "text",
    ["报名", "報名", "+1", "＋１", "1", "报名参加！", "我要玩", "算我一个", "代号马里奥，报名", "[b]报名[/b]"],
)
def test_whoever_says_so_plainly_plays(tmp_path: Path, text: str) -> None:
    assert listed(tmp_path, post("甲", "01T11:00", text))[0] == ["甲"]


def test_no_other_name_is_asked_for_where_the_account_itself_fits_no_file(tmp_path: Path) -> None:
    director = Director("M29", "试局", "", "红")
    strange = script(sign_up(post("\\u001b[31m红", "01T11:00", "报名")))
    with board(strange) as base, patch("engine.cli.asking.make_asker", lambda: director):
        ran = begin(tmp_path, base, 7)
    assert (ran.code, "这个账号写不进比赛文件" in ran.err) == (2, True)


def test_an_account_that_cannot_be_typed_is_named_as_it_is_shown(tmp_path: Path) -> None:
    """An ESC or a zero-width space in a name: what the error says to write is what is taken."""
    strange = [post("零\\u200b宽", "01T11:00", "报名"), post("\\u001b[31m红", "01T11:01", "报名")]
    with board(script(sign_up(*strange))) as base:
        refused = begin(tmp_path, base, 7)
        ran = begin(tmp_path, base, 7, more=("--player", "零宽=零\\u200b宽", "--without", "\\x1b[31m红"))
    assert refused.code == 2
    assert '不列入：--without "\\x1b[31m红"' in refused.err
    assert ran.code == 0, ran.err
    assert "不在帖子里" not in ran.out
    seats = load_game(tmp_path, before_days=True).roster.seats
    assert [(seat.name, seat.accounts[0].name) for seat in seats] == [("老实人", "老实人"), ("零宽", "零\u200b宽")]


@pytest.mark.parametrize(
    "text",
    [
        "还能报名吗？",
        "报名截止了没有",
        "报名人数够了",
        "帮小明报名",
        "代朋友报名",
        "下次一定参加",
        "如果人不够我就报名",
        "替补报名",
        "可能参加",
        "先占个座",
        "围观，不占报名名额",
        "有人退出吗，我报名",
    ],
)
def test_what_is_not_plain_is_shown_and_not_guessed(tmp_path: Path, text: str) -> None:
    found, ran = listed(tmp_path, post("甲", "01T11:00", text))
    assert (found, "请看一下：甲 发过言，看不出是不是要玩" in ran.out) == ([], True)
    assert "# 请看一下：甲" in (tmp_path / "game.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["有事，退出", "没法参加了", "我就不报名了", "参加不了，抱歉", "撤回报名", "不来了", "無法參加"])
def test_whoever_takes_it_back_is_out_and_named(tmp_path: Path, text: str) -> None:
    found, ran = listed(tmp_path, post("甲", "01T11:00", "报名"), post("甲", "01T12:00", text))
    assert (found, "请看一下：甲 说了不玩" in ran.out) == ([], True)


def test_the_last_plain_word_holds(tmp_path: Path) -> None:
    posts = [
        post("甲", "01T11:00", "报名"),
        post("甲", "01T12:00", "退出"),
        post("甲", "01T13:00", "又能玩了，报名"),
        post("乙", "01T11:00", "报名"),
        post("乙", "01T12:00", "报名截止到几时？"),
        post("丙", "01T11:00", "报名"),
        post("丙", "01T12:00", "可能要退出"),
    ]
    found, ran = listed(tmp_path, *posts)
    # 乙 asked a question about joining, which takes nothing back; 丙 wavers.
    assert (found, "丙 发过言，看不出" in ran.out) == (["甲", "乙"], True)


def test_a_sign_up_in_a_quote_is_not_his_who_quotes_it(tmp_path: Path) -> None:
    assert listed(tmp_path, post("甲", "01T11:00", "欢迎！", "quote = 5002\n"))[0] == []


def test_an_edited_sign_up_is_what_it_says_now(tmp_path: Path) -> None:
    edits = 'edits = [{{ at = 2018-06-02T10:00:00, text = "{text}" }}]\n'
    posts = [
        post("甲", "01T11:00", "报名", edits.format(text="退出")),
        post("乙", "01T11:00", "路过", edits.format(text="报名")),
    ]
    assert listed(tmp_path, *posts)[0] == ["乙"]


def test_blocked_and_anonymous_posts_are_nobodys_word(tmp_path: Path) -> None:
    posts = [
        post("甲", "01T11:00", "报名", "blocked = 2018-06-02T10:00:00\n"),
        post("乙", "01T11:00", "报名", "anonymous = true\n"),
    ]
    found, ran = listed(tmp_path, *posts)
    assert (found, "请看一下：匿名、甲 发过言" in ran.out) == ([], True)


def test_a_sign_up_on_the_third_page(tmp_path: Path) -> None:
    posts = [post(f"客{number}", f"01T11:{number:02d}", "路过") for number in range(25)]
    assert listed(tmp_path, *posts, post("甲", "01T12:00", "报名"))[0] == ["甲"]


def test_a_thread_whose_title_tells_nothing_is_known_by_its_posts(tmp_path: Path) -> None:
    thread = (7, "M29 周末来一局", sign_up(post("甲", "01T11:00", "报名"))[2])
    with board(script(thread)) as base:
        assert begin(tmp_path, base, 7).code == 0
    assert [name for name, _ in players(load_game(tmp_path, before_days=True))] == ["老实人", "甲"]


def test_a_list_of_voters_says_that_it_is_only_that(tmp_path: Path) -> None:
    with board(script(VOTES)) as base:
        assert "没投票的、已出局的要自己补" in begin(tmp_path, base, 1235).out


def test_a_name_that_no_player_may_bear_is_asked_for(tmp_path: Path) -> None:
    threads = sign_up(post("警长", "01T11:00", "报名"))
    with board(script(threads)) as base:
        ran = begin(tmp_path, base, 7)
        assert (ran.code, '--player "角色名=警长"' in ran.err, ".new" in ran.err) == (2, True, False)
        assert begin(tmp_path, base, 7, more=("--player", "老警=警长")).code == 0
    assert [name for name, _ in players(load_game(tmp_path, before_days=True))] == ["老实人", "老警"]


def test_at_a_terminal_another_name_is_asked_for(tmp_path: Path) -> None:
    director = Director("M29", "试局", "", "", "老警")
    with (
        board(script(sign_up(post("警长", "01T11:00", "报名")))) as base,
        patch("engine.cli.asking.make_asker", lambda: director),
    ):
        assert begin(tmp_path, base, 7).code == 0
    assert "老警" in [name for name, _ in players(load_game(tmp_path, before_days=True))]


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--player", "包子=甲", "--player", "包子=乙"), "写了两次"),
        (("--player", "包子=甲", "--player", "豆沙=甲"), "写了两次"),
        (("--player", "=甲"), "读不懂"),
        (("--out", "甲:投票"), "--from-day"),
        (("--forum-timezone", "Mars"), "没有 'Mars' 这个时区"),
        (("--closes", "2=2018-06-03T09:00"), "早了"),
        (("--switch", "wolf.los=camp"), "是不是 wolf.loss"),
        (("--souls", "甲"), "--from-day"),
        (("--vests", "甲,乙"), "这套规则里没有"),
    ],
)
def test_an_option_that_cannot_be_is_named_and_nothing_is_written(tmp_path: Path, option: tuple[str, ...], said: str) -> None:
    with board(script(VOTES)) as base:
        ran = begin(tmp_path, base, 1235, more=option)
    assert (ran.code, said in ran.err) == (2, True), ran.err
    assert not (tmp_path / "game.toml").exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--player", "饺子=曱"), "帖子里没有账号 曱"),
        (("--without", "没有此人"), "--without 的 没有此人 不在帖子里"),
        (("--closes", "5=2018-06-09T21:00"), "第 5 天，可是没有给它的帖子"),
    ],
)
def test_what_may_be_a_slip_is_told(tmp_path: Path, option: tuple[str, ...], said: str) -> None:
    with board(script(VOTES)) as base:
        ran = begin(tmp_path, base, 1235, more=option)
    assert (ran.code, said in ran.out) == (0, True), ran.err


def day(tid: int, title: str, opens: str) -> tuple[int, str, list[str]]:
    return (
        tid,
        f"[M29] {title}",
        [post("导演", opens, "开"), vote("甲", f"{opens[:3]}11:00", "乙"), vote("乙", f"{opens[:3]}12:00", "甲")],
    )


def test_a_calendar_that_the_next_day_belies_is_not_believed(tmp_path: Path) -> None:
    # Friday the 1st touches a weekend with its second day: until the 3rd at 21:00, when the second day is long open.
    threads = (day(1, "第一天 投票帖", "01T09:30"), day(2, "第二天 投票帖", "03T09:30"))
    with board(script(*threads)) as base:
        ran = begin(tmp_path, base, 1, 2)
        assert (ran.code, "--closes 1=" in ran.err, "2018-06-03T09:30" in ran.err) == (2, True, True)
        assert begin(tmp_path, base, 1, 2, more=("--closes", "1=2018-06-02T21:00")).code == 0
    assert [f"{one.closes:%d %H}" for one in load_game(tmp_path).days] == ["02 21", "05 21"]


def test_two_vote_threads_of_one_day_are_the_directors_to_sort(tmp_path: Path) -> None:
    threads = (day(1, "第二天 投票帖", "03T09:30"), day(2, "第二天 重投 投票帖", "04T09:30"))
    with board(script(*threads)) as base:
        ran = begin(tmp_path, base, 1, 2)
    assert (ran.code, "第 2 天有两个投票帖：1 和 2" in ran.err) == (2, True)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("", encoding="utf-8")
    with board(script(VOTES)) as base:
        for folder in (tmp_path / "x", tmp_path / "x" / "y"):
            ran = begin(folder, base, 1235)
            assert (ran.code, "建不了文件夹" in ran.err) == (2, True)


def test_the_next_steps_name_the_folder_as_it_was_written(tmp_path: Path) -> None:
    folder = tmp_path / "我的 一局"
    with board(script(VOTES)) as base:
        out = begin(folder, base, 1235).out
    assert f'  bansha doctor "{folder}"\n' in out
    assert "game.toml" not in out.split("接下来：")[1]


def test_progress_names_no_day(tmp_path: Path) -> None:
    with board(script(VOTES)) as base:
        err = begin(tmp_path, base, 1235).err
    assert "bansha: 帖子 1235，第 1 页" in err
    assert "第 0 天" not in err


SYSTEMS = (
    ("m29", "M29", (), None),
    ("secret-number", "秘密数字杀", ("--closes", "1=2018-06-03T21:00"), None),
    ("vest", "马甲杀", ("--switch", "votes.publicity=G", "--switch", "wolves.channel=A", "--vests", "长风，墨客"), "--vests"),
    ("assertion", "断言", ("--closes", "1=2018-06-03T21:00"), None),
    ("table", "面杀", ("--closes", "1=2018-06-03T21:00"), None),
)


@pytest.mark.parametrize(("ruleset", "title", "more", "needed"), SYSTEMS)
def test_what_is_written_is_read_by_every_other_command(
    tmp_path: Path, ruleset: str, title: str, more: tuple[str, ...], needed: str | None
) -> None:
    posts = [post("导演", "01T09:30", "开"), vote("甲", "01T11:00", "乙"), vote("乙", "01T12:00", "甲")]
    threads = [(1, f"{title} 第一天 投票帖", posts), (2, f"{title} 第一天 讨论帖", [post("导演", "01T09:31", "开")])]
    if ruleset == "assertion":
        # No vote stands on a board: the day is that of the discussion.
        threads = [
            threads[1],
            (3, f"{title} 报名帖", [post("导演", "01T09:00", "开"), *(post(n, "01T09:10", "报名") for n in "甲乙")]),
        ]
    with board(script(*threads)) as base:
        if needed is not None:
            ran = begin(tmp_path, base, *(tid for tid, _, _ in threads), more=more[:-2])
            assert (ran.code, needed in ran.err) == (2, True)
        ran = begin(tmp_path, base, *(tid for tid, _, _ in threads), more=more)
        assert ran.code == 0, ran.err
        game = load_game(tmp_path)
        assert (game.ruleset.id, [one.number for one in game.days]) == (ruleset, [1])
        for command in (
            ("tally",),
            ("elevator",),
            ("cards",),
            ("report", "-o", str(tmp_path / "r.html")),
            ("export", "-o", str(tmp_path / "t")),
        ):
            ran = run(command[0], str(tmp_path), *command[1:])
            assert ran.code in (0, 1), (command, ran.err)
            assert "Traceback" not in ran.err
        assert run("doctor", str(tmp_path)).code == 0


@pytest.mark.skipif(os.name != "posix", reason="file descriptors of POSIX")
def test_nobody_is_asked_where_standard_input_is_closed(tmp_path: Path) -> None:
    thread = (7, "周末一局 报名", sign_up()[2])
    with serve(Board(script(thread), NOW)) as served:
        code = "import os, sys; os.close(0); os.execv(sys.executable, [sys.executable, '-m', 'engine', *sys.argv[1:]])"
        address = f"{served.base}forum.php?mod=viewthread&tid=7"
        command = [sys.executable, "-c", code, "init", address, "--dir", str(tmp_path), "--interval", "0"]
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert (done.returncode, b"Traceback" in done.stderr, "--ruleset" in done.stderr.decode()) == (2, False, True)


def test_ctrl_c_at_a_question_ends_it_with_a_line(tmp_path: Path) -> None:
    class Leaves(Director):
        def text(self, question: str, default: str = "", words: Sequence[str] = ()) -> str:
            raise Stopped

    with board(script(sign_up())) as base, patch("engine.cli.asking.make_asker", Leaves):
        ran = begin(tmp_path, base, 7)
    assert (ran.code, "没有写 game.toml" in ran.err, (tmp_path / "game.toml").exists()) == (130, True, False)
