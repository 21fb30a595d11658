"""Lines of a ledger whose act is nearly one that the director writes: they would say nothing, so they are errors."""

from __future__ import annotations

import difflib

from engine import doors, penalties
from engine.gamefile import suggest
from engine.ledger import DIRECTOR, UNDO, Event
from engine.voting import ALL_ACTS
from scraper.phrases import phrase
from tally.folding import simplify

RULING = "裁定"

# Everything that a director writes, for a count, for the cards or for the game (engine.play.directing).
KNOWN_ACTS = (
    *(RULING, "加速", "延时", "替补"),
    *doors.ACTS,
    *penalties.ACTS,
    *ALL_ACTS,
    *("天亮", "收", "超时", "场外助理", "助理", "询问", "反馈", "答疑", "公示", UNDO),
)
# What only a ruling has: its first word, or the key of a post.
_RULED = ("票", "账号", "名字", "结果", "发言", "事实")
_KEYS = ("pid", "tid")
_NEAR = 0.5


def check_acts(events: tuple[Event, ...]) -> None:
    """Refuse a line whose act is nearly one that a director writes; LedgerError with the act that was meant.

    An act that is near none is the game's own affair. So is what a seat writes, unless it looks like a ruling.
    """
    for event in events:
        if event.act in KNOWN_ACTS:
            continue
        if meant := _find_meant(event):
            problem = phrase("没有「{act}」这个行动，这一行不会起作用", act=event.act)
            raise event.refuse(problem, phrase("{near}（{phase} 导演 …）", near=meant, phase=event.phase))


def _find_meant(event: Event) -> str:
    act = simplify(event.act)
    rules = event.value(*_KEYS) is not None or any(word.text in _RULED for word in event.targets[:1])
    if rules and (event.actor == DIRECTOR or difflib.get_close_matches(act, (RULING,), cutoff=_NEAR)):
        return suggest(RULING, (RULING,))
    if event.actor != DIRECTOR:
        return ""
    near = difflib.get_close_matches(act, KNOWN_ACTS, n=1, cutoff=_NEAR)
    return suggest(act, KNOWN_ACTS) if near else ""
