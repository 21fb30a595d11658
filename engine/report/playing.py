"""What `do`, `status` and `simulate` print: a line and what it brings, where the game stands, what a seat may know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from engine.language import localize, tell_finding
from engine.ledger import UNDO, Event, PhaseKind, standing_events
from engine.play.answers import NAMES
from engine.play.holders import steps_of
from engine.play.order import read_order
from engine.play.rules import StepKind
from engine.play.skillset import POLL_KEYS
from engine.play.state import GameState, Seat
from engine.play.waiting import missing_in, must_still_act
from engine.play.wording import say
from engine.report.lines import write_lines as _write
from engine.report.values import Json
from scraper.phrases import listing, phrase
from tally.finding import Finding, sentence
from tally.policy import ELECTION

if TYPE_CHECKING:
    from engine.desk import Desk, Entry
    from engine.game import Game
    from engine.play.refusal import Refused
    from engine.play.views import PublicView, SeatView
    from engine.simulate import Simulation


def print_entry(entry: Entry, *, stored: bool) -> None:
    """A line: refused with both sentences, or what it brings about and what is waited for."""
    if entry.refused is not None:
        _write(
            (
                *describe_refusal(entry.refused),
                *([phrase('导演坚持：--force "理由"')] if entry.refused.why.insist else []),
            )
        )
        return
    from engine.desk import address

    said = (
        list(entry.changes)
        if entry.corrects
        else [phrase("{to}：{text}", to=address(one, entry.after), text=say(one, entry.after.table)) for one in entry.messages]
    )
    _write((describe_entered(entry, stored=stored), *(phrase("  {line}", line=line) for line in said)))
    _write(
        phrase("  第 {number} 行没有照办（{code} {why}）", number=one.number, code=one.code, why=one.reason)
        for one in entry.spoilt
    )
    _write(phrase("  等：{waiting}", waiting=waiting) for waiting in list_waiting(entry.after))


def describe_refusal(refused: Refused) -> tuple[str, str]:
    """Both sentences of a refusal: the director's in his language, and the one to pass on as players read it."""
    why = tell_finding(refused.finding)
    return (
        phrase("没有照办（{code}）：{why}", code=refused.code, why=why),
        phrase("可以转告：{safe}", safe=refused.safe_sentence),
    )


def describe_entered(entry: Entry, *, stored: bool) -> str:
    """The line itself: under its number, or marked as not entered."""
    if stored:
        return f"#{entry.number} {entry.line}"
    return phrase("（没有记下来）{line}", line=entry.line)


def list_waiting(state: GameState) -> list[str]:
    """What the game waits for: decisions first, else the steps of the night, else the vote."""
    table = state.table
    if state.winner:
        return []
    if state.decisions:
        return [
            phrase("{who} {act}{limit}", who=table.name(one.seat), act=NAMES[one.asked], limit=_limit(one.minutes))
            for one in state.decisions
        ]
    if state.phase.kind is PhaseKind.DAY:
        votes = state.table.play.votes
        today = votes.beside and state.phase.number == votes.election_day
        elects = today and not state.poll and ELECTION.name not in state.polled
        return [f"截票 {POLL_KEYS[0]}={ELECTION.name}", "截票"] if elects else ["截票"]
    if state.phase.number == 0:
        forced: list[str] = [phrase("{who} 选择情侣", who=table.name(seat)) for seat in must_still_act(state)]
        free = [
            f"{table.name(seat)} {skill.name}"
            for step in steps_of(table, 0)[state.cursor :]
            for seat, skill in missing_in(state, step)
            if not skill.forced
        ]
        return [*forced, *free] if forced else [*free, "日1"]
    waiting = []
    for place, step in enumerate(steps_of(table, state.phase.number)):
        if step.kind is not StepKind.ASK or place < state.cursor or place in state.closed:
            continue
        missing = [f"{table.name(seat)} {skill.name}" for seat, skill in missing_in(state, step)]
        if missing:
            waiting.append(
                phrase("{step}：{missing}{limit}", step=step.name, missing=listing(missing), limit=_limit(step.minutes))
            )
    return [*waiting, "天亮"]


def _limit(minutes: int | None) -> str:
    return phrase("（{minutes} 分钟）", minutes=minutes) if minutes else ""


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
    sheriff = phrase("无") if state.sheriff is None else table.name(state.sheriff)
    _write([phrase("{phase}  警长：{sheriff}", phase=state.phase, sheriff=sheriff)])
    for index, seat in enumerate(state.seats):
        number = f" {table.target_word(index)}" if table.hides_targets else ""
        dying = any(kill.target == index for kill in state.dying)
        marks = [
            *([_out(seat)] if seat.cause else []),
            *([phrase("濒死")] if dying and not seat.cause else []),
            *([phrase("被吹笛")] if seat.chanted else []),
            *([phrase("灵魂")] if seat.soul else []),
            *([phrase("身份已公示")] if seat.published else []),
            *([phrase("情侣")] if index in state.lovers else []),
            *([phrase("装傻")] if seat.feigned else []),
            *([phrase("失去 {skills}", skills=listing(sorted(seat.lost)))] if seat.lost else []),
        ]
        _write([f"  {table.name(index)}{number}  {seat.role}  {seat.camp}  {' · '.join(map(localize, marks))}".rstrip()])
    if state.lost:
        _write([phrase("已判负：{camps}", camps=listing(state.lost))])
    if state.winner:
        _write([phrase("获胜：{camps}", camps=listing(state.winner)), phrase("接下来：bansha reveal")])
    _write(phrase("等：{waiting}", waiting=one) for one in (list_waiting(state) if waiting is None else waiting))
    _write(
        phrase(
            "账本第 {line} 行 {code}：{sentence}",
            line=dict(one.parameters).get("line", "?"),
            code=one.code,
            sentence=tell_finding(one),
        )
        for one in troubles
    )


def _out(seat: Seat) -> str:
    return phrase("出局（{cause}）" if seat.announced else "出局（{cause}，未公示）", cause=seat.cause)


def undealt_value(game: Game, lines: Iterable[str]) -> Json:
    """A game without roles, as JSON: the keys of `status_value`, as far as anything is known."""
    seats: list[Json] = [{"name": seat.name, "role": None, "camp": None} for seat in game.roster.seats]
    return {
        "phase": None,
        "sheriff": None,
        "seats": seats,
        "out": [],
        "lovers": [],
        "lost": [],
        "winner": [],
        "waiting": [str(line) for line in lines],
        "tasks": [],
        "findings": [],
    }


def status_value(state: GameState, troubles: tuple[Finding, ...], tasks: Sequence[Json] = ()) -> dict[str, Json]:
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
            one = refused[event.number]
            _write([f"      {one.code} {tell_finding(one.finding)}"])


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
        number = phrase("，秘密数字 {number}", number=view.number) if view.number is not None else ""
        vest = phrase("，马甲 {vest}", vest=view.vest) if view.vest is not None else ""
        _write([phrase("{name}：{role}{number}{vest}", name=view.name, role=view.role, number=number, vest=vest)])
        _write(f"  {notice}" for notice in view.notices)
        _write(phrase("  等你：{asked}", asked=asked) for asked in view.asked)
    _write([phrase("{phase}  在场：{living}", phase=public.phase, living=listing(public.living))])
    _write(phrase("  公示：{message}", message=message) for message in public.messages)


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
            phrase(
                "{ruleset}：{games} 局，每局 {players} 人，种子 {seed}",
                ruleset=result.ruleset,
                games=result.games,
                players=players,
                seed=result.seed,
            ),
            *(
                phrase("  {camp}  {wins}（{share:.1f}%）", camp=camp, wins=wins, share=100 * wins / result.games)
                for camp, wins in result.wins.items()
            ),
            phrase("  天数：最短 {shortest}，中位 {middle}，最长 {longest}", shortest=days[0], middle=middle, longest=days[-1]),
            phrase(
                "  每局 {lines:.1f} 行，其中拒绝 {refused:.1f} 行",
                lines=result.lines / result.games,
                refused=result.refused / result.games,
            ),
            *([phrase("  规则没有写、由导演裁定（随机）{count} 次", count=result.asked)] if result.asked else []),
            *(phrase("  违反：{violation}", violation=violation) for violation in result.violations[:20]),
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
