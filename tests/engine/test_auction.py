"""The auction's result: checked against the composition, what nobody bought drawn by the seed, and no rule of bidding."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from engine.auction import Sale, read_auction, settle_auction
from engine.rulesets.m29 import M29
from engine.rulesets.vest import VEST
from scraper.errors import UsageError

TEN = [f"演员{number}" for number in range(10)]
# 10	4	3	✓	✓					✓
ROW = Counter({"狼人": 4, "村民": 3, "先知": 1, "女巫": 1, "爱神": 1})


def test_whoever_bought_an_identity_has_it_and_the_rest_is_drawn() -> None:
    sales = (Sale("演员3", "预言家", 300), Sale("演员7", "狼人", 0), Sale("演员0", "女巫", 12))
    settled = settle_auction(VEST, sales, TEN, "seed")
    assert (settled.identities["演员3"], settled.identities["演员7"], settled.identities["演员0"]) == ("先知", "狼人", "女巫")
    assert Counter(settled.identities.values()) == ROW
    assert settled.drawn == ("演员1", "演员2", "演员4", "演员5", "演员6", "演员8", "演员9")
    assert settled.prices == {"演员3": 300, "演员7": 0, "演员0": 12}


def test_the_draw_follows_from_the_seed_and_not_from_the_order_of_the_players() -> None:
    sales = (Sale("演员3", "先知", 300),)
    first = settle_auction(VEST, sales, TEN, "seed").identities
    assert settle_auction(VEST, sales, TEN[::-1], "seed").identities == first
    assert any(settle_auction(VEST, sales, TEN, f"seed {number}").identities != first for number in range(5))


def test_a_higher_price_decides_nothing() -> None:
    low, high = (settle_auction(VEST, (Sale("演员3", "先知", price),), TEN, "seed").identities for price in (1, 999))
    assert low == high


WRONG = [
    ("a second 先知", (Sale("演员3", "先知", 3, 2), Sale("演员4", "先知", 9, 3)), TEN, "第 3 行.*先知 只有 1 名"),
    ("an identity that ten players have not", (Sale("演员3", "白狼", 3, 2),), TEN, "第 2 行.*白狼 只有 0 名"),
    ("an identity that there is not", (Sale("演员3", "替罪羊", 3, 2),), TEN, "没有 '替罪羊' 这个身份"),
    ("a stranger", (Sale("谁", "先知", 3, 2),), TEN, "没有叫 '谁' 的玩家"),
    ("two identities for one", (Sale("演员3", "先知", 3, 2), Sale("演员3", "女巫", 3, 3)), TEN, "第 3 行.*买了两个身份"),
    ("eleven players: the table has no row", (), [*TEN, "演员10"], "11"),
]


@pytest.mark.parametrize(("what", "sales", "players", "shown"), WRONG, ids=[case[0] for case in WRONG])
def test_what_cannot_be_is_an_error_that_says_where(what: str, sales: tuple[Sale, ...], players: list[str], shown: str) -> None:
    with pytest.raises(UsageError, match=shown):
        settle_auction(VEST, sales, players, "seed")


def test_a_system_without_an_auction_has_none() -> None:
    with pytest.raises(UsageError, match="M29"):
        settle_auction(M29, (), TEN, "seed")


def write(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "auction.csv"
    path.write_text(text, encoding=encoding, newline="")
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_a_table_is_read_in_any_order_of_its_columns(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path, "价格,玩家,备注,身份\r\n300,演员3,,先知\r\n\r\n12,演员0,抢,女巫\r\n", encoding)
    assert read_auction(path) == (Sale("演员3", "先知", 300, 2), Sale("演员0", "女巫", 12, 4))


MALFORMED = [
    ("玩家,身份\n演员3,先知\n", "三列"),
    ("", "三列"),
    ("玩家,身份,价格\n演员3,先知,很多\n", "auction.csv:2.*'很多' 不是整数"),
    ("玩家,身份,价格\n演员3,先知,-3\n", "'-3' 不是整数"),
    ("玩家,身份,价格\n演员3,,3\n", "auction.csv:2.*缺玩家或身份"),
]


@pytest.mark.parametrize(("text", "shown"), MALFORMED)
def test_a_table_that_cannot_be_read_is_an_error_with_its_line(tmp_path: Path, text: str, shown: str) -> None:
    with pytest.raises(UsageError, match=shown):
        read_auction(write(tmp_path, text))
