"""docs/formats.md and docs/findings.md are made of the code; what the prose of formats.md says is read as it says."""

from __future__ import annotations

import re

import pytest

from engine.dayrules import M29
from engine.rulesets.m29 import VOTE
from tally.advice import ADVICE, advise
from tally.ballot import Reason
from tally.finding import KINDS
from tally.formats import FORMATS, LIST_MARKS, find_label
from tally.requests import Ask, find_ask
from tally.rules import RULES
from tests.documents import FINDINGS_PAGE, FORMATS_PAGE, VOTES_PAGE, fill, write_findings

TEXT = FORMATS_PAGE.read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", TEXT, re.M)
READ = re.findall(r"^\| `(.+)` \| (饺子|不是票) \|$", TEXT, re.M)
REQUESTS = [
    (text.replace("` 换行 `", "\n"), meaning)
    for text, meaning in re.findall(r"^\| `([^`]*(?:` 换行 `[^`]*)?)` \| (申请加速|申请延时|撤回|不是申请)", TEXT, re.M)
]
POLICY = M29.requests


def test_the_pages_are_as_the_code_makes_them() -> None:
    for path in (FORMATS_PAGE, VOTES_PAGE):
        text = path.read_text(encoding="utf-8")
        assert fill(text) == text, f"{path.name}: make it anew: python -m tests.documents"
    assert FINDINGS_PAGE.read_text(encoding="utf-8") == write_findings(), "make it anew: python -m tests.documents"


def test_every_reason_is_listed_in_the_order_in_which_rules_are_tried() -> None:
    listed = [reason for reason, _, _ in ROWS]
    # Those that M29 never gives stand with the sentences of the systems that do.
    others = {"target_barred", "must_agree", "manipulated_twice"}
    assert listed == [
        *(reason for reason in dict.fromkeys(rule.reason.value for rule in RULES) if reason not in others),
        "ruled_void",
    ]
    assert set(listed) | {"replaced"} | others == {reason.value for reason in Reason}
    assert all(re.search(rf"^\| \S+ \|.*`{reason}`", TEXT, re.M) for reason in others)


def test_every_quoted_clause_is_a_sentence_of_the_rule_post() -> None:
    clauses = [clause.text for clause in VOTE.clauses.values()]
    quoted = [quote for _, _, clause in ROWS for quote in re.findall("「(.+?)」", clause)]
    assert len(quoted) > 12
    assert set(quoted) <= set(clauses)


def test_every_example_of_the_formats_stands_in_the_page_with_what_it_reads_as() -> None:
    told = {text.replace("` 换行 `", "\n"): read for text, read in READ}
    assert told == {
        **{text: "饺子" for form in FORMATS for text in form.takes},
        **{text: "不是票" for form in FORMATS for text in form.leaves},
    }


@pytest.mark.parametrize("mark", LIST_MARKS)
def test_every_mark_that_the_page_shows_may_stand_before_a_label(mark: str) -> None:
    assert find_label(f"{mark} 投票对象：饺子") is not None


def test_the_table_of_requests_was_found() -> None:
    assert len(REQUESTS) == 8


@pytest.mark.parametrize(("text", "meaning"), REQUESTS)
def test_every_example_of_a_request_reads_as_it_says(text: str, meaning: str) -> None:
    asks = {"申请加速": Ask.SPEED_UP, "申请延时": Ask.EXTENSION, "撤回": Ask.WITHDRAW, "不是申请": None}
    assert POLICY is not None
    assert find_ask(text.split("\n")[0], POLICY) is asks[meaning]


@pytest.mark.parametrize("code", KINDS)
def test_every_finding_has_its_row_with_what_to_do(code: str) -> None:
    (row,) = re.findall(rf"^\| `{code}` \| (错误|警告|备注) \| .+ \| (.+) \|$", FINDINGS_PAGE.read_text(encoding="utf-8"), re.M)
    assert row[1] == "<br>".join(map(str, advise(code).parameters.values()))


def test_no_advice_is_for_a_code_that_is_no_more() -> None:
    assert set(ADVICE) <= set(KINDS)
    assert not {code for code in KINDS if code[0] in "ABCD"} - set(ADVICE)
