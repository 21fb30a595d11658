"""Which cards a table of so many players is dealt: by the rule post, and by the director where that leaves it open.

What each post says stands beside its rules (`engine.rulesets.compositions`, `table_configurations`); whether a set is legal
is checked there too. Here one set is found: the post's own that agrees with what the director said, else what he wrote whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from engine.ruleset import RuleSet
from engine.rulesets.compositions import COMPOSITIONS, check_composition
from engine.rulesets.table_configurations import CONFIGURATIONS
from engine.switches import Value
from scraper.errors import UsageError
from scraper.phrases import Phrase, chain, listing, phrase
from tally.finding import Finding


@dataclass(frozen=True, slots=True)
class Pack:
    """How many of each role are dealt, in the order of the rule post; `spare` cards are dealt to nobody (盗贼's two).

    `standard` tells that it is one of the rule post's; `findings` are what its check says of it.
    """

    roles: tuple[tuple[str, int], ...]
    spare: int = 0
    standard: bool = True
    findings: tuple[Finding, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """Every card."""
        return tuple(role for role, count in self.roles for _ in range(count))

    def describe(self) -> Phrase:
        """The counts of the roles, in words."""
        return listing(f"{role} {count}" for role, count in self.roles)


def read_roles(ruleset: RuleSet, words: Mapping[str, int]) -> dict[str, int]:
    """The counts that the director gave, by the roles' own names; UsageError for a role that the system has not."""
    found: dict[str, int] = {}
    for word, count in words.items():
        role = ruleset.role(word)
        if role is None:
            known = listing(one.name for one in ruleset.roles)
            raise UsageError(
                phrase(
                    "{system} 没有 {word!r} 这个身份。"
                    "改法：可以写的有 {known}；自创的身份发成其中最接近的一种，它的技能由裁定执行。",
                    system=ruleset.title,
                    word=word,
                    known=known,
                )
            )
        if role in found:
            raise UsageError(phrase("{role} 写了两次。改法：合成一个。", role=role))
        found[role] = count
    return found


def compose(ruleset: RuleSet, players: int, wanted: Mapping[str, int], switches: Mapping[str, Value] | None = None) -> Pack:
    """The cards of so many players: the post's set that agrees with `wanted`, else `wanted` itself where it is whole.

    UsageError where several agree, or none does and `wanted` does not make as many cards as are dealt: it names them.
    """
    fitting = [one for one in _list_standard(ruleset, players) if all(one.get(role, 0) == wanted[role] for role in wanted)]
    if len(fitting) == 1:
        return _make(ruleset, fitting[0], players, switches, standard=True)
    needed = players + _count_spare(ruleset, wanted)
    cards = sum(wanted.values())
    # Cards that are as many as the seats are whole too: the check says what a spare-card role wants beside them.
    if wanted and cards in (needed, players):
        return _make(ruleset, dict(wanted), players, switches, standard=False)
    if fitting:
        raise UsageError(
            phrase(
                "{system} {players} 人有 {number} 种配置：{sets}。改法：用 --roles 说明，如 --roles {example}。",
                system=ruleset.title,
                players=players,
                number=len(fitting),
                sets=_describe(ruleset, fitting),
                example=_tell_apart(ruleset, fitting),
            )
        )
    standard = list(_list_standard(ruleset, players))
    known = (
        phrase("规则里 {players} 人的是：{sets}", players=players, sets=_describe(ruleset, standard))
        if standard
        else phrase("规则没有 {players} 人的配置", players=players)
    )
    given = phrase("；--roles 共 {cards} 张，要 {needed} 张", cards=cards, needed=needed) if wanted else ""
    raise UsageError(
        phrase(
            "{system}：{known}{given}。改法：用 --roles 写全每种身份几人，如 --roles 狼人=3,村民=4。",
            system=ruleset.title,
            known=known,
            given=given,
        )
    )


def _make(
    ruleset: RuleSet, counts: Mapping[str, int], players: int, switches: Mapping[str, Value] | None, *, standard: bool
) -> Pack:
    pack = Pack(_order(ruleset, counts), _count_spare(ruleset, counts), standard)
    found = check_composition(ruleset, pack.cards, players=players, switches=switches)
    return Pack(pack.roles, pack.spare, standard, found)


def _order(ruleset: RuleSet, counts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple((role.name, counts[role.name]) for role in ruleset.roles if counts.get(role.name))


def _count_spare(ruleset: RuleSet, counts: Mapping[str, int]) -> int:
    spare = COMPOSITIONS[ruleset.id].spare
    return spare.more if spare is not None and counts.get(spare.role) else 0


def _list_standard(ruleset: RuleSet, players: int) -> Iterator[dict[str, int]]:
    """The sets that the rule post has for so many."""
    composition = COMPOSITIONS[ruleset.id]
    if composition.rows is not None:
        if players in composition.rows.rows:
            yield dict(composition.rows.rows[players])
    elif ruleset.id == "table":
        yield from (dict(Counter(one.cards)) for one in CONFIGURATIONS if one.players == players)
    else:
        yield from _fill(ruleset, players)


def _fill(ruleset: RuleSet, players: int) -> Iterator[dict[str, int]]:
    """Roles whose number the post says have it; the rest is shared, in every way, between those of 若干人 (of 断言: 4人以上)."""
    limits = {limit.role: limit for limit in COMPOSITIONS[ruleset.id].limits}
    least = {role.name: max(limits[role.name].least if role.name in limits else 0, 1) for role in ruleset.roles}
    # 断言's numbers stand in its check: 村民 alone has no most.
    fixed = (
        {role.name: role.count for role in ruleset.roles if role.count is not None}
        if ruleset.play is not None and ruleset.id != "assertion"
        else {role: limit.most for role, limit in limits.items() if limit.most is not None}
    )
    several = [role.name for role in ruleset.roles if role.name not in fixed]
    left = players - sum(fixed.values())
    if not several:
        if left == 0:
            yield fixed
        return
    for counts in product(*(range(least[role], left + 1) for role in several)):
        if sum(counts) == left:
            yield {**fixed, **dict(zip(several, counts, strict=True))}


def _describe(ruleset: RuleSet, several: list[dict[str, int]]) -> str:
    shown = [Pack(_order(ruleset, one)).describe() for one in several[:4]]
    return chain([*shown, "……"] if len(several) > len(shown) else shown)


def _tell_apart(ruleset: RuleSet, several: list[dict[str, int]]) -> str:
    """Roles that tell the first of several from all others, as the option takes them."""
    chosen: list[str] = []
    rest = several[1:]
    for role in (one.name for one in ruleset.roles):
        kept = [other for other in rest if other.get(role, 0) == several[0].get(role, 0)]
        if len(kept) < len(rest):
            chosen.append(f"{role}={several[0].get(role, 0)}")
            rest = kept
    return ",".join(chosen)
