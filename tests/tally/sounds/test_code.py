"""The detectors of codes: each measure just fires and just does not, and all of them on the labelled set."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scraper.post import PLAIN, Style
from tally.finding import Severity
from tally.sounds.code import Measures, Suspicion, count_phrases, describe_figures, measure_entropy, measure_post
from tally.sounds.series import measure_edits, measure_series, measure_styles
from tally.sounds.sets import SECRET_NUMBER
from tally.sounds.words import OTHER, Surroundings, read_words, show_smiley
from tests.tally.sounds.report import DOCUMENT, judge_sample, judge_samples, write_report
from tests.tally.sounds.samples import Half, Sample, read_message, read_samples

MEASURES = Measures()


def measure(words: str, measures: Measures = MEASURES) -> dict[str, str]:
    """Give the measures that fire on one post, with their figures."""
    transcript = "\n".join(read_words(read_message(words), SECRET_NUMBER, Surroundings()).transcript)
    return {found.measure: found.figure for found in measure_post(transcript, SECRET_NUMBER.order, measures)}


@pytest.mark.parametrize(
    ("symbols", "known", "phrases"),
    [
        ("", "", 0),
        ("喵喵喵喵喵喵", "", 1),
        ("喵汪喵汪喵汪", "", 2),
        # 叽 · 叽喳 · 喳叽 · and the rest has been heard before
        ("叽叽喳喳叽叽喳喳", "", 3),
        ("喵汪吱", "喵汪吱嘎", 0),
        ("吱喵", "喵汪吱嘎", 1),
    ],
)
def test_phrases_count_what_was_not_heard_before(symbols: str, known: str, phrases: int) -> None:
    assert count_phrases(symbols, known) == phrases


def test_entropy_is_in_bits_per_symbol() -> None:
    assert [measure_entropy(symbols) for symbols in ("喵喵喵", "喵汪", "喵汪咩哞")] == [0.0, 1.0, 2.0]


@pytest.mark.parametrize(
    ("name", "fires", "figure", "rests"),
    [
        # Two symbols need four phrases, three need five; and twelve symbols.
        ("alternation", "喵汪喵喵汪汪喵汪汪汪喵喵", "5/2", "喵汪喵汪喵汪喵汪喵汪喵汪喵汪"),
        ("alternation", "喵汪喵喵汪汪喵汪汪汪喵喵", "5/2", "喵汪喵喵汪汪喵汪汪汪喵"),
        # Four to six need four more than kinds, and hardly a doubled one.
        ("alternation", "喵汪咩哞哞喵咩汪汪哞喵咩哞汪喵喵", "9/4", "喵汪咩哞喵汪咩哞喵汪咩哞"),
        ("alternation", "喵汪咩哞哞喵咩汪汪哞喵咩哞汪喵喵", "9/4", "喵喵喵汪汪汪咩咩咩哞哞哞嘎嘎嘎喵汪咩哞"),
        ("morse", "喵喵喵 喵 喵 喵汪喵", "3 1 1 3", "喵喵喵 喵喵喵 喵 汪汪汪"),
        ("morse", "喵喵喵 喵 喵 喵汪喵", "3 1 1 3", "喵喵喵 喵 喵汪喵"),
        ("morse", "喵汪，汪喵！喵汪喵，喵", "2 2 3 1", "喵汪，汪喵！喵汪喵，喵喵喵喵喵喵"),
        ("runs", "喵喵 喵喵喵 喵 喵喵喵喵喵 喵喵喵喵", "2 3 1 5 4", "喵 喵喵 喵喵喵 喵喵喵喵 喵喵喵喵喵"),
        ("runs", "喵喵喵汪喵喵喵喵喵汪汪喵喵喵喵", "3 1 5 2 4", "喵喵喵汪喵喵喵喵喵汪汪"),
        ("blocks", "喵喵汪，喵汪汪，汪喵汪，喵喵汪", "4×3", "喵喵汪，喵汪汪，汪喵汪"),
        ("blocks", "喵喵汪，喵汪汪，汪喵汪，喵喵汪", "4×3", "喵喵 汪汪 咩咩 哞哞"),
        ("drawing", "喵喵喵\n喵汪喵\n汪汪喵", "3×3", "喵喵喵\n喵汪喵"),
        ("drawing", "喵喵喵\n喵汪喵\n汪汪喵", "3×3", "喵汪喵\n喵汪喵\n喵汪喵"),
        ("drawing", "　喵\n喵\n　　喵", "3×3", "　喵\n喵\n　喵"),
        ("edges", "汪喵喵\n咩喵喵喵\n咕喵喵\n汪喵喵", "first 3/4", "汪喵喵\n咩喵喵喵\n汪喵喵\n汪喵喵"),
        ("edges", "喵喵汪\n喵喵咩\n喵喵喵咕\n喵喵汪", "last 3/4", "喵喵汪\n喵喵咩\n喵喵喵咕"),
        ("variety", "喵嘎汪咕吱咩哞嘤喳", "9/9", "喵汪吱嘎哞咩喳嘤啾"),
        ("variety", "喵嘎汪咕吱咩哞嘤喳", "9/9", "喵喵嘎嘎汪汪咕咕吱吱哞哞咩咩"),
        ("smilies", "".join(f"[:{name}:]" for name in "abcdeabd"), "5/8", "".join(f"[:{name}:]" for name in "aabbccdd")),
        ("smilies", "".join(f"[:{name}:]" for name in "abcdeabd"), "5/8", "".join(f"[:{name}:]" for name in "abcdeab")),
        ("gaps", "喵　喵 喵　喵　喵 喵 喵　喵　喵　喵", "2/9", "喵 喵　喵 喵　喵 喵　喵 喵　喵"),
        ("margins", "喵喵 \n喵喵\n喵喵  ", "3/3", "喵喵 \n喵喵\n喵喵 "),
        ("heights", "喵\n\n\n喵\n喵\n\n喵\n喵\n\n喵", "3/5", "喵\n\n\n喵\n喵\n\n喵\n喵"),
        ("heights", "喵\n\n\n喵\n喵\n\n喵\n喵\n\n喵", "3/5", "喵\n\n喵\n喵\n\n喵\n喵\n\n喵\n喵"),
    ],
)  # fmt: skip
def test_a_measure_fires_at_its_threshold_and_rests_below(name: str, fires: str, figure: str, rests: str) -> None:
    assert measure(fires).get(name) == figure
    assert name not in measure(rests)


def test_a_threshold_is_a_value_that_can_be_set() -> None:
    words = "喵喵 喵喵喵 喵 喵喵喵喵喵 喵喵喵喵"
    assert "runs" in measure(words)
    assert measure(words, replace(MEASURES, run_count=6)) == {}


def test_one_post_of_one_sound_is_no_pattern() -> None:
    for words in ("喵", "喵" * 5000, "喵喵喵！喵喵", "", "！！！"):
        assert measure(words) == {}


def test_a_post_used_again_with_small_changes_fires_at_the_third() -> None:
    posts = ["喵喵汪喵喵喵喵", "喵喵喵喵喵汪喵", "汪喵喵喵喵喵喵"]
    assert measure_series(posts[1], posts[:1], MEASURES) == ()
    assert measure_series(posts[2], posts[:2], MEASURES) == (Suspicion("reuse", "3"),)


def test_the_very_same_post_again_is_no_pattern() -> None:
    assert measure_series("喵喵汪喵喵", ["喵喵汪喵喵"] * 5, MEASURES) == ()


def test_lengths_of_five_posts_in_a_row_fire_and_a_different_sound_between_them_breaks_the_row() -> None:
    posts = ["喵" * length for length in (3, 1, 4, 6, 2)]
    assert measure_series(posts[-1], posts[:-1], MEASURES) == (Suspicion("lengths", "3 1 4 6 2"),)
    assert measure_series(posts[-1], posts[1:-1], MEASURES) == ()
    assert measure_series(posts[-1], [*posts[:2], "汪", *posts[2:-1]], MEASURES) == ()
    assert measure_series("喵" * 5, ["喵" * length for length in range(1, 5)], MEASURES) == ()


def test_edits_fire_with_four_texts_unless_they_only_grow() -> None:
    assert measure_edits(["喵", "汪", "咩", "喵"], MEASURES) == (Suspicion("edits", "4"),)
    assert measure_edits(["喵", "汪", "咩"], MEASURES) == ()
    assert measure_edits(["喵", "喵喵", "喵喵喵", "喵喵喵喵"], MEASURES) == ()


def test_styles_fire_with_three_changes_and_name_what_varies() -> None:
    red, bold = Style(color="red"), Style(bold=True)
    assert measure_styles([PLAIN, red, PLAIN], MEASURES) == ()
    assert measure_styles([PLAIN, red, PLAIN, bold], MEASURES) == (Suspicion("styles", "3 color+bold"),)


def test_the_style_of_a_ballots_target_is_not_measured() -> None:
    words = "[b]投票对象[/b]：[color=red]包子[/color]\n[b]投票理由[/b]：[color=blue]喵[/color]喵"
    reading = read_words(read_message(words), SECRET_NUMBER, Surroundings())
    assert reading.styles == (Style(color="blue"), PLAIN)


def test_a_suspect_states_symbols_entropy_and_runs() -> None:
    figures = dict(describe_figures(f"喵喵汪汪\n喵{OTHER}{show_smiley('lol')}", ["喵汪"]))
    # Six symbols: 喵 three times, 汪 twice, the smiley once.
    assert figures == {"symbols": "6", "kinds": "3", "entropy": "1.46", "earlier_entropy": "1.00", "runs": "2 2 1 1"}
    assert dict(describe_figures("喵", []))["earlier_entropy"] == ""


def test_a_suspect_is_a_warning_with_its_measures_and_never_an_error() -> None:
    sample = Sample("x", Half.TUNED, "secret-number", "", (("喵喵喵 喵 喵 喵汪喵",),), "SEER")
    (found,) = judge_sample(sample).suspects
    assert (found.code, found.severity) == ("C105", Severity.WARNING)
    assert dict(found.parameters)["measures"] == "morse 3 1 1 3"


def test_at_most_two_of_sixty_innocent_posts_are_suspects() -> None:
    for half in (None, Half.HELD_OUT, Half.SECOND):
        judged = judge_samples("innocent", half)
        assert 60 * sum(bool(sample.suspects) for sample in judged) <= 2 * len(judged)


@pytest.mark.parametrize(("half", "recall"), [(Half.TUNED, 0.8), (Half.HELD_OUT, 0.8), (Half.SECOND, 0.45)])
def test_most_coded_posts_are_found_and_of_ways_sought_for_their_escape_nearly_half(half: Half, recall: float) -> None:
    judged = judge_samples("coded", half)
    assert sum(bool(sample.suspects) for sample in judged) >= recall * len(judged)


def test_each_of_the_three_codes_finds_something_that_the_others_miss() -> None:
    alone = {judged.suspects[0].code for judged in judge_samples("coded") if len({found.code for found in judged.suspects}) == 1}
    assert alone == {"C104", "C105", "C106"}


def test_the_accuracy_page_is_up_to_date() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == write_report()


def test_the_page_of_sounds_names_every_threshold_with_its_value() -> None:
    page = (Path(DOCUMENT).parent / "sounds.md").read_text(encoding="utf-8")
    for name in Measures.__dataclass_fields__:
        assert f"`{name}` | {getattr(MEASURES, name)} |" in page


def test_both_labels_are_judged_whole() -> None:
    assert len(judge_samples("coded")) == len(read_samples("coded"))
