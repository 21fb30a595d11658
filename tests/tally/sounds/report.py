"""Measure the detectors on the labelled set: `python -m tests.tally.sounds.report` writes docs/sounds-accuracy.md.

With `--tuned` it prints what is missed and falsely suspected in the tuned half, for choosing thresholds, and writes nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from tally.day import Day
from tally.sounds.case import SoundCase
from tally.sounds.chant import Chant
from tally.sounds.check import check_seat
from tally.sounds.finding import SoundFinding
from tally.sounds.sets import SOUND_RULES
from tests.tally.sounds.samples import FIRST_POST, SEAT, Half, Sample, build_histories, read_samples

DOCUMENT = Path(__file__).parents[3] / "docs" / "sounds-accuracy.md"
SUSPECTS = ("C104", "C105", "C106")


@dataclass(frozen=True, slots=True)
class Judged:
    """A sample and the suspects found in it."""

    sample: Sample
    suspects: tuple[SoundFinding, ...]


def judge_sample(sample: Sample) -> Judged:
    """Check a sample's posts as they would be checked in a game, in the vote thread of one long day."""
    day = Day(1, FIRST_POST - timedelta(hours=1), FIRST_POST + timedelta(hours=9), vote=2)
    case = SoundCase(SOUND_RULES[sample.system], (day,))
    findings = check_seat(Chant(SEAT, day.opens), case, build_histories(sample))
    return Judged(sample, tuple(finding for finding in findings if finding.code in SUSPECTS))


def judge_samples(name: str, half: Half | None = None) -> tuple[Judged, ...]:
    """Judge the `innocent` or the `coded` samples of one half, or of both."""
    return tuple(judge_sample(sample) for sample in read_samples(name) if half in (None, sample.half))


PREFACE = """\
# How well the detectors of codes do

Made by `python -m tests.tally.sounds.report`; a test fails when it is out of date. The labelled set is in
`tests/tally/sounds/samples/`: posts as players write them, and posts that carry a message, each with its way of
coding. It was committed before the detectors were written. Thresholds were chosen on the tuned half; the held-out half was
kept out of that, and holds ways of coding that the tuned half has not. A sample counts as suspected when C104, C105 or C106
is found in any of its posts.

Precision: of the suspected samples, those that carry a message. Recall: of those that carry one, the suspected ones.
In a real game nearly every post is innocent, so of its suspects far fewer will be codes than the precision here says;
the column of false suspects is the one to compare with a real thread. One person wrote the two halves and the detectors, so
even the held-out half flatters them. The second set is another's, who looked for ways of coding that they do not see, and for
players whose evenings look like codes; it was written when the detectors were there. They then found 28 of its 60 (47%), and
37 of the 42 held-out ones; `margins`, `heights` and `alternation` of four to six kinds were added after it.
"""


def write_report() -> str:
    """Write the accuracy page."""
    innocent, coded = judge_samples("innocent"), judge_samples("coded")
    lines = [
        PREFACE,
        "| half | innocent | falsely suspected | coded | found | precision | recall |",
        "|---|---|---|---|---|---|---|",
    ]
    for title, half in (("tuned", Half.TUNED), ("held-out", Half.HELD_OUT), ("second set", Half.SECOND), ("all", None)):
        noise = [judged for judged in innocent if half in (None, judged.sample.half)]
        codes = [judged for judged in coded if half in (None, judged.sample.half)]
        false, found = _count(noise), _count(codes)
        precision, recall = found / max(found + false, 1), found / len(codes)
        lines.append(f"| {title} | {len(noise)} | {false} | {len(codes)} | {found} | {precision:.0%} | {recall:.0%} |")
    lines += ["", "## By detector", "", "| code | suspected innocent | found coded |", "|---|---|---|"]
    lines += [f"| {code} | {_count(innocent, code)} | {_count(coded, code)} |" for code in SUSPECTS]
    lines += ["", "## By way of coding", "", "| way | tuned | held-out | second |", "|---|---|---|---|"]
    for way in dict.fromkeys(judged.sample.way for judged in coded):
        cells = []
        for half in Half:
            group = [judged for judged in coded if judged.sample.way == way and judged.sample.half is half]
            cells.append(f"{_count(group)} of {len(group)}" if group else "")
        lines.append(f"| {way} | {' | '.join(cells)} |")
    lines += ["", "## Falsely suspected", "", "| sample | half | what it is | measures |", "|---|---|---|---|"]
    for judged in innocent:
        if judged.suspects:
            lines.append(f"| {judged.sample.id} | {judged.sample.half} | {judged.sample.way} | {_list_measures(judged)} |")
    return "\n".join(lines) + "\n"


def _count(group: Sequence[Judged], code: str = "") -> int:
    """Count the samples with a suspect, or with one of this code."""
    return sum(any(item.code.startswith(code) for item in judged.suspects) for judged in group)


def _list_measures(judged: Judged) -> str:
    return "; ".join(f"{item.code} {dict(item.parameters)['measures']}" for item in judged.suspects)


def _print_tuned() -> None:
    for name, title, wrong in (("innocent", "falsely suspected", True), ("coded", "missed", False)):
        group = judge_samples(name, Half.TUNED)
        chosen = [judged for judged in group if bool(judged.suspects) is wrong]
        sys.stdout.write(f"{title}: {len(chosen)} of {len(group)}\n")
        for judged in chosen:
            sys.stdout.write(f"  {judged.sample.id} {judged.sample.way}: {_list_measures(judged)}\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page, or print the tuned half's mistakes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tuned", action="store_true", help="print the tuned half's mistakes and write nothing")
    if parser.parse_args(arguments).tuned:
        _print_tuned()
    else:
        DOCUMENT.write_text(write_report(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
