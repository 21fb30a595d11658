"""In English nothing is Chinese but what the rules call a thing, what users wrote, and what is meant for the board."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
import tomlkit

from engine.game import load_game
from tests.engine.command import Ran, run
from tests.engine.english import ROOT, find_chinese, name_seats, read_demo, read_posts, read_rules
from tests.engine.test_examples import NAMES, at_a_place, begin_announcements, run_line

FIXTURES = ROOT / "fixtures"
# One or more of each system, with what speaks most: doors and speed-ups, sounds, cards, points, several votes.
CASES = ("vest/all_agree_to_a_shorter_day", "assertion/a_tied_bite", "m29/sounds_edits")
SCENARIOS = ("ms_thief", "F01", "dy_prayer")
# A message in what `do` and `night` print, and whom it goes to: `  羊: 你是警长`, `+ public: 出局：包子`.
MESSAGE = re.compile(r"(?:  |[+-] )(?:tell |publish)?(?!waits for|line )[^ ]*: ")
# Lines that no rules obey: what is wrong with each is told.
WRONG = (
    *("日2 谁 投票 饺子", "夜1 狼甲", "天亮", "夜9 导演 天亮", "日1 导演 裁定 饺", "夜1 女巫 毒药", "夜1 导演 收 饺子"),
    *("日1 导演 红牌 无名", "撤销 #99", "撤销 #1", "补 夜1 女巫 救药 1", "日1 导演 裁定 事实", "日1 导演 裁定 结果 出局 无名"),
    *("日1 警长 殉职 甲", "夜1 导演 超时 无名", "日1 导演 代投 甲 乙", "日1 导演 场外助理 甲 助理=乙", "日1 导演 扣分 甲 x"),
    *("日1 导演 遗言 甲 乙", "日1 导演 替补 无名", "日1 导演 加速 @晚上", "夜1 导演 裁定 决定 感染 狼"),
)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANSHA_LANG", "en")
    # A table so wide that no sentence in it is broken.
    monkeypatch.setattr("engine.report.terminal._WIDTH", 2000)


def written_of(folder: Path, database: Path) -> str:
    """What users wrote of a case: its files, and its posts."""
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in (".toml", ".txt", ".csv")]
    return "\n".join((read_rules(), read_posts(database), *(path.read_text(encoding="utf-8-sig") for path in files)))


@pytest.mark.parametrize("case", CASES)
def test_every_case_speaks_english(case: str, tmp_path: Path) -> None:
    folder, database = FIXTURES / case, tmp_path / "game.db"
    lines: list[tuple[str, Ran]] = [("replay", run("replay", str(folder), "--db", str(database)))]
    game, where = load_game(folder), (str(folder), "--db", str(database))
    for day in (str(day.number) for day in game.days[-1:]):
        lines += [(f"{command} --day {day}", run(command, *where, "--day", day)) for command in ("tally", "check", "cards")]
        lines.append((f"explain --day {day}", run("explain", str(folder), game.roster.seats[0].name, *where[1:], "--day", day)))
    lines += [(command, run(command, *where)) for command in ("status", "ledger")]
    written = written_of(folder, database)
    assert [word for line, ran in lines for word in find_chinese(line, ran, written, name_seats(folder) | {"版主"})] == []


def lay_out(name: str, folder: Path) -> Iterator[str]:
    """A scenario as a director's game; yields the lines of its ledger."""
    scenario = tomllib.loads((FIXTURES / "scenarios" / f"{name}.toml").read_text(encoding="utf-8"))
    players = scenario["player"]
    game = {"game": {"title": "T", "ruleset": scenario["ruleset"]}, "player": [{"name": one["name"]} for one in players]}
    game |= {key: scenario[key] for key in ("switches", "given") if scenario.get(key)}
    (folder / "game.toml").write_text(tomlkit.dumps(game), encoding="utf-8")
    secrets = [{key: one[key] for key in ("name", "role", "number", "vest") if key in one} for one in players]
    (folder / "secrets.toml").write_text(tomlkit.dumps({"seed": "0123456789abcdef", "player": secrets}), encoding="utf-8")
    (folder / "secrets.toml").chmod(0o600)
    yield from (line for line in scenario.get("ledger", "").splitlines() if line.strip())


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_line_of_a_game_is_told_in_english(name: str, tmp_path: Path) -> None:
    """What `do` says besides the messages that it brings, which are passed on to players in Chinese."""
    assert list(play(lay_out(name, tmp_path), tmp_path, ("status", "ledger", "night"))) == []


def test_what_is_wrong_with_a_line_is_told_in_english(tmp_path: Path) -> None:
    (next(lay_out("S09", tmp_path)))
    assert list(play(WRONG, tmp_path)) == []


def test_a_replay_that_differs_is_told_in_english(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(FIXTURES / "m29/three_days", tmp_path / "case"))
    path = folder / "expected.toml"
    changed = (
        path.read_text(encoding="utf-8").replace('decision = "exile"', 'decision = "nobody"').replace("no_reason", "malformed")
    )
    path.write_text(changed, encoding="utf-8")
    ran = run("replay", str(folder))
    assert ran.code == 1
    differences = ran.out[ran.out.rindex("not ballots") :]
    assert "day 3 · void" in differences
    assert "counted for" in differences
    posts, names = read_demo()
    assert [*find_chinese("replay", Ran(1, differences, ran.err), f"{posts}\n{read_rules()}", names)] == []


def test_why_an_announcement_or_an_assistant_has_to_wait_is_told_in_english(tmp_path: Path) -> None:
    """The texts themselves are Chinese, and stand on standard output."""
    with at_a_place(tmp_path) as place:
        begin_announcements(place)
        ledger = place.folder / "mygame" / "ledger.txt"
        ledger.write_text(ledger.read_text(encoding="utf-8").replace("日2 导演 截票\n", ""), encoding="utf-8")
        with ledger.open("a", encoding="utf-8") as file:
            file.write("日2 导演 场外助理 饺子 助理=小白\n")
        line = "announce mygame --moment close --day 2"
        waits = run_line(place, line)
        assert "not final" in waits.err
        helped = run_line(place, "assistants mygame")
        assert "how many games is not known" in helped.out
        names = frozenset({*NAMES, "小白", "试局"})
        assert [*find_chinese(line, waits, "", names), *find_chinese("assistants mygame", helped, "", names)] == []


def play(lines: Iterable[str], folder: Path, commands: Sequence[str] = ()) -> Iterator[str]:
    """Enter lines; yields what is Chinese of all that is printed, the lines' own words aside."""
    typed = [*lines]
    names = frozenset(word for line in typed for word in re.split(r"[\s=|:]+", line)) | name_seats(folder)
    for line in typed:
        ran = run("do", str(folder), line, "--yes")
        assert ran.code in (0, 1, 2), ran.err
        yield from find_chinese(f"do {line}", strip_messages(ran), read_rules(), names)
    for command in commands:
        yield from find_chinese(command, strip_messages(run(command, str(folder))), read_rules(), names)


def strip_messages(ran: Ran) -> Ran:
    """The output without messages: those after the name of whom they go to."""
    return Ran(ran.code, "\n".join(line for line in ran.out.splitlines() if not MESSAGE.match(line)), ran.err)
