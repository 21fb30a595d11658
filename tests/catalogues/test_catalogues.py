"""The catalogues hold every sentence of the source in both languages, and say with it what the source says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from string import Formatter

import pytest

from catalogues.catalogue import (
    PACKAGES,
    ROOT,
    compiled,
    find_missing,
    read_catalogue,
    read_compiled,
    read_source,
    update,
)
from catalogues.pairs import Pair, read_pairs
from engine.language import LANGUAGES, load_catalogue
from scraper.phrases import both, chain, listing, phrase, run_on, translate
from tally.ballot import Place, Reason
from tally.kinds import KINDS

CHINESE = re.compile("[\u3400-\u9fff]")
WORD = re.compile("[A-Za-z]{2,}")
# Whoever makes an error, or says a line, hands a phrase to one of these.
SINKS = frozenset({"say", "tell", "refuse", "wrong"})
# What players are told, and boards are sent, is Chinese; these are texts of the language itself or of a library.
# The one template whose translation takes another value: that of a text which has both its languages with it.
BOTH = "{chinese}"
PLAIN = frozenset({"AssertionError", "ValueError", "AttributeError", "OSError", "TypeError", "KeyError", "BodyError"})


def fields(text: str) -> set[tuple[str, str, str | None]]:
    """The fields of a template: name, format and conversion."""
    return {(name, form or "", conversion) for _, name, form, conversion in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_the_source_is_in_the_catalogue_and_translated(language: str) -> None:
    kept = read_catalogue(language)
    held = {(str(message.id), message.context) for message in kept if message.id}
    update(kept, read_source(), read_pairs())
    wanted = {(str(message.id), message.context) for message in kept if message.id}
    assert wanted - held == set(), "run `make catalogues`, and translate what it lists"
    assert held - wanted == set(), "run `make catalogues`"
    assert find_missing(kept, language) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_command_reads_is_what_the_catalogue_says(language: str) -> None:
    assert read_compiled(language) == compiled(read_catalogue(language)), "run `make catalogues`"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_fields_of_its_sentence(language: str) -> None:
    said = [message for message in read_catalogue(language) if message.id and message.string and not message.context]
    assert said
    told = [message for message in said if "{" in str(message.id) and message.id != BOTH]
    wrong = [message.id for message in told if fields(str(message.id)) != fields(str(message.string))]
    assert wrong == []


def test_an_english_sentence_is_english() -> None:
    """What must be typed stays Chinese: it stands in the Chinese sentence too, and is never the whole of the English one."""
    said = [message for message in read_catalogue("en") if message.id and message.string and CHINESE.search(str(message.string))]
    strange = [
        (message.id, word)
        for message in said
        for word in re.findall("[\u3400-\u9fff]+", str(message.string))
        if word not in str(message.id)
    ]
    assert strange == []


def test_the_catalogue_says_of_a_code_what_the_registry_says() -> None:
    kept = {message.context: message for message in read_catalogue("en") if message.context}
    for pair in read_pairs():
        assert (kept[pair.context].id, kept[pair.context].string) == (pair.chinese, pair.english)
    assert {f"finding {code}" for code in KINDS} <= set(kept)
    assert {f"reason {reason}" for reason in Reason} <= set(kept)
    assert {f"place {place}" for place in Place} <= set(kept)


@pytest.mark.parametrize("pair", tuple(read_pairs()), ids=lambda pair: pair.context)
def test_a_pair_is_in_two_languages(pair: Pair) -> None:
    assert pair.english
    # What must be typed, and what a rule post calls a thing, stays as it is.
    assert [word for word in re.findall("[\u3400-\u9fff]+", pair.english) if word not in pair.chinese] == []
    assert pair.english != pair.chinese or not CHINESE.search(pair.chinese)
    assert {name for name, _, _ in fields(pair.english)} - {name for name, _, _ in fields(pair.chinese)} <= {"seat", "voter"}


def bare_texts() -> Iterator[tuple[str, int, str]]:
    """Sentences that are handed to an error or a printed line as they are: with no phrase, only one language can say them."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call):
                    continue
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if not (name in SINKS or (name.endswith("Error") and name not in PLAIN)):
                    continue
                for argument in node.args:
                    if isinstance(argument, ast.JoinedStr):
                        text = " ".join(str(part.value) for part in argument.values if isinstance(part, ast.Constant))
                    elif isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        text = argument.value
                    else:
                        continue
                    if CHINESE.search(text) or len(WORD.findall(text)) >= 3:
                        yield path.relative_to(ROOT).as_posix(), node.lineno, text


def test_no_error_is_made_of_a_text_that_one_language_alone_can_say() -> None:
    assert list(bare_texts()) == []


def test_a_translation_that_is_wrong_never_hides_the_sentence() -> None:
    said = phrase("{path}: no file", path="game.toml")
    for broken in ("{where}：没有这个文件", "{path：没有", "{0}", "{path.name}", "{path:d}", "{path[1]:%Y}"):
        assert translate(said, lambda _text, broken=broken: broken) == "game.toml: no file"  # type: ignore[misc]


def test_a_text_that_has_both_its_languages_is_said_in_either() -> None:
    said = phrase("bansha: {text}", text=both("没有", "none"))
    assert [translate(said, load_catalogue(language)) for language in LANGUAGES] == ["bansha: 没有", "bansha: none"]


def test_texts_are_joined_as_the_language_joins_them() -> None:
    for made, chinese, english in (
        (listing(("甲", "乙")), "甲、乙", "甲, 乙"),
        (chain((phrase("输入"), "乙")), "输入；乙", "input; 乙"),
        (run_on((phrase("输入"), "乙")), "输入乙", "input乙"),
        (run_on(()), "", ""),
    ):
        assert (made, translate(made, load_catalogue("en"))) == (chinese, english)


def test_every_translation_can_be_filled() -> None:
    """With any text for every field; a field with a format of its own (a time, a number) gets what it formats."""
    for language in LANGUAGES:
        lookup = load_catalogue(language)
        for text in read_source():
            if "{" not in text or text == BOTH or any(form for _, form, _ in fields(text)):
                continue
            names = {name for name, _, _ in fields(text)}
            filled = lookup(text).format_map(dict.fromkeys(names, "x"))
            assert filled, text
