"""Places around a chanted player's words where no text belongs: hidden text, files, polls, title lines (C103)."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from scraper.post import Post
from tally.finding import Severity
from tally.sounds.words import Hit


def check_hidden(post: Post) -> list[Hit]:
    """Check text that nobody sees: the board's own anti-copy noise is ASCII and stands at a line break, all else is somebody's.

    What the reading of the page knows to be no form of the board's noise (A116) is the author's wherever it stands.
    """
    hits = [
        make_place_hit("hidden_text", item.text, line=item.line)
        for item in post.noise
        if not (item.at_end and item.text.isascii())
    ]
    noted = {dict(hit.parameters)["text"] for hit in hits}
    own = [dict(flaw.parameters).get("text", "") for flaw in post.flaws if flaw.code == "A116"]
    return hits + [make_place_hit("hidden_text", text) for text in own if not any(other.startswith(text) for other in noted)]


def check_files(post: Post) -> list[Hit]:
    """Check the files that the board lists below the words (A124): there is always one too many."""
    return [make_place_hit("attachment", dict(flaw.parameters)["files"]) for flaw in post.flaws if flaw.code == "A124"]


def check_poll(post: Post) -> list[Hit]:
    """Check the options of a poll that a post opened (A125): each is text of his where none belongs."""
    told = [dict(flaw.parameters)["options"] for flaw in post.flaws if flaw.code == "A125"]
    return [make_place_hit("poll_option", option) for options in told for option in options.split("\n") if option.strip()]


def check_title(title: str, thread_titles: Sequence[str], authors: Container[str] | None = None) -> list[Hit]:
    """Check a post's own title line; a blank one and the board's own forms (RE: …, 回复 3# 的帖子) are no text of his.

    `thread_titles` are those that the thread has had. Where none is known, RE: with something behind it is doubtful. `authors`
    are the names that posted (None: not known): what stands for a name in 回复 3# … 的帖子 and is none of them may be a message.
    """
    written = title.strip()
    if not written or any(written == known.strip() for known in thread_titles):
        return []
    reply = _REPLY_TITLE.fullmatch(written)
    if reply is not None:
        name = reply["name"]
        if not name:
            return []
        if authors is not None and name not in authors:
            return [make_place_hit("title", written, doubt="nobody_of_that_name")]
        return [Hit("C107", parameters=(("why", "reply_title"), ("text", written)), severity=Severity.NOTE)]
    answer = _RE_TITLE.match(written)
    if answer is not None:
        rest = written[answer.end() :].strip()
        if not rest or any(_agree(rest, known.strip()) for known in thread_titles):
            return []
        if not thread_titles:
            return [make_place_hit("title", written, doubt="thread_title_unknown")]
    return [make_place_hit("title", written)]


_RE_TITLE = re.compile(r"(?:re|回复|回復)\s*[:：]\s*", re.IGNORECASE)
# Old boards fill the title of an answer in by themselves. Whether another author's name was put there cannot be told: a note.
_REPLY_TITLE = re.compile(r"回[复復]\s*(?:\d+#|#\d+|楼主|樓主|沙发|沙發|板凳|地板)\s*(?P<name>\S.{0,14}?)?\s*的帖子")


def _agree(written: str, title: str) -> bool:
    """Whether a title is the thread's, whole or cut by the board at its length limit."""
    return written == title or (len(written) >= 20 and title.startswith(written.rstrip(" .…")))


def make_place_hit(place: str, text: str, *, line: int | None = None, doubt: str = "") -> Hit:
    """Make the hit of text where none belongs: a breach, or a warning where there is a doubt."""
    parameters = (("place", place), ("text", text[:200]))
    if doubt:
        return Hit("C103", line, parameters=(*parameters, ("doubt", doubt)), severity=Severity.WARNING)
    return Hit("C103", line, parameters=parameters)
