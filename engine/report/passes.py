"""What a pass over a thread brought, as lines and as JSON: new, edited, moved, blocked, gone and returned posts told apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engine.report.safe import show
from scraper.passes import Change, PassOutcome, PostChange
from scraper.schedule import Aim

if TYPE_CHECKING:
    from engine.polling import Polled
    from engine.report.values import Json

_AIMS = {Aim.WHOLE: "", Aim.ROUND: "（例行）", Aim.SWEEP: "（截票后全看）"}
_CHANGES = {
    Change.NEW: "新帖",
    Change.EDITED: "改动",
    Change.REMARKED: "点评、评分有变",
    Change.BLOCKED: "被屏蔽",
    Change.OPENED: "解除屏蔽",
    Change.MISSING: "不见了（看到第二次不见才算删除）",
    Change.GONE: "已删除",
    Change.RETURNED: "又出现",
    Change.MOVED: "换了楼层",
}
# So many posts of one kind are named; the JSON has them all.
_NAMED = 12


def describe_pass(polled: Polled) -> Iterator[str]:
    """The pass in a line, and a line for each kind of change."""
    outcome, title = polled.outcome, f"{polled.target.title} {polled.target.tid}"
    pages = f"{len(outcome.seen)}/{outcome.pages} 页"
    state = f"不完整：{show(outcome.why)}" if outcome.why else "完整" if outcome.complete else "其余各页没有轮到"
    yield f"{title}{_AIMS[polled.plan.aim]}：{pages}，新帖 {len(outcome.new)}，有改动 {len(outcome.changed)}，{state}"
    for kind, words in _CHANGES.items():
        if changes := [change for change in outcome.changes if change.kind is kind]:
            yield f"  {words}：{_list(changes)}"


def pass_value(polled: Polled) -> Json:
    """The pass as JSON."""
    outcome: PassOutcome = polled.outcome
    return {
        "tid": outcome.tid,
        "aim": polled.plan.aim.value,
        "pages": outcome.pages,
        "seen": list(outcome.seen),
        "missing": list(outcome.missing),
        "complete": outcome.complete,
        "why": outcome.why,
        "new": list(outcome.new),
        "changed": list(outcome.changed),
        "changes": [
            {
                "kind": change.kind.value,
                "pid": change.pid,
                "author": change.author,
                "page": change.page,
                "floor": change.floor,
                "was_page": change.was_page or None,
                "was_floor": change.was_floor or None,
                "other_tid": change.other_tid,
            }
            for change in outcome.changes
        ],
        "errors": [str(error) for error in outcome.errors],
    }


def _list(changes: Sequence[PostChange]) -> str:
    named = "、".join(_name(change) for change in changes[:_NAMED])
    return f"{named} 等 {len(changes)} 帖" if len(changes) > _NAMED else named


def _name(change: PostChange) -> str:
    floor = f"{change.was_floor}→{change.floor}" if change.kind is Change.MOVED else change.floor
    moved = f"，在帖子 {change.other_tid} 里" if change.other_tid else ""
    return show(f"{floor or '?'} {change.author}（pid {change.pid}{moved}）")
