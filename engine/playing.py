"""A game file with its ledger, played: the lines in the order in which they hold, folded into the state; votes from the threads.

Pure but for `read_thread`, which the caller gives: it counts the recorded thread of a day from the state's own facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from engine.game import Game
from engine.language import say_finding
from engine.ledger import DIRECTOR, Event, Phase, PhaseKind, standing_events
from engine.play.acts import apply
from engine.play.fold import Rejected
from engine.play.order import Order, read_order
from engine.play.polls import named_poll
from engine.play.refusal import Refused
from engine.play.start import FIRST_DAY, FIRST_NIGHT, Given, GivenError, start
from engine.play.state import GameState, ThreadVotes, freeze, thaw
from engine.play.table import Player, Table, make_table
from engine.votetable import read_table
from scraper.errors import GameFileError, UsageError
from scraper.phrases import listing, phrase
from tally.policy import OffBoard

CLOSE, RULE, NO_VOTES = "截票", "裁定", "无票"
# Two skills that exclude each other in one night.
_EXCLUDED = "E317"

# The votes of the day that is being closed, from its recorded thread. Raises Refused where there is none, or its tally is not
# final: that nobody voted is never concluded from there being nothing to read.
ReadThread = Callable[[GameState], ThreadVotes]
Rows = tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A game after its ledger: every line, the state before it and after the last, and which lines were refused."""

    orders: tuple[Order, ...]
    states: tuple[GameState, ...]
    rejected: tuple[Rejected, ...]

    @property
    def state(self) -> GameState:
        """The state now."""
        return self.states[-1]


def find_rejected(played: Played) -> tuple[Rejected, ...]:
    """The lines that were refused, and those that were obeyed and turned out to be against the rules after all."""
    return add_spoilt(played.rejected, played.orders, played.state)


def add_spoilt(rejected: tuple[Rejected, ...], orders: Iterable[Order], state: GameState) -> tuple[Rejected, ...]:
    """The refused lines of a game with those of which its state says that nothing came of them."""
    if not state.spoilt:
        return rejected
    by_number = {order.number: order for order in orders}
    late = {one.number: one for one in state.spoilt if one.number in by_number}
    spoilt = (
        Rejected(by_number[number], Refused(one.code, act=by_number[number].act, target=one.reason))
        for number, one in late.items()
    )
    return tuple(sorted((*rejected, *spoilt), key=lambda one: one.order.number))


def seat_game(game: Game) -> Table:
    """The table of a game file with its secrets; UsageError where a role is not told, or the system is not played yet."""
    if game.ruleset.play is None:
        raise UsageError(phrase("{path}: {title} 的规则还没有做进这个版本，只能计票。", path=game.path, title=game.ruleset.title))
    missing = [seat.name for seat in game.roster.seats if seat.name not in game.secrets.roles]
    if missing:
        secrets = game.path.parent / "secrets.toml"
        raise UsageError(
            phrase(
                "{secrets}: 不知道 {missing} 的身份。改法：每名玩家一段 [[player]]，有 name 和 role。",
                secrets=secrets,
                missing=listing(missing),
            )
        )
    rules = replace(game.ruleset.play(game.switches, game.policy), yellow_to_red=game.cards.yellow_to_red)
    if rules.numbers and (unnumbered := [seat.name for seat in game.roster.seats if seat.name not in game.secrets.numbers]):
        raise UsageError(
            phrase(
                "{parent}: 不知道 {unnumbered} 的秘密数字。改法：写上 number = …。",
                parent=game.path.parent / "secrets.toml",
                unnumbered=listing(unnumbered),
            )
        )
    if rules.vests and (unvested := [seat.name for seat in game.roster.seats if seat.name not in game.secrets.vests]):
        raise UsageError(
            phrase(
                '{path}: 不知道 {names} 的马甲。改法：写上 vest = "…"。',
                path=game.path.parent / "secrets.toml",
                names=listing(unvested),
            )
        )
    players = [
        Player(
            seat.name,
            game.secrets.roles[seat.name],
            game.secrets.numbers.get(seat.name),
            seat.aliases,
            seat.games,
            game.secrets.vests.get(seat.name),
        )
        for seat in game.roster.seats
    ]
    try:
        return make_table(rules, players, game.secrets.seed, spare=game.secrets.spare, faces=game.secrets.faces)
    except ValueError as error:
        raise UsageError(f"{game.path.parent / 'secrets.toml'}: {error}") from None


def begin(game: Game, table: Table) -> GameState:
    """The state before the first line: a new game, or one taken up in the middle ([given]); GameFileError for a wrong fact."""
    try:
        return start(table, read_given(game))
    except GivenError as error:
        fixes = {"used": phrase("写成 女巫 救药（谁 技能 对象）"), "lost": phrase("写规则里的阵营")}
        raise GameFileError(
            phrase(
                "{path}: given.{key}: {problem}。改法：{fix}。",
                path=game.path,
                key=error.key,
                problem=error.problem,
                fix=fixes.get(error.key, phrase("写 [[player]] 里的名字")),
            )
        ) from None


def read_given(game: Game) -> Given | None:
    """[given] of a game file; None for a game from its beginning."""
    values = game.given
    if not values:
        return None
    phase = str(values.get("phase", ""))

    def words(key: str) -> tuple[str, ...]:
        value = values.get(key, [])
        return tuple(str(item) for item in value) if isinstance(value, list) else (str(value),)

    return Given(
        phase=Phase(PhaseKind(phase[0]), int(phase[1:])) if phase else None,
        sheriff=str(values.get("sheriff", "")),
        lovers=words("lovers"),
        chanted=words("chanted"),
        out=tuple((row[0], row[1] if len(row) > 1 else "") for row in _rows(values.get("out", []))),
        used=tuple(" ".join(row) for row in _rows(values.get("used", []))),
        lost=words("lost"),
        barred=words("barred"),
        souls=words("souls"),
        published=words("published"),
    )


def _rows(value: object) -> list[list[str]]:
    items = value if isinstance(value, list) else [value]
    return [[str(part) for part in item] if isinstance(item, list) else [str(item)] for item in items]


def play(beginning: GameState, events: Iterable[Event], read_thread: ReadThread | None = None, rows: Rows = ()) -> Played:
    """Fold every line that holds: undone ones are left out, late ones and results stand where they belong.

    `rows` are the votes of votes.csv, which stand before the close of their day.
    """
    late: list[Order] = []
    orders: list[Order] = []
    for event in standing_events(tuple(events)):
        order = read_order(event)
        (late if order.late else orders).append(order)
    played = fold_all(beginning, _move_results(orders), read_thread, rows)
    for order in late:
        played = insert(played, order, read_thread, rows)
    return played


def _move_results(orders: list[Order]) -> list[Order]:
    """裁定 结果 stands before the close of its day, whenever it was written: the result is what it says."""
    results: dict[Phase, list[Order]] = {}
    for order in filter(_is_result, orders):
        results.setdefault(order.phase, []).append(order)
    moved: list[Order] = []
    for order in orders:
        if _is_result(order):
            continue
        if order.act == CLOSE and order.phase in results:
            moved += results.pop(order.phase)
        moved.append(order)
    return [*moved, *(order for some in results.values() for order in some)]


def _is_result(order: Order) -> bool:
    return order.actor == DIRECTOR and order.act == RULE and order.targets[:1] == ("结果",)


def fold_all(beginning: GameState, orders: Iterable[Order], read_thread: ReadThread | None = None, rows: Rows = ()) -> Played:
    """Obey every line in turn; what is refused is kept, and changes nothing."""
    states, tried, rejected = [beginning], [], []
    for order in orders:
        tried.append(order)
        try:
            states.append(obey(states[-1], order, read_thread, rows))
        except Refused as refused:
            states.append(states[-1])
            rejected.append(Rejected(order, refused))
    return Played(tuple(tried), tuple(states), tuple(rejected))


def obey(state: GameState, order: Order, read_thread: ReadThread | None = None, rows: Rows = ()) -> GameState:
    """Obey one line; the close of a vote without a vote in the ledger takes those of the recorded thread. Raises Refused.

    A result that was ruled needs no votes, nor does a close that says that there were none (无票=是).
    """
    if order.act != CLOSE or order.actor != DIRECTOR:
        return apply(state, order)
    if order.phase == state.phase and not state.closing:
        state = _cast(state, rows)
    if read_thread is None:
        return apply(state, order)
    if state.phase == FIRST_NIGHT and order.phase == FIRST_DAY:
        # The first line of 日1 ends 夜0; the thread is counted with what holds then.
        state = apply(state, Order(FIRST_NIGHT, DIRECTOR, "天亮"))
    poll = named_poll(order, state.poll)
    cast = any(not ballot.proxy and ballot.poll == poll for ballot in state.ballots)
    told = state.ruled is not None or NO_VOTES in order.values or cast
    told = told or bool(state.table.play.votes.polls)  # told in private: no thread has them
    thread = None if told or order.phase != state.phase or state.closing else read_thread(_at_poll(state, poll))
    return apply(state, order, thread)


def _at_poll(state: GameState, poll: str) -> GameState:
    """The state for a reader of threads, which is told by it which of the day's votes is closed."""
    if poll == state.poll:
        return state
    draft = thaw(state)
    draft.poll = poll
    return freeze(draft)


def _cast(state: GameState, rows: Rows) -> GameState:
    """The day with its rows of votes.csv. A row that cannot be obeyed leaves the vote open: none is passed over in silence."""
    for row in rows:
        if row.phase == state.phase:
            try:
                state = apply(state, row)
            except Refused as refused:
                line = " ".join((row.actor, row.act, *row.targets))
                why = phrase("votes.csv {line}：{why}", line=line, why=say_finding(refused.finding))
                raise Refused("E337", day=state.phase.number, why=why) from None
    return state


def read_rows(game: Game, known_at: datetime | None = None) -> Rows:
    """The rows of votes.csv as the engine takes them; none where votes stand on a board, which reads them as proxies."""
    if game.policy.off_board is OffBoard.PROXY:
        return ()
    events = standing_events(read_table(game.vote_table, game.zone), known_at)
    return tuple(read_order(event)._replace(number=0) for event in events)


def insert(played: Played, order: Order, read_thread: ReadThread | None = None, rows: Rows = ()) -> Played:
    """Put a late line (补) at the last place of its phase at which it is legal, and fold what follows again.

    Where it is legal nowhere it is refused, with the reason that holds before the phase was closed. So is one that is legal only
    before a choice of the same night which excludes it: that one was made, and stands until it is undone.
    """
    places = [place for place, state in enumerate(played.states) if state.phase == order.phase]
    refusal: Refused | None = None
    for place in reversed(places):
        try:
            obey(played.states[place], order, read_thread, rows)
        except Refused as refused:
            refusal = refused
            continue
        anew = fold_all(played.states[0], [*played.orders[:place], order, *played.orders[place:]], read_thread, rows)
        excluded = _find_excluded(played, anew, order)
        if excluded is None:
            return anew
        told = excluded.refused.parameters
        refusal = Refused(_EXCLUDED, actor=told["actor"], act=told["other"], other=told["act"])
    if refusal is None:
        refusal = Refused("E302", now=played.state.phase, phase=order.phase)
    return replace(played, rejected=(*played.rejected, Rejected(order, refusal)))


def _find_excluded(before: Played, after: Played, late: Order) -> Rejected | None:
    """A choice of a late line's phase that was obeyed, and is not any more because the late one excludes it."""
    known = {one.order.number for one in before.rejected}
    return next(
        (
            one
            for one in after.rejected
            if one.refused.code == _EXCLUDED and one.order.phase == late.phase and one.order.number not in known
        ),
        None,
    )
