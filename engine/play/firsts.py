"""What is chosen once for the whole game: a spare card, an identity, whom one supports or looks up to, which clan one is against.

Also what comes of it later: who looked up to a seat that is out becomes a wolf; who supported somebody wins with his camp.
"""

from __future__ import annotations

from collections import Counter

from engine.play.cards import find_holdings, give_card, is_wolf, skill_with
from engine.play.deciding import decide
from engine.play.draws import draw_seat, draw_seats
from engine.play.messages import PUBLIC, Grant, Knows, Message, Told
from engine.play.refusal import Refused
from engine.play.skillset import Effect, Kind, Skill
from engine.play.state import Draft, NightAct
from engine.play.victory import make_tests
from scraper.phrases import listing, phrase

# Skills whose choice holds for the whole game.
KEPT = (Effect.SUPPORT, Effect.IDOL, Effect.OPPOSE)
# What a borrowed card brings about by itself before the morning.
_BY_THEMSELVES = (Effect.LONG_LIFE, Effect.SHOT, Effect.RUST, Effect.SENSE)


def show_cards(d: Draft) -> None:
    """The game begins: identities that are open, spare cards and faces to whom they concern, and the clans."""
    for index in d.table.everybody:
        _show_open(d, index)
    for index in d.holders[Effect.TRADE]:
        d.messages = (*d.messages, Message(Told.SPARE_CARDS, index, d.phase, word="、".join(d.spare)))
    for index in d.holders[Effect.BORROW]:
        d.messages = (*d.messages, Message(Told.FACES, index, d.phase, word="、".join(d.faces)))
    # 法官在分配身份前将玩家随机划分为两个宗族: before anybody knows whose card it will be.
    if d.holders[Effect.OPPOSE] or any(Effect.OPPOSE in d.table.effects[card] for card in d.spare):
        draw_clans(d)


def _show_open(d: Draft, index: int) -> None:
    """两面都是普通村民图样: everybody sees whose card that is."""
    role = d.seats[index].role
    if d.table.roles[role].open:
        d.grants = (*d.grants, Grant(PUBLIC, index, Knows.ROLE, role))
        d.messages = (*d.messages, Message(Told.OPEN_ROLE, PUBLIC, d.phase, (index,), word=role))


def draw_clans(d: Draft) -> None:
    """将玩家随机划分为两个宗族,两个宗族人数应相近,公示: drawn, but where the game's file says them."""
    if d.table.clans:
        d.clans = d.table.clans
    else:
        first = draw_seats(d, "宗族", tuple(d.table.everybody), (len(d.seats) + 1) // 2)
        d.clans = tuple(0 if index in first else 1 for index in d.table.everybody)
    for number, name in enumerate(d.table.play.clans):
        members = tuple(index for index, clan in enumerate(d.clans) if clan == number)
        d.messages = (*d.messages, Message(Told.CLANS, PUBLIC, d.phase, members, word=name))


def trade(d: Draft, act: NightAct) -> None:
    """盗贼 takes a spare card; what he had lies there instead."""
    own = d.seats[act.seat].role
    left = list(d.spare)
    left.remove(act.word)
    d.spare = (*left, own)
    give_card(d, act.seat, act.word)
    _show_open(d, act.seat)


def must_take_wolf(d: Draft) -> tuple[str, ...]:
    """The spare cards of wolves: where there is one, one of them must be taken."""
    return tuple(card for card in d.spare if d.table.roles[card].kind is Kind.WOLF)


def check_card(d: Draft, skill: Skill, word: str) -> None:
    """Refuse a card that does not lie there, and another than a wolf's where one lies there."""
    cards = d.spare if skill.effect is Effect.TRADE else d.faces
    if word not in cards:
        raise Refused("E364", word=word, cards=listing(cards) or phrase("没有"))
    if skill.effect is Effect.TRADE and (wolves := must_take_wolf(d)) and word not in wolves:
        raise Refused("E363", word=word, wolves=listing(wolves))


def choose_role(d: Draft, act: NightAct) -> None:
    """选择好后你的角色卡将视为狼人或普通村民."""
    give_card(d, act.seat, act.word)


def keep_choice(d: Draft, act: NightAct) -> None:
    """Keep what was chosen for the whole game."""
    number = clan_number(d, act.word) if act.skill.effect is Effect.OPPOSE else act.targets[0]
    d.chosen = (*d.chosen, (act.seat, act.skill.name, number))
    if act.skill.effect is Effect.OPPOSE and d.settled:
        make_tests(d)
    if act.skill.effect is Effect.IDOL:
        lose_idols(d)


def clan_number(d: Draft, word: str) -> int:
    """Which clan a word names: its name, or the first letter of it."""
    return next(number for number, name in enumerate(d.table.play.clans) if word in (name, name[0]))


def choice_of(d: Draft, seat: int, effect: Effect) -> int | None:
    """What a seat has chosen with its skill of an effect; None for nothing yet."""
    skill = skill_with(d, seat, effect)
    if skill is None:
        return None
    return next((number for who, name, number in reversed(d.chosen) if who == seat and name == skill.name), None)


def lose_idols(d: Draft) -> None:
    """【榜样】于野孩子出局之前以任何方式出局后,野孩子…成为了一只狼人."""
    for child in d.holders[Effect.IDOL]:
        model = choice_of(d, child, Effect.IDOL)
        if model is None or not d.is_in(child) or d.is_in(model) or is_wolf(d, child):
            continue
        if any(one.name in d.seats[child].lost for one in d.table.roles[d.seats[child].role].skills):
            continue
        play = d.table.play
        camp = play.wolves
        if d.seats[child].camp != play.village:
            camp = decide(
                d,
                "野孩子变狼",
                (play.wolves, d.seats[child].camp),
                phrase("{name}已属于{camp}，榜样出局后属于哪个阵营", name=d.table.name(child), camp=d.seats[child].camp),
            )
        give_card(d, child, d.table.of_kind(Kind.WOLF)[0], camp)
        d.check_due = True


def tell_riders(d: Draft) -> None:
    """当支持的人所在的阵营胜利,那么他就胜利: told when the game is over."""
    for rider in d.holders[Effect.SUPPORT]:
        choice = choice_of(d, rider, Effect.SUPPORT)
        if choice is not None and d.seats[choice].camp in d.winner:
            d.messages = (*d.messages, Message(Told.RIDES, rider, d.phase, (choice,)))


def draw_choice(d: Draft, seat: int, skill: Skill) -> NightAct:
    """A first choice that was not made in time is drawn."""
    match skill.effect:
        case Effect.SUPPORT | Effect.IDOL:
            others = tuple(index for index in d.living if index != seat)
            return NightAct(seat, skill, (draw_seat(d, skill.name, others),), at=d.now)
        case _:
            # Draws are of seats: each word stands for the seat of its place.
            words = must_take_wolf(d) if skill.effect is Effect.TRADE else skill.choices
            return NightAct(seat, skill, (), at=d.now, word=words[draw_seat(d, skill.name, range(len(words)))])


def borrow(d: Draft, act: NightAct) -> None:
    """变脸者获得这张角色卡的能力一回合. Whether a wolf's card, or one without a skill of the night, gives any is not said."""
    card = d.table.roles[act.word]
    nightly = {name for step in d.table.play.steps for name in step.skills} - {act.skill.name}
    usable = any(skill.name in nightly or skill.effect in _BY_THEMSELVES for skill in card.skills)
    if (card.kind is Kind.WOLF or not usable) and decide(
        d, "变脸", ("有技能", "没有技能"), phrase("{card}的牌给{name}什么", card=act.word, name=d.table.name(act.seat))
    ) == "没有技能":
        left = list(d.faces)
        left.remove(act.word)
        d.faces = tuple(left)
        return
    seats = list(d.seats)
    seats[act.seat] = seats[act.seat]._replace(borrowed=act.word)
    d.seats = tuple(seats)
    find_holdings(d)


def return_cards(d: Draft) -> None:
    """第二天早晨开始时,将这张卡移除游戏."""
    if not d.holders[Effect.BORROW] or not any(seat.borrowed for seat in d.seats):
        return
    gone = Counter(seat.borrowed for seat in d.seats if seat.borrowed)
    d.faces = tuple((Counter(d.faces) - gone).elements())
    d.seats = tuple(seat._replace(borrowed="") if seat.borrowed else seat for seat in d.seats)
    find_holdings(d)
