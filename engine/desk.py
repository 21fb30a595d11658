"""The ledger of a living game: a line is looked at first, with all that it would do, and stored only then, for good.

`ledger.txt` is only ever appended to. Each stored line carries when it was entered and by whom, the results of its draws, and
at the end of a night or a vote a digest of the state, by which a later version notices that it plays the game otherwise.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from engine.game import Game
from engine.language import say_finding
from engine.ledger import ENTERED_AT, OPERATOR, UNDO, Event, LedgerError, parse_ledger, parse_line
from engine.ledgerfile import encoding_of
from engine.play.acts import INSIST
from engine.play.draws import KEY, write_draws
from engine.play.fold import Rejected
from engine.play.messages import PUBLIC, Message
from engine.play.order import Order, quote, read_order
from engine.play.refusal import Refused
from engine.play.state import GameState, RuledLine
from engine.play.wording import say
from engine.playing import Played, ReadThread, Rows, add_spoilt, begin, obey, play, read_rows, seat_game
from engine.privatefile import open_private
from engine.rulings import check_ledger
from engine.textfile import decode_text
from scraper.errors import UsageError
from scraper.phrases import listing, phrase
from tally.finding import Finding

VERSION, DIGEST = "版本", "摘要"
# What an error names instead of a file.
ENTRY = phrase("输入")
_CLOSING = ("天亮", "截票")
# Lines of the director that a count reads too: it must be able to.
_COUNTED = ("裁定", "代投", "加速", "延时", "替补", "开门", "关门")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line that was looked at: what it would do, or why it is refused. `line` is as it would be stored.

    `corrects` tells that it changes the past (撤销, 补): `changes` are then what would be otherwise, in words, and `anew` is the
    whole game as it would be; any other line is one `order` more.
    """

    number: int
    line: str
    event: Event
    order: Order | None
    before: GameState
    after: GameState
    refused: Refused | None = None
    corrects: bool = False
    changes: tuple[str, ...] = ()
    anew: Played | None = None

    @property
    def spoilt(self) -> tuple[RuledLine, ...]:
        """Lines that turned out to be against the rules because of this one, which settled their step."""
        return self.after.spoilt[len(self.before.spoilt) :]

    @property
    def messages(self) -> tuple[Message, ...]:
        """What the game says because of the line."""
        return self.after.messages[len(self.before.messages) :]


@dataclass(slots=True)
class Desk:
    """An opened game: its ledger as it lies on disk, and the game that it makes."""

    game: Game
    beginning: GameState
    events: list[Event]
    orders: list[Order]
    states: list[GameState]
    rejected: tuple[Rejected, ...]
    lines: int
    size: int
    encoding: str
    ends_line: bool
    newline: str
    version: str
    read_thread: ReadThread | None = None
    rows: Rows = ()

    @property
    def state(self) -> GameState:
        """The state now."""
        return self.states[-1]

    @property
    def refused(self) -> tuple[Rejected, ...]:
        """The lines that the rules refuse: at once, or when their step was settled."""
        return add_spoilt(self.rejected, self.orders, self.state)

    @property
    def played(self) -> Played:
        """The whole game so far; a line that is only appended needs none of it."""
        return Played(tuple(self.orders), tuple(self.states), self.rejected)


ThreadReader = Callable[[tuple[Event, ...]], ReadThread]


def open_desk(game: Game, version: str, threads: ThreadReader | None = None) -> Desk:
    """Read a game's ledger and play it. UsageError where it cannot be read, LedgerError for a line that is none."""
    raw = game.ledger.read_bytes() if game.ledger.exists() else b""
    text = decode_text(raw, str(game.ledger))
    newline = "\r\n" if "\r\n" in text else "\n"
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    events = list(parse_ledger(text, game.zone, str(game.ledger)))
    beginning = begin(game, seat_game(game))
    read_thread = threads(tuple(events)) if threads is not None else None
    lines = text.count("\n") + (1 if text and not text.endswith("\n") else 0)
    rows = read_rows(game)
    played = play(beginning, events, read_thread, rows)
    ends_line = not text or text.endswith("\n")
    orders, states = list(played.orders), list(played.states)
    return Desk(
        game=game,
        beginning=beginning,
        events=events,
        orders=orders,
        states=states,
        rejected=played.rejected,
        lines=lines,
        size=len(raw),
        encoding=encoding_of(raw),
        ends_line=ends_line,
        newline=newline,
        version=version,
        read_thread=read_thread,
        rows=rows,
    )


def look(desk: Desk, text: str, *, now: datetime, operator: str = "", force: str = "") -> Entry:
    """What a line would do. LedgerError for a line that cannot be read; a line that the rules refuse is an entry with `refused`.

    `force` is the reason with which the director insists.
    """
    number = desk.lines + 1
    event = parse_line(text, number, desk.game.zone, ENTRY)
    if event is None:
        raise LedgerError(phrase("输入: 这一行是空的。改法：写全：阶段、行动者、行动，如 `夜2 女巫 毒药 4`。"))
    if event.act in _COUNTED:
        check_ledger(desk.game, (event,))
    before = desk.state
    if event.act == UNDO or event.late:
        return _look_back(desk, event, now, operator, force)
    order = _insist(read_order(event), force)
    try:
        after = obey(before, order, desk.read_thread, desk.rows)
    except Refused as refused:
        return Entry(number, _compose(order, now, operator), event, order, before, before, refused)
    order = _with_results(order, before, after, desk.version)
    line = _compose(order, now, operator)
    stored = parse_line(line, number, desk.game.zone, ENTRY)
    assert stored is not None
    return Entry(number, line, stored, order, before, after)


def _insist(order: Order, reason: str) -> Order:
    """The line as the director insists on it, where he gives a reason."""
    return order._replace(values={**order.values, INSIST: "是"}, remark=order.remark or reason) if reason else order


def _look_back(desk: Desk, event: Event, now: datetime, operator: str, force: str) -> Entry:
    """A line that changes the past: the game is folded again, and what is otherwise is told."""
    before = desk.state
    number = desk.lines + 1
    if event.act == UNDO:
        remark = event.remark or force
        line = f"{UNDO} {event.targets[0].text}{_stamp(now, operator)}{f' ; {remark}' if remark else ''}"
    else:
        line = _compose(_insist(read_order(event), force), now, operator)
    stored = parse_line(line, number, desk.game.zone, ENTRY)
    assert stored is not None
    played = play(desk.beginning, [*desk.events, stored], desk.read_thread, desk.rows)
    after = played.state
    refused = next((one.refused for one in played.rejected if one.order.number == number), None)
    changes = tuple(compare(desk.played, played))
    after = before if refused else after
    return Entry(number, line, stored, None, before, after, refused, True, changes, played)


def store(desk: Desk, entry: Entry) -> None:
    """Append an entry's line, and wait until it lies on the disk. UsageError where the file has changed since it was read."""
    assert entry.refused is None, "a refused line is not stored"
    data = f"{'' if desk.ends_line else desk.newline}{entry.line}{desk.newline}".encode(desk.encoding)
    with open(desk.game.ledger, "ab", opener=open_private) as file:
        if file.tell() != desk.size:
            raise UsageError(phrase("{ledger}: 刚刚有别人写过。改法：再运行一次。", ledger=desk.game.ledger))
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    desk.size += len(data)
    desk.ends_line = True
    desk.lines = entry.number
    desk.events.append(entry.event)
    if entry.anew is not None:
        desk.orders, desk.states, desk.rejected = list(entry.anew.orders), list(entry.anew.states), entry.anew.rejected
    elif entry.order is not None:
        desk.orders.append(entry.order)
        desk.states.append(entry.after)


def _with_results(order: Order, before: GameState, after: GameState, version: str) -> Order:
    """The line with what was drawn while it was obeyed, and with the digest where it closes something."""
    drawn = write_draws(after.table, after.draws[len(before.draws) :])
    values = dict(order.values)
    if drawn:
        values[KEY] = drawn
    if order.act in _CLOSING:
        values |= {VERSION: version, DIGEST: digest(after)}
    return order._replace(values=values)


def _compose(order: Order, now: datetime, operator: str) -> str:
    at = f" @{order.at.isoformat()}" if order.at is not None else ""
    return f"{order}{_stamp(now, operator)}{at}{f' ; {order.remark}' if order.remark else ''}"


def _stamp(now: datetime, operator: str) -> str:
    who = f" {OPERATOR}={quote(operator)}" if operator else ""
    return f" {ENTERED_AT}={now.replace(microsecond=0).isoformat()}{who}"


def digest(state: GameState) -> str:
    """Eight hexadecimal digits that tell states apart: who is out and why, sheriff, chanted, lost, winner, phase."""
    table = state.table
    facts = [
        str(state.phase),
        *(f"{table.name(seat)} {state.seats[seat].cause}" for seat in state.order),
        "-" if state.sheriff is None else table.name(state.sheriff),
        *(table.name(seat) for seat, one in enumerate(state.seats) if one.chanted),
        *state.lost,
        *state.winner,
    ]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:8]


def compare(old: Played, new: Played) -> Iterator[str]:
    """What is otherwise after a correction, in words: outs, sheriff, lost camps, winner, messages, lines that are refused now."""
    before, after = old.state, new.state
    table = after.table
    outs = [
        listing(phrase("{name}（{cause}）", name=table.name(seat), cause=state.seats[seat].cause) for seat in state.order)
        for state in (before, after)
    ]
    for label, was, becomes in (
        (phrase("阶段"), str(before.phase), str(after.phase)),
        (phrase("出局"), *outs),
        (phrase("警长"), _name(before), _name(after)),
        (phrase("判负"), listing(before.lost), listing(after.lost)),
        (phrase("获胜"), listing(before.winner), listing(after.winner)),
    ):
        if was != becomes:
            nothing = phrase("无")
            yield phrase("{label}：{was} → {becomes}", label=label, was=was or nothing, becomes=becomes or nothing)
    left = list(before.messages)
    for message in after.messages:
        if message in left:
            left.remove(message)
        else:
            yield phrase("+ {to}：{text}", to=address(message, after), text=say(message, table))
    yield from (phrase("- {to}：{text}", to=address(message, after), text=say(message, table)) for message in left)
    known = {one.order.number for one in old.rejected}
    for one in new.rejected:
        if one.order.number not in known:
            yield phrase(
                "第 {number} 行不能照办了（{line}）：{code} {why}",
                number=one.order.number,
                line=str(one.order),
                code=one.refused.code,
                why=say_finding(one.refused.finding),
            )


def _name(state: GameState) -> str:
    return "" if state.sheriff is None else state.table.name(state.sheriff)


def address(message: Message, state: GameState) -> str:
    """To whom a message goes, in words."""
    return phrase("公示") if message.to == PUBLIC else state.table.name(message.to)


def find_troubles(desk: Desk) -> tuple[Finding, ...]:
    """The lines that the rules refuse, and a line whose state another version had otherwise."""
    refused = [
        Finding(one.refused.code, (*one.refused.finding.parameters, ("line", str(one.order.number)))) for one in desk.refused
    ]
    return (*refused, *_check_digest(desk))


def _check_digest(desk: Desk) -> Iterator[Finding]:
    """The last digest against the state after its line, unless a later line has corrected the past."""
    for event in reversed(desk.events):
        if event.act == UNDO or event.late or event.act == "裁定":
            return
        told = event.value(DIGEST)
        if told is None:
            continue
        place = next((place for place, order in enumerate(desk.orders) if order.number == event.number), None)
        if place is not None and digest(desk.states[place + 1]) != told.text:
            version = event.value(VERSION)
            yield Finding("E122", (("line", str(event.number)), ("version", version.text if version else "?")))
        return
