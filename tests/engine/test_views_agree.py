"""The table, the JSON, the CSV, the BBCode and the rows in SQLite are views of one value: on every recorded case they agree.

Each is read back from what was written, by its own little reader; nothing of the program's reports is used to read.
"""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sqlite3
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from engine.game import load_game
from engine.replay import replay_case
from engine.report import words as report_words
from tally.ballot import CURSE, Reason
from tally.policy import Publicity, TargetKind
from tally.words import REASONS
from tests.engine.command import run

FIXTURES = Path(__file__).parents[2] / "fixtures"
CASES = sorted(
    path.parent
    for path in FIXTURES.glob("*/*/expected.toml")
    if "[[verdict]]" in path.read_text(encoding="utf-8") and (path.parent / "polls").is_dir()
)
# The vocabulary is shared; how it is laid out is read back here.
DECISIONS = {decision.value: words[0] for decision, words in report_words.DECISIONS.items()}
WORDS = {reason.value: words[0] for reason, words in REASONS.items()}


@dataclass(frozen=True)
class View:
    """What a view says: standing votes with their counts, and where every other ballot is, all without order."""

    counts: dict[str, int]
    standing: Counter[tuple[str, str]]
    abstained: Counter[str]
    void: Counter[tuple[str, str]]
    replaced: Counter[str]
    not_voted: Counter[str]
    verdict: tuple[str, str]
    final: bool
    digest: str


def seats_of(value: dict[str, Any]) -> str:
    return "、".join(value["seats"]) or value.get("role", "")


def read_json(value: dict[str, Any]) -> View:
    return View(
        counts={count["target"]: count["votes"] for count in value["counts"]},
        standing=Counter((count["target"], ballot["voter"]) for count in value["counts"] for ballot in count["ballots"]),
        abstained=Counter(ballot["voter"] for ballot in value["abstained"]),
        void=Counter((ballot["voter"], WORDS[ballot["reason"]]) for ballot in value["void"]),
        replaced=Counter(ballot["voter"] for ballot in value["replaced"]),
        not_voted=Counter(value["not_voted"]),
        verdict=(DECISIONS[value["verdict"]["decision"]], seats_of(value["verdict"])),
        final=value["final"],
        digest=value["digest"],
    )


def plain(cell: str) -> str:
    """A cell of the CSV without the apostrophe that keeps it from running."""
    return cell[1:] if cell.startswith("'") else cell


def read_csv(data: bytes, poll: str) -> View:
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))

    def of(kind: str) -> list[dict[str, str]]:
        chosen = [row for row in rows if row["类别"] == kind and row["轮次"] == poll]
        return [{key: plain(cell) for key, cell in row.items()} for row in chosen]

    [verdict], [state], [digest] = of("判定"), of("状态"), of("摘要")
    return View(
        counts={row["投票对象"]: int(row["票数"]) for row in of("票数")},
        standing=Counter((row["投票对象"], row["投票人"]) for row in of("有效")),
        abstained=Counter(row["投票人"] for row in of("弃权")),
        void=Counter((row["投票人"], row["原因"]) for row in of("无效")),
        replaced=Counter(row["投票人"] for row in of("已改票")),
        not_voted=Counter(row["投票人"] for row in of("未投票")),
        verdict=(verdict["原因"], verdict["投票对象"]),
        final=state["原因"] == "最终结果",
        digest=digest["说明"],
    )


def voters_in(text: str, seats: list[str]) -> Counter[str]:
    """The seats that open the entries of a list such as 饺子 8#、豆沙 11#（改）."""
    longest = sorted(seats, key=len, reverse=True)
    opened = ("|".join(re.escape(seat) for seat in longest)) or "(?!)"
    return Counter(found[1] for found in re.finditer(rf"(?:^|、)({opened})(?= |、|$)", text))


def read_bbcode(text: str, seats: list[str]) -> View:
    """What the post says; pairs of codes that hold nothing only part what a board would read together."""
    bare = text.replace("[b][/b]", "")
    counts = re.findall(r"^\[b\](.+)：(\d+) 票\[/b\]（(.*)）$", bare, re.M)

    def listed(label: str) -> Counter[str]:
        found = re.search(rf"^{label}：(.+)$", bare, re.M)
        return voters_in(found[1], seats) if found else Counter()

    void: Counter[tuple[str, str]] = Counter()
    for line in re.findall(r"^无效：(.+)$", bare, re.M):
        [voter] = voters_in(line, seats)
        reason = line.rpartition("」")[2]
        void[voter, reason] += 1
    [verdict] = re.findall(r"^\[b\]判定：(.+?)(?:（暂定，不是最终结果）)?\[/b\]$", bare, re.M)
    decision, _, named = verdict.partition("：")
    digests = re.findall(r"^摘要：(.+)$", bare, re.M)
    return View(
        counts={target: int(votes) for target, votes, _ in counts},
        standing=Counter((target, voter) for target, _, voters in counts for voter in voters_in(voters, seats).elements()),
        abstained=listed("弃权"),
        void=void,
        replaced=listed("已改票"),
        not_voted=listed("未投票"),
        verdict=(decision, named),
        final="暂定" not in bare,
        digest="".join(digests),
    )


def read_table(text: str, seats: list[str]) -> View:
    """What the terminal shows, its wrapped lines put together again."""
    counts: dict[str, int] = {}
    voters: dict[str, str] = {}
    void: list[list[str]] = []
    lists: dict[str, str] = {}
    current, label, inside_void = "", "", False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("│").split("│")] if line.lstrip().startswith("│") else []
        if line.startswith("无效"):
            inside_void = True
        elif len(cells) == 3:
            current = cells[0] or current
            if cells[0] and cells[0] != "—":
                counts[current] = int(cells[1])
            voters[current] = voters.get(current, "") + cells[2]
        elif len(cells) == 5:
            if cells[1]:
                void.append(cells)
            else:
                void[-1] = [one + more for one, more in zip(void[-1], cells, strict=True)]
        elif not cells and (found := re.match(r"(\S+) +(.*\S)", line)) and not line.startswith(("┃", "┏", "┡", "└")):
            label, inside_void = found[1], False
            lists.setdefault(label, found[2])
        elif line.startswith(" ") and label:
            lists[label] += line.strip()
    assert not inside_void or void
    [verdict] = re.findall(r"^判定 +(.+?) *$", text, re.M)
    final = "\n最终结果\n" in text
    assert verdict.endswith("（暂定）") is not final
    decision, _, named = verdict.removesuffix("（暂定）").partition("：")
    [digest] = re.findall(r"^摘要 +(sha256:\w+)", text, re.M)
    return View(
        counts=counts,
        standing=Counter((target, voter) for target in counts for voter in voters_in(voters[target], seats).elements()),
        abstained=voters_in(lists.get("弃权", ""), seats),
        void=Counter((row[0], row[3]) for row in void),
        replaced=voters_in(lists.get("已改票", ""), seats),
        not_voted=voters_in(lists.get("未投票", ""), seats),
        verdict=(decision, named.strip()),
        final=final,
        digest=digest,
    )


def read_rows(database: Path, day: int) -> tuple[Counter[Any], ...]:
    """What SQLite holds of a day's ballots and tallies; it keeps no verdict, nor who did not vote."""
    connection = sqlite3.connect(database)
    ballots = connection.execute("SELECT voter, target, standing, reason FROM ballots WHERE day = ?", (day,)).fetchall()
    tallies = connection.execute("SELECT target, votes, voters, digest FROM tallies WHERE day = ?", (day,)).fetchall()
    connection.close()
    assert Counter((target, voter) for target, _, names, _ in tallies for voter in json.loads(names)) == Counter(
        (target, voter) for voter, target, standing, _ in ballots if standing and target is not None
    )
    return (
        Counter((target, votes, digest) for target, votes, _, digest in tallies),
        Counter((target, voter) for voter, target, standing, _ in ballots if standing and target is not None),
        Counter(voter for voter, target, standing, _ in ballots if standing and target is None),
        Counter((voter, WORDS[reason]) for voter, _, _, reason in ballots if reason not in (None, Reason.REPLACED)),
        Counter(voter for voter, _, _, reason in ballots if reason == Reason.REPLACED),
    )


def rows_of(views: list[View]) -> tuple[Counter[Any], ...]:
    """The same of all votes of a day."""
    return (
        Counter((target, votes, view.digest) for view in views for target, votes in view.counts.items()),
        sum((view.standing for view in views), Counter()),
        sum((view.abstained for view in views), Counter()),
        sum((view.void for view in views), Counter()),
        sum((view.replaced for view in views), Counter()),
    )


# Every second case of each system with the slow searches.
SOME = [pytest.param(case, marks=[pytest.mark.slow] if place % 2 else []) for place, case in enumerate(CASES)]


@pytest.fixture(scope="module", params=SOME, ids=lambda path: path.name)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case in a folder of its own, with its database."""
    folder = Path(shutil.copytree(request.param, tmp_path_factory.mktemp("views") / "game"))
    replay_case(folder, folder / "game.db")
    return folder


def test_table_json_csv_bbcode_and_rows_agree(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANSHA_LANG", "zh")
    # Wide enough that nothing is wrapped.
    monkeypatch.setattr("engine.report.terminal._WIDTH", 3000)
    game = load_game(played)
    names = [seat.name for seat in game.roster.seats] + [CURSE]
    for day in game.days:
        number = ("--day", str(day.number))
        printed = json.loads(run("tally", str(played), *number, "--json").out)
        values = printed if isinstance(printed, list) else [printed]
        views = [read_json(value) for value in values]
        sheet = played / f"{day.number}.csv"
        run("tally", str(played), *number, "--csv", "-o", str(sheet))
        assert [read_csv(sheet.read_bytes(), value.get("poll", "")) for value in values] == views
        tables = re.split(rf"^(?={re.escape(game.title)} · )", run("tally", str(played), *number).out, flags=re.M)[1:]
        assert [read_table(table, names) for table in tables] == views
        assert read_rows(played / "game.db", day.number) == rows_of(views)
        posts = re.split(r"^(?=\[b\].* · 截至 )", run("tally", str(played), *number, "--bbcode").out, flags=re.M)[1:]
        if game.policy.publicity is Publicity.LIVE:
            public = [
                published(view, value, hides_weights=game.policy.target is TargetKind.VEST)
                for view, value in zip(views, values, strict=True)
            ]
            assert [read_bbcode(post, names) for post in posts] == public
            assert_the_public_forms_agree(played, number, public)
        else:
            assert len(posts) == len(views)
            for post, view in zip(posts, views, strict=True):
                assert_nothing_but_the_verdict(post, view)


def published(view: View, value: dict[str, Any], *, hides_weights: bool) -> View:
    """What a post may tell of a view: not that ballots are void because they must agree, which would say who the sisters are.

    Where the sheriff is a vest, no ballot may tell by its weight whose vest that is, and a digest of it would.
    """
    void = Counter((voter, WORDS["ruled_void"] if why == WORDS["must_agree"] else why) for voter, why in view.void.elements())
    weights = {one["target"]: [ballot["weight"] for ballot in one["ballots"]] for one in value["counts"]}
    if not hides_weights or value["verdict"]["decision"] == "sheriff":
        return replace(view, void=void)
    counts = {target: len(each) for target, each in weights.items()}
    return replace(view, void=void, counts=counts, digest="")


def assert_the_public_forms_agree(played: Path, number: tuple[str, str], public: list[View]) -> None:
    """`--public` makes the JSON and the CSV say what the post says; their digest is their own."""
    printed = json.loads(run("tally", str(played), *number, "--public", "--json").out)
    values = printed if isinstance(printed, list) else [printed]
    assert [replace(read_json(value), digest="") for value in values] == [replace(view, digest="") for view in public]
    assert all(value["findings"] == [] and value["public"] == "all" for value in values)
    sheet = played / f"public{number[1]}.csv"
    run("tally", str(played), *number, "--public", "--csv", "-o", str(sheet))
    views = [read_csv(sheet.read_bytes(), value.get("poll", "")) for value in values]
    assert views == [read_json(value) for value in values]


def assert_nothing_but_the_verdict(post: str, view: View) -> None:
    """投票过程在比赛/游戏结束前不予公布: a post says whom the vote hits, once that is final, and of the votes nothing."""
    bare = post.replace("[b][/b]", "")
    decision, named = view.verdict
    shown = f"[b]判定：{decision}{f'：{named}' if named else ''}[/b]"
    assert (shown in bare) == view.final
    assert ("暂定，不是最终结果" in bare) != view.final
    lines = [line for line in bare.splitlines() if line.strip() and not line.startswith(("[b]", "[color=red]", "经过", "黄牌"))]
    assert lines == []
    assert view.digest not in bare
