"""Last words: who may leave them, what may stand in them."""

from __future__ import annotations

import re

from engine.ledger import PhaseKind
from engine.play.messages import PUBLIC, Message, Told
from engine.play.refusal import Refused
from engine.play.state import Draft, Words

# A Discuz! code is a bracket with a name the board turns into something: [b], [/b], [img=…], [:3:] and {:1_2:} smilies are none.
_CODE = re.compile(r"\[/?[A-Za-z*][^\[\]\n]*\]")


def find_words(d: Draft, seat: int) -> Words | None:
    """The right of a seat to last words that is still open."""
    return next((words for words in d.last_words if words.seat == seat and not words.closed and words.text is None), None)


def leave_words(d: Draft, seat: int, text: str, *, insisted: bool = False) -> None:
    """Keep a seat's last words until the next opening; after it they are published at once."""
    words = find_words(d, seat)
    if words is None:
        raise Refused("E326", actor=d.table.name(seat))
    rule = d.table.play.last_words
    if not insisted:
        if rule.longest is not None and len(text) > rule.longest:
            raise Refused("E327", length=len(text), longest=rule.longest)
        if rule.no_code and (found := _CODE.search(text)):
            raise Refused("E328", found=found[0])
    # 日2 and 夜2 come before the opening of 日3. 白天出局的玩家立即留下遗言: in some games nobody waits for the next opening.
    late = d.phase.number > words.phase.number or (rule.at_once and words.phase.kind is PhaseKind.DAY)
    _put(d, words, words._replace(text=text, closed=late))
    if late:
        d.messages = (*d.messages, Message(Told.LAST_WORDS, PUBLIC, d.phase, (seat,), word=text))


def waive_words(d: Draft, seat: int) -> bool:
    """放弃遗言: the right is gone, and goes to nobody else. False where there was none."""
    words = find_words(d, seat)
    if words is None:
        return False
    _put(d, words, words._replace(closed=True))
    return True


def _put(d: Draft, old: Words, new: Words) -> None:
    d.last_words = tuple(new if words is old else words for words in d.last_words)
