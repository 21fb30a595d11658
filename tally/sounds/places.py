"""Places around a chanted player's words where no text belongs: altered quotes, hidden text, title lines (C103)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from scraper.post import Code, History, Message, Post, Quote, Text
from tally.finding import Severity
from tally.sounds.sets import SoundRules
from tally.sounds.words import Hit

Quoted = Callable[[int], History | None]


def check_hidden(post: Post) -> list[Hit]:
    """Check text that nobody sees: the board's own anti-copy noise is ASCII and stands at a line break, all else is somebody's.

    What the reading of the page knows to be no form of the board's noise (A116) is the author's wherever it stands.
    """
    hits = [_place("hidden_text", item.text, line=item.line) for item in post.noise if not (item.at_end and item.text.isascii())]
    noted = {dict(hit.parameters)["text"] for hit in hits}
    own = [dict(flaw.parameters).get("text", "") for flaw in post.flaws if flaw.code == "A116"]
    return hits + [_place("hidden_text", text) for text in own if not any(other.startswith(text) for other in noted)]


def check_files(post: Post) -> list[Hit]:
    """Check the files that the board lists below the words (A124): there is always one too many."""
    return [_place("attachment", dict(flaw.parameters)["files"]) for flaw in post.flaws if flaw.code == "A124"]


def check_poll(post: Post) -> list[Hit]:
    """Check the options of a poll that a post opened (A125): each is text of his where none belongs."""
    told = [dict(flaw.parameters)["options"] for flaw in post.flaws if flaw.code == "A125"]
    return [_place("poll_option", option) for options in told for option in options.split("\n") if option.strip()]


def check_title(title: str, thread_titles: Sequence[str]) -> list[Hit]:
    """Check a post's own title line; a blank one and the board's own forms (RE: …, 回复 3# 的帖子) are no text of his.

    `thread_titles` are those that the thread has had. Where none is known, RE: with something behind it is doubtful.
    """
    written = title.strip()
    if not written or any(written == known.strip() for known in thread_titles):
        return []
    reply = _REPLY_TITLE.fullmatch(written)
    if reply is not None:
        return (
            [Hit("C107", parameters=(("why", "reply_title"), ("text", written)), severity=Severity.NOTE)] if reply["name"] else []
        )
    answer = _RE_TITLE.match(written)
    if answer is not None:
        rest = written[answer.end() :].strip()
        if not rest or any(_agree(rest, known.strip()) for known in thread_titles):
            return []
        if not thread_titles:
            return [_place("title", written, doubt="thread_title_unknown")]
    return [_place("title", written)]


_RE_TITLE = re.compile(r"(?:re|回复|回復)\s*[:：]\s*", re.IGNORECASE)
# Old boards fill the title of an answer in by themselves. Whether the name in it was typed over cannot be told: a note.
_REPLY_TITLE = re.compile(r"回[复復]\s*(?:\d+#|#\d+|楼主|樓主|沙发|沙發|板凳|地板)\s*(?P<name>\S.{0,14}?)?\s*的帖子")


def _agree(written: str, title: str) -> bool:
    """Whether a title is the thread's, whole or cut by the board at its length limit."""
    return written == title or (len(written) >= 20 and title.startswith(written.rstrip(" .…")))


def check_quotes(post: Post, quoted: Quoted, rules: SoundRules, *, links_quotes: bool) -> list[Hit]:
    """Check every quote against the post it quotes.

    A quote is right when its words open the quoted post's in one of its revisions (the board cuts long ones, and leaves
    smilies, pictures and the inner quotes out). Words that are nowhere in it are the quoter's own. What cannot be compared,
    because the archive lacks the post or a version of it, is doubtful, unless the words are sounds anyway.
    """
    hits: list[Hit] = []
    for number, quote in enumerate(post.quotes, 1):
        words = _fold(quote.text)
        hit = None if quote.reply else _check_quote(quote, words, quoted, rules, links_quotes=links_quotes)
        if hit is not None:
            hits.append(Hit(hit.code, parameters=(*hit.parameters, ("quote", str(number))), severity=hit.severity))
    return hits


def _check_quote(quote: Quote, words: str, quoted: Quoted, rules: SoundRules, *, links_quotes: bool) -> Hit | None:
    sounds = not set(words) - rules.chars
    if quote.pid is None:
        if links_quotes:
            return _place("handmade_quote", quote.text)
        return None if sounds else _place("handmade_quote", quote.text, doubt="board_links_no_quotes")
    history = quoted(quote.pid)
    if history is None:
        return None if sounds else _place("quote", quote.text, doubt="quoted_post_not_archived")
    author = history.first.author
    if quote.author.strip() and author.strip() not in ("", "匿名") and quote.author.strip() != author.strip():
        return _place("altered_quote_author", quote.author)
    sources = [_fold(_list_words(revision.post.message)) for revision in history.revisions]
    opening = words.rstrip(".…·")
    if any(source.startswith(opening) for source in sources):
        return None
    if any(opening in source for source in sources):
        return _place("altered_quote", quote.text, doubt="cut_at_the_front")
    if any(revision.post.edited is not None for revision in history.revisions) or len(set(sources)) > 1:
        return _place("altered_quote", quote.text, doubt="quoted_post_was_edited")
    return _place("altered_quote", quote.text)


_SKIPPED = re.compile(r"\[:[^\]\s]*:\]|\s+|本帖最后由.{1,40}?编辑")


def _fold(text: str) -> str:
    return _SKIPPED.sub("", text)


def _list_words(message: Message) -> str:
    return "\n".join("".join(token.text for token in line if isinstance(token, Text | Code)) for line in message.lines)


def _place(place: str, text: str, *, line: int | None = None, doubt: str = "") -> Hit:
    parameters = (("place", place), ("text", text[:200]))
    if doubt:
        return Hit("C103", line, parameters=(*parameters, ("doubt", doubt)), severity=Severity.WARNING)
    return Hit("C103", line, parameters=parameters)
