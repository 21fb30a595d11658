"""What the director's own lines of the ledger publish: cards, substitutes, doors, questions about the rules with their answers.

Remarks, and values that a line has beside its targets, are never published: they are the director's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.announcing.moments import Moment
from engine.game import Game
from engine.ledger import DIRECTOR, Event, PhaseKind
from engine.play.chain import RED_CARD
from engine.play.skillset import POLL_KEYS
from engine.play.state import GameState
from engine.playing import CLOSE
from engine.report.templating import Code
from engine.votefacts import KINDS
from tally.policy import ELECTION, TargetKind

ANSWER = "答疑"
_CARDS = {"黄牌": "黄牌：{who}", "红牌": "红牌罚下：{who}", "罚下": "罚下：{who}", "扣分": "扣分：{who}{more}"}
_OFF = ("红牌", "罚下")
_DOORS = {"开门": "开门改为 {at}", "关门": "关门改为 {at}"}
_SPEED = {"加速": "导演宣布：执行加速", "延时": "导演宣布：延时"}


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence that a line publishes, its moment and day, and the line. A question stands apart from what happened."""

    moment: Moment
    day: int
    text: str
    line: int
    question: bool = False


def list_told(game: Game, events: Iterable[Event], state: GameState | None) -> Iterator[Told]:
    """What the lines that hold publish, in order: by day at once, behind the vote with its close, by night with the next opening.

    `state` is the game's where the ledger runs it. `events` are the lines that stand and were obeyed.
    """
    closed: set[int] = set()
    for event in events:
        if event.actor != DIRECTOR or event.phase is None:
            continue
        day, night = event.phase.number, event.phase.kind is PhaseKind.NIGHT
        if event.act == CLOSE and not _is_election(event):
            closed.add(day)
        moment = Moment.CLOSE if day in closed else Moment.MIDDAY
        if night:
            moment, day = Moment.OPENING, day + 1
        if event.act == ANSWER:
            yield Told(moment, day, say_answer(event), event.number, question=True)
        elif event.act in _SPEED:
            yield Told(Moment.SPEED_UP, day, _SPEED[event.act], event.number)
        elif text := _say(game, event, state):
            yield Told(moment, day, text, event.number)


def _is_election(event: Event) -> bool:
    """Whether a close is that of an election which the day goes on after."""
    word = event.value(*POLL_KEYS)
    return word is not None and KINDS.get(word.text) is ELECTION


def say_answer(event: Event) -> str:
    """A question about the rules and its answer."""
    words = [word.text for word in event.targets]
    return f"问：{words[0]}　答：{words[1]}" if len(words) > 1 else "".join(words)


def _say(game: Game, event: Event, state: GameState | None) -> str:
    words = [word.text for word in event.targets]
    if event.act == "公示":
        return f"公示：{' '.join(words)}"
    if event.act in _DOORS and event.at is not None:
        from engine.newday import write_clock

        return Code(_DOORS[event.act].format(at=write_clock(event.at, game)))
    if not words or event.act not in (*_CARDS, "替补"):
        return ""
    who = find_called(game, words[0])
    if who and state is None and event.act in _OFF and game.ruleset.vote.target is TargetKind.VEST:
        # By the vest alone, as the game itself will tell it.
        who = game.secrets.vests.get(who, "")
    if not who or _would_link(game, state, who):
        return ""
    if event.act == "替补":
        return f"替补：{who} 更换替补"
    more = f" {words[1]} 分" if len(words) > 1 else ""
    return _CARDS[event.act].format(who=who, more=more)


def find_called(game: Game, word: str) -> str:
    """The name of the player whom a word of the ledger names, by name, alias or secret; "" for nobody."""
    for seat in game.roster.seats:
        if word in (seat.name, *seat.aliases, *(alias for alias, _ in seat.later)):
            return seat.name
    secret = (*game.secrets.vests.items(), *((name, str(number)) for name, number in game.secrets.numbers.items()))
    return next((name for name, value in secret if value == word), "")


def _would_link(game: Game, state: GameState | None, who: str) -> bool:
    """Whether an account's card, beside the vest that goes out with it, would tell whose that vest was."""
    if game.ruleset.vote.target is not TargetKind.VEST or state is None:
        return False
    seat = state.seats[state.table.names[who]]
    return seat.cause == RED_CARD or state.table.names[who] in state.reds
