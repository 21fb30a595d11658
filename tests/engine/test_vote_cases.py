"""The recorded votes of every system agree with themselves, account for every ballot, and try every switch on both sides.

The program is not asked: what a case expects is held against its script, its rule post, and the list of scenarios.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from engine.rulesets import BUILT
from engine.switches import Switch
from tests.engine.vote_cases import CASES, FIXTURES, ROOT, VoteCase

SEEDS = ROOT.parent / "shared" / "seeds"
POSTS = {"secret-number": "000", "vest": "001", "assertion": "002", "table": "003", "m29": "004"}
# The scenarios of votes, each with the case that tries it.
SCENARIOS = {
    "S01": "secret-number/the_first_to_reach_is_sheriff",
    "S02": "secret-number/a_withdrawn_ballot_in_the_race",
    "S03": "secret-number/ties_and_the_sheriffs_ballot",
    "S04": "secret-number/ties_and_the_sheriffs_ballot",
    "S05": "secret-number/ties_and_the_sheriffs_ballot",
    "S06": "secret-number/the_idiot_feigns",
    "J08": "vest/ties_and_the_sheriffs_vest",
    "D01": "assertion/manipulations",
    "D02": "assertion/manipulations",
    "D04": "assertion/manipulations",
    "D05": "assertion/a_tied_bite",
    "D12": "assertion/manipulations",
    "F01": "table/the_scapegoat_before_the_sheriff",
    "F02": "table/the_crow_adds_two",
    "F05": "table/the_judge_calls_another_vote",
    "F06": "table/a_tied_election_has_no_sheriff",
}
M29_SCENARIOS = {
    "P01": ("m29/tie_puts_the_scapegoat_out", "代替所有平票的角色出局"),
    "P03": ("m29/tie_puts_the_scapegoat_out", "第二天或以后"),
    "P04": ("m29/tie_without_a_scapegoat", "产生平票时，无人出局。"),
    "P05": ("m29/tie_without_a_scapegoat", "替罪羊"),
    "P15": ("m29/one_change_only", "改票只允许进行一次。"),
    "P18": ("m29/half_of_the_living_ask_for_a_speed_up", "大于等于存活人数的一半"),
}


@pytest.fixture(scope="module", params=CASES, ids=[f"{case.parent.name}/{case.name}" for case in CASES])
def case(request: pytest.FixtureRequest) -> VoteCase:
    return VoteCase(request.param)


def test_every_system_has_cases() -> None:
    assert {case.parent.name for case in CASES} == set(BUILT)


def test_a_case_says_where_it_comes_from(case: VoteCase) -> None:
    assert case.source.startswith(f"# {case.folder.name}\n")


def test_quotes_in_the_source_stand_in_the_rule_post_to_the_word(case: VoteCase) -> None:
    if not SEEDS.is_dir():
        pytest.skip(f"the rule posts are not beside the project: {SEEDS.name}")
    (post,) = SEEDS.glob(f"{POSTS[case.system]}_*.txt")
    rules = post.read_text(encoding="utf-8")
    clauses = re.findall(r"^> (.+)$", case.source, re.M)
    assert clauses
    for clause in clauses + [quote for quote in re.findall(r"「([^」]+)」", case.source) if len(quote) >= 6]:
        assert clause in rules, clause


def test_every_vote_has_one_verdict(case: VoteCase) -> None:
    for vote in case.votes():
        assert len(vote.rows("verdict")) == 1, (vote.day, vote.poll)


def test_no_ballot_is_expected_in_two_places_and_every_voter_stands_once(case: VoteCase) -> None:
    for vote in case.votes():
        placed = [row.get("pid", -row.get("line", 0)) for name in ("void", "replaced", "needs_ruling") for row in vote.rows(name)]
        assert [place for place, times in Counter(placed).items() if times > 1 and place] == []
        voters = [voter for row in vote.rows("tally") for voter in row["voters"]]
        voters += [row["voter"] for row in vote.rows("abstained")]
        assert [voter for voter, times in Counter(voters).items() if times > 1] == []


def test_every_posted_ballot_is_accounted_for(case: VoteCase) -> None:
    """Of the posts with a label, those that are not void, replaced or in doubt are one for each voter who stands."""
    if case.system == "m29":
        pytest.skip("its posts that nobody saw, and its rulings, have a test of their own: test_cases_wellformed")
    for vote in case.votes():
        placed = {row["pid"] for name in ("void", "replaced", "needs_ruling") for row in vote.rows(name) if "pid" in row}
        standing = {voter for row in vote.rows("tally") for voter in row["voters"]} | {
            row["voter"] for row in vote.rows("abstained")
        }
        left = [voter for pid, voter in vote.ballots() if pid not in placed]
        assert len(left) == len(set(left)), (vote.day, vote.poll)
        assert set(left) <= standing, (vote.day, vote.poll)


def test_votes_follow_from_weights(case: VoteCase) -> None:
    """Each voter weighs one, the sheriff two; a curse two, and what weighs otherwise is told in SOURCE.md."""
    odd = "weighs" in case.source
    for vote in case.votes():
        sheriff = "" if vote.poll == "竞选" or case.days[vote.day].get("number") == 1 else case.days[vote.day].get("sheriff", "")
        for row in vote.rows("tally"):
            doubled = (sheriff in row["voters"]) + sum("诅咒" in voter for voter in row["voters"])
            assert odd or row["votes"] == len(row["voters"]) + doubled, row


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_has_its_case(scenario: str) -> None:
    source = (FIXTURES / SCENARIOS[scenario] / "SOURCE.md").read_text(encoding="utf-8")
    assert scenario in source


@pytest.mark.parametrize("scenario", M29_SCENARIOS)
def test_a_scenario_of_m29_has_its_case(scenario: str) -> None:
    name, words = M29_SCENARIOS[scenario]
    assert words in (FIXTURES / name / "SOURCE.md").read_text(encoding="utf-8")


def wanted_values(switch: Switch) -> set[object]:
    """Every value that some case must have besides the default: each word, one other number, one other list."""
    match switch.default:
        case bool():
            return {not switch.default}
        case str():
            return {choice for choice in switch.choices if choice != switch.default}
        case _:
            return set()


SWITCHES = [(system, switch) for system, ruleset in BUILT.items() for switch in ruleset.switches if switch.counts]


@pytest.mark.parametrize(("system", "switch"), SWITCHES, ids=[f"{system}/{switch.name}" for system, switch in SWITCHES])
def test_every_switch_of_voting_has_a_case_on_each_side(system: str, switch: Switch) -> None:
    cases = [VoteCase(case) for case in CASES if case.parent.name == system]
    set_to = [value for case in cases for name, value in case.settings() if name == switch.name]
    others = [
        value for value in set_to if value != (list(switch.default) if isinstance(switch.default, tuple) else switch.default)
    ]
    assert wanted_values(switch) <= {value for value in others if not isinstance(value, list)}
    assert others, "no case sets it"
    # The default side is every case that says nothing of it; a switch that must be said has no default.
    assert switch.needed or any(switch.name not in dict(case.settings()) for case in cases)


CARDS = ("min_posts", "min_chars", "yellow_to_red", "points", "void_counts_as_vote", "substitute_grace")


@pytest.mark.parametrize("key", CARDS)
def test_every_switch_of_cards_has_a_case_on_each_side(key: str) -> None:
    cases = [VoteCase(case) for case in CASES]
    with_it = [case for case in cases if f"cards.{key}" in dict(case.settings())]
    assert with_it
    assert len(with_it) < len(cases)
