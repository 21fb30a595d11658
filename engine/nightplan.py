"""What the game waits for, from whom, until when; what must be told to whom, and which groups open or close.

All of it follows from the ledger as it was played (`engine.desk`); the times are those of its lines, of the day's close, and of
the rules' 行动时限. Nothing here knows the wall clock: whether a time is over is asked by the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from engine.desk import Desk
from engine.doors import move_days
from engine.ledger import DIRECTOR, PhaseKind, standing_events
from engine.play.answers import NAMES
from engine.play.holders import steps_of
from engine.play.messages import PUBLIC, Contact, Party
from engine.play.order import Order, quote
from engine.play.rules import Step, StepKind
from engine.play.skillset import Effect, Skill
from engine.play.state import Asked, GameState
from engine.play.waiting import list_forced, missing_in, must_still_act, waiting_for
from engine.play.wording import say
from engine.playing import CLOSE
from scraper.phrases import listing, phrase

# So long before a limit is somebody worth a reminder.
REMIND = timedelta(minutes=15)
TOLD, DAWN, TIME_OUT = "反馈", "天亮", "超时"
_PARTIES = {Party.WOLVES: phrase("狼群"), Party.LOVERS: phrase("情侣群"), Party.SIBLINGS: phrase("姐妹兄弟群")}


@dataclass(frozen=True, slots=True)
class Task:
    """One thing that the game waits for: a step of the night, a decision, or a closing line of the director.

    `seats` are those who have not chosen yet, with what; `chosen` says what was chosen already. `until` is the limit, None where
    the rules have none, or it has not begun. `lines` is how each choice is entered, as far as it goes; `time_up` is the line that
    takes the default, "" where there is none. `asked` is the kind of a decision, None for a step; `too_early` tells of a step
    whose choice depends on what is told when the steps before it are settled.
    """

    name: str
    seats: tuple[int, ...]
    skills: tuple[Skill | None, ...] = ()
    chosen: tuple[str, ...] = ()
    until: datetime | None = None
    lines: tuple[str, ...] = ()
    time_up: str = ""
    clause: str = ""
    asked: Asked | None = None
    too_early: bool = False

    @property
    def is_step(self) -> bool:
        """Whether it is a step of the night."""
        return bool(self.clause)

    def is_late(self, now: datetime) -> bool:
        """Whether its time is over."""
        return self.until is not None and self.until < now


@dataclass(frozen=True, slots=True)
class Errand:
    """One thing to do beside the game: a message to pass on to a seat, or a group to open or close."""

    to: tuple[int, ...]
    text: str
    group: bool = False


def list_tasks(desk: Desk) -> tuple[Task, ...]:
    """What is waited for, in the order of the rules; the director's own closing line is the last."""
    state = desk.state
    if state.winner:
        return ()
    if state.decisions:
        return tuple(_list_decisions(desk))
    if state.phase.kind is PhaseKind.DAY:
        return (Task(CLOSE, (), until=close_of(desk, state.phase.number), lines=(f"{state.phase} {DIRECTOR} {CLOSE}",)),)
    steps = tuple(_list_steps(desk))
    if must_still_act(state):
        return steps
    return (*steps, Task(DAWN, (), lines=(f"{state.phase} {DIRECTOR} {DAWN}",)))


def _list_decisions(desk: Desk) -> Iterator[Task]:
    state = desk.state
    for one in state.decisions:
        name, act = state.table.name(one.seat), NAMES[one.asked]
        since = one.since or _moment_of(desk, lambda earlier, wanted=one: wanted in earlier.decisions)  # type: ignore[misc]
        until = since + timedelta(minutes=one.minutes) if since is not None and one.minutes is not None else None
        line = f"{one.phase} {quote(name)} {act}"
        yield Task(
            act, (one.seat,), (None,), (), until, (line,), f"{one.phase} {DIRECTOR} {TIME_OUT} {quote(name)}", asked=one.asked
        )


def _list_steps(desk: Desk) -> Iterator[Task]:
    state = desk.state
    table, phase = state.table, state.phase
    must_choose = list_forced(state)
    for place, step in enumerate(steps_of(table, phase.number)):
        if step.kind is not StepKind.ASK or place < state.cursor or place in state.closed:
            continue
        acting = list(dict.fromkeys(waiting_for(state, step)))
        if not acting:
            continue
        chosen = {(act.seat, act.skill.name): act for act in state.acts}
        missing = list(dict.fromkeys(missing_in(state, step)))
        told = tuple(
            f"{table.name(act.seat)} {act.skill.name} {'、'.join(table.target_word(one) for one in act.targets)}".rstrip()
            for (seat, name), act in chosen.items()
            if (seat, act.skill) in acting
        )
        if phase.number == 0 and any(skill.effect is Effect.ARROW for _, skill in acting):
            time_up = f"{phase} {DIRECTOR} {TIME_OUT} {quote(table.name(acting[0][0]))}" if missing else ""
        elif phase.number == 0:  # 归群, which nobody is held to
            time_up = f"{phase} {quote(table.name(missing[0][0]))} 放弃 {missing[0][1].name}" if missing else ""
        elif forced := [seat for seat, skill in missing if (seat, skill) in must_choose]:
            # The default of a forced choice is drawn; of the seat, since a step may be called otherwise than its role.
            time_up = f"{phase} {DIRECTOR} {TIME_OUT} {quote(table.name(forced[0]))}"
        else:
            time_up = f"{phase} {DIRECTOR} {TIME_OUT} {quote(step.name)}"
        yield Task(
            step.name,
            tuple(seat for seat, _ in missing),
            tuple(skill for _, skill in missing),
            told,
            _limit_of(desk, step, acting),
            tuple(f"{phase} {quote(table.name(seat))} {skill.name}" for seat, skill in missing),
            time_up,
            step.clause.text,
            too_early=place not in state.told and _sees_kills(state, step),
        )


def _limit_of(desk: Desk, step: Step, acting: list[tuple[int, Skill]]) -> datetime | None:
    """When a step's time is over: so many minutes after the close of the vote, the deal, or what its skill was told."""
    if step.minutes is None:
        return None
    state = desk.state
    length = timedelta(minutes=step.minutes)
    if state.phase.number == 0:
        asked = [one for one in _lines(desk) if one.phase == state.phase and one.act in ("询问", TOLD)]
        since = _at(desk, asked[-1]) if asked else None
    elif step.after_feedback and _sees_kills(state, step):
        since = _told_at(desk, step)
    else:
        since = close_of(desk, state.phase.number)
    return None if since is None else since + length


def _sees_kills(state: GameState, step: Step) -> bool:
    """Whether somebody in the step still has what must be told first; who has lost it goes by the close, as all others do."""
    return any(
        state.is_in(seat) and name not in state.seats[seat].lost
        for name in step.skills
        if (skill := state.table.acts[name]).effect is Effect.SEE_KILLS
        for seat in state.table.users.get(skill.name, ())
    )


def _told_at(desk: Desk, step: Step) -> datetime | None:
    """When the director passed the feedback on (反馈), else when it was there to be passed on."""
    state = desk.state
    seats = {seat for seat, _ in state.fed_back}
    if not seats:
        return None
    noted = [one for one in _lines(desk) if one.phase == state.phase and one.act == TOLD and _names(state, one) & seats]
    if noted:
        return _at(desk, noted[-1])
    at = next((moment for seat, moment in state.fed_back if moment is not None and seat in seats), None)
    return at or _moment_of(desk, lambda earlier: earlier.phase == state.phase and bool(earlier.fed_back))


def _names(state: GameState, order: Order) -> set[int]:
    """The seats that a line's targets name, by name or by a role that one seat has."""
    found: set[int] = set()
    for word in order.targets:
        seat = state.table.find_name(word)
        role = state.table.role_words.get(word)
        found |= {seat} if seat is not None else set(state.table.with_role(role)) if role is not None else set()
    return found


def _lines(desk: Desk) -> Sequence[Order]:
    return desk.orders


def close_of(desk: Desk, number: int) -> datetime | None:
    """When the vote of a day closes or closed: as the ledger moved it, else as game.toml has it, else by the closing line."""
    events = standing_events(tuple(desk.events))
    day = next((one for one in move_days(desk.game.days, events) if one.number == number), None)
    if day is not None:
        return day.closes
    closing = [one for one in _lines(desk) if one.phase.number == number and one.act == CLOSE and one.actor == DIRECTOR]
    return _at(desk, closing[-1]) if closing else None


def _at(desk: Desk, order: Order) -> datetime | None:
    """When a line happened: the moment that it names, else when it was entered."""
    if order.at is not None:
        return order.at
    event = next((one for one in desk.events if one.number == order.number), None)
    return event.entered_at if event is not None else None


def _moment_of(desk: Desk, holds: Callable[[GameState], bool]) -> datetime | None:
    """When something began to hold: at the line after which it does; a close of the vote was at the day's own close."""
    for place, order in enumerate(desk.orders):
        if holds(desk.states[place + 1]):
            if order.act == CLOSE and order.actor == DIRECTOR and order.at is None:
                return close_of(desk, order.phase.number) or _at(desk, order)
            return _at(desk, order)
    return None


def list_errands(desk: Desk) -> tuple[Errand, ...]:
    """What must still be passed on: private messages since the day began, until a line 反馈 says that they were."""
    first = desk.states[0]
    pending = [one for one in first.messages[first.given_messages :] if one.to != PUBLIC]
    known = len(first.messages)
    for order, state in zip(desk.orders, desk.states[1:], strict=True):
        if order.act == TOLD:
            told = _names(state, order)
            pending = [one for one in pending if one.to not in told]
        pending += [one for one in state.messages[known:] if one.to != PUBLIC]
        known = max(known, len(state.messages))
    state = desk.state
    recent = [one for one in pending if _is_recent(one.phase.number, state)]
    messages = tuple(Errand((one.to,), say(one, state.table)) for one in recent)
    return (*_list_groups(state), *messages)


def _is_recent(number: int, state: GameState) -> bool:
    return number >= state.phase.number - (state.phase.kind is PhaseKind.DAY)


def _list_groups(state: GameState) -> Iterator[Errand]:
    for contact in state.contacts:
        if _is_recent(contact.phase.number, state):
            yield Errand(contact.seats, describe_group(contact, state), group=True)


def describe_group(contact: Contact, state: GameState) -> str:
    """A group to open or to take somebody out of, in words."""
    return phrase(
        "{what}：{names}{when}",
        what=phrase("建{group}" if contact.opens else "移出{group}", group=_PARTIES[contact.party]),
        names=listing(state.table.name(seat) for seat in contact.seats),
        when=phrase("，只在夜里开") if contact.by_night else "",
    )


def complete_line(state: GameState, text: str) -> str:
    """A line as it was typed, whole: the phase before it where it has none, and 导演 where the act is his."""
    from engine.ledger import parse_ledger
    from engine.play.directing import DIRECTED
    from engine.play.refusal import Refused
    from scraper.errors import UsageError

    words = text.split()
    if not words:
        return text
    try:
        parse_ledger(text, UTC)
    except (UsageError, Refused):
        phase = state.decisions[0].phase if state.decisions else state.phase
        return f"{phase} {DIRECTOR} {text}" if words[0] in DIRECTED else f"{phase} {text}"
    return text
