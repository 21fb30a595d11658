"""The recorded cases about sounds agree with themselves, and each needs the rule that it is about.

What a case's author expects is held against its script without the program; then a rule is taken away, and exactly the cases
that are about it must fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.counting import open_archive, read_events
from engine.expected import Expected
from engine.game import Game
from engine.ledger import Event
from engine.replay import replay_case
from engine.sounds.check import SpeechCheck, check_game, list_threads
from engine.sounds.expected import compare_sounds
from scraper.archive import Archive
from scraper.post import Flaw, History
from tally.finding import Severity
from tally.sounds.code import Measures
from tally.sounds.sets import Punctuation
from tests.engine.recorded_cases import ROOT, SOUND_CASES, Case

SEEDS = ROOT.parent / "shared" / "seeds"
RULE_POSTS = {"secret-number": "000", "vest": "001", "m29": "004"}
# As the rule posts print them.
SOUNDS = {
    "secret-number": set("喵汪吱嘎哞咩喳嘤啾叽唧咯咕嘶呱吼嗷呜哒咪哼啊哈呲噜"),
    "vest": set("啊嗷嘎咕呱哼咴叽啾喵咩哞喔汪喳吱"),
    "m29": set("哼唧平胸小老奶姨泡炮嘶"),
}
CODES = {"C101", "C102", "C103", "C104", "C105", "C106", "C107", "C108", "C110", "C203"}


# -- each case by itself


@pytest.fixture(scope="module", params=SOUND_CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return Case(SOUND_CASES[request.param])


def rows(case: Case) -> list[dict[str, Any]]:
    return list(case.expected["sound"])


def texts(case: Case, pid: int) -> list[str]:
    """What a post ever said, and the remarks under it."""
    [post] = [post for post in case.script["post"] if post["pid"] == pid]
    return [post.get("text", post.get("html", "")), *(edit["text"] for edit in post.get("edits", []))]


def chanted(case: Case, day: int) -> set[str]:
    return {seat for number, facts in case.days.items() if number <= day for seat in facts.get("chanted", [])}


def test_a_case_says_where_it_comes_from(case: Case) -> None:
    assert (case.folder / "SOURCE.md").read_text(encoding="utf-8").startswith(f"# {case.folder.name}\n")


def test_its_clauses_stand_in_the_rule_post_to_the_word(case: Case) -> None:
    number = RULE_POSTS[case.game["game"]["ruleset"]]
    rules = next(SEEDS.glob(f"{number}_*.txt"), None)
    if rules is None:
        pytest.skip(f"the rule posts are not beside the project: {SEEDS.name}")
    clauses = re.findall(r"^> (.+)$", (case.folder / "SOURCE.md").read_text(encoding="utf-8"), re.M)
    assert clauses
    assert [clause for clause in clauses if clause not in rules.read_text(encoding="utf-8")] == []


def test_every_row_is_about_a_chanted_seat_of_its_day(case: Case) -> None:
    authors = {post["pid"]: case.accounts.get(post["author"]) for post in case.script["post"]}
    for row in rows(case):
        assert row["day"] in case.days
        assert row.get("seat", authors[row["pid"]]) in chanted(case, row["day"]), row
        assert row["code"] in CODES


def test_the_characters_of_a_row_stand_in_the_post_in_that_order(case: Case) -> None:
    for row in rows(case):
        left = list(row.get("characters", ""))
        found = []
        for text in texts(case, row["pid"]):
            places = iter(text)
            found.append(all(char in places for char in left))
        assert any(found), row


@pytest.mark.parametrize("name", [name for name in SOUND_CASES if "speech" not in Case(SOUND_CASES[name]).game])
def test_what_no_row_speaks_of_is_sounds_alone(name: str) -> None:
    """Of the plain posts of chanted seats in daytime; those with codes or labels are the rows' own affair."""
    case = Case(SOUND_CASES[name])
    spoken = {row["pid"] for row in rows(case)}
    seats = chanted(case, min(case.days))
    for post in case.script["post"]:
        facts = case.days[min(case.days)]
        inside = facts["opens"] <= post["at"] <= facts["closes"]
        plain = [text for text in texts(case, post["pid"]) if not re.search(r"[\[<]|投票|申请", text)]
        if case.accounts.get(post["author"]) in seats and inside and post["pid"] not in spoken:
            words = re.sub(r":lol|:smile:|:\)|:\(|:D|;P|:\w+:|\{:\d+_\d+:\}|\s", "", "".join(plain))
            assert set(words) <= SOUNDS[case.game["game"]["ruleset"]], post


# -- each rule


@dataclass(frozen=True, slots=True)
class Recorded:
    """One case with its archive, ready to be checked by another rule."""

    name: str
    game: Game
    database: Path
    events: tuple[Event, ...]
    expected: Expected

    def differs(self, change: Change) -> bool:
        game, events, alter = change(self.game, self.events)
        with open_archive(self.game, self.database) as archive:
            check = check_game(game, Altered(archive, alter), events)  # type: ignore[arg-type]
        return any(compare_sounds(self.expected, check, day) for day in self.expected.days) or has_more(check, self.expected)


def has_more(check: SpeechCheck, expected: Expected) -> bool:
    """Whether something is found on a day that the case does not speak of."""
    days = {check.day_of(post) for post in check.posts if post.severity is not Severity.NOTE}
    return bool(days - set(expected.rows["sound"]))


class Altered:
    """An archive whose histories are another's, each changed."""

    def __init__(self, archive: Archive, alter: Callable[[History], History]) -> None:
        self._archive, self._alter = archive, alter

    def fetch_histories(self, *arguments: Any, **named: Any) -> Iterator[History]:
        return map(self._alter, self._archive.fetch_histories(*arguments, **named))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._archive, name)


Alter = Callable[[History], History]
Change = Callable[[Game, tuple[Event, ...]], tuple[Game, tuple[Event, ...], Alter]]


def leave(history: History) -> History:
    return history


def rule(**changes: object) -> Change:
    def change(game: Game, events: tuple[Event, ...]) -> tuple[Game, tuple[Event, ...], Alter]:
        rules = replace(game.speech.rules, **changes)  # type: ignore[arg-type]
        return replace(game, speech=replace(game.speech, rules=rules)), events, leave

    return change


def evidence(alter: Alter) -> Change:
    return lambda game, events: (game, events, alter)


def _forget_all_but_the_last(history: History) -> History:
    return replace(history, revisions=(replace(history.revisions[-1], number=1),))


def _forget_remarks(history: History) -> History:
    bare = tuple(replace(one, post=one.post._replace(comments=(), ratings=())) for one in history.revisions)
    return replace(history, revisions=bare)


def _forget_quotes(history: History) -> History:
    return replace(history, revisions=tuple(replace(one, post=one.post._replace(quotes=())) for one in history.revisions))


def _forget_marks(history: History) -> History:
    return replace(history, revisions=tuple(replace(one, post=one.post._replace(edited=None)) for one in history.revisions))


def _forget_titles(history: History) -> History:
    return replace(history, revisions=tuple(replace(one, post=one.post._replace(title="")) for one in history.revisions))


def _forget_signatures(history: History) -> History:
    return replace(history, revisions=tuple(replace(one, post=one.post._replace(signature="")) for one in history.revisions))


def _forget_polls(history: History) -> History:
    bare = (replace(one, post=one.post._replace(flaws=_without_polls(one.post.flaws))) for one in history.revisions)
    return replace(history, revisions=tuple(bare))


def _without_polls(flaws: tuple[Flaw, ...]) -> tuple[Flaw, ...]:
    return tuple(flaw for flaw in flaws if flaw.code != "A125")


def _forget_the_piper(game: Game, events: tuple[Event, ...]) -> tuple[Game, tuple[Event, ...], Alter]:
    seats = tuple(replace(seat, role=None) for seat in game.roster.seats)
    kept = tuple(event for event in events if event.act != "公示")
    return replace(game, piper_out=None, roster=replace(game.roster, seats=seats)), kept, leave


def _forget_rulings(game: Game, events: tuple[Event, ...]) -> tuple[Game, tuple[Event, ...], Alter]:
    return game, tuple(event for event in events if event.act not in ("裁定", "撤销")), leave


def _forget_thresholds(game: Game, events: tuple[Event, ...]) -> tuple[Game, tuple[Event, ...], Alter]:
    none = Measures(
        style_changes=99, alternation_symbols=99, morse_groups=99, run_count=99, block_count=99, drawing_rows=99,
        variety_kinds=99, smilies=99, gaps=99, edge_lines=99, reuse_posts=99, series_posts=99, edit_texts=99,
    )  # fmt: skip
    return replace(game, speech=replace(game.speech, measures=none)), events, leave


def _chant_nobody_later(game: Game, events: tuple[Event, ...]) -> tuple[Game, tuple[Event, ...], Alter]:
    first, *rest = game.days
    return replace(game, days=(first, *(replace(day, chanted=()) for day in rest))), events, leave


def _open_the_night(game: Game, events: tuple[Event, ...]) -> tuple[Game, tuple[Event, ...], Alter]:
    """As if daytime did not end: each day closes a second before the next one opens."""
    moved = [
        replace(day, closes=after.opens - timedelta(seconds=1)) for day, after in zip(game.days, game.days[1:], strict=False)
    ]
    last = replace(game.days[-1], closes=game.days[-1].closes + timedelta(hours=12))
    return replace(game, days=(*moved, last)), events, leave


RULES: dict[str, tuple[Change, set[str]]] = {
    "相关叫声: the set": (rule(chars=frozenset("喵汪"), order="喵汪"), set(SOUND_CASES)),
    "或使用小镇的表情": (
        rule(smilies=False),
        {"sounds_characters", "sounds_suspects", "sounds_where_no_text_belongs", "sounds_of_animals", "sounds_of_frenzy"},
    ),
    "white space is allowed": (
        rule(whitespace=False),
        {
            "sounds_characters",
            "sounds_exemptions",
            "sounds_home_made",
            "sounds_rulings",
            "sounds_of_frenzy",
            "sounds_of_animals",
            "sounds_suspects",
            "sounds_where_no_text_belongs",
        },
    ),
    "marks are in no list": (
        rule(punctuation=Punctuation.IGNORE),
        {
            "sounds_characters",
            "sounds_edits",
            "sounds_exemptions",
            "sounds_home_made",
            "sounds_rulings",
            "sounds_of_frenzy",
            "sounds_of_animals",
            "sounds_until_the_piper_is_out",
            "sounds_windows",
        },
    ),
    "the ballot's target is exempt": (
        rule(exempt=()),
        {"sounds_exemptions", "sounds_home_made", "sounds_of_frenzy", "sounds_of_animals", "sounds_windows"},
    ),
    "the label of the reason is exempt": (
        rule(reasons=()),
        {"sounds_exemptions", "sounds_windows", "sounds_of_animals", "sounds_of_frenzy"},
    ),
    "a request is exempt": (rule(requests=()), {"sounds_exemptions"}),
    "执行上述效果直到吹笛者出局": (
        _forget_the_piper,
        {
            "sounds_edits",
            "sounds_of_frenzy",
            "sounds_of_animals",
            "sounds_until_the_piper_is_out",
            "sounds_windows",
            "sounds_home_made",
        },
    ),
    "每个游戏日开始公示前一天被吹笛的角色": (
        _chant_nobody_later,
        {"sounds_windows", "sounds_titles_signatures_and_polls"},
    ),
    "在游戏日白天": (
        _open_the_night,
        {"sounds_edits", "sounds_remarks", "sounds_until_the_piper_is_out", "sounds_windows"},
    ),
    "不得使用密码、电码或暗号": (_forget_thresholds, {"sounds_edits", "sounds_home_made", "sounds_rulings", "sounds_suspects"}),
    "every revision that was seen": (
        evidence(_forget_all_but_the_last),
        {"sounds_edits", "sounds_quotes", "sounds_remarks", "sounds_rulings"},
    ),
    "no word under anybody's post": (evidence(_forget_remarks), {"sounds_remarks", "sounds_rulings"}),
    "no word of his own in a quote": (evidence(_forget_quotes), {"sounds_quotes", "sounds_typed_as_the_boards"}),
    "when it was edited, and by whom": (
        evidence(_forget_marks),
        {"sounds_edits", "sounds_rulings", "sounds_typed_as_the_boards"},
    ),
    "no title line": (evidence(_forget_titles), {"sounds_titles_signatures_and_polls"}),
    "no signature of since": (evidence(_forget_signatures), {"sounds_titles_signatures_and_polls"}),
    "no poll option": (evidence(_forget_polls), {"sounds_titles_signatures_and_polls"}),
    "the director's word": (_forget_rulings, {"sounds_rulings"}),
}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Recorded, ...]:
    found = []
    for name in SOUND_CASES:
        database = tmp_path_factory.mktemp("archives") / "game.db"
        replay = replay_case(SOUND_CASES[name], database)
        assert replay.expected is not None
        assert replay.differences == ()
        found.append(Recorded(name, replay.game, database, read_events(replay.game), replay.expected))
    return tuple(found)


@pytest.mark.parametrize("name", RULES)
def test_without_a_rule_exactly_its_cases_fail(name: str, recorded: tuple[Recorded, ...]) -> None:
    change, cases = RULES[name]
    assert {one.name for one in recorded if one.differs(change)} == cases


def test_with_every_rule_no_case_fails(recorded: tuple[Recorded, ...]) -> None:
    assert [one.name for one in recorded if one.differs(lambda game, events: (game, events, leave))] == []


def test_each_case_needs_some_rule_besides_its_set() -> None:
    special = [cases for name, (_, cases) in RULES.items() if "the set" not in name]
    assert set(SOUND_CASES) == {case for cases in special for case in cases}


def test_every_code_has_a_case() -> None:
    codes = {row["code"] for name in SOUND_CASES for row in rows(Case(SOUND_CASES[name]))}
    assert codes == CODES


def test_every_thread_of_a_chanted_day_is_checked(recorded: tuple[Recorded, ...]) -> None:
    for one in recorded:
        tids = {tid for day in one.game.days for tid in list_threads(day)}
        assert tids <= {post["tid"] for post in Case(SOUND_CASES[one.name]).script["post"]}
