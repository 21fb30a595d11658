"""Charsets as boards get them wrong: header, meta and truth, mixtures, broken and missing bytes."""

from __future__ import annotations

import pytest

from scraper.decode import BIG5, GB, UTF8, Decoded, decode_fragment, decode_page, find_codec, name_codec

WORDS = "投票对象：包子，投票理由：好吃"
OLD_WORDS = "投票對象：包子，投票理由：好吃"


def page(meta: str, words: str = WORDS) -> str:
    tag = f'<meta http-equiv="Content-Type" content="text/html; charset={meta}" />' if meta else ""
    return f"<html><head>{tag}<title>版杀游戏区</title></head><body>{words}</body></html>"


@pytest.mark.parametrize(
    ("header", "meta", "truth"),
    [
        ("utf-8", "utf-8", UTF8),
        ("gbk", "gbk", GB),
        ("GB2312", "", GB),
        ("", "gb2312", GB),
        ("", "", UTF8),
        ("", "", GB),
        ("utf-8", "gbk", GB),
        ("utf-8", "gbk", UTF8),
        ("gbk", "utf-8", UTF8),
        ("gbk", "utf-8", GB),
        ("gbk", "gbk", UTF8),
        ("utf-8", "utf-8", GB),
        ("iso-8859-1", "gbk", GB),
        ("iso-8859-1", "", UTF8),
        ("big5", "big5", BIG5),
        ("", "big5", BIG5),
        ("big5", "utf-8", UTF8),
    ],
)
def test_header_and_meta_are_held_against_the_truth(header: str, meta: str, truth: str) -> None:
    text = page(meta, OLD_WORDS if truth == BIG5 else WORDS).replace("杀", "殺" if truth == BIG5 else "杀")
    text = text.replace("游戏区", "遊戲區") if truth == BIG5 else text
    content_type = f"text/html; charset={header}" if header else "text/html"
    assert decode_page(text.encode(truth), content_type=content_type) == Decoded(text, truth)


@pytest.mark.parametrize(
    ("declared", "codec"),
    [
        ("GBK", GB),
        ("gb_2312-80", GB),
        ("GB18030", GB),
        ("cp936", GB),
        ("UTF8", UTF8),
        ("Big5-HKSCS", BIG5),
        ("cp950", BIG5),
        ("latin1", None),
    ],
)
def test_every_gb_name_means_gb18030(declared: str, codec: str | None) -> None:
    assert name_codec(declared) == codec


def test_a_character_outside_gbk_is_read_on_a_gbk_page() -> None:
    # é and the emoji take four bytes in GB 18030, which GBK itself does not have.
    words = "Napoléon 🐱 包子"
    assert decode_fragment(words.encode("gb18030"), GB) == Decoded(words, GB)


def test_a_broken_byte_costs_one_character_and_is_counted() -> None:
    broken = WORDS.encode().replace("包".encode(), b"\xe5\x8c", 1)
    assert decode_fragment(broken, UTF8) == Decoded(WORDS.replace("包", "\ufffd"), UTF8, 1)


def test_a_broken_byte_in_a_gb_fragment_is_counted_too() -> None:
    broken = "包子\xff饺子".encode("gb18030").replace("\xff".encode("gb18030"), b"\xff", 1)
    read = decode_fragment(broken, GB)
    assert (read.codec, read.lost) == (GB, 1)
    assert read.text.startswith("包子")


def test_a_broken_byte_in_the_sample_does_not_change_the_pages_codec() -> None:
    body = page("utf-8").encode().replace("好".encode(), b"\xe5\xa5", 1)
    assert find_codec(body, content_type="text/html; charset=utf-8") == UTF8
    assert find_codec(body, content_type="text/html; charset=gbk") == UTF8


@pytest.mark.parametrize("words", [WORDS, "弃权", "包子", "我投包子一票"])
def test_a_gb_fragment_on_a_utf8_page_is_read_as_gb(words: str) -> None:
    assert decode_fragment(words.encode("gbk"), UTF8) == Decoded(words, GB)


@pytest.mark.parametrize("words", [WORDS, "弃权", "包子", "我投包子一票"])
def test_a_utf8_fragment_on_a_gb_page_is_read_as_utf8(words: str) -> None:
    assert decode_fragment(words.encode(), GB) == Decoded(words, UTF8)


def test_a_utf8_fragment_with_a_broken_byte_on_a_gb_page_is_read_as_utf8() -> None:
    broken = WORDS.encode().replace("包".encode(), b"\xe5\x8c", 1)
    assert decode_fragment(broken, GB) == Decoded(WORDS.replace("包", "\ufffd"), UTF8, 1)


def test_gb_bytes_that_happen_to_be_utf8_stay_gb_on_a_gb_page() -> None:
    # 娄 is C2A6 in GB 2312, which is also U+00A6 in UTF-8.
    assert decode_fragment("娄".encode("gbk"), GB) == Decoded("娄", GB)


def test_a_character_cut_in_two_at_the_end_is_one_loss() -> None:
    assert decode_fragment(WORDS.encode()[:-1], UTF8) == Decoded(WORDS[:-1] + "\ufffd", UTF8, 1)


def test_a_replacement_character_that_the_board_itself_sent_is_no_loss() -> None:
    assert decode_fragment("\ufffd好".encode(), UTF8) == Decoded("\ufffd好", UTF8)
    assert decode_fragment("\ufffd好吃".encode() + b"\xe5", UTF8).lost == 1


def test_a_sample_cut_inside_a_character_is_still_utf8() -> None:
    assert find_codec(page("").encode()[:-18]) == UTF8
    assert find_codec(WORDS.encode()[:-1]) == UTF8


def test_big5_reads_hong_kong_and_microsoft_characters() -> None:
    assert decode_fragment("啫係噉".encode("big5hkscs"), BIG5) == Decoded("啫係噉", BIG5)
    assert decode_fragment("五€".encode("cp950"), BIG5) == Decoded("五€", BIG5)


def test_bytes_that_no_codec_reads_are_losses_never_an_exception() -> None:
    read = decode_fragment(bytes(range(0x80, 0x100)), UTF8)
    assert read.lost > 0
    assert decode_page(bytes(range(256))).text


LONG_CHARACTERS = "因為他說要去吃飯，大家都不知道這個問題是不是真的，還請導演裁決。遊戲開始以後發現規則變動"


@pytest.mark.parametrize("declared", ["", "utf-8", "gbk", "big5", "iso-8859-1"])
def test_big5_is_told_from_gb_by_its_bytes_whatever_is_declared(declared: str) -> None:
    header = f"text/html; charset={declared}" if declared else ""
    assert find_codec(LONG_CHARACTERS.encode("big5"), content_type=header) == "big5hkscs"
    assert find_codec(LONG_CHARACTERS.encode("gbk"), content_type=header) == "gb18030"
    short = "因为他说要去吃饭，大家都不知道这个问题是不是真的，还请导演裁决。"
    assert find_codec(short.encode("gbk"), content_type=header) == "gb18030"
