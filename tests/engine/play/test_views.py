"""What a seat and the public may see, held against the rule posts by a reckoning of its own."""

from __future__ import annotations

import random
import re
from dataclasses import asdict

import pytest

from engine.play.messages import PUBLIC, Told
from engine.play.randomplay import Habits, deal_randomly, play_game
from engine.play.skillset import Kind
from engine.play.start import Given
from engine.play.state import GameState
from engine.play.table import make_table
from engine.play.views import see_as, see_public
from engine.play.wording import say
from engine.rulesets.assertion import ASSERTION
from engine.rulesets.m29 import M29
from engine.rulesets.secret_number import SECRET_NUMBER
from engine.rulesets.table import TABLE
from engine.simulate import deal_table, random_roles, rules_of, standard_roles
from engine.switches import Value
from tests.engine.play.make import after, in_phase, m29, numbers, told

HABITS = Habits(nonsense=0.1, cards=0.05, surrenders=0.02)

# A few games at every run, the others with the slow searches.
SEEDS = [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 20))]


def published_numbers(state: GameState) -> set[str]:
    """秘密数字杀: whose number everybody can tell: who feigned, and whoever went out alone in a list."""
    alone = [message.seats[0] for message in state.messages if message.told is Told.OUT and len(message.seats) == 1]
    return {state.table.name(seat) for seat in [*alone, *(index for index, one in enumerate(state.seats) if one.feigned)]}


def may_know_number(state: GameState, seat: int, other: int) -> bool:
    """狼人可以知道所有狼人的秘密数字; 情侣在成为情侣后互知."""
    roles = [player.role for player in state.table.players]
    wolves = state.phase.number > 0 and roles[seat] == roles[other] == "狼人"
    return wolves or (seat in state.lovers and other in state.lovers)


def may_know_role(state: GameState, seat: int, other: int) -> bool:
    """所有狼人在游戏开始后互知共群, but for an only wolf among the lovers."""
    roles = [player.role for player in state.table.players]
    alone = [lover for lover in state.lovers if roles[lover] == "狼人"]
    left = set(alone) if len(alone) == 1 else set()
    return state.phase.number > 0 and roles[seat] == roles[other] == "狼人" and not {seat, other} & left


def check_numbers(state: GameState) -> None:
    public = published_numbers(state)
    table = state.table
    for seat in table.everybody:
        view = see_as(state, seat)
        granted = {table.name(other) for other in table.everybody if other != seat and may_know_number(state, seat, other)}
        assert set(view.numbers) <= granted
        assert set(view.public.numbers) <= public
        for message in state.messages:
            if message.to not in (seat, PUBLIC) or message.told is Told.COUNT:
                continue
            text = say(message, table)
            for other in table.everybody:
                name, number = table.name(other), table.number(other)
                if other == seat or name in granted | public or f"{name} {number}" not in text:
                    continue
                raise AssertionError(f"{table.name(seat)} is told the number of {name}: {text}")


def check_roles(state: GameState) -> None:
    table = state.table
    shown = {table.name(seat) for seat, one in enumerate(state.seats) if one.cause == "冤死"}
    for seat in table.everybody:
        view = see_as(state, seat)
        granted = {table.name(other) for other in table.everybody if other != seat and may_know_role(state, seat, other)}
        assert set(view.roles) <= granted
        assert set(view.public.roles) <= shown
        for text in (*view.notices, *view.public.messages):
            # A camp is no role: 村民阵营 has 猎人 in it.
            for camp in table.play.camps:
                text = text.replace(camp.name, "")
            for other in table.everybody:
                name, role = table.name(other), table.players[other].role
                if other == seat or name in granted | shown or not names(text, name) or role not in text:
                    continue
                raise AssertionError(f"{table.name(seat)} is told the role of {name}: {text}")


def may_know_wolf(state: GameState, seat: int, other: int) -> bool:
    """面杀: 法官后睁眼互知, but for a wolf who left with his lover; who becomes a wolf later knows, and is known."""
    roles, lovers = state.table.roles, state.table.play.lovers.camp
    pack = [index for index, one in enumerate(state.seats) if roles[one.role].kind is Kind.WOLF and one.camp != lovers]
    return state.settled and seat in pack and other in pack


def check_circle(state: GameState) -> None:
    """面杀: wolves know wolves, but not of which kind; single sisters and brothers each other; 高级村民 everybody."""
    table = state.table
    acted = {message.seats[0] for message in state.messages if message.told in (Told.SHOT, Told.FEIGNED)}
    shown = {table.name(seat) for seat, one in enumerate(state.seats) if one.cause == "冤死" or seat in acted}
    shown |= {player.name for player in table.players if player.role == "高级村民"}
    public = see_public(state)
    assert set(public.roles) <= shown
    for seat in table.everybody:
        view = see_as(state, seat)
        siblings = {
            table.name(other)
            for other in table.everybody
            if table.roles[view.roles.get(table.name(other), "村民")].acquainted and not {seat, other} & set(state.lovers)
        }
        pack = {table.name(other) for other in table.everybody if other != seat and may_know_wolf(state, seat, other)}
        assert set(view.roles) <= pack | siblings
        assert {view.roles[name] for name in pack & set(view.roles)} <= {"狼人"}
        asked = [message for message in state.messages if message.to == seat and message.told is Told.WOLF_NEAR]
        for message in state.messages:
            if message.to not in (seat, PUBLIC) or message in asked:
                continue
            # 翻开自己的角色卡: the card that 女仆 laid open is nobody's any more.
            text = say(message, table).replace("翻开角色牌（女仆）", "")
            for camp in table.play.camps:
                text = text.replace(camp.name, "")
            for other in table.everybody:
                name, role = table.name(other), table.players[other].role
                if other == seat or name in pack | siblings | shown or not names(text, name) or role not in text:
                    continue
                raise AssertionError(f"{table.name(seat)} is told the role of {name}: {text}")


@pytest.mark.parametrize("seed", SEEDS)
def test_no_view_of_the_table_holds_a_role_that_is_not_granted(seed: int) -> None:
    dice = random.Random(seed)
    switches: dict[str, Value] = {"roles.enabled": ("变脸者", "狼狗", "天使")} if seed % 2 else {}
    rules, roles = rules_of(TABLE, switches), random_roles(TABLE, dice, switches)
    for turn in play_game(deal_table(TABLE, rules, roles, dice, str(seed)), dice, HABITS):
        if turn.order.act in ("截票", "天亮", "冤死", "殉职", "超时", "替换", "互换", "选择"):
            check_circle(turn.state)


def check_souls(state: GameState) -> None:
    """断言: everybody is told what was published, and a wolf or vampire what he asked; nobody is told of a chant or a vote."""
    table = state.table
    roles = [player.role for player in table.players]
    shown = [message.seats[0] for message in state.messages if message.told is Told.REVEALED]
    public = see_public(state)
    assert public.roles == {table.name(seat): roles[seat] for seat in shown}
    assert set(public.souls) <= {table.name(seat) for seat, one in enumerate(state.seats) if one.soul}
    assert (public.chanted, public.sheriff, public.out) == ((), None, ())
    sentences = re.compile(r"公示身份：角色\d+ 是(村民|狼人|吸血鬼|吹笛者)|进入灵魂状态：角色\d+(、角色\d+)*|游戏结束：.*获胜")
    assert [text for text in public.messages if not sentences.fullmatch(text)] == []
    for seat in table.everybody:
        view = see_as(state, seat)
        assert (view.roles, view.lover, view.asked) == ({}, None, ())
        asked = {"狼人": "嚎叫", "吸血鬼": "气息"}.get(roles[seat])
        for text in view.notices:
            told = re.fullmatch(r"(嚎叫|气息)：(角色\d+) (是|不是)(狼人|吸血鬼)（(是|否)）", text)
            assert told is not None, text
            assert (told[1], told[4]) == (asked, roles[seat])
            assert (told[3] == "是") is (roles[table.names[told[2]]] == roles[seat])


def names(text: str, name: str) -> bool:
    """Whether a text names a seat: 角色1 is not in 角色12."""
    return any(
        not text[place + len(name) : place + len(name) + 1].isdigit()
        for place in range(len(text))
        if text.startswith(name, place)
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_no_view_of_secret_number_holds_a_number_that_is_not_granted(seed: int) -> None:
    rules, dice = rules_of(SECRET_NUMBER), random.Random(seed)
    table = make_table(rules, deal_randomly(standard_roles(rules.roles, 15), dice, numbers=True), str(seed))
    for turn in play_game(table, dice, HABITS):
        if turn.order.act in ("截票", "天亮", "最后一枪", "装傻", "殉职", "超时"):
            check_numbers(turn.state)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_view_of_m29_holds_a_role_that_is_not_granted(seed: int) -> None:
    rules, dice = rules_of(M29), random.Random(seed)
    table = make_table(rules, deal_randomly(standard_roles(rules.roles, 12), dice, numbers=False), str(seed))
    for turn in play_game(table, dice, HABITS):
        if turn.order.act in ("截票", "天亮", "冤死", "殉职", "超时"):
            check_roles(turn.state)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_view_of_assertion_holds_what_is_not_granted(seed: int) -> None:
    rules, dice = rules_of(ASSERTION), random.Random(seed)
    table = make_table(rules, deal_randomly(random_roles(ASSERTION, dice), dice, numbers=False), str(seed))
    asked: set[tuple[str, str, str]] = set()
    for turn in play_game(table, dice, HABITS):
        if turn.refused is None and turn.order.act in ("嚎叫", "气息"):
            asked.add((str(turn.order.phase), turn.order.actor, turn.order.targets[0]))
        if turn.order.act in ("截票", "天亮", "收"):
            check_souls(turn.state)
    # Whoever was told something had asked just that.
    for message in (one for one in turn.state.messages if one.to != PUBLIC):
        assert {(str(message.phase), who, table.name(message.seats[0])) for who in (table.name(message.to),)} <= asked


def test_secret_number_publishes_identities_and_hides_numbers() -> None:
    view = see_public(after(numbers(), "夜0 丘比特 丘比特之箭 12 13\n夜0 导演 天亮"))
    assert view.roles["狼甲"] == "狼人"
    assert view.numbers == {}
    assert any(text.startswith("身份与角色：") and "狼甲（狼人）" in text for text in view.messages)


def test_m29_hides_identities() -> None:
    state = after(m29(), "夜0 丘比特 金箭 民甲 民乙\n夜0 导演 天亮")
    assert see_public(state).roles == {}
    assert see_as(state, 0).roles == {"狼乙": "狼人", "狼丙": "狼人"}
    assert see_as(state, 8).roles == {}
    assert see_as(state, 8).lover == "民乙"


def test_the_archer_is_not_told_where_his_lovers_took_him() -> None:
    state = after(m29(), "夜0 丘比特 金箭 狼甲 狼乙\n夜0 导演 天亮")
    assert state.seats[7].camp == "狼人阵营"
    assert see_as(state, 7).camp is None
    assert see_as(state, 0).camp == "狼人阵营"


def test_an_only_wolf_among_the_lovers_knows_no_wolf_and_no_wolf_knows_him() -> None:
    state = after(m29(), "夜0 丘比特 金箭 狼甲 民乙\n夜0 导演 天亮")
    assert see_as(state, 0).roles == {}
    assert see_as(state, 1).roles == {"狼丙": "狼人"}
    assert [contact.seats for contact in state.contacts] == [(1, 2), (0, 9)]


def test_two_wolves_who_are_lovers_stay_with_the_wolves_and_get_no_group_of_their_own() -> None:
    state = after(m29(), "夜0 丘比特 金箭 狼甲 狼乙\n夜0 导演 天亮")
    assert [contact.seats for contact in state.contacts] == [(0, 1, 2)]


def test_wolves_of_secret_number_know_numbers_but_have_no_group() -> None:
    state = after(numbers(), "夜0 丘比特 丘比特之箭 12 13\n夜0 导演 天亮")
    assert see_as(state, 0).numbers == {"狼乙": 2, "狼丙": 3}
    assert [contact.party.value for contact in state.contacts] == ["lovers"]
    grouped = after(numbers(wolves__group=True), "夜0 丘比特 丘比特之箭 12 13\n夜0 导演 天亮")
    assert [contact.party.value for contact in grouped.contacts] == ["wolves", "lovers"]


def test_several_numbers_are_published_so_that_none_stands_beside_its_name() -> None:
    given = Given(phase=in_phase("日2").phase, lovers=("民甲", "狼甲"))
    state = after(numbers(given), "日2 狼乙 投票 12\n日2 导演 截票")
    assert "出局：民甲（投票）、狼甲（殉情）；秘密数字：1、12" in see_public(state).messages
    assert see_public(state).numbers == {}


def test_a_badge_that_passes_by_night_is_published_by_day() -> None:
    given = Given(phase=in_phase("夜2").phase, sheriff="民甲")
    state = after(numbers(given), "夜2 狼甲 杀人 12\n夜2 导演 天亮")
    assert see_public(state).sheriff == "民甲"
    assert "民甲" in see_public(state).living
    state = after(state, "夜2 警长 殉职 13")
    assert see_public(state).sheriff == "民乙"
    assert "民甲" in see_public(state).out


def test_views_are_plain_values() -> None:
    assert asdict(see_as(m29(), 0))["name"] == "狼甲"


def test_numbers_of_one_list_are_not_told_apart_by_the_next_opening() -> None:
    state = after(numbers(in_phase("日2")), "日2 导演 红牌 民甲\n日2 狼甲 投票 4\n日2 导演 截票\n夜2 导演 天亮")
    (opening,) = [text for text in told(state, "公示") if text.startswith("前一天")]
    assert opening == "前一天出局：女巫、民甲；秘密数字：4、12"
