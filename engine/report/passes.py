"""What a pass over a thread brought, as lines and as JSON: new, edited, moved, blocked, gone and returned posts told apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engine.language import load_catalogue
from scraper.passes import Change, PassOutcome, PostChange
from scraper.phrases import listing, phrase, translate
from scraper.schedule import Aim

if TYPE_CHECKING:
    from engine.polling import Polled
    from engine.report.values import Json

_AIMS = {Aim.WHOLE: "", Aim.ROUND: phrase("（例行）"), Aim.SWEEP: phrase("（截票后全看）")}
_CHANGES = {
    Change.NEW: phrase("新帖"),
    Change.EDITED: phrase("改动"),
    Change.REMARKED: phrase("点评、评分有变"),
    Change.BLOCKED: phrase("被屏蔽"),
    Change.OPENED: phrase("解除屏蔽"),
    Change.MISSING: phrase("不见了（看到第二次不见才算删除）"),
    Change.GONE: phrase("已删除"),
    Change.RETURNED: phrase("又出现"),
    Change.MOVED: phrase("换了楼层"),
}
# So many posts of one kind are named; the JSON has them all.
_NAMED = 12


def describe_pass(polled: Polled) -> Iterator[str]:
    """The pass in a line, and a line for each kind of change."""
    outcome = polled.outcome
    if outcome.errors:
        pages = listing(str(number) for number in outcome.missing)
        state = phrase("不完整，缺第 {pages} 页：{errors}", pages=pages, errors=listing(outcome.errors))
    elif outcome.why:
        state = phrase("不完整：{why}", why=outcome.why)
    else:
        state = phrase("完整") if outcome.complete else phrase("其余各页没有轮到")
    yield phrase(
        "{title} {tid}{aim}：{seen}/{pages} 页，新帖 {new}，有改动 {changed}，{state}",
        title=polled.target.title,
        tid=polled.target.tid,
        aim=_AIMS[polled.plan.aim],
        seen=len(outcome.seen),
        pages=outcome.pages,
        new=len(outcome.new),
        changed=len(outcome.changed),
        state=state,
    )
    for kind, words in _CHANGES.items():
        if changes := [change for change in outcome.changes if change.kind is kind]:
            yield phrase("  {change}：{posts}", change=words, posts=_list(changes))


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
        "why": translate(outcome.why, load_catalogue("zh")),
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
        "errors": [translate(error, load_catalogue("zh")) for error in outcome.errors],
    }


def _list(changes: Sequence[PostChange]) -> str:
    named = listing(_name(change) for change in changes[:_NAMED])
    return phrase("{named} 等 {count} 帖", named=named, count=len(changes)) if len(changes) > _NAMED else named


def _name(change: PostChange) -> str:
    floor = f"{change.was_floor}→{change.floor}" if change.kind is Change.MOVED else change.floor
    moved = phrase("，在帖子 {tid} 里", tid=change.other_tid) if change.other_tid else ""
    return phrase("{floor} {author}（pid {pid}{moved}）", floor=floor or "?", author=change.author, pid=change.pid, moved=moved)
