"""Patterns in one post that can carry a code though every character is allowed: hints with their figures, never a proof.

Each detector is a measure and a threshold. Its measures are written out in docs/sounds.md, and how well they tell codes from
mere noise in docs/sounds-accuracy.md.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from tally.sounds.words import OTHER

Figures = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Measures:
    """The thresholds of the detectors: each is the smallest value that makes a post a suspect. Lengths are in symbols.

    A symbol is one sound or one smiley; a group is what stands between white space, marks and line ends; a run is one symbol
    repeated inside a group.
    """

    style_changes: int = 3
    alternation_symbols: int = 12
    alternation_phrases: int = 2
    morse_groups: int = 4
    run_count: int = 5
    run_lengths: int = 4
    block_count: int = 4
    drawing_rows: int = 3
    variety_kinds: int = 7
    variety_symbols: int = 9
    smilies: int = 8
    smiley_kinds: int = 5
    gaps: int = 6
    edge_lines: int = 4
    margins: int = 3
    heights: int = 5
    reuse_symbols: int = 6
    reuse_posts: int = 2
    series_posts: int = 5
    series_lengths: int = 5
    edit_texts: int = 4
    memory: int = 20
    horizon: int = 1000


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One measure that reached its threshold, with the figure that it reached."""

    measure: str
    figure: str


_SMILEY = re.compile("[\U000f0000-\U000fffff]")
# Up to so many kinds an order of symbols is measured as an alternation.
_FEW = 6
_RUN = re.compile(rf"([^\s{OTHER}])\1*")


def measure_post(transcript: str, order: str, measures: Measures) -> tuple[Suspicion, ...]:
    """Measure one post's transcript; `order` is the rule's own list of sounds, which anybody may copy."""
    text = transcript[: measures.horizon]
    groups = text.replace(OTHER, " ").split()
    symbols = "".join(groups)
    kinds = len(set(symbols))
    found: list[Suspicion] = []
    if kinds == 0 or (kinds == 1 and len(groups) < min(measures.run_count, measures.drawing_rows)):
        return ()
    if kinds <= 2:
        found += _measure_runs(text, measures)
    if 2 <= kinds <= _FEW:
        found += _measure_alternation(symbols, kinds, measures)
    if kinds == 2:
        found += _measure_morse(groups, measures)
    if kinds >= measures.variety_kinds:
        found += _measure_variety(symbols, kinds, order, measures)
    found += _measure_blocks(groups, measures)
    # Each gap stands between two groups.
    if len(groups) > measures.gaps:
        found += _measure_gaps(text, measures)
    # A drawing, or edges, need more lines than most posts have.
    if text.count("\n") + 1 >= min(measures.drawing_rows, measures.edge_lines) and "\n" in text:
        lines = [line.rstrip() for line in text.split("\n")]
        found += _measure_drawing(lines, measures)
        found += _measure_edges(lines, measures)
        found += _measure_margins(text, measures)
    if kinds > 1 and _SMILEY.search(symbols) is not None:
        found += _measure_smilies(symbols, measures)
    return tuple(found)


def describe_figures(transcript: str, earlier: Sequence[str]) -> Figures:
    """Give the figures that stand in every suspect: symbols used, bits per symbol here and in earlier posts, the run lengths."""
    here, before = _join_symbols(transcript), "".join(_join_symbols(post) for post in earlier)
    lengths = [str(len(run.group())) for run in _RUN.finditer(transcript)]
    runs = " ".join(lengths[:40]) + (" …" if len(lengths) > 40 else "")
    return (
        ("symbols", str(len(here))),
        ("kinds", str(len(set(here)))),
        ("entropy", f"{measure_entropy(here):.2f}"),
        ("earlier_entropy", f"{measure_entropy(before):.2f}" if before else ""),
        ("runs", runs),
    )


def measure_entropy(symbols: str) -> float:
    """Give Shannon's entropy of the symbols, in bits per symbol."""
    total = len(symbols)
    return abs(sum(count / total * math.log2(count / total) for count in Counter(symbols).values()))


def count_phrases(symbols: str, known: str = "", most: int = 40) -> int:
    """Count the phrases of Lempel and Ziv (1976): each is the shortest that stands nowhere before it, in `known` or here.

    Repetition adds none: 喵喵喵喵 is one phrase, 喵汪喵汪喵汪 two, whatever their length. The rest at the end is not counted, and
    nothing after the phrase number `most`.
    """
    text = known + symbols
    start, phrases = len(known), 0
    while start < len(text) and phrases < most:
        size = 1
        while start + size <= len(text) and text.find(text[start : start + size], 0, start + size - 1) >= 0:
            size += 1
        phrases += start + size <= len(text)
        start += size
    return phrases


def _join_symbols(transcript: str) -> str:
    return "".join(transcript.replace(OTHER, " ").split())


def _measure_alternation(symbols: str, kinds: int, measures: Measures) -> list[Suspicion]:
    """Few symbols in an order that does not repeat itself: more phrases than their number explains.

    Animals of four to six kinds are common in one post; there it takes two phrases more, and hardly a doubled symbol.
    """
    if len(symbols) < measures.alternation_symbols:
        return []
    if kinds > 3 and sum(1 for _ in groupby(symbols)) < 0.75 * len(symbols):
        return []
    phrases, needed = count_phrases(symbols), kinds + measures.alternation_phrases + (2 if kinds > 3 else 0)
    return [Suspicion("alternation", f"{phrases}/{kinds}")] if phrases >= needed else []


def _measure_morse(groups: Sequence[str], measures: Measures) -> list[Suspicion]:
    """Groups of one to five of two symbols, at least three different ones, at least one of them mixed."""
    letters = len(groups) >= measures.morse_groups and all(len(group) <= 5 for group in groups)
    if letters and len(set(groups)) >= 3 and any(len(set(group)) == 2 for group in groups):
        return [Suspicion("morse", " ".join(str(len(group)) for group in groups))]
    return []


def _measure_runs(text: str, measures: Measures) -> list[Suspicion]:
    """Runs of many different lengths that are no staircase."""
    lengths = [len(run.group()) for run in _RUN.finditer(text)]
    if len(lengths) < measures.run_count or len(set(lengths)) < measures.run_lengths or is_staircase(lengths):
        return []
    return [Suspicion("runs", " ".join(map(str, lengths)))]


def is_staircase(lengths: Sequence[int]) -> bool:
    """Whether each length differs from the one before by the same step: 喵 喵喵 喵喵喵 is play."""
    return len({after - before for before, after in pairwise(lengths)}) <= 1


def _measure_variety(symbols: str, kinds: int, order: str, measures: Measures) -> list[Suspicion]:
    """Many different symbols, hardly one of them doubled as players do, and not copied from the rule's list."""
    runs = sum(1 for _ in groupby(symbols))
    if len(symbols) < measures.variety_symbols or runs < 0.9 * len(symbols) or count_phrases(symbols, order) < 4:
        return []
    return [Suspicion("variety", f"{kinds}/{len(symbols)}")]


def _measure_blocks(groups: Sequence[str], measures: Measures) -> list[Suspicion]:
    """Groups of one length, half of them mixed, at least three different ones."""
    size = len(groups[0])
    if len(groups) < measures.block_count or size < 2 or len(set(map(len, groups))) > 1:
        return []
    mixed = sum(len(set(group)) > 1 for group in groups)
    return [Suspicion("blocks", f"{len(groups)}×{size}")] if len(set(groups)) >= 3 and 2 * mixed >= len(groups) else []


def _measure_drawing(lines: Sequence[str], measures: Measures) -> list[Suspicion]:
    """Rows of one width of two or three kinds of cell, or rows that are indented by different amounts."""
    rows = [line for line in lines if line]
    if len(rows) < measures.drawing_rows:
        return []
    indents = {len(row) - len(row.lstrip()) for row in rows}
    width = len(rows[0])
    even = width >= 3 and all(len(row) == width for row in rows) and len(set("".join(rows))) in (2, 3)
    mixed = sum(len(set(row)) > 1 for row in rows)
    if len(indents) >= 3 or (even and mixed >= 2 and len(set(rows)) >= 3):
        return [Suspicion("drawing", f"{len(rows)}×{max(map(len, rows))}")]
    return []


def _measure_edges(lines: Sequence[str], measures: Measures) -> list[Suspicion]:
    """Lines of one filler, whose first or last symbols differ."""
    rows = [line.strip() for line in lines if len(line.strip()) >= 3]
    if len(rows) < measures.edge_lines:
        return []
    for edge, rests in (("first", [row[1:] for row in rows]), ("last", [row[:-1] for row in rows])):
        ends = "".join(row[0] if edge == "first" else row[-1] for row in rows)
        if len(set("".join(rests))) == 1 and len(set(ends)) >= 3:
            return [Suspicion("edges", f"{edge} {len(set(ends))}/{len(rows)}")]
    return []


_BLANK_LINES = re.compile(r"(?<=\S)\s*\n\s*(?=\S)")


def _measure_margins(text: str, measures: Measures) -> list[Suspicion]:
    """Lines with different amounts of white space behind them, or different numbers of blank lines between them."""
    found = []
    rows = [line for line in text.split("\n") if line.strip()]
    margins = {len(row) - len(row.rstrip()) for row in rows}
    if len(margins) >= measures.margins:
        found.append(Suspicion("margins", f"{len(margins)}/{len(rows)}"))
    if "\n\n" in text:
        heights = [gap.count("\n") for gap in _BLANK_LINES.findall(text)]
        if len(heights) >= measures.heights and len(set(heights)) >= 3:
            found.append(Suspicion("heights", f"{len(set(heights))}/{len(heights)}"))
    return found


def _measure_smilies(symbols: str, measures: Measures) -> list[Suspicion]:
    """Many smilies of many kinds, hardly one of them doubled."""
    smilies = "".join(_SMILEY.findall(symbols))
    kinds = len(set(smilies))
    if len(smilies) < measures.smilies or kinds < measures.smiley_kinds:
        return []
    runs = sum(1 for _ in groupby(smilies))
    return [Suspicion("smilies", f"{kinds}/{len(smilies)}")] if runs >= 0.8 * len(smilies) else []


_GAP = re.compile(rf"(?<=[^\s{OTHER}])[^\S\n]+(?=[^\s{OTHER}])")


def _measure_gaps(text: str, measures: Measures) -> list[Suspicion]:
    """White space of two or more kinds or widths between sounds, in an order that does not repeat itself."""
    gaps = _GAP.findall(text)
    kinds = sorted(set(gaps))
    if len(gaps) < measures.gaps or len(kinds) < 2:
        return []
    phrases = count_phrases("".join(chr(ord("a") + min(kinds.index(gap), 25)) for gap in gaps))
    return [Suspicion("gaps", f"{len(kinds)}/{len(gaps)}")] if phrases >= len(kinds) + 2 else []
