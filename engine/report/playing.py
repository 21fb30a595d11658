"""What `do`, `status` and `simulate` print: a line and what it brings, where the game stands, what a seat may know."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from engine.ledger import UNDO, Event, PhaseKind, standing_events
from engine.play.answers import NAMES
from engine.play.night import must_still_act, steps_of, waiting_for
from engine.play.order import read_order
from engine.play.rules import POLL_KEYS, StepKind
from engine.play.state import GameState
from engine.play.wording import say
from engine.report.safe import show
from engine.report.values import Json
from tally.finding import Finding, sentence
from tally.policy import ELECTION

if TYPE_CHECKING:
    from engine.desk import Desk, Entry
    from engine.play.views import PublicView, SeatView
    from engine.simulate import Simulation


def _write(lines: Iterable[str]) -> None:
    sys.stdout.write("".join(f"{show(line)}\n" for line in lines))


def print_entry(entry: Entry, *, stored: bool) -> None:
    """A line: refused with both sentences, or what it brings about and what is waited for."""
    if entry.refused is not None:
        _write(
            (
                f"没有照办（{entry.refused.code}）：{entry.refused.sentence}",
                f"可以转告：{entry.refused.safe_sentence}",
                *(['导演坚持：--force "理由"'] if entry.refused.why.insist else []),
            )
        )
        return
    from engine.desk import address

    said = (
        list(entry.changes)
        if entry.corrects
        else [f"{address(one, entry.after)}：{say(one, entry.after.table)}" for one in entry.messages]
    )
    _write((f"#{entry.number} {entry.line}" if stored else f"（没有记下来）{entry.line}", *(f"  {line}" for line in said)))
    _write(f"  第 {one.number} 行没有照办（{one.code} {one.reason}）" for one in entry.spoilt)
    _write(f"  等：{waiting}" for waiting in list_waiting(entry.after))


def list_waiting(state: GameState) -> list[str]:
    """What the game waits for: decisions first, else the steps of the night, else the vote."""
    table = state.table
    if state.winner:
        return []
    if state.decisions:
        return [
            f"{table.name(one.seat)} {NAMES[one.asked]}{f'（{one.minutes} 分钟）' if one.minutes else ''}"
            for one in state.decisions
        ]
    if state.phase.kind is PhaseKind.DAY:
        votes = state.table.play.votes
        today = votes.beside and state.phase.number == votes.election_day
        elects = today and not state.poll and ELECTION.name not in state.polled
        return [f"截票 {POLL_KEYS[0]}={ELECTION.name}", "截票"] if elects else ["截票"]
    if state.phase.number == 0:
        forced = [f"{table.name(seat)} 选择情侣" for seat in must_still_act(state)]
        chosen = {(act.seat, act.skill.name) for act in state.acts}
        free = [
            f"{table.name(seat)} {skill.name}"
            for step in steps_of(table, 0)[state.cursor :]
            for seat, skill in waiting_for(state, step)
            if not skill.forced and (seat, skill.name) not in chosen
        ]
        return [*forced, *free] if forced else [*free, "日1"]
    chosen = {(act.seat, act.skill.name) for act in state.acts}
    waiting = []
    for place, step in enumerate(steps_of(table, state.phase.number)):
        if step.kind is not StepKind.ASK or place < state.cursor or place in state.closed:
            continue
        missing = [
            f"{table.name(seat)} {skill.name}" for seat, skill in waiting_for(state, step) if (seat, skill.name) not in chosen
        ]
        if missing:
            waiting.append(f"{step.name}：{'、'.join(missing)}{f'（{step.minutes} 分钟）' if step.minutes else ''}")
    return [*waiting, "天亮"]


def entry_value(entry: Entry, *, stored: bool) -> Json:
    """A line as JSON."""
    from engine.desk import address

    refused = entry.refused
    return {
        "number": entry.number,
        "line": entry.line,
        "stored": stored,
        "refused": None
        if refused is None
        else {
            "code": refused.code,
            "sentence": refused.sentence,
            "safe": refused.safe_sentence,
            "may_insist": refused.why.insist,
        },
        "messages": [{"to": address(one, entry.after), "text": say(one, entry.after.table)} for one in entry.messages],
        "changes": list(entry.changes),
        "spoilt": [{"line": one.number, "code": one.code, "target": one.reason} for one in entry.spoilt],
        "waiting": list(list_waiting(entry.after)),
        "winner": list(entry.after.winner),
    }


def print_status(state: GameState, troubles: tuple[Finding, ...], waiting: Iterable[str] | None = None) -> None:
    """Where the game stands, for the director; `waiting` is what it waits for, with its limits, where they are known."""
    table = state.table
    _write([f"{state.phase}  警长：{'无' if state.sheriff is None else table.name(state.sheriff)}"])
    for index, seat in enumerate(state.seats):
        number = f" {table.target_word(index)}" if table.hides_targets else ""
        dying = any(kill.target == index for kill in state.dying)
        marks = [
            *([f"出局（{seat.cause}{'' if seat.announced else '，未公示'}）"] if seat.cause else []),
            *(["濒死"] if dying and not seat.cause else []),
            *(["被吹笛"] if seat.chanted else []),
            *(["灵魂"] if seat.soul else []),
            *(["身份已公示"] if seat.published else []),
            *(["情侣"] if index in state.lovers else []),
            *(["装傻"] if seat.feigned else []),
            *(["失去 " + "、".join(sorted(seat.lost))] if seat.lost else []),
        ]
        _write([f"  {table.name(index)}{number}  {seat.role}  {seat.camp}  {' · '.join(marks)}".rstrip()])
    if state.lost:
        _write([f"已判负：{'、'.join(state.lost)}"])
    if state.winner:
        _write([f"获胜：{'、'.join(state.winner)}"])
    _write(f"等：{one}" for one in (list_waiting(state) if waiting is None else waiting))
    _write(f"账本第 {dict(one.parameters).get('line', '?')} 行 {one.code}：{sentence(one)}" for one in troubles)


def status_value(state: GameState, troubles: tuple[Finding, ...], tasks: Sequence[Json] = ()) -> Json:
    """Where the game stands, as JSON; `tasks` are what it waits for, with their limits."""
    table = state.table
    return {
        "phase": str(state.phase),
        "sheriff": None if state.sheriff is None else table.name(state.sheriff),
        "seats": [
            {
                "name": table.name(index),
                "role": seat.role,
                "number": table.number(index) if table.play.numbers else None,
                "vest": table.vest(index) if table.play.vests else None,
                "camp": seat.camp,
                "cause": seat.cause,
                "announced": seat.announced,
                "chanted": seat.chanted,
                "soul": seat.soul,
                "published": seat.published,
                "lost": [*sorted(seat.lost)],
            }
            for index, seat in enumerate(state.seats)
        ],
        "out": [[table.name(seat), state.seats[seat].cause] for seat in state.order],
        "lovers": [table.name(seat) for seat in state.lovers],
        "lost": list(state.lost),
        "winner": list(state.winner),
        "waiting": list(list_waiting(state)),
        "tasks": list(tasks),
        "findings": [{"code": one.code, "parameters": dict(one.parameters), "sentence": sentence(one)} for one in troubles],
    }


def print_ledger(desk: Desk) -> None:
    """Every line with its number; what the rules refuse is marked, with the reason."""
    refused = {one.order.number: one.refused for one in desk.refused}
    undone = _undone(desk)
    for event in desk.events:
        mark = "×" if event.number in refused else "-" if event.number in undone else " "
        _write([f"{mark} #{event.number} {_line_of(event)}"])
        if event.number in refused:
            _write([f"      {refused[event.number]}"])


def ledger_value(desk: Desk) -> Json:
    """The ledger as JSON: every line with its number, whether it holds, and why it is refused."""
    refused = {one.order.number: one.refused for one in desk.refused}
    undone = _undone(desk)
    return [
        {
            "number": event.number,
            "line": _line_of(event),
            "entered_at": event.entered_at.isoformat() if event.entered_at is not None else None,
            "operator": event.operator,
            "undone": event.number in undone,
            "refused": str(refused[event.number]) if event.number in refused else None,
        }
        for event in desk.events
    ]


def _undone(desk: Desk) -> set[int]:
    standing = {event.number for event in standing_events(tuple(desk.events))}
    return {event.number for event in desk.events if event.act != UNDO and event.number not in standing}


def _line_of(event: Event) -> str:
    if event.phase is None:
        return f"{UNDO} {event.targets[0].text}{f' ; {event.remark}' if event.remark else ''}"
    return read_order(event).line


def print_view(view: PublicView | SeatView) -> None:
    """What may be known: what was told and published, in order."""
    from engine.play.views import SeatView

    public = view.public if isinstance(view, SeatView) else view
    if isinstance(view, SeatView):
        number = f"，秘密数字 {view.number}" if view.number is not None else ""
        number += f"，马甲 {view.vest}" if view.vest is not None else ""
        _write([f"{view.name}：{view.role}{number}"])
        _write(f"  {notice}" for notice in view.notices)
        _write(f"  等你：{asked}" for asked in view.asked)
    _write([f"{public.phase}  在场：{'、'.join(public.living)}"])
    _write(f"  公示：{message}" for message in public.messages)


def view_value(view: PublicView | SeatView) -> Json:
    """A view as JSON."""
    value: Json = _plain(asdict(view))
    return value


def _plain(value: object) -> Json:
    match value:
        case dict():
            return {str(key): _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case str() | int() | None:
            return value
        case _:
            return str(value)


def print_simulation(result: Simulation) -> None:
    """Wins per camp, and how long games were."""
    days = result.days
    middle = days[len(days) // 2]
    players = str(result.players) if result.fewest == result.players else f"{result.fewest}–{result.players}"
    _write(
        (
            f"{result.ruleset}：{result.games} 局，每局 {players} 人，种子 {result.seed}",
            *(f"  {camp}  {wins}（{100 * wins / result.games:.1f}%）" for camp, wins in result.wins.items()),
            f"  天数：最短 {days[0]}，中位 {middle}，最长 {days[-1]}",
            f"  每局 {result.lines / result.games:.1f} 行，其中拒绝 {result.refused / result.games:.1f} 行",
            *([f"  规则没有写、由导演裁定（随机）{result.asked} 次"] if result.asked else []),
            *(f"  违反：{violation}" for violation in result.violations[:20]),
        )
    )


def simulation_value(result: Simulation) -> Json:
    """A simulation as JSON."""
    days = result.days
    return {
        "ruleset": result.ruleset,
        "games": result.games,
        "players": result.players,
        "fewest_players": result.fewest,
        "seed": result.seed,
        "wins": dict(result.wins),
        "days": {"shortest": days[0], "median": days[len(days) // 2], "longest": days[-1]},
        "lines": result.lines,
        "refused": result.refused,
        "asked": result.asked,
        "violations": list(result.violations),
    }
