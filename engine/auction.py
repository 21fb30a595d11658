"""The auction of identities (马甲杀: 身份由演员参与竞拍购得): its result is read and checked; what nobody bought is drawn.

How bids are made the rule post does not say, and nothing here does: who paid what for what is an input; prices decide nothing.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.language import say_finding
from engine.play.draws import shuffle
from engine.ruleset import RuleSet
from engine.rulesets.compositions import COMPOSITIONS, check_composition
from engine.textfile import read_text
from scraper.errors import UsageError
from scraper.phrases import chain, phrase
from tally.finding import Severity, severity

_PLAYER, _IDENTITY, _PRICE = ("玩家", "演员", "player"), ("身份", "identity", "role"), ("价格", "出价", "price")
# What the draw of unsold identities is for.
UNSOLD = "竞拍 流拍"


@dataclass(frozen=True, slots=True)
class Sale:
    """One line of the result: who bought which identity for how many points; `line` is where it stands."""

    player: str
    identity: str
    price: int
    line: int = 0


@dataclass(frozen=True, slots=True)
class Settled:
    """Every player's identity, by the names of the rule post; `drawn` are the players who bought none and were drawn one."""

    identities: Mapping[str, str]
    drawn: tuple[str, ...]
    prices: Mapping[str, int]


def read_auction(path: Path) -> tuple[Sale, ...]:
    """The result of an auction: a table with the headings 玩家, 身份 and 价格, a sale a line. UsageError names file and line."""
    rows = list(csv.reader(io.StringIO(read_text(path))))
    heading = [cell.strip().lower() for cell in rows[0]] if rows else []
    places = [
        next((place for place, cell in enumerate(heading) if cell in words), None) for words in (_PLAYER, _IDENTITY, _PRICE)
    ]
    player, identity, price = places
    if player is None or identity is None or price is None:
        raise UsageError(phrase("{path}: 第一行要有 玩家、身份、价格 三列。改法：第一行写列名。", path=path))
    sales = []
    for line, row in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        cells = [cell.strip() for cell in (*row, *[""] * len(heading))]
        if not cells[player] or not cells[identity]:
            raise UsageError(phrase("{path}:{line}: 缺玩家或身份。改法：没有买到身份的玩家不用写。", path=path, line=line))
        if not (cells[price].isascii() and cells[price].isdigit()):
            raise UsageError(
                phrase("{path}:{line}: 价格 {price!r} 不是整数。改法：写积分，如 120。", path=path, line=line, price=cells[price])
            )
        sales.append(Sale(cells[player], cells[identity], int(cells[price]), line))
    return tuple(sales)


def settle_auction(ruleset: RuleSet, sales: Sequence[Sale], players: Sequence[str], seed: str) -> Settled:
    """Who is what: whoever bought an identity has it, and the unsold ones are drawn among the others by the seed.

    The sales must fit the post's row for so many players. UsageError where there is no such row, for an identity that it has not
    or not so often, a player who is none, and one who bought two. The draw takes the unsold identities in the order of the
    post, shuffled, for the players in the order of their names.
    """
    rows = COMPOSITIONS[ruleset.id].rows
    row = rows.rows.get(len(players)) if rows is not None else None
    if row is None:
        wrong = [say_finding(one) for one in check_composition(ruleset, (), players=len(players)) if one.code == "E417"]
        raise UsageError(
            chain(wrong) if wrong else phrase("{title}没有竞拍身份用的配置。改法：用 bansha deal 发牌。", title=ruleset.title)
        )
    left = Counter(row)
    identities: dict[str, str] = {}
    for sale in sales:
        role = ruleset.role(sale.identity)
        if role is None:
            raise _wrong(sale, phrase("{title} 没有 {role!r} 这个身份", title=ruleset.title, role=sale.identity))
        if sale.player not in players:
            raise _wrong(sale, phrase("没有叫 {player!r} 的玩家", player=sale.player))
        if sale.player in identities:
            raise _wrong(sale, phrase("{player} 买了两个身份", player=sale.player))
        if not left[role]:
            raise _wrong(
                sale,
                phrase("{players} 人的配置里 {role} 只有 {cards} 名", players=len(players), role=role, cards=row.get(role, 0)),
            )
        left[role] -= 1
        identities[sale.player] = role
    without = sorted(player for player in players if player not in identities)
    unsold = shuffle(seed, UNSOLD, [role for role in row for _ in range(left[role])])
    identities |= dict(zip(without, unsold, strict=True))
    found = check_composition(ruleset, list(identities.values()), players=len(players))
    assert not any(severity(one) is Severity.ERROR for one in found)
    return Settled(
        {player: identities[player] for player in players}, tuple(without), {sale.player: sale.price for sale in sales}
    )


def _wrong(sale: Sale, problem: str) -> UsageError:
    return UsageError(phrase("竞拍结果第 {line} 行：{problem}。改法：改这一行。", line=sale.line, problem=problem))
