"""When a ballot was posted, against the limits of its day: opening, close, the last hour, speed-ups.

A board may print minutes only. A post is then taken at the start of its minute, and where a limit falls inside that minute
the ballot counts as the friendlier reading has it, with a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import assert_never

from scraper.errors import UsageError
from scraper.phrases import listing, phrase
from scraper.post import History, PostState
from tally.day import Day
from tally.policy import SpeedUpScope, VotePolicy

_MINUTE = timedelta(minutes=1)


def minute_of(moment: datetime) -> datetime:
    """The start of a moment's minute."""
    return moment.replace(second=0, microsecond=0)


def find_limits(at: datetime, day: Day) -> tuple[datetime, datetime]:
    """The opening and the close that were in force at a moment: a post is judged by what was announced when it was made."""
    for limits in day.moved:
        if at < limits.until:
            return limits.opens, limits.closes
    return day.opens, day.closes


def is_before_open(at: datetime, exact: bool, day: Day) -> bool:
    """Whether a post came before the day opened; on a board of minutes, before the minute of the opening."""
    opens, _ = find_limits(at, day)
    return at < (opens if exact else minute_of(opens))


def is_after_close(at: datetime, day: Day) -> bool:
    """Whether a post came after the close; the closing second is in, and on a board of minutes the closing minute."""
    return at > find_limits(at, day)[1]


def freeze_start(day: Day, policy: VotePolicy, at: datetime) -> datetime:
    """The first second in which nothing may be changed, by the close that was in force at a moment.

    关门前一小时不允许改票或代投 (M29), the closing second included.
    """
    return find_limits(at, day)[1] - timedelta(seconds=policy.freeze)


def is_frozen(at: datetime, day: Day, policy: VotePolicy) -> bool:
    """Whether changes and proxies come too late at a moment."""
    return policy.freeze > 0 and at >= freeze_start(day, policy, at)


def is_sped_up(at: datetime, day: Day, policy: VotePolicy, until: datetime | None = None) -> bool:
    """Whether a speed-up voids a change made at a moment; `until` is how far the day is known.

    执行加速时不允许改票…延迟成功时，不再视为“执行加速”状态 (M29): a span that was ended voids only what was changed inside it.
    """
    spans = [span for span in day.speed_ups or () if until is None or span.start <= until]
    if any(span.holds_at(at) for span in spans):
        return True
    match policy.speed_up_scope:
        case SpeedUpScope.FROM_JUDGEMENT:
            return False
        case SpeedUpScope.WHOLE_DAY:
            return any(span.holds_at(day.closes) for span in spans)
        case _:
            assert_never(policy.speed_up_scope)


def may_edit_unseen(edited_at: datetime, day: Day, policy: VotePolicy) -> bool:
    """Whether an edit of that minute came while a ballot could still have been changed: its effect then needs no ruling."""
    last_second = edited_at + _MINUTE - timedelta(seconds=1)
    late = last_second >= freeze_start(day, policy, last_second)
    return not late and not is_sped_up(edited_at, day, policy) and not is_sped_up(last_second, day, policy)


def is_closed(day: Day, seen_until: datetime | None, exact: bool) -> bool:
    """Whether the last look at the thread came after everything of the window had been posted."""
    if seen_until is None:
        return False
    return seen_until > day.ends if exact else seen_until >= minute_of(day.ends) + _MINUTE


def limits_inside(at: datetime, day: Day, policy: VotePolicy, change: bool) -> Iterator[tuple[str, datetime]]:
    """The limits that fall inside the minute that a board printed for a ballot, each with the name of what it limits."""
    opens, closes = find_limits(at, day)
    if minute_of(at) == minute_of(closes):
        yield "close", closes
    limits = [("open", opens)]
    if change and policy.freeze > 0:
        limits.append(("freeze", freeze_start(day, policy, at)))
    if change:
        for span in day.speed_ups or ():
            limits.append(("speed_up", span.start))
            limits.extend([("speed_up", span.end)] if span.end is not None else [])
    yield from ((name, limit) for name, limit in limits if limit != minute_of(limit) and minute_of(limit) == minute_of(at))


def find_cut(as_of: datetime | str | None, histories: Iterable[History]) -> tuple[datetime, int] | None:
    """Up to which time and pid posts count, for a moment or the floor of a label such as 12#; UsageError for no such floor."""
    if as_of is None:
        return None
    if isinstance(as_of, datetime):
        return as_of, 2**63
    wanted = as_of.strip().rstrip("#楼")
    floors = [history for history in histories if history.floor.rstrip("#楼") == wanted]
    # After a deletion the board gives the floor to the next post: what bears it now is meant, not what once did.
    standing = [history.latest for history in floors if history.state is not PostState.DELETED]
    posts = standing or [history.latest for history in floors]
    if not posts:
        raise UsageError(
            phrase("投票帖里没有 {as_of!r} 这一楼。改法：写楼层上印的字（如 12# 或 沙发），或一个时间。", as_of=as_of)
        )
    if len(posts) > 1:
        pids = listing(
            phrase("pid {pid}（{at:%m-%d %H:%M:%S}）", pid=post.pid, at=post.posted_at)
            for post in sorted(posts, key=lambda post: post.pid)
        )
        raise UsageError(
            phrase("投票帖里 {as_of!r} 这一楼不止一帖：{pids}。改法：不写楼层，写一个时间。", as_of=as_of, pids=pids)
        )
    return posts[0].posted_at, posts[0].pid
