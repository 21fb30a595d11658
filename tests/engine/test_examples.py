"""Every example in docs/cli.md runs as it stands there, section by section, with the test board in place of bbs.example.net."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest

from engine.cli.app import app
from scraper.pace import Surroundings
from tests.board.members import Members
from tests.board.script import Script, read_script
from tests.board.server import Board, serve
from tests.engine.command import Ran, run
from tests.engine.english import find_chinese, read_demo, read_rules
from tests.engine.living import Clock, post, vote

DOCS = Path(__file__).parents[2] / "docs" / "cli.md"
BOARD = "https://bbs.example.net/"
NAMES = ("饺子", "包子", "豆沙", "汤圆", "狼甲", "狼乙", "狼丙", "巫", "预", "羊", "笛", "丘")
ROLES = ("村民", "村民", "村民", "村民", "狼人", "狼人", "狼人", "女巫", "预言", "替罪羊", "吹笛者", "丘比特")
# The account that the examples log in with, and what stands in the environment while they run.
DIRECTOR = "导演"
TYPED = {"BANSHA_PASSWORD": "导演的密码", "BANSHA_PASSPHRASE": "一句很长很长的口令"}
# Lines that are right to end with something for the director: 1.
OPEN = ("rollcall", "cards", "check")
# Commands that may tell what they did on standard error alone.
TELLS = ("login", "merge")


def read_examples() -> dict[str, list[str]]:
    """The lines of each section, without their remarks."""
    found: dict[str, list[str]] = {}
    for section in re.split(r"^## ", DOCS.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        lines = re.findall(r"^\$ bansha (.+?)(?:\s{2,}#.*)?$", section, re.MULTILINE)
        if lines:
            found[section.split("\n", 1)[0]] = lines
    return found


@dataclass(frozen=True, slots=True)
class Place:
    """A folder in which examples are typed, a board, and its clock."""

    folder: Path
    base: str
    clock: Clock

    def write_game(self, ruleset: str, days: str = "", dealt: bool = False, ledger: str = "") -> None:
        mygame = self.folder / "mygame"
        mygame.mkdir()
        players = "".join(f'[[player]]\nname = "{name}"\n' for name in NAMES)
        head = (
            f'[game]\ntitle = "试局"\nruleset = "{ruleset}"\ndirectors = ["导演"]\n[forum]\nurl = "{self.base}"\ninterval = 0.0\n'
        )
        (mygame / "game.toml").write_text(f"{head}{players}{days}", encoding="utf-8")
        if dealt:
            rows = "".join(f'[[player]]\nname = "{name}"\nrole = "{role}"\n' for name, role in zip(NAMES, ROLES, strict=True))
            (mygame / "secrets.toml").write_text(f'seed = "s"\n{rows}', encoding="utf-8")
            (mygame / "secrets.toml").chmod(0o600)
        if ledger:
            (mygame / "ledger.txt").write_text(ledger, encoding="utf-8")

    def set(self, moment: str) -> None:
        self.clock.now = datetime.fromisoformat(f"{moment}:00+08:00").astimezone(UTC)


def day(number: int, opens: str, closes: str, tid: int) -> str:
    return f"[[day]]\nnumber = {number}\nopens = 2018-{opens}:00\ncloses = 2018-{closes}:00\nvote = {tid}\n"


def begin_nothing(place: Place) -> None:
    place.set("2018-06-07T12:00")


def begin_deal(place: Place) -> None:
    place.write_game("secret-number")
    people = "".join(f"人{number},{10000 + number}\n" for number in range(12))
    (place.folder / "people.csv").write_text(f"玩家,QQ\n{people}", encoding="utf-8")
    accounts = "".join(f"{name},pw{number}\n" for number, name in enumerate(NAMES))
    (place.folder / "accounts.csv").write_text(f"账号,密码\n{accounts}", encoding="utf-8")


def begin_days(place: Place) -> None:
    place.write_game("m29", day(1, "05-31T09:30", "06-02T21:00", 1232), dealt=True)


def begin_looks(place: Place) -> None:
    place.write_game("m29", day(2, "06-03T09:30", "06-05T21:00", 1235))
    place.set("2018-06-06T12:00")


def begin_watch(place: Place) -> None:
    days = day(2, "06-03T09:30", "06-05T21:00", 1235) + day(3, "06-06T09:30", "06-06T12:00", 1238)
    place.write_game("m29", days.replace("vote", 'sheriff = ""\nvote'))
    place.set("2018-06-05T20:00")


def begin_night(place: Place) -> None:
    ledger = "夜0 丘 金箭 包子 豆沙\n日1 饺子 投票 羊\n日1 导演 截票\n"
    place.write_game("m29", day(1, "05-31T09:30", "06-02T21:00", 1232), dealt=True, ledger=ledger)
    place.set("2018-06-02T22:30")


def begin_announcements(place: Place) -> None:
    """Two days of a game whose second vote was just closed."""
    ledger = "夜0 丘 金箭 包子 豆沙\n日1 饺子 投票 羊\n日1 导演 截票\n夜1 导演 天亮\n日2 导演 截票\n"
    days = day(1, "05-31T09:30", "06-02T21:00", 1232) + day(2, "06-03T09:30", "06-05T21:00", 1235)
    place.write_game("m29", days, dealt=True, ledger=ledger)
    place.set("2018-06-06T12:00")
    assert run_line(place, "fetch mygame --day 2").code == 0


def begin_end(place: Place) -> None:
    """The same game, which 村民阵营 has won; its second vote is the thread of an award too."""
    begin_announcements(place)
    with (place.folder / "mygame" / "ledger.txt").open("a", encoding="utf-8") as file:
        file.write("夜2 导演 裁定 事实 获胜 村民阵营\n")


def begin_posting(place: Place) -> None:
    """A day whose vote is over and was read, on a board with an account for the director."""
    days = day(2, "06-03T09:30", "06-05T21:00", 1235) + 'discussion = 1234\nsheriff = ""\naccelerated = false\n'
    place.write_game("m29", days)
    (place.folder / "notice.txt").write_text("明天晚上八点截票", encoding="utf-8")
    place.set("2018-06-06T12:00")
    assert run_line(place, "fetch mygame --day 2").code == 0


SECTIONS: dict[str, Callable[[Place], None]] = {
    "Examples": begin_nothing,
    "The beginning": begin_nothing,
    "The deal": begin_deal,
    "A day": begin_days,
    "Looking at a board": begin_looks,
    "A pair of directors": begin_announcements,
    "Posting": begin_posting,
    "Watching a day": begin_watch,
    "A night": begin_night,
    "Announcements": begin_announcements,
    "The end": begin_end,
}


def script() -> str:
    """Threads of every kind, in which all twelve sign up, report, and vote."""
    joins = "\n".join(
        f"[[post]]\ntid = 1200\npid = {pid}\n{post(name, '01T10:00', '报名')}" for pid, name in enumerate(NAMES, 1200001)
    )
    reports = f"[[post]]\ntid = 1201\npid = 1201001\n{post('饺子', '02T10:00', '报到')}"
    votes = [
        f"[[post]]\ntid = {tid}\npid = {tid * 1000 + place}\n{vote(name, f'{date}T10:{place:02d}', '狼甲')}"
        for tid, date in ((1235, "03"), (1238, "06"))
        for place, name in enumerate(NAMES, 1)
    ]
    firsts = "\n".join(
        f"[[post]]\ntid = {tid}\npid = {tid * 1000}\n{post('导演', moment, '开')}"
        for tid, moment in ((1200, "01T09:00"), (1201, "02T09:00"), (1234, "03T09:30"), (1235, "03T09:30"), (1238, "06T09:30"))
    )
    titles = {1200: "报名帖", 1201: "报到帖", 1234: "第二天 讨论帖", 1235: "第二天 投票帖", 1238: "第三天 投票帖"}
    threads = "".join(f'[[thread]]\ntid = {tid}\ntitle = "[M29] 小泡佩奇 {title}"\n' for tid, title in titles.items())
    return "\n".join((threads, firsts, joins, reports, *votes))


@contextmanager
def at_a_place(folder: Path, played: Script | None = None) -> Iterator[Place]:
    start = datetime(2018, 6, 2, 4, tzinfo=UTC)
    before = Path.cwd()
    with serve(Board(played or read_script(script()), start)) as served:
        clock = Clock(start, served.board)
        served.board.faults = (Members(served.board, {DIRECTOR: TYPED["BANSHA_PASSWORD"]}),)
        os.chdir(folder)
        try:
            yield Place(folder, served.base, clock)
        finally:
            os.chdir(before)


def run_line(place: Place, line: str) -> Ran:
    """One example, as a shell would run it."""
    words = [word.replace(BOARD, place.base) for word in shlex.split(line)]
    if words[0] == "init":
        shutil.rmtree(place.folder / "mygame", ignore_errors=True)
        words += ["--interval", "0"]

    def sleep(seconds: float) -> None:
        place.clock.now += timedelta(seconds=seconds)

    world = Surroundings(now=place.clock, sleep=lambda seconds: None)
    with (
        patch("scraper.pace.utc_now", place.clock),
        patch("scraper.client.Surroundings", lambda: world),
        patch("engine.cli.watching.sleep", sleep),
        patch.dict(os.environ, TYPED),
    ):
        return run(*words)


@pytest.mark.parametrize("section", SECTIONS)
def test_the_examples_of_a_section_run_and_speak_english(section: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """English shows most: whatever of the program is Chinese there stands out. Other tests run the commands in Chinese."""
    monkeypatch.setenv("BANSHA_LANG", "en")
    # A table so wide that no sentence in it is broken.
    monkeypatch.setattr("engine.report.terminal._WIDTH", 2000)
    posts, players = read_demo()
    names, left = players | {*NAMES, DIRECTOR, "试局", "小泡佩奇", "老玉"}, []
    with at_a_place(tmp_path) as place:
        SECTIONS[section](place)
        for line in read_examples()[section]:
            ran = run_line(place, line)
            left += list(find_chinese(line, ran, "\n".join((posts, script(), read_rules(), line)), names))
            allowed = (0, 1) if line.split()[0] in OPEN else (0,)
            assert ran.code in allowed, f"{line}: {ran.code}\n{ran.out}{ran.err}"
            aside = line.split()[0] in TELLS or "--yes" in line.split()
            assert ran.out or (aside and ran.err) or "-o" in line.split(), line
    assert left == []


def test_every_command_has_an_example_that_is_run() -> None:
    examples = [line.split()[0] for section, lines in read_examples().items() if section in SECTIONS for line in lines]
    names = {command.callback.__name__ for command in app.registered_commands if command.callback is not None}
    assert names - {*examples} == set()
