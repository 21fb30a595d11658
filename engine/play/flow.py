"""What makes the game go on: the chain, the steps of night and day, the questions at their end, the next phase."""

from __future__ import annotations

from engine.ledger import Phase, PhaseKind
from engine.play.asides import ask_for_another_vote
from engine.play.chain import BROUGHT, SCAPEGOAT, VOTE, ask_at_the_end, list_numbers, publish_day_outs, publish_outs, settle_next
from engine.play.circle import growl
from engine.play.day import OVER, advance_day
from engine.play.deciding import decide
from engine.play.firsts import return_cards, tell_riders
from engine.play.holders import draw_holders, steps_of
from engine.play.messages import PUBLIC, Grant, Knows, Message, Told, published_sheriff
from engine.play.night import advance_night, close_opening
from engine.play.opening import tell_chanted
from engine.play.rules import Granularity
from engine.play.state import Draft
from engine.play.victory import camps_left, check_win, declare
from scraper.phrases import phrase

# The answer that nothing is over.
GO_ON = "继续"


def run(d: Draft) -> None:
    """Settle what can be settled: until a decision is open, a step waits to be closed, or somebody has won."""
    while not d.winner and not d.decisions:
        if d.queue:
            settle_next(d)
        elif d.drawn and any(not d.is_in(seat) for _, seat in d.drawn):
            d.drawn = tuple(pair for pair in d.drawn if d.is_in(pair[1]))
            draw_holders(d)
        elif d.check_due and d.table.play.granularity is not Granularity.FLOW_STEP:
            d.check_due = False
            check_win(d)
        elif len(d.order) == len(d.seats) and d.table.play.eliminates:
            end_without_anybody(d)
        elif not _advance(d):
            break
    if d.phase.kind is PhaseKind.DAY and (d.winner or (d.table.play.red_card_at_once and not d.closing)):
        publish_day_outs(d)
        _end_with_the_winner(d)
    if d.winner:
        tell_riders(d)


def _end_with_the_winner(d: Draft) -> None:
    """That the game is over is published behind what ended it."""
    won = tuple(message for message in d.messages if message.told is Told.WINNER)
    if won and d.messages[-1].told is not Told.WINNER:
        d.messages = (*(message for message in d.messages if message.told is not Told.WINNER), *won)


def end_without_anybody(d: Draft) -> None:
    """Everybody is out, and no camp has won or is left alone: the director says which has."""
    left = tuple(camp for camp in camps_left(d.table.play, d) if not _is_aside(d, camp))
    declare(
        d,
        decide(d, "无人生还", left or tuple(camp.name for camp in d.table.play.camps), phrase("所有人都已出局，还没有分出胜负")),
    )


def end_among_themselves(d: Draft) -> bool:
    """All who are in are of one camp, and another, though nobody of it is in, is not lost: where the rules lack a word for that,
    the director says who has won, or that the game goes on. True where it is over."""
    if not d.table.play.asks_when_alone:
        return False
    camps = {d.seats[seat].camp for seat in d.living}
    if len(camps) != 1 or "" in camps:
        return False
    left = [camp for camp in camps_left(d.table.play, d) if not _is_aside(d, camp)]
    answer = decide(d, "只剩一方", (*left, GO_ON), phrase("在场的都属于{camp}，还没有分出胜负", camp=camps.pop()))
    if answer == GO_ON:
        return False
    declare(d, answer)
    return True


def _is_aside(d: Draft, camp: str) -> bool:
    return any(one.aside for one in d.tests if one.camp == camp)


def _advance(d: Draft) -> bool:
    night = d.phase.kind is PhaseKind.NIGHT
    if advance_night(d) if night else advance_day(d):
        return True
    end = len(steps_of(d.table, d.phase.number)) if night else OVER
    if not d.closing or d.cursor < end:
        return False
    if d.check_due:
        d.check_due = False
        check_win(d)
        return True
    if not ask_at_the_end(d) and not ask_for_another_vote(d) and not end_among_themselves(d):
        open_next(d)
    return True


def open_next(d: Draft) -> None:
    """The phase is over: the night that follows a day, or the day with what is published when it opens."""
    if d.phase.kind is PhaseKind.NIGHT:
        if d.phase.number == 0 and d.table.play.first_night == 0:
            close_opening(d)
        d.phase = Phase(PhaseKind.DAY, d.phase.number + 1)
        _open_day(d)
    else:
        publish_day_outs(d)
        d.phase = Phase(PhaseKind.NIGHT, d.phase.number)
        _open_night(d)
    d.closing, d.cursor, d.midway = False, 0, False
    d.closed, d.told = frozenset(), frozenset()
    draw_holders(d)


def _open_night(d: Draft) -> None:
    d.ballots, d.speed, d.requests, d.ruled, d.thread, d.weights = (), (), (), None, None, ()
    d.barred, d.barred_next = d.barred_next, frozenset()
    d.poll, d.polled = "", ()
    # 在次日讨论日开始前…未提交遗言，视为放弃遗言: whoever went out before this day is too late now.
    day = d.phase.number
    d.last_words = tuple(
        words._replace(closed=True) if not words.closed and _is_due(words.phase, day) else words for words in d.last_words
    )


def _is_due(phase: Phase, day: int) -> bool:
    return phase.number < day


def _open_day(d: Draft) -> None:
    """Publish what the opening of a day does: who went out yesterday and in the night, the sheriff, the chanted, last words."""
    d.acts, d.kills, d.shielded, d.muffled, d.saved, d.poisoned, d.fed_back, d.bound = (), (), (), (), (), (), (), ()
    d.dying, d.wards, d.shots, d.put_off, d.drawn, d.passed = (), (), (), (), (), frozenset()
    yesterday: tuple[int, ...] = ()
    for word, seats in _gone_yesterday(d):
        if seats:
            d.messages = (*d.messages, Message(Told.DAY_OPENS, PUBLIC, d.phase, seats, list_numbers(d, seats), word))
            yesterday = (*yesterday, *seats)
    # Of whom the close did not tell (`announce.exile`), this was the first word.
    d.seats = tuple(seat._replace(announced=True) if place in yesterday else seat for place, seat in enumerate(d.seats))
    fresh = tuple(seat for seat in d.order if not d.seats[seat].announced)
    if fresh:
        publish_outs(d, fresh)
    for seat in d.revealed:
        d.grants = (*d.grants, Grant(PUBLIC, seat, Knows.ROLE))
        d.messages = (*d.messages, Message(Told.REVEALED, PUBLIC, d.phase, (seat,)))
    if d.souls_tonight:
        d.messages = (*d.messages, Message(Told.SOULS, PUBLIC, d.phase, d.souls_tonight))
    d.revealed, d.souls_tonight, d.ruled_polls = (), (), ()
    d.messages, d.unpublished = (*d.messages, *(one._replace(phase=d.phase) for one in d.unpublished)), ()
    if d.infected:
        d.infected = False
        d.messages = (*d.messages, Message(Told.INFECTED, PUBLIC, d.phase))
    growl(d)
    return_cards(d)
    if d.released:
        d.released = False
        d.messages = (*d.messages, Message(Told.RELEASED, PUBLIC, d.phase))
    if d.sheriff is not None:
        d.messages = (*d.messages, Message(Told.DAY_SHERIFF, PUBLIC, d.phase, (d.sheriff,)))
    elif published_sheriff(d.messages) is not None:
        # The badge left the game in the night.
        d.messages = (*d.messages, Message(Told.NO_SHERIFF, PUBLIC, d.phase))
    if d.chanted_tonight:
        chanted = tuple(seat for seat in d.chanted_tonight if d.seats[seat].chanted)
        tell_chanted(d, chanted, d.phase)
        d.chanted_tonight = ()
    for words in d.last_words:
        if words.text is not None and not words.closed:
            d.messages = (*d.messages, Message(Told.LAST_WORDS, PUBLIC, d.phase, (words.seat,), word=words.text))
    d.last_words = tuple(words._replace(closed=True) if words.text is not None else words for words in d.last_words)


def _gone_yesterday(d: Draft) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """公示前一天因投票出局角色名单: who went out by the vote and with those whom it put out; whoever went out otherwise, apart.

    What one seat's going out brought belongs to that one.
    """
    yesterday = Phase(PhaseKind.DAY, d.phase.number - 1)
    voted: list[int] = []
    others: list[int] = []
    mine = others
    for seat in d.order[d.given_out :]:
        state = d.seats[seat]
        if state.out_in != yesterday:
            continue
        if state.cause in (VOTE, SCAPEGOAT):
            mine = voted
        elif state.cause not in BROUGHT:
            mine = others
        mine.append(seat)
    if voted and others and d.table.play.numbers:
        # Two lists of what was published as one would tell whose a number is.
        return (("", tuple(seat for seat in d.order if seat in (*voted, *others))),)
    return (("投票", tuple(voted)), ("另有", tuple(others)))
