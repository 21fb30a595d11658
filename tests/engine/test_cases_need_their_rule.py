"""Take a rule away, and exactly the cases that are about it fail: no rule is untested, and no case fails by accident.

Each row of the table is a count without one rule; the cases that then differ from what they expect were named beforehand, from
what their SOURCE.md says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest

from engine.counting import gather, open_archive, read_events
from engine.dayrules import M29
from engine.expected import Expected, compare
from engine.penalties import read_marks
from engine.replay import replay_case
from scraper.post import History
from tally.count import count_material
from tally.dayevent import DayEvent
from tally.finding import Severity, severity
from tally.penalties import Mark, settle_cards
from tally.policy import ChangeReply, Edits, Presence, Reach, SecondVote, Tie
from tally.requests import Ask, Quorum, RequestPolicy, read_wishes
from tally.result import DayTally
from tally.review import Material
from tally.roster import Accounts
from tally.speedup import judge_wishes
from tests.engine.recorded_cases import CASES, FIXTURES, Case


@dataclass(frozen=True, slots=True)
class CaseDay:
    """One day of a case: everything that its count is a function of, and what it must give."""

    case: str
    material: Material
    expected: Expected
    events: tuple[DayEvent, ...]
    progress: tuple[History, ...]
    marks: tuple[Mark, ...]

    def count(self, material: Material) -> DayTally:
        """The tally, with what happened to the day before it was counted, and the cards that were given."""
        tally = count_material(material)
        cards, more = settle_cards(tally.cards, self.marks, tally.day, material.cards)
        return replace(tally, events=self.events, cards=cards, findings=(*tally.findings, *more))

    def differs(self, material: Material) -> bool:
        tally = self.count(material)
        return bool(compare(self.expected, tally, ())) or count_rows(tally) != self.count_expected(tally.day)

    def count_expected(self, day: int) -> dict[str, int]:
        return {name: len(self.expected.rows[name].get(day, ())) for name in self.expected.rows if name != "sound"}


def count_rows(tally: DayTally) -> dict[str, int]:
    """How many rows each list would have if the day were written down whole, but for the notes."""
    return {
        "tally": len(tally.counts),
        "abstained": len(tally.abstained),
        "void": len(tally.void),
        "replaced": len(tally.replaced),
        "needs_ruling": len(tally.needs_ruling),
        "verdict": 1,
        "finding": sum(severity(finding) is not Severity.NOTE for finding in tally.findings),
        "card": len(tally.cards),
        "event": len(tally.events),
    }


def _read_days(case: str, folder: pytest.TempPathFactory) -> Iterator[CaseDay]:
    database = folder.mktemp("archives") / f"{case}.db"
    replay = replay_case(FIXTURES / case, database)
    assert replay.expected is not None
    game, events = replay.game, read_events(replay.game)
    with open_archive(game, database) as archive:
        for day in game.days:
            question = gather(game, archive, events, day)
            # The cases are counted again and again after the archive is closed.
            material = Material(
                histories=tuple(history.whole for history in question.histories),
                day=question.directions.day,
                roster=question.directions.roster,
                policy=game.policy,
                cards=game.cards,
                evidence=question.looks.evidence,
                complete=question.looks.complete,
                seen_until=question.looks.seen_until,
                rulings=question.directions.rulings,
                ledger_ballots=question.directions.ballots,
                other_threads=tuple(history.whole for history in question.others),
                as_of=None,
                noted=question.findings,
                unread=question.unread,
            )
            progress = tuple(history for history in material.other_threads if history.first.tid == day.progress)
            yield CaseDay(case, material, replay.expected, question.events, progress, read_marks(game, events))


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> tuple[CaseDay, ...]:
    return tuple(day for case in CASES for day in _read_days(case, tmp_path_factory))


def test_every_list_of_every_day_is_whole(days: tuple[CaseDay, ...]) -> None:
    """A list is compared only on the days that it mentions; so that nothing else was counted, there are as many rows."""
    for day in days:
        tally = day.count(day.material)
        assert count_rows(tally) == day.count_expected(tally.day), (day.case, tally.day)


Change = Callable[[Material], Material]


def cards(**changes: object) -> Change:
    return lambda material: replace(material, cards=replace(material.cards, **changes))  # type: ignore[arg-type]


def policy(**changes: object) -> Change:
    return lambda material: replace(material, policy=replace(material.policy, **changes))  # type: ignore[arg-type]


def facts(**changes: object) -> Change:
    return lambda material: replace(material, day=replace(material.day, **changes))  # type: ignore[arg-type]


def _forget_edits_and_deletions(material: Material) -> Material:
    """What a count of the pages as they are now would know."""
    last = tuple(
        History((replace(history.revisions[-1], number=1),), history.state, history.last_seen)
        for history in material.histories
        if history.missing_since is None
    )
    return replace(material, histories=last)


def _forget_quotes(material: Material) -> Material:
    """A reader that takes quotes for own words is tested elsewhere; one that loses them makes every change a stray one."""
    histories = tuple(
        replace(
            history,
            revisions=tuple(replace(revision, post=revision.post._replace(quotes=())) for revision in history.revisions),
        )
        for history in material.histories
    )
    return replace(material, histories=histories)


def _forget_roles(material: Material) -> Material:
    seats = tuple(replace(seat, role=None) for seat in material.roster.seats)
    return replace(material, roster=replace(material.roster, seats=seats))


def _forget_directors(material: Material) -> Material:
    return replace(material, roster=replace(material.roster, directors=()))


def _forget_aliases(material: Material) -> Material:
    seats = tuple(replace(seat, aliases=()) for seat in material.roster.seats)
    return replace(material, roster=replace(material.roster, seats=seats))


CHANGES = {
    "an_extension_ends_the_speed_up", "half_of_the_living_ask_for_a_speed_up",
    "accelerated_day", "a_page_comes_back", "barred_and_out_voters", "change_in_the_last_hour",
    "change_must_reply_to_the_own_floor", "election_by_earliest_to_reach", "election_by_pid_inside_one_second", "gbk_board",
    "names_inside_names", "one_change_only", "one_vote_a_day", "proxies_by_the_director", "rulings_of_the_director",
    "sheriff_counts_double", "three_days",
}  # fmt: skip
SEATS_OUT = {
    "the_director_posts_another_result",
    "cards_for_silence_carried_over_days",
    "an_extension_ends_the_speed_up", "half_of_the_living_ask_for_a_speed_up",
    "accelerated_day", "barred_and_out_voters", "edited_after_it_was_seen", "nobody_votes", "sheriff_counts_double",
    "three_days", "tie_puts_the_scapegoat_out", "tie_without_a_scapegoat",
}  # fmt: skip


def _expecting(name: str, key: str, value: str) -> set[str]:
    """The cases whose expectation, written by hand, has such a row."""
    return {case for case in CASES if any(row[key] == value for row in Case(case).expected.get(name, ()))}


REPLIED = _expecting("finding", "code", "D101")
NOT_VOTED = _expecting("card", "reason", "未投票") | REPLIED

RULES: dict[str, tuple[Change, set[str]]] = {
    "每名存活角色每个讨论日限投一票": (
        policy(second=SecondVote.REPLACE),
        {"one_vote_a_day", "three_days", "deleted_after_it_was_seen", "proxies_by_the_director"},
    ),
    "改票只允许进行一次": (policy(changes=9), {"one_change_only", "three_days", "proxies_by_the_director"}),
    "允许改票": (policy(changes=0), CHANGES),
    "改票需回复原投票楼层": (
        policy(change_reply=ChangeReply.OPTIONAL),
        {"change_must_reply_to_the_own_floor", "three_days", "rulings_of_the_director"},
    ),
    "改票需回复原投票楼层, and the board says which": (_forget_quotes, CHANGES),
    "关门前一小时不允许改票或代投": (
        policy(freeze=0),
        {
            "an_extension_ends_the_speed_up",
            "change_in_the_last_hour",
            "three_days",
            "proxies_by_the_director",
            "edited_after_it_was_seen",
        },
    ),
    "关门前一小时, by the second": (
        policy(freeze=3599),
        {"an_extension_ends_the_speed_up", "change_in_the_last_hour", "three_days", "proxies_by_the_director"},
    ),
    "关门前一小时, of the close that was in force": (facts(moved=()), {"an_extension_ends_the_speed_up"}),
    "无效票须通过重新发帖来更正": (policy(edits=Edits.LATEST), {"edited_after_it_was_seen", "three_days"}),
    "what was seen is evidence": (
        _forget_edits_and_deletions,
        {"edited_after_it_was_seen", "deleted_after_it_was_seen", "three_days"},
    ),
    "投票格式 has 投票理由": (policy(reason=Presence.OPTIONAL), {"no_reason_is_void", "three_days"}),
    "被吹笛的角色 need give none": (facts(chanted=()), {"no_reason_is_void"}),
    "最先获得投票数最多": (policy(reach=Reach.FIRST_TOUCH), {"election_by_earliest_to_reach", "three_days"}),
    "在游戏的第一天": (
        policy(election_day=None),
        {"election_by_earliest_to_reach", "election_by_pid_inside_one_second", "three_days", "tie_puts_the_scapegoat_out"},
    ),
    "警长投出的票计为2票": (policy(sheriff_weight=1), {"sheriff_counts_double", "three_days"}),
    "替罪羊代替所有平票的角色出局": (policy(tie=(Tie.NOBODY,)), {"tie_puts_the_scapegoat_out", "three_days"}),
    "狼助也会因为无人投票而出局": (policy(no_votes=(Tie.NOBODY,)), {"nobody_votes"}),
    "who the 替罪羊 is": (
        _forget_roles,
        {"tie_puts_the_scapegoat_out", "tie_without_a_scapegoat", "nobody_votes", "three_days"},
    ),
    "指定下一个游戏日中哪些角色不得投票": (
        facts(barred=frozenset()),
        {"barred_and_out_voters", "cards_for_silence_carried_over_days"},
    ),
    "已公示出局的角色": (facts(out=()), SEATS_OUT),
    "执行加速时": (
        facts(speed_ups=()),
        {
            "accelerated_day",
            "an_extension_ends_the_speed_up",
            "cards_for_silence_carried_over_days",
            "half_of_the_living_ask_for_a_speed_up",
        },
    ),
    "未回复投票帖者将被判罚黄牌": (policy(missing_is_offence=False), NOT_VOTED),
    "未回复投票帖者, and whoever replied is none": (
        policy(void_counts_as_vote=False),
        REPLIED,
    ),
    "发言不足 by posts": (cards(min_posts=None), {"cards_for_silence_carried_over_days"}),
    "发言不足 by characters": (cards(min_chars=None), {"cards_for_silence_carried_over_days"}),
    "a substitute has grace": (cards(substitute_grace=False), {"cards_for_silence_carried_over_days"}),
    "黄牌 → 红牌": (cards(yellow_to_red=3), {"cards_for_silence_carried_over_days"}),
    # The third is about a director who shows the format, and is not a spectator who votes; the last about his result.
    "演员可以委托导演代投": (
        _forget_directors,
        {"proxies_by_the_director", "three_days", "only_own_words_count", "the_director_posts_another_result"},
    ),
    "a name by its alias": (_forget_aliases, {"names_inside_names"}),
    "the director's rulings": (
        lambda material: replace(material, rulings=()),
        {"rulings_of_the_director", "the_director_posts_another_result"},
    ),
    "a missing page is told": (lambda material: replace(material, complete=True), {"a_page_is_missing"}),
}


@pytest.mark.parametrize("rule", RULES)
def test_without_a_rule_exactly_its_cases_fail(rule: str, days: tuple[CaseDay, ...]) -> None:
    change, cases = RULES[rule]
    assert {day.case for day in days if day.differs(change(day.material))} == cases


def asked(day: CaseDay, requests: RequestPolicy) -> list[tuple[str, bool]]:
    """What the day's requests come to under a policy."""
    facts, roster = day.material.day, day.material.roster
    wishes = read_wishes(day.progress, day=facts, accounts=Accounts(roster), policy=requests)
    return sorted(
        (event.kind.value, event.held) for event in judge_wishes(wishes, day=facts, roster=roster, policy=requests).events
    )


REQUESTS = M29.requests
assert REQUESTS is not None
BOTH = {"an_extension_ends_the_speed_up", "half_of_the_living_ask_for_a_speed_up"}
JUDGEMENTS: dict[str, tuple[RequestPolicy, set[str]]] = {
    "讨论日结束三个小时前": (replace(REQUESTS, lead=0), BOTH),
    "讨论日结束三个小时前, that second included": (
        replace(REQUESTS, lead=3 * 3600 + 1),
        {"half_of_the_living_ask_for_a_speed_up"},
    ),
    "讨论日结束三个小时前, and no later second": (replace(REQUESTS, lead=3 * 3600 - 1), BOTH),
    "大于等于存活人数的一半": (replace(REQUESTS, quorum=Quorum.ALL), BOTH),
    "申请加速或延时": (
        replace(REQUESTS, words=tuple(pair for pair in REQUESTS.words if pair[1] is not Ask.EXTENSION)),
        {"an_extension_ends_the_speed_up"},
    ),
    "a request may be taken back": (
        replace(REQUESTS, words=tuple(pair for pair in REQUESTS.words if pair[1] is not Ask.WITHDRAW)),
        {"half_of_the_living_ask_for_a_speed_up"},
    ),
}


@pytest.mark.parametrize("rule", JUDGEMENTS)
def test_without_a_rule_of_requests_exactly_its_cases_are_judged_otherwise(rule: str, days: tuple[CaseDay, ...]) -> None:
    requests, cases = JUDGEMENTS[rule]
    assert REQUESTS is not None
    assert {day.case for day in days if asked(day, requests) != asked(day, REQUESTS)} == cases


def test_each_case_needs_some_rule() -> None:
    assert set(CASES) == {case for _, cases in RULES.values() for case in cases}
