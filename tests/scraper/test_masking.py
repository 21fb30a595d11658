"""Addresses of people are masked in a recording, whatever the page is in; what a count goes by is not."""

from __future__ import annotations

import pytest

from scraper.masking import mask_addresses, scrub

MAILS = [
    ("write to some.one+x@mail.qq.com, please", "write to xxxx.xxx+x@xxxx.xx.xxx, please"),
    ('<a href="mailto:ab@example.com">ab@example.com</a>', '<a href="mailto:xx@xxxxxxx.xxx">xx@xxxxxxx.xxx</a>'),
    ("?email=ab%40example.com&x=1", "?email=xx%40xxxxxxx.xxx&x=1"),
    ("ab&#64;example.com", "xx&#64;xxxxxxx.xxx"),
    ("我的邮箱ab@example.com。", "我的邮箱xx@xxxxxxx.xxx。"),
]
MACHINES = [
    ("IP: 192.0.2.17", "IP: 000.0.0.00"),
    ("ip=198.51.100.7&amp;", "ip=000.00.000.0&amp;"),
    ("游客 121.69.13.x 发表", "游客 000.00.00.x 发表"),
    ("121.69.*.*", "000.00.*.*"),
    ("地址121.69.13.5。", "地址000.00.00.0。"),
    ("2001:db8:0:1::7 and 2001:DB8::5:6", "0000:000:0:0::0 and 0000:000::0:0"),
]
# What a count, a smiley's name or a page's structure goes by.
KEPT = [
    "投票对象：3.12.8.20",
    "2018.6.3.21",
    "12.30.23.5",
    "发表于 2018-6-3 10:12:30",
    "a::before { color: #fff }",
    "00:1a:2b:3c:4d:5e",
    "999.300.1.2",
    "1.2.3.4.5.77",
    "jquery-3.6.0.min.js",
    "images/logo@2x.png",
    "https://cdn.example.net/npm/x@1.0.min.js",
    "@饺子 @包子.com",
    "饺子@包子",
    "GMT+8, 2018-6-5 12:00",
]


@pytest.mark.parametrize("charset", ["utf-8", "gbk", "big5"])
@pytest.mark.parametrize(("before", "after"), MAILS + MACHINES)
def test_an_address_of_somebody_is_masked_at_its_length(before: str, after: str, charset: str) -> None:
    if charset == "big5":
        before, after = before.translate(LONG), after.translate(LONG)
    data = before.encode(charset)
    assert mask_addresses(data) == after.encode(charset)
    assert len(mask_addresses(data)) == len(data)
    assert mask_addresses(mask_addresses(data)) == mask_addresses(data)


LONG = str.maketrans("邮发游", "郵發遊")


@pytest.mark.parametrize("text", KEPT)
def test_what_is_no_address_stays(text: str) -> None:
    assert mask_addresses(text.encode()) == text.encode()
    assert mask_addresses(text.encode("gbk")) == text.encode("gbk")


@pytest.mark.parametrize("charset", ["gbk", "big5"])
def test_the_second_byte_of_a_character_is_no_letter_of_an_address(charset: str) -> None:
    # Characters whose second byte is a letter, a digit or the sign @ itself.
    wide = [one for one in map(chr, range(0x4E00, 0x9FA5)) if _ends_in_ascii(one, charset)]
    assert any(one.encode(charset)[1:] == b"@" for one in wide)
    for one in wide:
        text = (
            f"这{one}ab@example.com{one}192.0.2.17{one}qq.com" if charset == "gbk" else f"{one}ab@example.com{one}192.0.2.17{one}"
        )
        masked = mask_addresses(f"{'好' * 20}{text}".encode(charset))
        assert masked.decode(charset) == f"{'好' * 20}{text}".replace("ab@example.com", "xx@xxxxxxx.xxx").replace(
            "192.0.2.17", "000.0.0.00"
        )


def _ends_in_ascii(character: str, charset: str) -> bool:
    try:
        data = character.encode(charset)
    except UnicodeEncodeError:
        return False
    return len(data) == 2 and data[1] < 0x80


def test_a_players_name_is_no_address_whatever_it_looks_like() -> None:
    names = ["ab@example.com", "192.0.2.17号", "饺子"]
    text = "投票对象：ab@example.com 192.0.2.17 cd@example.com".encode()
    assert mask_addresses(text, names) == "投票对象：ab@example.com 192.0.2.17 xx@xxxxxxx.xxx".encode()


def test_the_boards_own_host_is_masked_as_a_host_in_an_address_too() -> None:
    assert scrub(b"admin@bbs.real.cn http://bbs.real.cn/", "https://bbs.real.cn/") == b"xxxxx@xxxxxxx.xxx http://xxxxxxx.net/"
