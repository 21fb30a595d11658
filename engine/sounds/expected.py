"""[[sound]] of expected.toml: what a check of a case must find on a day, and how what it found differs."""

from __future__ import annotations

from collections.abc import Iterator

from engine.expected import Difference, Expected, Row, describe_rows, match_rows
from engine.sounds.check import SpeechCheck
from scraper.post import History
from tally.sounds.finding import SoundFinding
from tally.sounds.ruled import CheckedPost

LIST = "sound"
# The parameters of a finding that a row may name.
_NAMED = ("place", "doubt", "why")


def compare_sounds(expected: Expected, check: SpeechCheck, day: int) -> tuple[Difference, ...]:
    """How the findings of one day differ from the rows of that day; nothing where no row mentions it. Notes may stay unsaid."""
    if day not in expected.rows[LIST]:
        return ()
    missing, extra = match_rows(expected.rows[LIST][day], list(list_rows(check, day)))
    if not missing and not extra:
        return ()
    pids = dict.fromkeys(row["pid"] for row in (*missing, *extra))
    posts = [_cite(history) for (_, pid), history in check.histories.items() if pid in pids]
    return (Difference(day, "叫声", describe_rows(missing), describe_rows(extra), tuple(posts)),)


def list_rows(check: SpeechCheck, day: int) -> Iterator[Row]:
    """What was found on a day, a row for each code of each revision and seat: its characters in the order of the text."""
    for post in check.posts:
        if check.day_of(post) == day:
            yield from _list_rows(post)


def _list_rows(post: CheckedPost) -> Iterator[Row]:
    alike: dict[tuple[object, ...], list[SoundFinding]] = {}
    for found in post.findings:
        named = dict(found.parameters)
        alike.setdefault((found.code, found.severity, found.machine, *(named.get(key) for key in _NAMED)), []).append(found)
    for group in alike.values():
        first = group[0]
        named = dict(first.parameters)
        yield {
            "seat": post.seat,
            "pid": post.source.pid,
            "revision": post.source.revision,
            "code": first.code,
            "severity": first.severity.value,
            "machine": first.machine.value if first.machine else "",
            "characters": "".join(chr(int(found.codepoint[2:], 16)) for found in group if found.codepoint),
            "measures": " ".join(measure.split(" ")[0] for measure in named.get("measures", "").split(", ")),
            "ruling": named.get("ruling", ""),
            **{key: named.get(key, "") for key in _NAMED},
        }


def _cite(history: History) -> str:
    said = " ⇒ ".join(revision.post.message.text.replace("\n", " / ") for revision in history.revisions)
    return f"{history.latest.floor} pid={history.latest.pid} {history.latest.author}「{said}」"
