"""A game of three days on the test board, from the sign-up thread to its winner, with the commands alone; nothing tells a secret.

Who is what is drawn, so the votes are written onto the board once the letters are out, as players would: the village finds a
wolf on each day, the wolves shoot the piper, and the witch poisons the second wolf.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

import pytest

from engine.game import load_game
from tests.board.script import Script, read_script
from tests.engine.command import Ran
from tests.engine.living import Living, living, post, vote

PLAYERS = ("饺子", "包子", "豆沙", "汤圆", "夜行猫", "夜行者", "小克", "青岚", "老王", "馒头", "花卷", "麻花")
PEOPLE = tuple(f"玩家{number:02d}号真名" for number in range(12))
SEED = "一个够长的种子，谁也猜不出来的那种"
THREADS = {1: 1232, 2: 1235, 3: 1238}
SIGN_UP = 1200
# Thursday 31 May 2018 and what M29's calendar makes of it: two natural days, one more where a weekend is touched.
OPENS = {1: "2018-05-31T09:30", 2: "2018-06-02T09:30", 3: "2018-06-05T09:30"}
CLOSES = {1: "2018-06-01T21:00", 2: "2018-06-04T21:00", 3: "2018-06-06T21:00"}


@dataclass(slots=True)
class Told:
    """What was written for everybody to read, and what for the director alone."""

    public: list[str] = field(default_factory=list)
    private: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Table:
    """The game, the board, and everything that the commands have said."""

    board: Living
    folder: Path
    posts: dict[int, list[str]]
    told: Told = field(default_factory=Told)

    def run(self, *words: str, public: bool = False, code: int = 0) -> Ran:
        """A command of the director's, which must end well."""

        def sleep(seconds: float) -> None:
            self.board.clock.now += timedelta(seconds=seconds)

        name, *arguments = words
        with patch("engine.cli.watching.sleep", sleep):
            ran = self.board.run_here(name, *arguments)
        assert ran.code == code, f"{words}: {ran.out}{ran.err}"
        (self.told.public if public else self.told.private).append(ran.out)
        self.told.public.append(ran.err)
        return ran

    def write(self, tid: int, *posts: str) -> None:
        """Posts that stand on the board from their own moment on."""
        self.posts.setdefault(tid, []).extend(posts)
        self.board.play(make_script(self.posts))

    @property
    def roles(self) -> dict[str, list[str]]:
        """Who is what, as the director reads it in secrets.toml: names by role."""
        found: dict[str, list[str]] = {}
        for name, role in load_game(self.folder, before_days=True).secrets.roles.items():
            found.setdefault(role, []).append(name)
        return found


def make_script(posts: dict[int, list[str]]) -> Script:
    blocks = []
    for tid, texts in posts.items():
        title = {SIGN_UP: "[M29] 小泡佩奇 报名帖", **{THREADS[day]: f"[M29] 小泡佩奇 第{day}天 投票帖" for day in THREADS}}[tid]
        blocks.append(f'[[thread]]\ntid = {tid}\ntitle = "{title}"\n')
        blocks += [f"[[post]]\ntid = {tid}\npid = {tid * 100 + place}\n{text}\n" for place, text in enumerate(texts)]
    return read_script("\n".join(blocks))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    opening = post("导演", "01T00:00", "十二人局，回帖报名。").replace("2018-06-01", "2018-05-28")
    joins = [
        post(name, "01T10:00", "报名").replace("2018-06-01T10:00", f"2018-05-28T10:{place:02d}")
        for place, name in enumerate(PLAYERS)
    ]
    posts = {SIGN_UP: [opening, *joins]}
    with ExitStack() as stack:
        board = stack.enter_context(living(tmp_path, make_script(posts), "01T00:00"))
        folder = tmp_path / "小泡佩奇"
        yield Table(board, folder, posts)


def at(table: Table, moment: str) -> None:
    table.board.set_to(moment)


def ballots(day: int, votes: dict[str, str]) -> list[str]:
    date = OPENS[day][:10]
    written = [vote(name, "01T10:00", target) for name, target in votes.items()]
    return [
        text.replace("2018-06-01T10:00", f"{date}T{10 + place // 60:02d}:{place % 60:02d}") for place, text in enumerate(written)
    ]


def test_a_game_of_three_days_with_the_commands_alone(table: Table) -> None:
    base, folder = table.board.served.base, str(table.folder)
    at(table, "2018-05-29T20:00")
    table.run("init", f"{base}forum.php?mod=viewthread&tid={SIGN_UP}", "--dir", folder, "--interval", "0", public=True)
    (table.folder / "people.csv").write_text("玩家\n" + "".join(f"{name}\n" for name in PEOPLE), encoding="utf-8")
    (table.folder / "accounts.csv").write_text(
        "账号,密码\n" + "".join(f"{name},pw-{place}-{name}\n" for place, name in enumerate(PLAYERS)), encoding="utf-8"
    )
    table.run("doctor", folder)
    people, accounts = str(table.folder / "people.csv"), str(table.folder / "accounts.csv")
    table.run("deal", folder, "--seed", SEED, "--people", people, "--accounts", accounts, public=True)
    table.run("elevator", folder, "--draw", public=True)
    roles = table.roles
    wolves, villagers = roles["狼人"], roles["村民"]
    (archer,), (piper,), (witch,), (seer,) = roles["丘比特"], roles["吹笛者"], roles["女巫"], roles["预言"]

    # 夜0: 双民变民, so that there is no third camp.
    at(table, "2018-05-30T20:10")
    table.run("night", folder, f"{archer} 金箭 {villagers[0]} {villagers[1]}", "--dawn")

    # 日1: everybody wants the third villager as sheriff.
    floors = open_day(table, 1)
    assert "在场：" in floors
    table.write(THREADS[1], *ballots(1, dict.fromkeys(PLAYERS, villagers[2])))
    assert f"[b]{villagers[2]}：12 票[/b]" in watch_day(table, 1)

    # 夜1: the wolves shoot the piper, the seer looks at a wolf, the witch sleeps.
    at(table, "2018-06-01T21:20")
    told = table.run(
        *("night", folder, f"{wolves[0]} 杀人 {piper}", f"{seer} 预言 {wolves[0]}", "收 替罪羊", "收 吹笛者", "收 狼人")
    ).out
    assert f"转告 {witch}：通灵：今晚被杀人的是 {piper}" in told
    at(table, "2018-06-01T22:30")
    table.run("night", folder, "--time-up", "过时的", "--dawn")

    # 日2: the first wolf goes; the sheriff's ballot counts twice, one abstains, one does not vote.
    floors = open_day(table, 2)
    assert f"出局：{piper}\n" in floors
    assert f"当日警长：{villagers[2]}\n" in floors
    living_ones = [name for name in PLAYERS if name != piper]
    votes = {name: wolves[0] for name in living_ones if name not in (wolves[0], wolves[1])}
    table.write(THREADS[2], *ballots(2, {**votes, wolves[0]: "弃权"}))
    published = watch_day(table, 2)
    assert f"[b]{wolves[0]}：{len(votes) + 1} 票[/b]" in published
    assert f"投票出局：{wolves[0]}" in published

    # 夜2: the witch poisons the second wolf.
    at(table, "2018-06-04T21:20")
    table.run("night", folder, f"{witch} 毒药 {wolves[1]}", "--dawn")
    open_day(table, 3)

    # 日3: the last wolf goes, and the village has won.
    left = [name for name in living_ones if name not in wolves[:2]]
    table.write(THREADS[3], *ballots(3, {name: wolves[2] if name != wolves[2] else "弃权" for name in left}))
    secret_before_the_end(table, published={piper, *wolves[:2]})
    table.run("tally", folder, "--day", "2", "--bbcode", public=True)
    table.run("tally", folder, "--day", "2", "--public", "--json", public=True)
    table.run("status", folder, "--public", public=True)
    secret_before_the_end(table, published={piper, *wolves[:2]})
    watch_day(table, 3)
    value = json.loads(table.run("status", folder, "--json").out)
    assert value["winner"] == ["村民阵营"]
    assert value["out"] == [[piper, "杀人"], [wolves[0], "投票"], [wolves[1], "毒药"], [wolves[2], "投票"]]
    assert value["findings"] == []


def open_day(table: Table, day: int) -> str:
    """Open a day at its hour, and the floors to paste; the calendar must say the hours."""
    at(table, OPENS[day])
    table.write(THREADS[day], post("导演", "01T10:00", "开门，投票格式见规则帖。").replace("2018-06-01T10:00", OPENS[day]))
    hours = ("--opens", OPENS[day]) if day == 1 else ()
    link = f"{table.board.served.base}forum.php?mod=viewthread&tid={THREADS[day]}"
    ran = table.run("day", str(table.folder), str(day), "--vote", link, *hours, public=True)
    opened = load_game(table.folder).days[day - 1]
    assert f"{opened.opens:%Y-%m-%dT%H:%M}" == OPENS[day]
    assert f"{opened.closes:%Y-%m-%dT%H:%M}" == CLOSES[day]
    assert "———— 二楼 ————" in ran.out
    return ran.out


def watch_day(table: Table, day: int) -> str:
    """Watch a day to its end, and close its vote in the ledger; what is to be published."""
    if day > 1:
        # Of the first day every half hour is watched; of the others the last hours are enough.
        at(table, CLOSES[day].replace("T21:00", "T19:30"))
    ran = table.run("watch", str(table.folder), "--day", str(day))
    published = ran.out.split("———— 可以发的帖子 ————\n")[1]
    table.told.public.append(published)
    table.run("do", str(table.folder), f"日{day} 导演 截票")
    return published


def secret_before_the_end(table: Table, published: set[str]) -> None:
    """No public output, nor the game file, holds the seed, a password or a person, or says of anybody what he is."""
    secrets = load_game(table.folder).secrets
    public = "\n".join([*table.told.public, (table.folder / "game.toml").read_text(encoding="utf-8")])
    for word in (secrets.seed, *secrets.passwords.values(), *secrets.people.values()):
        assert word not in public
    for line in public.splitlines():
        for name, role in secrets.roles.items():
            said = re.search(rf"{role}|阵营|情侣", line)
            assert not (name in line and said and name not in published), line
    private = "\n".join(table.told.private)
    assert not [word for word in (secrets.seed, *secrets.passwords.values(), *secrets.people.values()) if word in private]
