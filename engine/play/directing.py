"""What only the director writes: closing, time-outs, cards, substitutes, rulings on results and facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from engine.ledger import PhaseKind
from engine.play.answers import NAMES, run_out
from engine.play.chain import drop_feigned, eliminate, give_badge
from engine.play.day import elect_beside
from engine.play.discipline import deduct, dismiss, find_one, give_red, give_yellow, must_eliminate, substitute
from engine.play.firsts import draw_choice
from engine.play.holders import steps_of
from engine.play.messages import PUBLIC, Grant, Knows, Message, Told
from engine.play.opening import change_camp, draw_lovers
from engine.play.order import Order
from engine.play.polls import named_poll
from engine.play.refusal import BY_DAY, BY_NIGHT, Refused
from engine.play.rules import Play, StepKind, Trigger
from engine.play.skills import find_skill
from engine.play.skillset import Effect, Skill
from engine.play.speech import waive_words
from engine.play.state import Ballot, Draft, SpeedUp
from engine.play.victory import check_win, declare, judge_lost
from engine.play.waiting import list_forced
from engine.play.who import find_person, hint
from scraper.phrases import listing, phrase
from tally.policy import ELECTION

NOBODY = ("无人", "弃权")
# What a day's close shows may be given after it.
CARDS = ("黄牌", "红牌", "替补", "扣分", "罚下")
_NOTES = ("询问", "反馈", "答疑", "开门", "关门", "公示", "扣分")
_COUNTED = ("票", "账号", "名字", "发言")


def direct(d: Draft, order: Order, *, insisted: bool) -> None:
    """Obey a line of the director's; Refused for an act that he has not."""
    if order.act not in DIRECTED:
        if order.act == "遗言" and len(order.targets) > 1:
            raise Refused("E331", act=order.act, problem=phrase('遗言由出局者写：`夜1 饺子 遗言 "…"`'))
        raise Refused("E305", act=order.act, hint=hint(order.act, DIRECTED))
    DIRECTED[order.act](d, order, insisted)


def _close_night(d: Draft, order: Order, insisted: bool) -> None:
    """天亮: every step of the night is closed."""
    if d.phase.kind is not PhaseKind.NIGHT:
        raise Refused("E333", act=order.act, kind=BY_NIGHT)
    _not_twice(d)
    must_be_chosen(d)
    d.closing = True
    d.closed_at = order.at


def must_be_chosen(d: Draft) -> None:
    """Refuse to end the game's first night while a forced choice of it is open."""
    waiting = list_forced(d)
    if waiting:
        seat, skill = waiting[0]
        raise Refused("E329", act=skill.name, phase=d.phase, actor=d.table.name(seat))


def read_poll(d: Draft, order: Order) -> str:
    """Which of the day's votes a line is for: the one that is held where it does not say. Refused for one that is not."""
    votes = d.table.play.votes
    if votes.polls or not votes.beside:
        return named_poll(order)
    poll = named_poll(order, d.poll)
    if poll == ELECTION.name and d.phase.number == votes.election_day and poll not in d.polled and d.poll == "":
        return poll
    if poll != d.poll:
        raise Refused("E365", phase=d.phase, poll=poll)
    return poll


def _close_day(d: Draft, order: Order, insisted: bool) -> None:
    """截票: the vote is closed."""
    if d.phase.kind is not PhaseKind.DAY:
        raise Refused("E333", act=order.act, kind=BY_DAY)
    _not_twice(d)
    if d.table.play.votes.beside and (poll := read_poll(d, order)) == ELECTION.name:
        d.closed_at = order.at
        elect_beside(d, poll)
        d.closed_at = None
        return
    d.closing = True
    d.closed_at = order.at


def _not_twice(d: Draft) -> None:
    if d.closing or d.decisions:
        raise Refused("E320", waiting=describe_waiting(d))


def describe_waiting(d: Draft) -> str:
    """What the game waits for, in words."""
    return listing(f"{d.table.name(one.seat)} {NAMES[one.asked]}" for one in d.decisions) or phrase("无")


def _close_step(d: Draft, order: Order, insisted: bool) -> None:
    """收: a step of the night is closed; the word names the step, a role or a skill of it, or the seat."""
    d.closed = d.closed | _find_steps(d, order)


def _find_steps(d: Draft, order: Order) -> frozenset[int]:
    if d.phase.kind is not PhaseKind.NIGHT:
        raise Refused("E333", act=order.act, kind=BY_NIGHT)
    if len(order.targets) != 1:
        raise Refused("E311", act=order.act, wanted=1, given=len(order.targets))
    word = order.targets[0]
    steps = steps_of(d.table, d.phase.number)
    asking = [place for place, step in enumerate(steps) if step.kind is StepKind.ASK]
    exact = [place for place in asking if word in (steps[place].name, *steps[place].skills)]
    if not exact:
        role = d.table.role_words.get(word)
        if role is None and (seat := d.table.find_name(word)) is not None:
            role = d.seats[seat].role
        skills = {skill.name for skill in d.table.roles[role].skills} if role is not None else set()
        exact = [place for place in asking if skills.intersection(steps[place].skills)]
    if not exact:
        raise Refused("E312", word=word, hint=hint(word, [steps[place].name for place in asking]))
    return frozenset(exact)


def _time_out(d: Draft, order: Order, insisted: bool) -> None:
    """超时: the open decision of a seat takes its default; without one, the step of the night is closed as it stands."""
    if len(order.targets) != 1:
        raise Refused("E311", act=order.act, wanted=1, given=len(order.targets))
    word = order.targets[0]
    mine = [one for one in d.decisions if NAMES[one.asked] == word or one.seat == _try_person(d, word)]
    if mine:
        run_out(d, mine[0])
        return
    if d.phase.kind is PhaseKind.NIGHT and not d.closing:
        forced = [(seat, skill) for seat, skill in list_forced(d) if seat == _try_person(d, word)]
        if forced:
            _draw_forced(d, *forced[0])
            return
        if d.phase.number == 0:
            raise Refused("E318", actor=d.table.name(find_person(d, word)))
        d.closed = d.closed | _find_steps(d, order)
        return
    seat = find_person(d, word)
    if not waive_words(d, seat):
        raise Refused("E318", actor=d.table.name(seat))


def _draw_forced(d: Draft, seat: int, skill: Skill) -> None:
    """A forced choice of the first night that was not made in time is drawn."""
    if skill.effect is Effect.ARROW:
        draw_lovers(d, seat)
        d.closing = d.closing or d.phase.number == 0
    else:
        d.acts = (*d.acts, draw_choice(d, seat, skill))


def _try_person(d: Draft, word: str) -> int | None:
    try:
        return find_person(d, word)
    except Refused:
        return None


def _assist(d: Draft, order: Order, insisted: bool) -> None:
    """场外助理: for players with few games behind them."""
    seat = find_one(d, order)
    most, games = d.table.play.assistant_games, d.table.players[seat].games
    if most is not None and games is not None and games > most and not insisted:
        raise Refused("E330", actor=d.table.name(seat), games=games, most=most)
    name = order.values.get("助理", "")
    if name and d.table.find_name(name) is not None and not insisted:
        raise Refused("E331", act=order.act, problem=phrase("{name} 是本局的玩家，不是场外", name=name))
    d.assisted = (*d.assisted, seat)


def _speed(d: Draft, order: Order, insisted: bool) -> None:
    if d.phase.kind is not PhaseKind.DAY or d.closing:
        raise Refused("E333", act=order.act, kind=BY_DAY)
    d.speed = (*d.speed, SpeedUp(order.act == "加速", order.at, len(d.ballots)))


def _proxy(d: Draft, order: Order, insisted: bool) -> None:
    """代投 VOTER TARGET: a vote that the director casts for a seat."""
    words = tuple(word for word in order.targets if word not in ("改票", "改为"))
    if len(words) != 2:
        raise Refused("E311", act=order.act, wanted=2, given=len(words))
    if d.phase.kind is not PhaseKind.DAY or d.closing:
        raise Refused("E333", act=order.act, kind=BY_DAY)
    voter = find_person(d, words[0])
    if d.seats[voter].cause and not insisted:
        raise Refused("E306", actor=d.table.name(voter))
    target = None if words[1] == "弃权" else d.table.find_target(words[1])
    if target is None and words[1] != "弃权":
        raise Refused("E312", word=words[1], hint=hint(words[1], d.table.names))
    if target is not None and d.seats[target].announced and not insisted:
        raise Refused("E313", target=d.table.name(target))
    d.ballots = (
        *d.ballots,
        Ballot(
            voter,
            target,
            order.told if d.table.play.votes.polls else order.at,
            len(d.ballots),
            proxy=True,
            poll=read_poll(d, order),
        ),
    )


def _note(d: Draft, order: Order, insisted: bool) -> None:
    """Lines that are evidence and move nothing: 询问 and 反馈 say when, 开门, 关门 and 公示 speak to counts and checks."""


def _answer(d: Draft, order: Order, insisted: bool) -> None:
    """答疑 "问" "答": a question about the rules, and the answer that is published (请导演在场上公示); it moves nothing."""
    if not 1 <= len(order.targets) <= 2:
        raise Refused("E311", act=order.act, wanted="1–2", given=len(order.targets))


def is_note(order: Order, play: Play) -> bool:
    """Whether a line moves nothing in the game, so that it may speak of any phase: evidence, and rulings that a count reads."""
    if order.act == "扣分" and play.points is not None:
        return False
    return order.act in _NOTES or (order.act == "裁定" and order.targets[:1] in [(word,) for word in _COUNTED])


def _rule(d: Draft, order: Order, insisted: bool) -> None:
    """裁定: 结果 and 事实 are the game's; 票, 账号, 名字 and 发言 are the count's, and change nothing here."""
    words = order.targets
    if not words:
        raise Refused("E331", act=order.act, problem=phrase("没有写裁定什么，如 `裁定 结果 出局 包子`"))
    match words[0], words[1:]:
        case ("结果", ("出局" | "警长" | "灵魂" | "公示", word)) | ("结果", (word,)):
            _rule_result(d, order, word)
        case "事实", facts:
            _rule_fact(d, order, facts)
        case "决定", (question, answer):
            d.decided = (*d.decided, (question, d.phase, answer))
        case (("票" | "账号" | "名字" | "发言"), _):
            return
        case _:
            raise Refused("E331", act=order.act, problem=f"{' '.join(words)!r}")


def _rule_result(d: Draft, order: Order, word: str) -> None:
    if d.phase.kind is not PhaseKind.DAY or d.closing:
        raise Refused("E333", act="裁定 结果", kind=phrase("截票之前的白天"))
    if d.table.play.votes.polls:
        names = [poll.name for poll in d.table.play.votes.polls]
        if (poll := named_poll(order)) not in names:
            raise Refused("E331", act="裁定 结果", problem=phrase("没有写是哪一次投票，写上 票={names}", names="|".join(names)))
        seat = None if word in NOBODY else _find_any(d, word)
        d.ruled_polls = (*(one for one in d.ruled_polls if one[0] != poll), (poll, seat))
        return
    d.ruled = () if word in NOBODY else (_find_any(d, word),)


def _find_any(d: Draft, word: str) -> int:
    found = d.table.find_target(word)
    return find_person(d, word) if found is None else found


def _rule_fact(d: Draft, order: Order, facts: tuple[str, ...]) -> None:
    """裁定 事实: the director sets a fact straight. What follows from it follows by the rules."""
    match facts:
        case ("出局", word):
            must_eliminate(d, "出局")
            eliminate(d, _must_be_in(d, word), order.values.get("原因", "裁定"))
        case ("在场", word):
            _bring_back(d, _find_any(d, word))
        case ("警长", word):
            give_badge(d, None if word in NOBODY else _must_be_in(d, word), ruled=True)
        case ("阵营", word, camp) if camp in [one.name for one in d.table.play.camps]:
            change_camp(d, _find_any(d, word), camp)
            check_win(d)
        case (("吹笛" | "解除吹笛") as what, word):
            _change(d, _find_any(d, word), chanted=what == "吹笛")
            check_win(d)
        case (("灵魂" | "解除灵魂") as what, word):
            _make_soul(d, _find_any(d, word), soul=what == "灵魂")
            check_win(d)
        case ("公示身份", word):
            seat = _find_any(d, word)
            _change(d, seat, published=True)
            d.grants = (*d.grants, Grant(PUBLIC, seat, Knows.ROLE))
            d.messages = (*d.messages, Message(Told.REVEALED, PUBLIC, d.phase, (seat,)))
        case ("失去", word, act):
            seat = _find_any(d, word)
            _change(d, seat, lost=d.seats[seat].lost | {find_skill(d, seat, act).name})
            if Trigger.DROP in d.table.play.chain:
                drop_feigned(d)
        case ("恢复", word, act):
            seat = _find_any(d, word)
            name = find_skill(d, seat, act).name
            _change(d, seat, lost=d.seats[seat].lost - {name})
            d.used = frozenset(one for one in d.used if one[:2] != (seat, name))
        case ("禁票", *words) if words:
            d.barred = d.barred | {_find_any(d, word) for word in words}
        case ("判负", camp) if camp in [one.name for one in d.table.play.camps]:
            judge_lost(d, camp)
            check_win(d)
        case ("获胜", camp) if camp in [one.name for one in d.table.play.camps]:
            declare(d, camp)
        case _:
            raise Refused("E331", act="裁定 事实", problem=" ".join(facts) or phrase("没有写什么事实"))


def _must_be_in(d: Draft, word: str) -> int:
    seat = _find_any(d, word)
    if d.seats[seat].cause:
        raise Refused("E335", target=d.table.name(seat))
    return seat


def _change(d: Draft, seat: int, **facts: object) -> None:
    seats = list(d.seats)
    seats[seat] = seats[seat]._replace(**facts)  # type: ignore[arg-type]
    d.seats = tuple(seats)


def _make_soul(d: Draft, seat: int, *, soul: bool) -> None:
    """A fact of the director's about a soul, which everybody is told."""
    _change(d, seat, soul=soul)
    told = Told.SOULS if soul else Told.SOUL_NO_MORE
    d.messages = (*d.messages, Message(told, PUBLIC, d.phase, (seat,)))


def _bring_back(d: Draft, seat: int) -> None:
    """A seat that went out by mistake is in again."""
    _change(d, seat, cause="", announced=False, out_in=None, out_at=None)
    d.order = tuple(one for one in d.order if one != seat)
    d.last_words = tuple(words for words in d.last_words if words.seat != seat)


DIRECTED: Mapping[str, Callable[[Draft, Order, bool], None]] = MappingProxyType(
    {
        "天亮": _close_night,
        "截票": _close_day,
        "收": _close_step,
        "超时": _time_out,
        "红牌": give_red,
        "黄牌": give_yellow,
        "替补": substitute,
        "场外助理": _assist,
        "助理": _assist,
        "加速": _speed,
        "延时": _speed,
        "代投": _proxy,
        "裁定": _rule,
        "询问": _note,
        "反馈": _note,
        "答疑": _answer,
        "开门": _note,
        "关门": _note,
        "公示": _note,
        "扣分": deduct,
        "罚下": dismiss,
    }
)
