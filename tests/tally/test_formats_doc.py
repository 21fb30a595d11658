"""docs/formats.md says what the program does: reasons in their order, clauses word for word, examples as they read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.dayrules import M29
from engine.rulesets.m29 import VOTE
from tally.ballot import Reason
from tally.box import RULES
from tally.requests import Ask, find_ask
from tests.tally.make import Table, Wrote, count, make_roster, result_of

TEXT = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", TEXT, re.M)
EXAMPLES = [
    (text.replace("` 换行 `", "\n"), target) for text, target in re.findall(r"^\| `([投改【].+?)` \| (饺子|弃权)。?", TEXT, re.M)
]
REQUESTS = [
    (text.replace("` 换行 `", "\n"), meaning)
    for text, meaning in re.findall(r"^\| `([^`]*(?:` 换行 `[^`]*)?)` \| (申请加速|申请延时|撤回|不是申请)", TEXT, re.M)
]
POLICY = M29.requests


def test_every_reason_is_listed_in_the_order_in_which_rules_are_tried() -> None:
    listed = [reason for reason, _, _ in ROWS]
    # Those that M29 never gives stand in the documents of the systems that do.
    others = {"target_barred", "must_agree", "manipulated_twice"}
    assert listed == [
        *(reason for reason in dict.fromkeys(rule.reason.value for rule in RULES) if reason not in others),
        "ruled_void",
    ]
    assert set(listed) | {"replaced"} | others == {reason.value for reason in Reason}
    assert "`target_barred`" in TEXT


def test_every_quoted_clause_is_a_sentence_of_the_rule_post() -> None:
    clauses = [clause.text for clause in VOTE.clauses.values()]
    quoted = [part for _, _, clause in ROWS for quote in re.findall("「(.+?)」", clause) for part in quote.split("……")]
    assert len(quoted) > 12
    for part in quoted:
        assert any(part in clause for clause in clauses), part


@pytest.mark.parametrize(("text", "target"), EXAMPLES)
def test_every_example_of_the_format_reads_as_it_says(text: str, target: str) -> None:
    tally = count((Wrote(text, by="包子"),), Table(roster=make_roster(("饺子", "包子"))))
    assert result_of(tally, 0) == ("弃权" if target == "弃权" else f"→{target}")


def test_the_table_of_examples_was_found() -> None:
    assert len(EXAMPLES) == 7
    assert len(REQUESTS) == 9


@pytest.mark.parametrize(("text", "meaning"), REQUESTS)
def test_every_example_of_a_request_reads_as_it_says(text: str, meaning: str) -> None:
    asks = {"申请加速": Ask.SPEED_UP, "申请延时": Ask.EXTENSION, "撤回": Ask.WITHDRAW, "不是申请": None}
    assert POLICY is not None
    assert find_ask(text.split("\n")[0], POLICY) is asks[meaning]
