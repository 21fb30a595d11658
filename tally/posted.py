"""The result that the director published, held against the count: in a post of his after the close, or in the game file.

投票结果：包子出局        计票结果：无人出局        竞选结果：饺子当选警长        公布结果：平票，无人出局
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scraper.post import History, PostState, Source
from tally.finding import Finding
from tally.folding import fold
from tally.formats import STOPS
from tally.names import Names
from tally.reading import cite
from tally.result import Decision, Verdict
from tally.review import Review
from tally.roster import PosterKind
from tally.verdict import SCAPEGOAT, Outcome
from tally.window import is_after_close

_LINE = re.compile(r"\s*[【\[]?(?:投票|计票|公布|竞选)结果[】\]]?\s*[:：]\s*(?P<value>\S.*?)\s*")
_ENDS = re.compile(r"(?:被?(?:投票)?出局|当选(?:为?警长)?|为警长)$")
_NOBODY = re.compile(r"无人|没有人|无警长|没有警长|不出局")
NOBODY_WORD = "无人"


@dataclass(frozen=True, slots=True)
class Posted:
    """A result that the director published: what it names ("" for nobody, None where that cannot be read), and where."""

    value: str | None
    written: str
    source: Source | None = None


def note_posted(review: Review, outcome: Outcome, verdict: Verdict) -> Iterator[Finding]:
    """Where a published result is another than the count's, with both; and where it cannot be read."""
    for posted in find_posted(review):
        where = f"{posted.source.floor or f'pid {posted.source.pid}'}" if posted.source is not None else "game.toml"
        if posted.value is None:
            yield Finding("E110", (("where", where), ("text", posted.written)), None, posted.source)
        elif _is_comparable(outcome, verdict) and (posted.value or None) != next(iter(verdict.seats), None):
            # The seat behind the 替罪羊 is printed only where the result is final, and with this finding it is not.
            own = SCAPEGOAT if outcome.scapegoat and verdict.seats == outcome.seats else ""
            own = own or "、".join(verdict.seats) or NOBODY_WORD
            parameters = (("where", where), ("posted", posted.value or NOBODY_WORD), ("own", own))
            yield Finding("E109", parameters, None, posted.source)


def _is_comparable(outcome: Outcome, verdict: Verdict) -> bool:
    """Not while a draw is open, nor where the seat behind the 替罪羊 is not known."""
    return verdict.decision is not Decision.DRAW and not (outcome.scapegoat and not outcome.seats)


def find_posted(review: Review) -> Iterator[Posted]:
    """The results that were published: by the game file, and by the director's posts after the close."""
    day = review.material.day
    if day.result is not None:
        yield Posted(day.result, day.result or NOBODY_WORD)
    histories = (look.history for look in review.looks if look.poster.kind is PosterKind.DIRECTOR)
    yield from _read_posts(review, histories)
    if not day.poll:
        # Of several votes of a day, a post in another thread does not say which it is about.
        yield from _read_posts(review, review.material.other_threads)


def _read_posts(review: Review, histories: Iterable[History]) -> Iterator[Posted]:
    for history in histories:
        if review.accounts.find_poster(history).kind is not PosterKind.DIRECTOR:
            continue
        if not is_after_close(history.posted_at, review.material.day):
            continue
        revision = next((one for one in reversed(history.revisions) if one.post.state is PostState.NORMAL), None)
        for line in revision.post.message.text.split("\n") if revision is not None else ():
            if (found := _LINE.fullmatch(line)) is not None:
                value = found["value"]
                yield Posted(read_result(value, review.targets), value, cite(history, revision))


def read_result(written: str, names: Names) -> str | None:
    """What a published result names; "" for nobody, None where it cannot be read."""
    value = written.strip().strip(STOPS)
    if (seat := names.find_seat(value)) is not None:
        return seat
    if _NOBODY.search(fold(value)):
        return ""
    return names.find_seat(_ENDS.sub("", value).strip())
