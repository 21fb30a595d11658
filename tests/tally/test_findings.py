"""The registry of findings: every code that is used has its sentences, and every sentence its parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from tally.ballot import Place, Reason
from tally.finding import KINDS, Finding, Severity, sentence, severity
from tally.words import PLACES, REASONS, place_words, reason_words, term_words

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"[ABDE][1-9]\d{2}")


def used_codes() -> Iterator[tuple[str, str]]:
    """Every code that the program's source names as a text, with the file, the registry aside."""
    for room in ("scraper", "tally", "engine"):
        for path in (ROOT / room).rglob("*.py"):
            if path.name.endswith("kinds.py") or path.name == "advice.py":
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
                    yield node.value, path.name


def test_every_code_that_is_used_is_registered_and_every_registered_code_is_used() -> None:
    used = {code for code, _ in used_codes()}
    assert used - set(KINDS) == set()
    assert {code for code in KINDS if CODE.fullmatch(code)} - used == set()


@pytest.mark.parametrize("code", KINDS)
def test_both_sentences_of_a_code_speak_of_the_same_parameters(code: str) -> None:
    kind = KINDS[code]
    assert kind.code == code
    assert kind.chinese
    assert kind.english
    names = [{name for _, name, _, _ in Formatter().parse(text) if name} for text in (kind.chinese, kind.english)]
    # The English of a sentence may leave the seat to its column.
    assert names[0] - names[1] <= {"seat", "voter"}
    assert names[1] - names[0] <= {"seat", "voter"}


def test_a_sentence_names_codes_by_their_words_and_quotes_on_one_line() -> None:
    finding = Finding("E201", (("line", "7"), ("now", "standing:包子"), ("own", "void:change_not_reply")))
    assert sentence(finding) == "按账本第 7 行裁定：有效：包子；按规则本来是：无效（改票没有回复自己原来的楼层）"
    assert sentence(finding, "en") == (
        "By line 7 of the ledger: stands: 包子; by the rules it was: void (the change does not reply to the own ballot)"
    )
    edited = Finding("B201", (("before", "投票对象：包子\n投票理由：略"), ("after", "长" * 99)))
    assert "投票对象：包子 ／ 投票理由：略" in sentence(edited)
    assert "长" * 60 not in sentence(edited)
    assert "\n" not in sentence(edited)
    lacking = Finding("A123", (("surface", "api4"), ("lacks", "edited")))
    assert sentence(lacking) == "这种页面（api4）不显示编辑标记"


def test_braces_that_a_player_wrote_are_words() -> None:
    assert "{0} {text} {" in sentence(Finding("B101", (("text", "{0} {text} {"),)))


def test_a_missing_parameter_and_an_unknown_code_show_instead_of_failing() -> None:
    assert "{hints}" in sentence(Finding("B105", (("raw", "包籽"),)))
    unknown = Finding("Z999", (("a", "1"),))
    assert sentence(unknown) == "Z999 a=1"
    assert severity(unknown) is Severity.WARNING


def test_every_reason_and_place_has_words_in_both_languages() -> None:
    for table, members in ((REASONS, Reason), (PLACES, Place)):
        assert set(table) == set(members)
        assert all(all(pair) for pair in table.values())
    assert reason_words(Reason.NO_REASON) == "没有写理由"
    assert reason_words(Reason.NO_REASON, "en") == "no reason given"
    assert place_words("not_ballot") == "不是票"
    assert term_words("something else") == "something else"
