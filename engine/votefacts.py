"""What a game file says for votes beyond M29's: numbers or vests, who may vote for whom on a day, and further votes of a day.

Nothing here, and nothing that a count is given, says which seat a number or a vest belongs to; the director's secrets.toml is
asked only for what has been published: whose number is out with a seat that is out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from itertools import pairwise
from typing import assert_never

from engine.called import Words
from engine.days import find_seats, read_vote_thread
from engine.gamefile import Section, suggest
from engine.ruleset import RuleSet
from engine.secrets import Secrets
from engine.votekeys import entry_keys
from scraper.phrases import phrase
from tally.day import Curse, Day, Out
from tally.names import index_targets, list_targets
from tally.policy import ELECTION, SECOND, Poll, TargetKind, VotePolicy
from tally.posted import NOBODY_WORD
from tally.roster import Roster, Target

# How a game file calls the further votes of a day.
KINDS: Mapping[str, Poll] = {"竞选": ELECTION, "election": ELECTION, "重投": SECOND, "second": SECOND}


@dataclass(frozen=True, slots=True)
class Round:
    """A further vote of a day: its window and thread (0: none), and the facts that differ from the day's own vote."""

    poll: str
    opens: datetime
    closes: datetime
    vote: int
    sheriff: str | None = None
    out: tuple[Out, ...] = ()
    feigned: frozenset[str] = frozenset()
    result: str | None = None


@dataclass(frozen=True, slots=True)
class VoteFacts:
    """What one [[day]] says for votes, as it is written; `outs` are the numbers or vests that entries of `out` name."""

    outs: Mapping[str, str]
    listed: tuple[str, ...] | None
    feigned: tuple[str, ...]
    feigned_as: Mapping[str, str]
    rounds: tuple[Round, ...]


def read_targets(game: Section, ruleset: RuleSet, seats: int, secrets: Secrets) -> tuple[Target, ...] | None:
    """What votes may name where it is no seat: 1 to the number of seats, or the vests; None where it is the seats."""
    match ruleset.vote.target:
        case TargetKind.CHARACTER | TargetKind.SEAT:
            return None
        case TargetKind.NUMBER:
            return tuple(Target(str(number)) for number in range(1, seats + 1))
        case TargetKind.VEST:
            if "vests" in game.values:
                return _read_vests(game, seats)
            if not secrets.vests:
                fix = phrase('写上 vests = ["甲", "乙"]（顺序和谁是谁无关），或在 secrets.toml 里写每人的 vest')
                raise game.error("", phrase("缺少 vests，不知道投票可以写哪些马甲"), fix)
            # In the order of their names: the order of the file would say whose they are.
            return tuple(Target(vest) for vest in sorted(secrets.vests.values()))
        case _:
            assert_never(ruleset.vote.target)


def _read_vests(game: Section, seats: int) -> tuple[Target, ...]:
    value = game.values["vests"]
    if not isinstance(value, list):
        raise game.wrong("vests", phrase("一列马甲"), phrase('vests = ["甲", "乙"]'))
    targets: list[Target] = []
    words = Words(phrase("马甲"), phrase("两个马甲"), act=False)
    for item in value:
        one = Section(game.file, (*game.path, "vests"), item if isinstance(item, dict) else {"name": item})
        one.allow("name", "aliases")
        one.need("name")
        target = Target(one.name("name"), one.texts("aliases"))
        words.begin(game, "vests", target.name)
        for alias in target.aliases:
            words.add(game, "vests", alias, target.name)
        targets.append(target)
    if len(targets) != seats:
        raise game.error(
            "vests",
            phrase("写了 {targets} 个马甲，而玩家有 {seats} 名", targets=len(targets), seats=seats),
            phrase("一名玩家一个马甲，出局的也写上"),
        )
    return tuple(targets)


@dataclass(frozen=True, slots=True)
class Told:
    """The days of a game with everything that votes need, their further votes, and whose number or vest is not told."""

    days: tuple[Day, ...]
    rounds: Mapping[int, tuple[Round, ...]]
    untold: Mapping[int, tuple[str, ...]]


def read_facts(
    sections: tuple[Section, ...],
    days: tuple[Day, ...],
    names: Mapping[str, str],
    zone: tzinfo,
    board: str,
    policy: VotePolicy,
    roster: Roster,
    secrets: Secrets,
    switches: Mapping[str, object],
) -> Told:
    """What every [[day]] says for votes, put into the days that were read from it."""
    by_number = {section.integer("number"): section for section in sections}
    facts: dict[int, VoteFacts] = {}
    done: list[Day] = []
    untold: dict[int, tuple[str, ...]] = {}
    for day in days:
        section = by_number[day.number]
        written, facts[day.number] = read_vote_facts(
            section, day, names, zone, roster, policy, lambda one: read_vote_thread(one, board)
        )
        check_targets(section, facts[day.number], roster, secrets, policy)
        if policy.most_barred is not None and len(day.barred) > policy.most_barred:
            raise section.error(
                "barred",
                phrase("写了 {barred} 名", barred=len(day.barred)),
                phrase("最多 {most_barred} 名", most_barred=policy.most_barred),
            )
        complete, missing = complete_day(written, facts[day.number], roster, policy, secrets)
        if "result" in section.values:
            complete = replace(complete, result=_find_result(section, roster, policy))
        done.append(complete)
        untold[day.number] = missing
    check_judge(by_number, facts, once=switches.get("judge.limit") == "per_game")
    return Told(tuple(done), {number: one.rounds for number, one in facts.items()}, untold)


def read_vote_facts(
    section: Section,
    day: Day,
    names: Mapping[str, str],
    zone: tzinfo,
    roster: Roster,
    policy: VotePolicy,
    thread: Callable[[Section], int],
) -> tuple[Day, VoteFacts]:
    """The facts of one [[day]]: those that name seats go into the day, the others wait for the targets (`complete_day`)."""
    key = next(iter(entry_keys(policy)), "")
    listed = None
    for name in ("out_numbers", "out_vests"):
        if name in section.values:
            listed = _read_words(section, name)
    feigned, feigned_as = _read_named(section, "feigned", names, key)
    curse = find_seats(section, "cursed", (section.text("cursed"),), names)[0] if section.values.get("cursed") else None
    day = replace(
        day,
        feigned=frozenset(feigned),
        souls=frozenset(find_seats(section, "souls", section.texts("souls"), names)),
        published=frozenset(find_seats(section, "published", section.texts("published"), names)),
        curse=Curse(curse) if curse is not None else None,
    )
    _, outs = _read_named(section, "out", names, key)
    rounds = tuple(_read_round(one, day, names, zone, roster, policy, thread) for one in section.tables("poll"))
    _check_rounds(section, day, rounds, policy)
    return day, VoteFacts(outs, listed, feigned, feigned_as, rounds)


def _read_words(section: Section, key: str) -> tuple[str, ...]:
    """A list of numbers or vests, each as its word."""
    value = section.values[key]
    if not isinstance(value, list) or not all(isinstance(item, str | int) and not isinstance(item, bool) for item in value):
        example = "[3, 7]" if key == "out_numbers" else '["甲", "乙"]'
        raise section.wrong(key, phrase("一个列表"), f"{key} = {example}")
    return tuple(str(item) for item in value)


def _read_named(section: Section, key: str, names: Mapping[str, str], told: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """Seats of a list, and the number or vest that an entry tells with its seat."""
    value = section.values.get(key, [])
    if not isinstance(value, list):
        raise section.wrong(key, phrase("一列玩家"), phrase('{key} = ["豆沙"]', key=key))
    seats: list[str] = []
    words: dict[str, str] = {}
    for item in value:
        one = Section(section.file, (*section.path, key), item if isinstance(item, dict) else {"name": item})
        one.need("name")
        (seat,) = find_seats(section, key, (one.name("name"),), names)
        seats.append(seat)
        if told and told in one.values:
            words[seat] = str(one.integer(told, least=1) if told == "number" else one.name(told))
    return tuple(dict.fromkeys(seats)), words


def _read_round(
    section: Section,
    day: Day,
    names: Mapping[str, str],
    zone: tzinfo,
    roster: Roster,
    policy: VotePolicy,
    thread: Callable[[Section], int],
) -> Round:
    section.allow("kind", "opens", "closes", "vote", "sheriff", "out", "feigned", "result")
    section.need("kind", "opens", "closes")
    kind = section.choice("kind", tuple(KINDS), "竞选")
    opens, closes = section.moment("opens", zone), section.moment("closes", zone)
    if closes <= opens:
        raise section.error("closes", phrase("关门不晚于开门"), phrase("改 opens 或 closes"))
    out, _ = _read_named(section, "out", names, "")
    feigned, _ = _read_named(section, "feigned", names, "")
    sheriff = section.text("sheriff") if "sheriff" in section.values else None
    return Round(
        poll=KINDS[kind].name,
        opens=opens,
        closes=closes,
        vote=thread(section) if "vote" in section.values else day.vote,
        sheriff=find_seats(section, "sheriff", (sheriff,), names)[0] if sheriff else sheriff,
        out=tuple(Out(seat) for seat in out),
        feigned=frozenset(feigned),
        result=_find_result(section, roster, policy) if "result" in section.values else None,
    )


def _check_rounds(section: Section, day: Day, rounds: tuple[Round, ...], policy: VotePolicy) -> None:
    windows = sorted([(day.opens, day.closes), *((one.opens, one.closes) for one in rounds)])
    for (_, closes), (opens, _) in pairwise(windows):
        if opens < closes:
            raise section.error(
                "poll",
                phrase("第 {number} 天的两次投票重叠", number=day.number),
                phrase("改 opens 或 closes，一次投完再开下一次"),
            )
    for one in rounds:
        if one.poll == ELECTION.name and day.number != policy.election_day:
            raise section.error(
                "poll",
                phrase("竞选在第 {election_day} 天，不在第 {number} 天", election_day=policy.election_day, number=day.number),
                phrase('改 number，或改开关 "election.day"'),
            )
        if one.poll == SECOND.name and one.opens < day.closes:
            raise section.error("poll", phrase("重投在这一天的投票之后"), phrase("把 opens 写在这一天 closes 之后"))
    if len({one.poll for one in rounds}) < len(rounds):
        raise section.error("poll", phrase("同一种投票写了两次"), phrase("竞选、重投每天各一次"))


def check_judge(sections: Mapping[int | None, Section], facts: Mapping[int, VoteFacts], *, once: bool) -> None:
    """每当白天投票结束处决完玩家后，口吃法官可以做出这个手势: once a day, or by `judge.limit` once in the game."""
    days = [number for number, one in facts.items() if any(one.poll == SECOND.name for one in one.rounds)]
    if once and len(days) > 1:
        raise sections[days[1]].error(
            "poll", phrase("第 {days} 天已经重投过", days=days[0]), phrase('"judge.limit" = "per_game" 时全局只有一次')
        )


def complete_day(day: Day, facts: VoteFacts, roster: Roster, policy: VotePolicy, secrets: Secrets) -> tuple[Day, tuple[str, ...]]:
    """The day with what votes may not name, and the seats of which nobody has told their number or vest."""
    if roster.targets is None:
        return replace(day, feigned_targets=day.feigned), ()
    known = secrets.numbers if policy.target is TargetKind.NUMBER else secrets.vests
    held = {seat: str(word) for seat, word in known.items()}
    outs, untold = [], []
    for out in day.out:
        word = facts.outs.get(out.name) or (held.get(out.name) if facts.listed is None or out.at is not None else None)
        if word is not None:
            outs.append(Out(word, out.at))
        elif facts.listed is None or out.at is not None:
            untold.append(out.name)
    outs += [Out(word) for word in facts.listed or () if word not in {out.name for out in outs}]
    barred = {seat: facts.feigned_as.get(seat) or held.get(seat) for seat in facts.feigned}
    if not policy.feigned_votable:
        untold += [seat for seat, word in barred.items() if word is None and seat not in {out.name for out in day.out}]
    feigned = frozenset(word for word in barred.values() if word is not None)
    return replace(day, targets_out=tuple(outs), feigned_targets=feigned), tuple(untold)


def _find_result(section: Section, roster: Roster, policy: VotePolicy) -> str:
    """What `result` names: a target of votes, or "" for 无人."""
    written = section.text("result")
    if not written or written == NOBODY_WORD:
        return ""
    found = index_targets(roster, policy.target).find_seat(written)
    if found is None:
        names = [target.name for target in list_targets(roster)]
        raise section.error(
            "result", phrase("没有 {written!r} 这个投票对象", written=written), suggest(written, [*names, NOBODY_WORD])
        )
    return found


def check_targets(section: Section, facts: VoteFacts, roster: Roster, secrets: Secrets, policy: VotePolicy) -> None:
    """Refuse a number or vest that the game has not, and one that secrets.toml gives somebody else."""
    if roster.targets is None:
        return
    names = [target.name for target in roster.targets]
    written = [*facts.outs.values(), *(facts.listed or ()), *facts.feigned_as.values()]
    for word in written:
        if word not in names:
            raise section.error("out", phrase("没有 {word!r} 这个秘密数字或马甲", word=word), suggest(word, names))
    known: Mapping[str, object] = secrets.numbers if policy.target is TargetKind.NUMBER else secrets.vests
    for seat, word in (*facts.outs.items(), *facts.feigned_as.items()):
        if seat in known and str(known[seat]) != word:
            raise section.error("out", phrase("{seat} 的秘密数字或马甲和 secrets.toml 里的不同", seat=seat), phrase("改其中一处"))


def list_votes(day: Day, rounds: tuple[Round, ...], policy: VotePolicy) -> tuple[Day, ...]:
    """Every vote of a day in order: its own and the further ones; in 断言 one for each camp that has a skill for it."""
    if all(poll.role for poll in policy.polls):
        return tuple(replace(day, poll=poll.name) for poll in policy.polls)
    days = [day, *_round_days(day, rounds)]
    return tuple(sorted(days, key=lambda one: one.opens))


def _round_days(day: Day, rounds: tuple[Round, ...]) -> Iterator[Day]:
    for one in rounds:
        out = tuple(out for out in day.out if out.at is None or out.at <= one.closes)
        yield replace(
            day,
            poll=one.poll,
            opens=one.opens,
            closes=one.closes,
            vote=one.vote,
            # Whoever is elected is no sheriff yet; a curse is spent by the day's own vote.
            sheriff="" if one.poll == ELECTION.name else day.sheriff if one.sheriff is None else one.sheriff,
            out=(*out, *one.out),
            feigned=day.feigned | one.feigned,
            feigned_targets=day.feigned_targets | one.feigned,
            moved=(),
            curse=None,
            result=one.result,
        )


def vote_of(day: Day, rounds: tuple[Round, ...], policy: VotePolicy, poll: str) -> Day:
    """The vote of that name on a day, from the day as the ledger leaves it."""
    return next(one for one in list_votes(day, rounds, policy) if one.poll == poll)
