"""Quotes of a chanted player held against the posts that they quote: what was changed or put in is text of his (C103)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from scraper.post import Code, History, Message, Post, Quote, Text
from scraper.quoting import TYPED_SMILEY, list_things
from tally.finding import Severity
from tally.sounds.places import make_place_hit
from tally.sounds.sets import SoundRules
from tally.sounds.words import Hit

Quoted = Callable[[int], History | None]


def check_quotes(post: Post, quoted: Quoted, rules: SoundRules, *, links_quotes: bool) -> list[Hit]:
    """Check every quote against the post it quotes.

    A quote is right when its words open the quoted post's in one of its revisions (the board cuts long ones, and leaves
    smilies, pictures and the inner quotes out). Words that are nowhere in it are the quoter's own, and so is what no button
    leaves among them: pictures, files, links, code, and styles (a suspect). What cannot be compared, because the archive lacks
    the post or a version of it, is doubtful, unless the words are sounds anyway.
    """
    hits: list[Hit] = []
    for number, quote in enumerate(post.quotes, 1):
        history = quoted(quote.pid) if quote.pid is not None else None
        found = None if quote.reply else _check_words(quote, history, rules, links_quotes=links_quotes)
        added = [] if quote.reply or quote.pid is None else list(_check_added(quote, history))
        hits += [
            Hit(hit.code, parameters=(*hit.parameters, ("quote", str(number))), severity=hit.severity)
            for hit in ([found] if found is not None else []) + added
        ]
    return hits


def _check_words(quote: Quote, history: History | None, rules: SoundRules, *, links_quotes: bool) -> Hit | None:
    words = _fold(quote.text)
    sounds = not set(words) - rules.chars
    if quote.pid is None:
        if links_quotes:
            return make_place_hit("handmade_quote", quote.text)
        return None if sounds else make_place_hit("handmade_quote", quote.text, doubt="board_links_no_quotes")
    if history is None:
        return None if sounds else make_place_hit("quote", quote.text, doubt="quoted_post_not_archived")
    author = history.first.author
    if quote.author.strip() and author.strip() not in ("", "匿名") and quote.author.strip() != author.strip():
        return make_place_hit("altered_quote_author", quote.author)
    sources = [_fold(_list_words(revision.post.message)) for revision in history.revisions]
    opening = _drop_marks(words, history).rstrip(".…·")
    if any(source.startswith(opening) for source in sources):
        return None
    if any(opening in source for source in sources):
        return make_place_hit("altered_quote", quote.text, doubt="cut_at_the_front")
    if any(revision.post.edited is not None for revision in history.revisions) or len(set(sources)) > 1:
        return make_place_hit("altered_quote", quote.text, doubt="quoted_post_was_edited")
    return make_place_hit("altered_quote", quote.text)


def _check_added(quote: Quote, history: History | None) -> Iterator[Hit]:
    """What stands among the quoted words and is not the quoted post's own."""
    revisions = history.revisions if history is not None else ()
    own = {thing for revision in revisions for thing in list_things(revision.post.message.lines)}
    for kind, what in quote.added:
        if kind == "style":
            measures = (("measures", f"quote_styles {what}"),)
            yield Hit("C104", parameters=measures, severity=Severity.WARNING)
        elif (kind, what) not in own:
            yield make_place_hit("altered_quote", what, doubt="" if history is not None else "quoted_post_not_archived")


_SKIPPED = re.compile(rf"{TYPED_SMILEY.pattern}|\s+")
# Some boards copy the edit mark along; white space is folded away by then.
_MARK = re.compile(r"本帖最后由(?P<editor>.{1,40}?)于[\d/.:年月日上下午AaPpMm-]{8,22}编辑")


def _fold(text: str) -> str:
    return _SKIPPED.sub("", text)


def _drop_marks(words: str, history: History) -> str:
    """Quoted words without the edit mark of the quoted post; one that names anybody else is no mark of its."""
    if "本帖最后由" not in words:
        return words
    editors = {_fold(revision.post.edited.editor) for revision in history.revisions if revision.post.edited is not None}
    return _MARK.sub(lambda mark: "" if mark["editor"] in editors else mark[0], words)


def _list_words(message: Message) -> str:
    return "\n".join("".join(token.text for token in line if isinstance(token, Text | Code)) for line in message.lines)
