"""The sentences that registries hold in both languages side by side: findings by their codes, reasons, places, terms, labels.

A finding's code has its Chinese and its English in one place, where types hold that neither is forgotten; the catalogues take
them over from there, with the registry's name and key as the context, so that translators find every sentence in one file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.report import words as labels
from engine.report.sounds import words as sounds
from tally.advice import ADVICE, GROUPS
from tally.finding import DOUBT, SIDE_NOTES
from tally.kinds import KINDS
from tally.words import PLACES, REASONS, TERMS


class Pair(NamedTuple):
    """One sentence in both languages; `context` says of which registry, and which key, it is."""

    context: str
    chinese: str
    english: str
    file: str


# Registries of pairs by the name that stands in the context, and the file that holds them.
_TABLES: tuple[tuple[str, str, Iterable[tuple[object, tuple[str, str]]]], ...] = (
    ("reason", "tally/words.py", REASONS.items()),
    ("place", "tally/words.py", PLACES.items()),
    ("term", "tally/words.py", TERMS.items()),
    ("advice", "tally/advice.py", (*ADVICE.items(), *GROUPS.items())),
    ("decision", "engine/report/words.py", labels.DECISIONS.items()),
    ("severity", "engine/report/words.py", labels.SEVERITIES.items()),
    ("card", "engine/report/words.py", labels.CARDS.items()),
    ("match", "engine/report/words.py", labels.MATCHES.items()),
    ("label", "engine/report/words.py", labels.LABELS.items()),
    ("sounds", "engine/report/sounds/words.py", sounds.LABELS.items()),
    ("rank", "engine/report/sounds/words.py", sounds.RANKS.items()),
    ("thread", "engine/report/sounds/words.py", sounds.THREADS.items()),
    ("placing", "engine/report/sounds/words.py", sounds.PLACES.items()),
)


def read_pairs() -> Iterator[Pair]:
    """Every sentence that a registry holds in both languages, in the order of the registries."""
    for code, kind in KINDS.items():
        yield Pair(f"finding {code}", kind.chinese, kind.english, "tally/kinds.py")
    for name, (chinese, english) in (("doubt", DOUBT), *((name, (zh, en)) for name, zh, en in SIDE_NOTES)):
        yield Pair(f"finding, {name}", chinese, english, "tally/finding.py")
    for name, file, table in _TABLES:
        for key, (chinese, english) in table:
            if chinese:
                yield Pair(f"{name} {key}", chinese, english, file)
