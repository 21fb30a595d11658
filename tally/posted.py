"""The result that the director published, held against the count: in a post of his after the close, or in the game file.

投票结果：包子出局        计票结果：无人出局        竞选结果：饺子当选警长        公布结果：平票，无人出局

Lines below it that are a name and a number are counts, and are held against ours. Of several posts the last one holds, in its
latest words: what was put right is no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from scraper.post import History, PostState, Source
from tally.finding import Finding
from tally.folding import fold
from tally.formats import STOPS
from tally.names import Names
from tally.reading import cite
from tally.result import Decision, Verdict
from tally.review import Review
from tally.roster import PosterKind
from tally.verdict import SCAPEGOAT, Outcome, count_ballots
from tally.window import is_after_close

_LINE = re.compile(r"\s*[【\[]?(?:投票|计票|公布|竞选)结果[】\]]?\s*[:：]\s*(?P<value>\S.*?)\s*")
_ENDS = re.compile(r"(?:被?(?:投票)?出局|当选(?:为?警长)?|为警长)$")
# What stands in brackets behind the result is told besides: 包子出局（包子 5 票、老王 3 票）.
_ASIDE = re.compile(r"\s*[（(][^（(）)]*[）)]\s*$")
_NOBODY = re.compile(r"无人|没有人|无警长|没有警长|不出局")
# A number that is glued to a number is part of it: 15 is no 5 votes for 1.
_GAP = r"(?:\s*[:：]\s*|\s+|\s*得\s*|(?<=\D))"
_VOTES = re.compile(rf"\s*(?P<name>\S.*?){_GAP}(?P<votes>\d{{1,3}})\s*票?(?:\s*[（(].*)?[。.]?\s*")
NOBODY_WORD = "无人"


@dataclass(frozen=True, slots=True)
class Posted:
    """A result that the director published: what it names ("" for nobody, None where that cannot be read), where, its counts."""

    value: str | None
    written: str
    source: Source | None = None
    votes: tuple[tuple[str, int], ...] = ()


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
        yield from _note_votes(review, posted, where)


def _note_votes(review: Review, posted: Posted, where: str) -> Iterator[Finding]:
    """Where a published count is another than ours, though the result may be the same."""
    if not posted.votes:
        return
    day, policy = review.material.day, review.material.policy
    own = {count.target: count.votes for count in count_ballots(review.box, day, policy, day.sheriff)}
    for target, votes in posted.votes:
        if votes != own.get(target, 0):
            counts = (("posted", str(votes)), ("own", str(own.get(target, 0))))
            yield Finding("E111", (("where", where), ("target", target), *counts), None, posted.source)


def _is_comparable(outcome: Outcome, verdict: Verdict) -> bool:
    """Not while a draw is open, nor where the seat behind the 替罪羊 is not known."""
    return verdict.decision is not Decision.DRAW and not (outcome.scapegoat and not outcome.seats)


def find_posted(review: Review) -> Iterator[Posted]:
    """The results that were published: by the game file, and by the director's last post of one after the close."""
    day = review.material.day
    if day.result is not None:
        yield Posted(day.result, day.result or NOBODY_WORD)
    histories = [look.history for look in review.list_posts(lambda poster: poster.kind is PosterKind.DIRECTOR)]
    # Of several votes of a day, a post in another thread does not say which it is about.
    histories += review.material.other_threads if not day.poll else ()
    posts = [posted for history in sorted(histories, key=_when) if (posted := _read_post(review, history)) is not None]
    yield from posts[-1:]


def _when(history: History) -> tuple[datetime, int]:
    return history.posted_at, history.pid


def _read_post(review: Review, history: History) -> Posted | None:
    """What one post publishes; None where it is no post of the director's after the close, or publishes nothing."""
    if not is_after_close(history.posted_at, review.material.day):
        return None
    if review.accounts.find_poster(history).kind is not PosterKind.DIRECTOR:
        return None
    revision = next((one for one in reversed(history.revisions) if one.post.state is PostState.NORMAL), None)
    lines = revision.post.message.text.split("\n") if revision is not None else []
    for number, line in enumerate(lines):
        if (found := _LINE.fullmatch(line)) is not None:
            votes = [pair for below in lines[number + 1 :] if (pair := _read_votes(below, review.targets)) is not None]
            value = found["value"]
            return Posted(read_result(value, review.targets), value, cite(history, revision), tuple(votes))
    return None


def _read_votes(line: str, names: Names) -> tuple[str, int] | None:
    """The target and the number of a line such as 包子：5票（饺子、豆沙）; None for any other."""
    match = _VOTES.fullmatch(line)
    target = names.find_seat(match["name"]) if match is not None else None
    return (target, int(match["votes"])) if match is not None and target is not None else None


def read_result(written: str, names: Names) -> str | None:
    """What a published result names; "" for nobody, None where it cannot be read."""
    value = written.strip().strip(STOPS)
    if (seat := names.find_seat(value)) is not None:
        return seat
    value = _ASIDE.sub("", value)
    if _NOBODY.search(fold(value)):
        return ""
    return names.find_seat(_ENDS.sub("", value).strip())
