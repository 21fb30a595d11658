"""The terminal's language: which is chosen, and that a sentence can be said in either."""

from __future__ import annotations

import pytest

from engine.language import choose_language, load_catalogue
from scraper.phrases import phrase, translate

SHOUTED = {"{path}: no file": "{path}：没有这个文件", "the board is silent": "论坛没有回答"}


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "zh"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "C.UTF-8"}, "zh"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "zh_TW.UTF-8"}, "zh"),
        ({"LC_ALL": "zh_CN.UTF-8", "BANSHA_LANG": "en"}, "en"),
        ({"LANG": "en_GB", "BANSHA_LANG": "zh"}, "zh"),
        ({"LANG": "en_GB", "BANSHA_LANG": "zh_TW"}, "zh"),
        ({"LANG": "en_GB", "BANSHA_LANG": "中文"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "BANSHA_LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "BANSHA_LANG": " EN "}, "en"),
        ({"LANG": "zh_CN.UTF-8", "BANSHA_LANG": "English"}, "en"),
        # What asks for neither is no answer: the locale is asked.
        ({"LANG": "en_US.UTF-8", "BANSHA_LANG": "fr"}, "en"),
        ({"LANG": "en_US.UTF-8", "BANSHA_LANG": "C"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "BANSHA_LANG": "fr"}, "zh"),
        ({"LANG": "en_US.UTF-8", "BANSHA_LANG": ""}, "en"),
        ({"BANSHA_LANG": "fr"}, "zh"),
        # As everywhere: LC_ALL before LC_MESSAGES before LANG, and an empty one is none.
        ({"LC_ALL": "C", "LANG": "en_US.UTF-8"}, "zh"),
        ({"LC_ALL": "", "LC_MESSAGES": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LC_MESSAGES": "zh_CN.UTF-8", "LANG": "en_US.UTF-8"}, "zh"),
        ({"LC_CTYPE": "en_US.UTF-8"}, "zh"),
        ({"LANG": "fr_FR.UTF-8"}, "zh"),
    ],
)
def test_the_own_variable_goes_before_the_locale(environment: dict[str, str], language: str) -> None:
    assert choose_language(environment, "linux") == language
    assert choose_language(environment, "darwin") == language


@pytest.mark.parametrize(
    ("environment", "named", "language"),
    [
        ({}, "en_US", "en"),
        ({}, "English_United States", "en"),
        ({}, "zh_CN", "zh"),
        ({}, "Chinese (Simplified)_China", "zh"),
        ({}, "fr_FR", "zh"),
        ({}, "", "zh"),
        ({"LANG": "en_US"}, "zh_CN", "en"),
        ({"BANSHA_LANG": "zh"}, "en_US", "zh"),
        ({"BANSHA_LANG": "fr"}, "en_US", "en"),
    ],
)
def test_windows_has_its_own_name_for_the_language(environment: dict[str, str], named: str, language: str) -> None:
    assert choose_language(environment, "win32", lambda: named) == language


def test_a_phrase_is_a_plain_text_in_its_own_language() -> None:
    assert phrase("{path}: no file", path="game.toml") == "game.toml: no file"


def test_a_phrase_is_filled_anew_in_another_language() -> None:
    said = phrase("{path}: no file", path="game.toml")
    assert translate(said, lambda text: SHOUTED.get(text, text)) == "game.toml：没有这个文件"


def test_a_phrase_within_a_phrase_and_within_an_error_is_translated_too() -> None:
    error = ValueError(phrase("{path}: no file", path=phrase("the board is silent")))
    assert (
        translate(phrase("bansha: {error}", error=error), lambda text: SHOUTED.get(text, text))
        == "bansha: 论坛没有回答：没有这个文件"
    )


def test_a_text_that_is_no_phrase_stays() -> None:
    assert translate("{path}: no file", lambda text: SHOUTED.get(text, text)) == "{path}: no file"


def test_what_a_catalogue_does_not_hold_stays() -> None:
    assert load_catalogue("en")("没有这样一句话") == "没有这样一句话"
