"""What a chanted player may write besides sounds: whom he votes for, and a request for a shorter or longer day."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tally.day import Day
from tally.sounds.sets import SoundRules


class ThreadKind(StrEnum):
    """What a thread is for."""

    DISCUSSION = "discussion"
    VOTE = "vote"
    PROGRESS = "progress"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Exemption:
    """A stretch of a line, from `start` to just before `end` (0-based columns), that need not be sounds.

    `remark` says what is odd about it: "not_in_vote_thread" for a ballot's label in another thread.
    """

    start: int
    end: int
    remark: str = ""


def find_thread_kind(tid: int, days: Sequence[Day]) -> ThreadKind:
    """Tell what a thread is for by the facts of the days; one that serves two ends is a vote thread first."""
    if any(day.vote == tid for day in days):
        return ThreadKind.VOTE
    if any(day.progress == tid for day in days):
        return ThreadKind.PROGRESS
    return ThreadKind.DISCUSSION if any(tid in day.discussion for day in days) else ThreadKind.OTHER


def find_exemptions(
    line: str, *, first: bool, rules: SoundRules, thread: ThreadKind, names_target: Callable[[str], bool] | None
) -> tuple[Exemption, ...]:
    """Find what is exempt in one line of the author's words (`first`: the first one that is not blank).

    A ballot's line (the label opens it, after spaces, list marks or one pair of brackets) is exempt as far as it names
    somebody: up to the reason's label, a stop, a comma or a bracket behind the name, or the line's end, and to the whole of a
    name that `names_target` knows. The reason's label is exempt, what it says is not. In the progress thread the fixed form of
    a request is exempt in the first line.
    """
    patterns = _compile(rules)
    if thread is ThreadKind.PROGRESS and first and (request := patterns.request.match(line)) is not None:
        return (Exemption(0, request.end()),)
    if (reason := patterns.reason_line.match(line)) is not None:
        return (Exemption(0, reason.end()),)
    label = patterns.exempt_line.match(line)
    if label is None:
        return ()
    reason = patterns.reason.search(line, label.end())
    stop = len(line) if reason is None else reason.start()
    end, known = _end_value(line, label.end(), stop, names_target)
    if known is False:
        # It must name someone: what names nobody is no target, and no more than the label is exempt.
        end = label.end()
    remark = "" if thread is ThreadKind.VOTE else "not_in_vote_thread"
    value = Exemption(0, end, remark)
    return (value,) if reason is None else (value, Exemption(reason.start(), reason.end()))


_OPENERS, _CLOSERS, _STOPS = "【［[（(「『《〈<＜｛{〔〖“‘", "】］]）)」』》〉>＞｝}〕〗”’", "。．.｡！!？?…，,；;~～"
_BLANK = "\u00ad\u200b-\u200d\u2060\ufeff"
# Where a value that nobody knows ends: at a stop or comma (the point may belong to a name: No.7), or at a bracket behind it.
_CUT = re.compile(rf"[{re.escape(_STOPS.replace('.', ''))}]|\s*[{re.escape(_OPENERS)}]")
_OPENING = re.compile(rf"[\s{re.escape(_OPENERS)}]*")
_BOUNDARY = re.compile(r"\s+|[^\w\s]")
_ABSTAIN = frozenset({"弃权", "棄權"})


def _end_value(line: str, start: int, stop: int, names_target: Callable[[str], bool] | None) -> tuple[int, bool | None]:
    """Give where the value ends, and whether it names a target (None: nobody can tell)."""
    if names_target is not None:
        ends = [stop, *(match.start() for match in reversed(list(_BOUNDARY.finditer(line, start, stop))))]
        for end in ends:
            written = line[start:end]
            if any(word in _ABSTAIN or names_target(word) for word in _spell(written)):
                return _include_stop(line, end, stop), True
    opening = _OPENING.match(line, start, stop)
    cut = _CUT.search(line, start if opening is None else opening.end(), stop)
    end = stop if cut is None else cut.start()
    # An empty value is a void ballot, not a word.
    known = None if names_target is None or not line[start:end].strip() else False
    return _include_stop(line, end, stop), known


def _spell(written: str) -> tuple[str, str]:
    return written.strip(), written.strip().lstrip(_OPENERS).rstrip(_CLOSERS + _STOPS).strip()


def _include_stop(line: str, end: int, stop: int) -> int:
    """Let up to three closing marks behind the value belong to it, if nothing else follows (`投票对象：老王。`)."""
    rest = line[end:stop].strip()
    return stop if len(rest) <= 3 and not rest.strip(_STOPS) else end


@dataclass(frozen=True, slots=True)
class _Patterns:
    exempt_line: re.Pattern[str]
    reason_line: re.Pattern[str]
    reason: re.Pattern[str]
    request: re.Pattern[str]


# A label as a ballot takes it: after spaces and a list mark, in one pair of brackets or none, marks of no width inside.
_LEAD = rf"[\s{_BLANK}]*(?:(?:[-*•·●○◆◇■□★☆▶►→※#＃－—–]|[(（]?\d{{1,2}}[.、)．）]|[①-⑳])\s*)?"
_OPEN = rf"[{re.escape(_OPENERS)}]?[\s{_BLANK}]*"
_BRACKETED = (rf"[{re.escape(_OPENERS)}][\s{_BLANK}]*", rf"[\s{_BLANK}]*[{re.escape(_CLOSERS)}]")
_CLOSE = rf"[\s{_BLANK}]*[{re.escape(_CLOSERS)}]?[\s{_BLANK}]*[:：﹕]*"


@lru_cache(maxsize=16)
def _compile(rules: SoundRules) -> _Patterns:
    request = _choose(rules.requests)
    return _Patterns(
        exempt_line=re.compile(_LEAD + _OPEN + _choose(rules.exempt) + _CLOSE),
        reason_line=re.compile(_LEAD + _OPEN + _choose(rules.reasons) + _CLOSE),
        reason=re.compile(_OPEN + _choose(rules.reasons) + _CLOSE),
        # As it is read for the count: with one pair of brackets around it, or none.
        request=re.compile(rf"[\s{_BLANK}]*(?:{_BRACKETED[0]}{request}{_BRACKETED[1]}|{request})"),
    )


# What the labels of the rule posts need: 投票對象, 申請加速, 申請延時.
_TRADITIONAL = str.maketrans({"对": "對", "请": "請", "时": "時", "选": "選", "举": "舉"})


def list_labels(rules: SoundRules) -> frozenset[str]:
    """List every label that frees something, in both scripts."""
    return _spell_both((*rules.exempt, *rules.reasons, *rules.requests))


def _spell_both(words: Iterable[str]) -> frozenset[str]:
    return frozenset(spelling for word in words for spelling in (word, word.translate(_TRADITIONAL)))


def _choose(words: Iterable[str]) -> str:
    spelt = _spell_both(words)
    if not spelt:
        return r"(?!)"
    longest_first = sorted(spelt, key=lambda word: (-len(word), word))
    return "(?:" + "|".join(f"[{_BLANK}]*".join(map(re.escape, word)) for word in longest_first) + ")"
