"""Where the rule post says nothing: the line that would need an answer is refused until the director has given one.

His answer is a line of its own (`裁定 决定 QUESTION ANSWER`), and holds in its phase for as often as the question is put.
"""

from __future__ import annotations

from engine.play.refusal import OpenQuestion
from engine.play.state import Draft


def decide(d: Draft, question: str, answers: tuple[str, ...], about: str = "") -> str:
    """The director's answer to a question that the rule post leaves open; OpenQuestion where he has given none.

    `question` is one word, `answers` are the words that he may choose among, `about` says in a sentence what is at stake.
    """
    for asked, phase, answer in reversed(d.decided):
        if asked == question and phase == d.phase and answer in answers:
            return answer
    raise OpenQuestion(question, answers, str(d.phase), about)
