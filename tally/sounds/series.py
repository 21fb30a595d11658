"""Patterns over several texts of one player: a post re-used with small changes, lengths of post after post, edits that spell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import ne

from scraper.post import Style
from tally.sounds.code import Measures, Suspicion, is_staircase
from tally.sounds.words import OTHER


def measure_styles(styles: Sequence[Style], measures: Measures) -> tuple[Suspicion, ...]:
    """Measure how often the style changes inside a post, and in what (C104)."""
    changes = len(styles) - 1
    if changes < measures.style_changes:
        return ()
    varying = [name for name in _VARYING if len({getattr(style, name) for style in styles}) > 1]
    return (Suspicion("styles", f"{changes} {'+'.join(varying)}"),) if varying else ()


_VARYING = ("color", "size", "font", "background", "align", "bold", "italic", "underline", "strike")


def measure_series(text: str, earlier: Sequence[str], measures: Measures) -> tuple[Suspicion, ...]:
    """Measure a post's transcript against those of the player's earlier ones, oldest first (C105)."""
    recent = earlier[-measures.memory :]
    return (*_measure_reuse(text, recent, measures), *_measure_lengths(text, recent, measures))


def measure_edits(texts: Sequence[str], measures: Measures) -> tuple[Suspicion, ...]:
    """Measure the transcripts of one post's revisions, oldest first: different texts in a row that do not merely grow (C106)."""
    written = [text.strip() for text in texts]
    different = [text for index, text in enumerate(written) if not index or text != written[index - 1]]
    grows = all(after.startswith(before) for before, after in pairwise(different))
    if len(different) < measures.edit_texts or grows:
        return ()
    return (Suspicion("edits", str(len(different))),)


def _measure_reuse(text: str, earlier: Sequence[str], measures: Measures) -> list[Suspicion]:
    """The same post again, with one or two symbols replaced; a post of one symbol alone is no pattern."""
    if len(text) < measures.reuse_symbols or len(set(text)) < 2:
        return []
    others = {post for post in earlier if len(post) == len(text)}
    if len(others) < measures.reuse_posts:
        return []
    alike = [other for other in others if 1 <= sum(map(ne, text, other)) <= 2]
    return [Suspicion("reuse", str(len(alike) + 1))] if len(alike) >= measures.reuse_posts else []


def _measure_lengths(text: str, earlier: Sequence[str], measures: Measures) -> list[Suspicion]:
    """Posts in a row of nothing but one and the same sound, of many different lengths."""
    first = text.strip()[:1]
    lengths: list[int] = []
    for post in (text, *reversed(earlier)):
        written = post.strip()
        if not written or written[0] == OTHER or written[0] != first or written.strip(first):
            break
        lengths.append(len(written))
        if len(lengths) == measures.series_posts:
            break
    if len(lengths) < measures.series_posts or len(set(lengths)) < measures.series_lengths or is_staircase(lengths):
        return []
    return [Suspicion("lengths", " ".join(map(str, reversed(lengths))))]
