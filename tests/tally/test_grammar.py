"""Ballots from a grammar of what people get wrong: each ends where its generator, which knows nothing of the program, says."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rulesets.m29 import VOTE as M29
from engine.rulesets.secret_number_vote import VOTE as SECRET
from engine.rulesets.table_vote import VOTE as TABLE_VOTE
from engine.rulesets.vest_vote import VOTE as VEST
from scraper.post import Line, Message, PostState, Quote, Smiley, Text
from tally.policy import VotePolicy
from tally.result import DayTally
from tally.roster import Account, Roster, Seat, Target
from tests.tally import grammar
from tests.tally.grammar import SMILEY, SYSTEMS, Ballot, Choice, System, Thread
from tests.tally.make import Table, Wrote, count, make_day, make_roster, outs, result_of

POLICIES: dict[str, VotePolicy] = {"m29": M29, "secret-number": SECRET, "vest": VEST, "table": TABLE_VOTE}
QUOTED = Quote(900, 1235, "某人", "2018-6-5 09:40", "投票对象：弃权\n投票理由：略")
STATES = {"normal": PostState.NORMAL, "deleted": PostState.DELETED, "blocked": PostState.BLOCKED}
BY_NAME = {system.name: system for system in SYSTEMS}
DECKS = {system.name: grammar.deck(system) for system in SYSTEMS}
CASES = [
    pytest.param(system.name, ballot, id=f"{system.name} {number}: {' · '.join(ballot.made_of)}")
    for system in SYSTEMS
    for number, ballot in enumerate(DECKS[system.name])
]
THREADS = [
    pytest.param(system.name, thread, id=f"{system.name}: {thread.name}")
    for system in SYSTEMS
    for thread in grammar.threads(system)
]
QUICK = settings(max_examples=40, deadline=None)


def make_table(system: System) -> Table:
    """The table that the grammar speaks of: the sixth voter is out, the seventh barred; whom its system says is out or barred."""
    policy = POLICIES[system.name]
    voters = make_roster(system.voters)
    day = make_day(out=outs(system.voters[5]), barred=frozenset({system.voters[6]}))
    aliases = {target: tuple(word for word in words if not _is_number(word)) for target, words in system.spellings.items()}
    match system.name:
        case "secret-number":
            targets = tuple(Target(str(number)) for number in range(1, 13))
        case "vest":
            targets = tuple(Target(name, aliases.get(name, ())) for name in (*system.targets, system.out))
        case _:
            # Votes name the seats themselves, who are more than those that vote.
            extra = [name for name in system.targets if name not in system.voters]
            seats = [*voters.seats, *(Seat(name, (Account(name),)) for name in extra)]
            seats = [replace(seat, aliases=aliases.get(seat.name, ())) for seat in seats]
            day = replace(day, feigned=frozenset({system.barred}), feigned_targets=frozenset({system.barred}))
            return Table(policy=policy, roster=Roster(tuple(seats), voters.directors), day=day)
    day = replace(day, targets_out=outs(system.out), feigned_targets=frozenset({system.barred}))
    return Table(policy=policy, roster=replace(voters, targets=targets), day=day)


def _is_number(word: str) -> bool:
    return any(char in "0123456789０１２３４５６７８９一二三四五六七八九十" for char in word)


TABLES = {system.name: make_table(system) for system in SYSTEMS}


def write(ballot: Ballot, voter: str = "") -> Wrote:
    """The post of a ballot."""
    lines = tuple(_tokens(line) for line in ballot.text.split("\n"))
    return Wrote(
        ballot.text,
        by=voter or ballot.voter,
        clock=ballot.clock,
        message=Message(lines),
        edits=((f"{int(ballot.clock[:2]) + 1:02}:30", ballot.later),) if ballot.later else (),
        state=STATES[ballot.state],
        links=(QUOTED,) if ballot.quotes else (),
    )


def _tokens(line: str) -> Line:
    parts = line.split(SMILEY)
    made: list[Text | Smiley] = []
    for number, part in enumerate(parts):
        made += [Smiley("smile")] if number else []
        made += [Text(part)] if part else []
    return tuple(made)


def votes_of(tally: DayTally) -> dict[str, int]:
    """The counts by target."""
    return {one.target: one.votes for one in tally.counts}


def test_the_grammar_imports_nothing_of_the_program() -> None:
    tree = ast.parse(Path(grammar.__file__).read_text(encoding="utf-8"))
    roots = {node.module.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    roots |= {name.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert not roots & {"tally", "engine", "scraper", "tests"}


def test_the_deck_is_large_and_each_system_has_its_share_of_every_result() -> None:
    texts = {(name, ballot.text, ballot.voter, ballot.clock) for name, deck in DECKS.items() for ballot in deck}
    assert len(texts) >= 400
    for name, deck in DECKS.items():
        ends = {ballot.outcome.split("→")[0] for ballot in deck}
        assert {"", "弃权", "not a ballot"} <= ends, name
        reasons = {"malformed", "no_reason", "unknown_target", "ambiguous_target", "target_out", "voter_out", "voter_barred"}
        assert {f"void {reason}" for reason in reasons} <= ends, name
        assert ("void target_barred" in ends) == bool(BY_NAME[name].barred), name


@pytest.mark.parametrize(("name", "ballot"), CASES)
def test_each_ballot_ends_where_its_writer_can_expect(name: str, ballot: Ballot) -> None:
    assert result_of(count([write(ballot)], TABLES[name]), 0) == ballot.outcome, ballot.text


@pytest.mark.parametrize(("name", "thread"), THREADS)
def test_each_change_ends_where_its_writer_can_expect(name: str, thread: Thread) -> None:
    voter = BY_NAME[name].voters[0]
    script = [
        Wrote(text, by=voter, clock=clock, quotes=(quote,) if quote >= 0 else ())
        for text, clock, quote in zip(thread.texts, thread.clocks, thread.quotes, strict=True)
    ]
    assert result_of(count(script, TABLES[name]), len(script) - 1) == thread.outcome


@st.composite
def choices(draw: st.DrawFn, system: System) -> Choice:
    """Any productions put together that fit each other."""
    target, spelling = draw(st.sampled_from(grammar.values_of(system)))
    parts = {
        "wrap": (*grammar.WRAPS, *grammar.SPOILING_WRAPS),
        "label": (*grammar.LABELS, *grammar.SPOILING_LABELS),
        "reason": (*grammar.REASONS, *grammar.SPOILING_REASONS),
        "around": grammar.AROUND,
        "author": grammar.AUTHORS,
        "clock": grammar.CLOCKS,
        "fate": grammar.FATES,
    }
    picked = {part: draw(st.sampled_from(pieces)) for part, pieces in parts.items()}
    choice = replace(grammar.plain(system, target), target=target, spelling=spelling, **picked)
    return choice if grammar.fits(system, choice) else grammar.plain(system)


@st.composite
def scripts(draw: st.DrawFn) -> tuple[System, list[Ballot]]:
    """A ballot of each of some voters of one system."""
    system = draw(st.sampled_from(SYSTEMS))
    made = [grammar.mix(system, draw(choices(system))) for _ in range(draw(st.integers(1, 5)))]
    voters = draw(st.permutations(system.voters[:5]))
    return system, [
        replace(ballot, voter=voter) if ballot.voter == system.voters[0] else ballot
        for ballot, voter in zip(made, voters, strict=False)
    ]


@settings(max_examples=250, deadline=None)
@given(st.data())
def test_whatever_is_put_together_ends_where_its_writer_can_expect(data: st.DataObject) -> None:
    system = data.draw(st.sampled_from(SYSTEMS))
    ballot = grammar.mix(system, data.draw(choices(system)))
    assert result_of(count([write(ballot)], TABLES[system.name]), 0) == ballot.outcome, (ballot.text, ballot.made_of)


@QUICK
@given(scripts())
def test_each_post_stands_in_exactly_one_place(made: tuple[System, list[Ballot]]) -> None:
    system, ballots = made
    tally = count([write(ballot) for ballot in ballots], TABLES[system.name])
    for index in range(len(ballots)):
        place = result_of(tally, index)
        assert place, index
        assert " + " not in place, index


@QUICK
@given(scripts(), st.data())
def test_a_spectators_post_changes_nothing(made: tuple[System, list[Ballot]], data: st.DataObject) -> None:
    system, ballots = made
    table = TABLES[system.name]
    script = [write(ballot) for ballot in ballots]
    added = write(grammar.mix(system, data.draw(choices(system))), voter=grammar.SPECTATOR)
    before, after = count(script, table), count([*script, added], table)
    assert result_of(after, len(script)) == "not a ballot"
    for name in ("counts", "abstained", "not_voted", "void", "replaced", "needs_ruling", "cards", "verdict", "final"):
        assert getattr(after, name) == getattr(before, name), name


@QUICK
@given(scripts(), st.randoms(use_true_random=False))
def test_the_order_of_ballots_changes_only_who_reached_first(made: tuple[System, list[Ballot]], random: object) -> None:
    system, ballots = made
    order = list(range(len(ballots)))
    random.shuffle(order)  # type: ignore[attr-defined]
    script = [replace(write(ballot), clock=f"12:0{place}", edits=()) for place, ballot in enumerate(ballots)]
    moved = [replace(script[place], clock=f"12:0{number}") for number, place in enumerate(order)]
    first, second = (count(each, TABLES[system.name]) for each in (script, moved))
    if len({ballot.voter for ballot in ballots}) < len(ballots):
        # Two ballots of one voter: which comes first decides which of them is his vote.
        return
    assert votes_of(first) == votes_of(second)
    assert (len(first.void), len(first.abstained)) == (len(second.void), len(second.abstained))


@QUICK
@given(scripts())
def test_a_void_ballot_never_changes_a_count(made: tuple[System, list[Ballot]]) -> None:
    system, ballots = made
    script = [write(ballot) for ballot in ballots]
    void = {index for index in range(len(script)) if result_of(count(script, TABLES[system.name]), index).startswith("void")}
    silent = [
        replace(wrote, text="早上好", message=None, edits=()) if index in void else wrote for index, wrote in enumerate(script)
    ]
    assert votes_of(count(silent, TABLES[system.name])) == votes_of(count(script, TABLES[system.name]))


def _near(system: System) -> Sequence[str]:
    return [*system.misses, *(piece.make(target) for target in system.targets for piece in grammar.SPOILING_WRAPS)]


@pytest.mark.parametrize("name", BY_NAME)
def test_a_near_miss_never_counts(name: str) -> None:
    for value in _near(BY_NAME[name]):
        tally = count([Wrote(f"投票对象：{value}\n投票理由：略", by=BY_NAME[name].voters[0])], TABLES[name])
        assert (votes_of(tally), result_of(tally, 0)) == ({}, "void unknown_target"), value
