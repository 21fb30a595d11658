"""`bansha init`: what threads tell becomes a commented game file; what they do not tell is asked, or wanted by its option."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

import pytest

from engine.game import Game, load_game
from scraper.pace import Surroundings
from tests.board.script import Script, read_script
from tests.board.server import Board, serve
from tests.engine.command import Ran, run
from tests.engine.living import Clock, post, vote

NOW = datetime(2018, 6, 7, 12, tzinfo=UTC)


def script(*threads: tuple[int, str, list[str]], more: str = "") -> Script:
    """A board with some threads: tid, title, posts."""
    blocks = [more]
    pid = 5000
    for tid, title, posts in threads:
        blocks.append(f'[[thread]]\ntid = {tid}\ntitle = "{title}"\n')
        for text in posts:
            pid += 1
            blocks.append(f"[[post]]\ntid = {tid}\npid = {pid}\n{text}\n")
    return read_script("\n".join(blocks))


SIGN_UP = (
    1200,
    "[M29] 小泡佩奇 报名帖",
    [
        post("导演", "01T10:00", "十二人局，回帖报名。"),
        post("甲", "01T10:05", "报名"),
        post("乙", "01T10:06", "+1"),
        post("丙", "01T10:07", "我来围观"),
        post("丁", "01T10:08", "报名！"),
        post("丁", "01T11:00", "有事，退出"),
        post("戊", "01T12:00", "先占个座"),
        post("戊", "01T12:30", "算我一个，参加"),
    ],
)
VOTES = (
    1235,
    "[M29] 小泡佩奇 第二天 投票帖",
    [
        post("导演", "03T09:30", "投票对象：饺子\n投票理由：饺子好吃"),
        vote("甲", "03T10:00", "包子"),
        vote("乙", "03T11:00", "甲"),
        post("丙", "03T12:00", "看看"),
        vote("甲", "03T13:00", "乙"),
    ],
)


@contextmanager
def board(played: Script) -> Iterator[str]:
    with serve(Board(played, NOW)) as served:
        clock = Clock(NOW, served.board)
        world = Surroundings(now=clock, sleep=lambda seconds: None)
        with patch("scraper.pace.utc_now", clock), patch("scraper.client.Surroundings", lambda: world):
            yield served.base


def begin(folder: Path, base: str, *tids: int, more: tuple[str, ...] = ()) -> Ran:
    urls = [f"{base}forum.php?mod=viewthread&tid={tid}" for tid in tids]
    return run("init", *urls, "--dir", str(folder), "--interval", "0", *more)


def players(game: Game) -> list[tuple[str, int | None]]:
    return [(seat.name, seat.accounts[0].uid) for seat in game.roster.seats]


def test_a_sign_up_thread_becomes_a_roster(tmp_path: Path) -> None:
    with board(script(SIGN_UP, more='[[account]]\nname = "甲"\nuid = 1001\n')) as base:
        ran = begin(tmp_path, base, 1200)
    assert ran.code == 0, ran.err
    game = load_game(tmp_path, before_days=True)
    assert (game.title, game.ruleset.id, game.forum.url) == ("[M29] 小泡佩奇", "m29", base)
    assert [name for name, _ in players(game)] == ["甲", "乙", "戊"]
    assert players(game)[0] == ("甲", 1001)
    assert [account.name for account in game.roster.directors] == ["导演"]
    # 丙 said nothing of playing: he is shown, and not guessed.
    assert "丙" in ran.out
    assert "# 请看一下：丙" in (tmp_path / "game.toml").read_text(encoding="utf-8")
    assert "bansha deal" in ran.out


def test_a_vote_thread_becomes_a_day(tmp_path: Path) -> None:
    with board(script(VOTES)) as base:
        ran = begin(tmp_path, base, 1235)
    assert ran.code == 0, ran.err
    game = load_game(tmp_path)
    (day,) = game.days
    # The thread's first post is its opening; Sunday touches a weekend: two natural days and one more.
    assert (day.number, day.vote) == (2, 1235)
    assert day.opens.isoformat() == "2018-06-03T09:30:00+08:00"
    assert day.closes.isoformat() == "2018-06-05T21:00:00+08:00"
    assert [name for name, _ in players(game)] == ["甲", "乙"]
    assert "包子" in ran.out
    assert "饺子" not in ran.out


def test_names_and_accounts_by_flags(tmp_path: Path) -> None:
    with board(script(VOTES)) as base:
        more = ("--player", "包子=甲", "--player", "豆沙=丙", "--without", "乙", "--director", "副导", "--title", '我"的\\局')
        begin(tmp_path, base, 1235, more=more)
    game = load_game(tmp_path)
    assert [(seat.name, seat.accounts[0].name) for seat in game.roster.seats] == [("包子", "甲"), ("豆沙", "丙")]
    assert game.title == '我"的\\局'
    assert [account.name for account in game.roster.directors] == ["副导"]


def test_those_who_signed_up_play_characters(tmp_path: Path) -> None:
    (tmp_path / "roles.csv").write_text("角色,账号,密码\n饺子,小泡饺子,p1\n包子,,p2\n豆沙,小豆,p3\n", encoding="utf-8")
    with board(script(SIGN_UP)) as base:
        ran = begin(tmp_path, base, 1200, more=("--characters", str(tmp_path / "roles.csv")))
    assert ran.code == 0, ran.err
    game = load_game(tmp_path, before_days=True)
    assert [(seat.name, seat.accounts[0].name) for seat in game.roster.seats] == [
        ("饺子", "小泡饺子"),
        ("包子", "包子"),
        ("豆沙", "小豆"),
    ]
    assert "p1" not in (tmp_path / "game.toml").read_text(encoding="utf-8")
    people = (tmp_path / "people.csv").read_text(encoding="utf-8-sig").splitlines()
    assert [line.split(",")[0] for line in people] == ["玩家", "甲", "乙", "戊"]
    dealt = run("deal", str(tmp_path), "--people", str(tmp_path / "people.csv"), "--roles", "狼人=1,村民=2", "--force")
    assert dealt.code == 0, dealt.err
    assert sorted(load_game(tmp_path, before_days=True).secrets.people.values()) == sorted(["甲", "乙", "戊"])


def test_a_name_that_a_spreadsheet_would_run_is_written_so_that_it_does_not(tmp_path: Path) -> None:
    (tmp_path / "roles.csv").write_text("饺子\n", encoding="utf-8")
    posts = [post("导演", "01T10:00", "开"), post("=1+1", "01T10:05", "报名")]
    with board(script((7, "[M29] 报名", posts))) as base:
        assert begin(tmp_path, base, 7, more=("--characters", str(tmp_path / "roles.csv"))).code == 0
    assert "'=1+1," in (tmp_path / "people.csv").read_text(encoding="utf-8")
    assert run("deal", str(tmp_path), "--people", str(tmp_path / "people.csv"), "--roles", "狼人=1", "--force").code == 0
    assert load_game(tmp_path, before_days=True).secrets.people == {"饺子": "=1+1"}


def test_what_was_seen_is_evidence_of_the_game(tmp_path: Path) -> None:
    with board(script(VOTES)) as base:
        begin(tmp_path, base, 1235, more=("--player", "包子=甲"))
    tally = json.loads(run("tally", str(tmp_path), "--day", "2", "--json").out)
    assert {row["voter"] for count in tally["counts"] for row in count["ballots"]} | {row["voter"] for row in tally["void"]} == {
        "包子",
        "乙",
    }


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text("# 我的\n", encoding="utf-8")
    with board(script(VOTES)) as base:
        ran = begin(tmp_path, base, 1235)
    assert (ran.code, "不覆盖" in ran.err) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["game.toml"]
    assert (tmp_path / "game.toml").read_text(encoding="utf-8") == "# 我的\n"


def test_a_rule_set_that_nothing_names_is_asked_for(tmp_path: Path) -> None:
    thread = (7, "周末一局 报名", SIGN_UP[2])
    with board(script(thread)) as base:
        ran = begin(tmp_path, base, 7)
        assert (ran.code, "--ruleset" in ran.err) == (2, True)
        assert not (tmp_path / "game.toml").exists()
        assert begin(tmp_path, base, 7, more=("--ruleset", "面杀")).code == 0
    assert load_game(tmp_path, before_days=True).ruleset.id == "table"


def test_what_vests_must_choose_is_asked_for(tmp_path: Path) -> None:
    thread = (7, "马甲杀 第一期 报名", SIGN_UP[2])
    with board(script(thread)) as base:
        ran = begin(tmp_path, base, 7)
        assert (ran.code, "--switch" in ran.err) == (2, True)
        more = ("--switch", "votes.publicity=G", "--switch", "wolves.channel=A")
        assert begin(tmp_path, base, 7, more=more).code == 0
    assert load_game(tmp_path, before_days=True).switches["votes.publicity"] == "G"


def test_all_that_must_be_chosen_is_named_at_once(tmp_path: Path) -> None:
    with board(script((7, "马甲杀 第一期 报名", SIGN_UP[2]))) as base:
        ran = begin(tmp_path, base, 7)
    assert (ran.code, ran.err.count("--switch ")) == (2, 2)
    assert "加 --switch votes.publicity=F --switch wolves.channel=A。" in ran.err


def test_a_close_that_no_rule_tells_is_asked_for(tmp_path: Path) -> None:
    thread = (1235, "秘密数字杀 第二天 投票帖", VOTES[2])
    with board(script(thread)) as base:
        ran = begin(tmp_path, base, 1235)
        assert (ran.code, "--closes 2=" in ran.err) == (2, True)
        assert begin(tmp_path, base, 1235, more=("--closes", "2=2018-06-05T22:00")).code == 0
    assert load_game(tmp_path).days[0].closes.isoformat() == "2018-06-05T22:00:00+08:00"


def test_a_game_is_taken_up_in_the_middle(tmp_path: Path) -> None:
    thread = (1238, "[M29] 小泡佩奇 第三天 投票帖", VOTES[2])
    facts = ("--sheriff", "包子", "--out", "丙:投票，丁:杀人", "--chanted", "乙", "--used", "女巫 救药")
    names = ("--player", "包子=甲", "--player", "丙", "--player", "丁")
    with board(script(thread)) as base:
        for missing in ("--out", "--sheriff", "--chanted", "--used"):
            place = facts.index(missing)
            ran = begin(tmp_path, base, 1238, more=("--from-day", "3", *names, *facts[:place], *facts[place + 2 :]))
            assert (ran.code, missing in ran.err) == (2, True)
        assert begin(tmp_path, base, 1238, more=("--from-day", "3", *names, *facts)).code == 0
    game = load_game(tmp_path)
    assert game.given["phase"] == "日3"
    assert game.given["out"] == [["丙", "投票"], ["丁", "杀人"]]
    assert (game.given["sheriff"], game.given["chanted"], game.given["used"]) == ("包子", ["乙"], ["女巫 救药"])
    day = game.days[0]
    assert (day.number, day.sheriff, [out.name for out in day.out], day.chanted) == (3, "包子", ["丙", "丁"], ("乙",))


def test_a_name_in_the_facts_that_nobody_bears_is_refused(tmp_path: Path) -> None:
    thread = (1238, "[M29] 小泡佩奇 第三天 投票帖", VOTES[2])
    facts = ("--sheriff", "包孑", "--out", "无", "--chanted", "无", "--used", "无")
    with board(script(thread)) as base:
        ran = begin(tmp_path, base, 1238, more=("--from-day", "3", *facts))
    assert (ran.code, "包孑" in ran.err, (tmp_path / "game.toml").exists()) == (2, True, False)


def test_a_board_of_another_zone_is_read_by_its_footer(tmp_path: Path) -> None:
    with board(script(VOTES, more='[board]\nzone = "Asia/Tokyo"\n')) as base:
        assert begin(tmp_path, base, 1235).code == 0
    game = load_game(tmp_path)
    # 09:30 in Tokyo is 08:30 in Shanghai.
    assert game.days[0].opens.isoformat() == "2018-06-03T08:30:00+08:00"
    assert game.forum.zone.key == "Etc/GMT-9"


def test_players_words_cannot_break_the_file_nor_the_terminal(tmp_path: Path) -> None:
    evil = 'a"]\\n[switches]\\u001b[31m'
    posts = [
        post("导演", "01T10:00", "报名"),
        f'author = "{chr(92)}"; x = {chr(92)}""\nat = 2018-06-01T10:05:00\ntext = "报名"\n',
    ]
    posts[1] = 'author = "坏\\"] # x"\nat = 2018-06-01T10:05:00\ntext = "报名"\n'
    with board(script((7, "[M29] 报名", posts))) as base:
        ran = begin(tmp_path, base, 7)
    assert ran.code == 0, ran.err
    assert [name for name, _ in players(load_game(tmp_path, before_days=True))] == ['坏"] # x']
    assert evil not in ran.out


def test_a_wall_is_no_empty_thread(tmp_path: Path) -> None:
    with board(script(VOTES)) as base:
        ran = begin(tmp_path, base, 999)
    assert ran.code == 4
    assert not (tmp_path / "game.toml").exists()


class Director:
    """Answers from a list, and remembers what it was asked."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.asked = list(answers), list[str]()

    def text(self, question: str, default: str = "", words: Sequence[str] = ()) -> str:
        self.asked.append(question)
        return self.answers.pop(0) or default

    def choose(self, question: str, choices: Sequence[str], default: str | None = None) -> str:
        answer = self.text(question, default or "")
        assert answer in choices
        return answer

    def confirm(self, question: str, default: bool = True) -> bool:
        return self.text(question) == "是"


def test_a_director_at_a_terminal_is_asked_what_is_open(tmp_path: Path) -> None:
    director = Director("M29", "试局", "", "是")
    with board(script(SIGN_UP)) as base, patch("engine.cli.asking.make_asker", lambda: director):
        ran = begin(tmp_path, base, 1200)
    assert ran.code == 0, ran.err
    assert director.asked == ["哪套规则", "这一局叫什么", "导演的账号（几个就用逗号隔开）", "丙 要玩吗"]
    game = load_game(tmp_path, before_days=True)
    assert (game.title, [name for name, _ in players(game)]) == ("试局", ["甲", "乙", "戊", "丙"])


@pytest.mark.parametrize(
    ("title", "day"),
    [
        ("第三天 投票", 3),
        ("第十二天", 12),
        ("第二十天", 20),
        ("D4投票", 4),
        ("Day 5", 5),
        ("日6", 6),
        ("第１天", 1),
        ("投票帖", None),
        ("M29", None),
    ],
)
def test_the_day_that_a_title_names(title: str, day: int | None) -> None:
    from engine.starting.threads import find_day

    assert find_day(title) == day


@pytest.mark.parametrize(
    ("dialect", "charset"), [("x34", "gbk"), ("x2", "utf-8"), ("v72", "gbk"), ("v60", "gbk"), ("x35", "big5")]
)
def test_boards_of_every_age_and_charset(tmp_path: Path, dialect: str, charset: str) -> None:
    more = f'[board]\ndialect = "{dialect}"\ncharset = "{charset}"\n[[account]]\nname = "甲"\nuid = 1001\n'
    votes = (1235, "[M29] 第2天 投票帖", VOTES[2])
    with board(script(votes, more=more)) as base:
        ran = run("init", f"{base}viewthread.php?tid=1235", "--dir", str(tmp_path), "--interval", "0", "--ruleset", "m29")
    assert ran.code == 0, ran.err
    game = load_game(tmp_path)
    assert players(game) == [("甲", 1001), ("乙", game.roster.seats[1].accounts[0].uid)]
    assert (game.days[0].number, f"{game.days[0].opens:%H:%M}") == (2, "09:30")
