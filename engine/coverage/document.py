"""docs/coverage.md: the tables, and their lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from engine.coverage.deck import ROOT, Deck
from engine.coverage.subjects import (
    COVERED,
    Subject,
    list_conditions,
    list_consequences,
    list_roles,
    list_skills,
    list_switches,
    list_variants,
)
from engine.ruleset import RuleSet

DOCUMENT = ROOT / "docs" / "coverage.md"
NONE = "**none**"
# How many files a line of the document names; the others are counted.
_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Heading:
    """One table: its title, what its files have in common, its columns, and its lines for a system."""

    title: str
    about: str
    columns: tuple[str, ...]
    subjects: Callable[[RuleSet], Iterator[Subject]]


TABLES = (
    Heading(
        "Roles",
        "The files fail when seats of the role keep their camp, and have neither skill nor an identity that a rule asks for.",
        ("system", "role", "camp", "clause", "scenarios"),
        list_roles,
    ),
    Heading(
        "Skills",
        "The files fail when the role lacks the skill.",
        ("system", "role", "skill", "clause", "scenarios"),
        list_skills,
    ),
    Heading(
        "Conditions",
        "The files fail when the camp has no such condition, or cannot surrender.",
        ("system", "camp", "condition", "value", "scenarios"),
        list_conditions,
    ),
    Heading(
        "Consequences of going out",
        "The files fail when going out brings no such thing.",
        ("system", "consequence", "scenarios"),
        list_consequences,
    ),
    Heading(
        "Switches",
        "The files fail when the switch is turned, and no other scenario does. Cases with a `/` are counts of recorded threads.",
        ("system", "switch", "values", "what it chooses", "scenarios"),
        list_switches,
    ),
    Heading(
        "Variants of skills",
        "The files play the variant, and fail under another.",
        ("system", "skill", "variant", "scenarios"),
        list_variants,
    ),
)


def list_subjects() -> dict[str, tuple[Subject, ...]]:
    """Everything that must be covered, by the title of its table."""
    return {one.title: tuple(subject for ruleset in COVERED.values() for subject in one.subjects(ruleset)) for one in TABLES}


def write_document(subjects: Mapping[str, tuple[Subject, ...]], deck: Deck) -> str:
    """The whole document."""
    parts = [
        "# What the scenarios cover\n\n"
        "Written by `python -m engine.coverage` from fixtures/scenarios and the rule systems' values; a test fails where a line\n"
        f"has no file. A line names {_SHOWN} files at most, and counts the others.\n"
    ]
    for one in TABLES:
        lines = [f"| {' | '.join(one.columns)} |", "|---" * len(one.columns) + "|"]
        lines += [f"{begin_line(subject)}{_list(subject.find_files(deck))} |" for subject in subjects[one.title]]
        parts.append(f"## {one.title}\n\n{one.about}\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def begin_line(subject: Subject) -> str:
    """The line of a subject up to its files."""
    return "".join(f"| {_cell(text)} " for text in (subject.ruleset.id, *subject.what)) + "| "


def read_line(text: str, title: str, subject: Subject) -> tuple[str, ...]:
    """The files that a document names for a subject; () where it has no line, or says that there are none."""
    table = text.partition(f"## {title}\n")[2].partition("\n## ")[0]
    begin = begin_line(subject)
    line = next((line for line in table.split("\n") if line.startswith(begin)), "")
    files = line.removeprefix(begin).removesuffix(" |").partition(" +")[0]
    return tuple(files.split("、")) if files and files != NONE else ()


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "\\<").replace("\t", " ")


def _list(files: tuple[str, ...]) -> str:
    more = len(files) - _SHOWN
    return "、".join(files[:_SHOWN]) + (f" +{more}" if more > 0 else "") or NONE
