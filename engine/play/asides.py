"""What a seat may do beside the day's vote: another vote after an execution, the card of whom a vote put out, an office."""

from __future__ import annotations

from engine.ledger import PhaseKind
from engine.play.cards import give_card, skill_with
from engine.play.chain import ask
from engine.play.deciding import decide
from engine.play.firsts import KEPT
from engine.play.messages import PUBLIC, Message, Told
from engine.play.refusal import Refused
from engine.play.skillset import Effect, Uses
from engine.play.state import Asked, Decision, Draft
from engine.play.who import find_target, must_be_unpublished
from scraper.phrases import phrase
from tally.policy import SECOND

FRESH, USED, NOTHING = "全新", "沿用", "没有"


def ask_for_another_vote(d: Draft) -> bool:
    """每当白天投票结束处决完玩家后,口吃法官可以做出这个手势: once a day, or once a game. True where he is asked."""
    if d.phase.kind is not PhaseKind.DAY or d.poll or SECOND.name in d.polled or not _has_executed(d):
        return False
    for judge in d.holders[Effect.CALL_VOTE]:
        skill = skill_with(d, judge, Effect.CALL_VOTE)
        assert skill is not None
        spent = skill.uses is Uses.ONCE and (judge, skill.name, -1) in d.used
        if d.is_in(judge) and skill.name not in d.seats[judge].lost and not spent:
            d.polled = (*d.polled, SECOND.name)
            ask(d, Decision(Asked.CALL_VOTE, judge, d.phase, d.now, lapses=True), Told.ASK_CALL_VOTE)
            return True
    return False


def _has_executed(d: Draft) -> bool:
    last = d.votes[-1] if d.votes else None
    return last is not None and last.phase == d.phase and last.seat is not None and bool(d.seats[last.seat].cause)


def call_vote(d: Draft, decision: Decision) -> None:
    """主持人将立刻发起一轮新的投票: the day is open again."""
    skill = skill_with(d, decision.seat, Effect.CALL_VOTE)
    assert skill is not None
    if skill.uses is Uses.ONCE:
        d.used = d.used | {(decision.seat, skill.name, -1)}
    d.poll, d.ballots, d.speed, d.requests, d.ruled, d.thread = SECOND.name, (), (), (), None, None
    d.closing, d.cursor, d.closed_at = False, 0, None
    d.messages = (*d.messages, Message(Told.ANOTHER_VOTE, PUBLIC, d.phase))


def take_card(d: Draft, decision: Decision) -> None:
    """打出顺从的女仆牌的玩家,拿过被投票死的玩家的角色牌并继续游戏,角色牌不亮给别人看."""
    servant, gone = decision.seat, decision.about
    assert gone is not None
    role, name = d.seats[gone].role, d.table.name(gone)
    # 顺从的女仆可以翻开自己的角色卡: what she was everybody sees; what she is now nobody.
    d.messages = (*d.messages, Message(Told.REPLACED, PUBLIC, d.phase, (servant, gone), word=d.seats[servant].role))
    answer = FRESH
    if _is_marked(d, gone):
        # Of a choice for the whole game the first night is over: it is the same, or there is none.
        kept = any(skill_with(d, gone, effect) is not None for effect in KEPT)
        about = phrase("{name}（{role}）的技能已经用过、失去或选定，接牌后是否沿用", name=name, role=role)
        answer = decide(d, "女仆接牌", (USED, NOTHING if kept else FRESH), about)
    lovers = d.lovers and skill_with(d, gone, Effect.ARROW) is not None
    give_card(d, servant, role, d.seats[gone].camp if lovers else None)
    if answer == USED:
        seats = list(d.seats)
        old = seats[gone]
        seats[servant] = seats[servant]._replace(lost=old.lost, wounded=old.wounded, feigned=old.feigned)
        d.seats = tuple(seats)
        d.used = d.used | {(servant, *one[1:]) for one in d.used if one[0] == gone}
        d.chosen = (*d.chosen, *((servant, *one[1:]) for one in d.chosen if one[0] == gone))
    d.queue = tuple(one._replace(muted=True) if one.seat == gone else one for one in d.queue)
    d.check_due = True


def _is_marked(d: Draft, seat: int) -> bool:
    """Whether something of a seat's card was used, lost or chosen, so that it is another than when it was dealt."""
    state = d.seats[seat]
    used = any(one[0] == seat for one in d.used) or any(one[0] == seat for one in d.chosen)
    return bool(state.lost) or state.wounded or state.feigned or used


def appoint(d: Draft, seat: int, act: str, words: tuple[str, ...]) -> None:
    """执警由警长任命,警长也可以随时任免其,警长不能任命自己为执警."""
    deputy = d.table.play.deputy
    if deputy is None:
        raise Refused("E305", act=act, hint="")
    if act == deputy.hook:
        raise Refused("E361", act=act)
    if seat != d.sheriff:
        raise Refused("E307", actor=d.table.name(seat), role=d.seats[seat].role, act=act)
    if act == deputy.dismiss:
        d.deputy = None
        d.messages = (*d.messages, Message(Told.NO_DEPUTY, PUBLIC, d.phase, word=deputy.title))
        return
    if len(words) != 1:
        raise Refused("E311", act=act, wanted=1, given=len(words))
    target = find_target(d, words[0])
    must_be_unpublished(d, target)
    if target == seat:
        raise Refused("E368", actor=d.table.name(seat))
    d.deputy = target
    d.messages = (*d.messages, Message(Told.DEPUTY, PUBLIC, d.phase, (target,), word=deputy.title))
