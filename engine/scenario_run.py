"""Runs a case of a scenario and compares what came of it with what was expected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.ledger import UNDO, Event, Phase, PhaseKind, Word
from engine.play.acts import apply
from engine.play.fold import Folded
from engine.play.messages import PUBLIC
from engine.play.order import Order, read_order
from engine.play.refusal import Refused
from engine.play.rules import StepKind
from engine.play.skillset import POLL_KEYS
from engine.play.start import FIRST_NIGHT, Given, start
from engine.play.state import GameState
from engine.play.table import Table
from engine.play.waiting import must_still_act
from engine.play.wording import say
from engine.playing import find_rejected, play
from engine.scenario import Case, Expect
from engine.scenario_sounds import Breach, check_posts
from tally.policy import ELECTION

_PUBLIC = "公示"
_OVER = "E301"
_VOTING = ("投票", "改票", "代投", "截票")


@dataclass(frozen=True, slots=True)
class Difference:
    """One key of [expect] that is not as it should be."""

    key: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class CaseRun:
    """A case that was run: the state at its end, and how it differs from what was expected."""

    case: Case
    folded: Folded
    differences: tuple[Difference, ...]

    @property
    def state(self) -> GameState:
        """The state at the end."""
        return self.folded.state


def run_case(case: Case) -> CaseRun:
    """Play the lines of a case from its facts, up to the winner, and compare. GivenError for facts that cannot be."""
    orders = [read_order(event) for event in case.events if event.act != UNDO]
    given = case.given
    table = case.seat_table()
    if given.phase is None and orders:
        given = replace(given, phase=_first_phase(case, orders))
    played = play(start(table, _excuse(table, given, orders)), _label_election(case, table, orders))
    openings: dict[Phase, GameState] = {}
    for state in played.states:
        openings.setdefault(state.phase, state)
    # Lines after the winner are not read. What turned out to be against the rules later is refused too.
    rejected = tuple(one for one in find_rejected(played) if one.refused.code != _OVER)
    folded = Folded(_finish_opening(played.state), played.orders, rejected)
    return CaseRun(case, folded, (*compare_outcome(case.expect, folded), *_compare_posts(case, openings)))


def _excuse(table: Table, given: Given, orders: list[Order]) -> Given:
    """A game that begins with 夜1 is held only to those first choices that its lines make: a case is about some of them.

    Where no line makes any, the case begins after them.
    """
    if table.play.first_night == 0:
        return given
    skills = [table.acts[name] for step in table.play.opening if step.kind is StepKind.ASK for name in step.skills]
    named = {skill.name for skill in skills for order in orders if order.act in (skill.name, *skill.aliases)}
    asked = any(order.act in ("超时", "放弃") for order in orders if order.phase.number == table.play.first_night)
    excused = () if asked else tuple(skill.name for skill in skills if skill.name not in named)
    return replace(given, excused=excused)


def _label_election(case: Case, table: Table, orders: list[Order]) -> tuple[Event, ...]:
    """On the day that elects beside its own vote, lines that do not say so are for the election where the case is about it.

    It is where it turns a switch of the election, or closes two votes that day; then the first is the election.
    """
    votes = table.play.votes
    day = Phase(PhaseKind.DAY, votes.election_day)
    lines = [event for event in case.events if event.phase == day and event.act in _VOTING]
    if not votes.beside or any(word.key in POLL_KEYS for event in lines for word in event.words):
        return case.events
    closes = [event for event in lines if event.act == "截票"]
    again = any(order.act in ("手势", "重投", "再投") for order in orders if order.phase == day)
    if not closes or not (len(closes) > 1 + again or any(name.startswith("election.") for name in case.chosen)):
        return case.events
    first = lines[: lines.index(closes[0]) + 1]
    return tuple(_label(event) if event in first else event for event in case.events)


def _label(event: Event) -> Event:
    return replace(event, words=(*event.words, Word(ELECTION.name, event.column, key=POLL_KEYS[0])))


def _first_phase(case: Case, orders: list[Order]) -> Phase | None:
    """Where a case begins that does not say: with the phase of its first line. At 夜0 and 日1 a whole game begins."""
    phase = orders[0].phase
    if phase == FIRST_NIGHT and not case.given.lovers:
        return None
    return phase


def _finish_opening(state: GameState) -> GameState:
    """A case that ends with the arrow is looked at after it has hit."""
    if state.phase != FIRST_NIGHT or state.winner or not state.acts or must_still_act(state):
        return state
    try:
        return apply(state, Order(state.phase, "导演", "天亮"))
    except Refused:
        return state


def compare_outcome(expect: Expect, folded: Folded) -> list[Difference]:
    """How the state at the end, and what was said and refused on the way, differ from what was expected."""
    state = folded.state
    found: list[Difference] = []

    def differ(key: str, expected: object, actual: object) -> None:
        found.append(Difference(key, _show(expected), _show(actual)))

    if expect.out is not None:
        out = [(_name(state, seat), state.seats[seat].cause) for seat in state.order[state.given_out :]]
        if not _same_outs(expect.out, out):
            differ("out", expect.out, out)
    if expect.sheriff is not None:
        sheriff = "" if state.sheriff is None else _name(state, state.sheriff)
        if sheriff not in expect.sheriff and not (not sheriff and not expect.sheriff):
            differ("sheriff", expect.sheriff, sheriff)
    # Camps that the given facts leave lost may be told or not.
    if expect.lost is not None and expect.lost not in (state.lost, state.lost[state.given_lost :]):
        differ("lost", expect.lost, state.lost[state.given_lost :])
    if expect.winner is not None and sorted(expect.winner) != sorted(state.winner):
        differ("winner", expect.winner, state.winner)
    if expect.chanted is not None:
        chanted = {index for index, seat in enumerate(state.seats) if seat.chanted}
        living = {index for index in chanted if state.is_in(index)}
        if expect.chanted not in (_set(state, chanted), _set(state, living)):
            differ("chanted", sorted(expect.chanted), sorted(_set(state, living)))
    if expect.souls is not None:
        souls = _set(state, {index for index, seat in enumerate(state.seats) if seat.soul})
        if expect.souls != souls:
            differ("souls", sorted(expect.souls), sorted(souls))
    if expect.refused is not None:
        refused = tuple(str(one.order) for one in folded.rejected)
        if tuple(" ".join(line.split()) for line in expect.refused) != refused:
            codes = [str(one.refused) for one in folded.rejected]
            found.append(Difference("refused", _show(expect.refused), f"{_show(refused)} {' / '.join(codes)}".rstrip()))
    if expect.lost_skills is not None and expect.lost_skills != _set(state, set(state.punished)):
        differ("lost_skills", sorted(expect.lost_skills), sorted(_set(state, set(state.punished))))
    if expect.last_words is not None:
        holders = tuple(_name(state, words.seat) for words in state.last_words)
        kept = tuple(_name(state, words.seat) for words in state.last_words if words.text is not None or not words.closed)
        if expect.last_words not in (holders, kept):
            differ("last_words", expect.last_words, holders)
    for phase, votes in (expect.votes or {}).items():
        counted = _votes(state, phase)
        if counted != {target: number for target, number in votes.items() if number}:
            differ(f"votes {phase}", dict(votes), counted)
    for addressee, parts in expect.notices or ():
        if not any(_contains(text, parts) for text in _texts(state, addressee)):
            differ("notices", (addressee, *parts), _texts(state, addressee))
    return found


def _compare_posts(case: Case, openings: Mapping[Phase, GameState]) -> list[Difference]:
    """The breaches of the posts, each post's own and all together."""
    found = check_posts(case.posts, openings, case.ruleset.id)
    differences = [
        Difference(f"post {post.name} {post.text!r}", _show_breaches(post.breaches), _show_breaches(breaches))
        for post, breaches in zip(case.posts, found, strict=True)
        if post.breaches is not None and set(post.breaches) != set(breaches)
    ]
    expected = case.expect.breaches
    together = {breach for breaches in found for breach in breaches}
    if expected is not None and _unite(expected) != _unite(together):
        differences.append(Difference("breaches", _show_breaches(expected), _show_breaches(together)))
    return differences


def _unite(breaches: Iterable[Breach]) -> dict[tuple[str, str], frozenset[str]]:
    """The characters by seat and code."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    for one in breaches:
        found[one.name, one.code] = found.get((one.name, one.code), frozenset()) | one.characters
    return found


def _show_breaches(breaches: Iterable[Breach]) -> str:
    return _show([(one.name, one.code, "".join(sorted(one.characters))) for one in breaches])


def _same_outs(expected: tuple[tuple[str, str], ...], found: list[tuple[str, str]]) -> bool:
    if len(expected) != len(found):
        return False
    return all(name == other and cause in ("", why) for (name, cause), (other, why) in zip(expected, found, strict=True))


def _name(state: GameState, seat: int) -> str:
    return state.table.name(seat)


def _set(state: GameState, seats: set[int]) -> frozenset[str]:
    return frozenset(_name(state, seat) for seat in seats)


def _votes(state: GameState, phase: str) -> Mapping[str, int]:
    """The weighted votes of a phase (or of one of its polls: 日3 撕咬) by target: by number where votes name numbers.

    Of several votes of that name the last is meant; targets without a vote are left out.
    """
    found = [one for one in state.votes if f"{one.phase} {one.poll}".rstrip() == " ".join(phase.split())]
    # A day that held only an election has no other vote of that name.
    found = found or [one for one in state.votes if str(one.phase) == phase]
    return {state.table.target_word(target): votes for target, votes in found[-1].votes if votes} if found else {}


def _texts(state: GameState, addressee: str) -> list[str]:
    """Every message to an addressee: a seat, a role that one seat has, or the public."""
    table = state.table
    to: tuple[int, ...]
    if addressee == _PUBLIC:
        to = (PUBLIC,)
    elif (seat := table.find_name(addressee)) is not None:
        to = (seat,)
    else:
        role = table.role_words.get(addressee)
        to = table.with_role(role) if role is not None else ()
    return [say(message, table) for message in state.messages[state.given_messages :] if message.to in to]


def _contains(text: str, parts: tuple[str, ...]) -> bool:
    """Whether the parts stand in a text, one after the other."""
    place = 0
    for part in parts:
        found = text.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    return True


def _show(value: object) -> str:
    match value:
        case str():
            return value or "（无）"
        case tuple() | list():
            return f"[{'，'.join(_show(item) for item in value)}]"
        case _:
            return str(value)
