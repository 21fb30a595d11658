"""What a director must look at in the vote thread: findings about posts, ballots and what became of them."""

from __future__ import annotations

from collections.abc import Iterator

from scraper.phrases import listing
from scraper.post import History, Post, PostState, Revision
from tally.ballot import Place, Reason
from tally.box import Fate, is_out
from tally.finding import Finding
from tally.names import How, direction_marks, invisible_marks
from tally.policy import ChangeReply, Edits, OffBoard
from tally.reading import Doubt, Reading, cite, find_lookalike, has_format, maybe_conditional, read_post, unread_proxies
from tally.review import Look, Review
from tally.roster import Poster, PosterKind
from tally.window import is_after_close, is_before_open, limits_inside


def note_posts(review: Review) -> Iterator[Finding]:
    """Findings about posts as such: how the page read, whose they are, and what looks like a vote but is none."""
    gone = {out.name for out in review.material.day.out}
    renamed: set[tuple[str, str]] = set()
    # Of chat there is nothing to say but whose it is.
    odd = review.list_chat(lambda poster: poster.namesake is not None or poster.renamed or poster.name in gone)
    looks = sorted([*review.looks, *odd], key=lambda look: (look.history.posted_at, look.history.pid)) if odd else review.looks
    for look in looks:
        history, poster = look.history, look.poster
        seat = poster.name if poster.kind is PosterKind.SEAT else None
        for flaw in history.latest.flaws:
            yield Finding(flaw.code, flaw.parameters, seat, look.source)
        if seat is not None and poster.namesake is not None:
            names = (("author", history.author), ("seat", poster.name), ("namesake", poster.namesake))
            yield Finding("B305", names, seat, look.source)
        if poster.renamed and (poster.name, history.author) not in renamed:
            renamed.add((poster.name, history.author))
            words = (("author", history.author), ("seat", poster.name), ("uid", str(history.uid)))
            yield Finding("B306", words, seat, look.source)
        if seat in gone and is_out(poster.name, history.posted_at, review.material.day):
            yield from note_out(history, poster.name, review)
        if look.revision is not None and (look.hinted or len(history.revisions) > 1):
            yield from _note_words(review, look, look.revision.post)
    yield from _note_edited_away(review)


def _note_edited_away(review: Review) -> Iterator[Finding]:
    """Posts without a ballot, of those who have none, that were edited before anybody saw them: one may have stood there."""
    if review.material.policy.edits is not Edits.FIRST_SEEN:
        return
    day = review.material.day
    stands = {fate.reading.voter for fate in review.box.fates if fate.place in (Place.STANDING, Place.NEEDS_RULING)}

    def may_vote(poster: Poster) -> bool:
        known = poster.kind is PosterKind.SEAT and not poster.old and poster.name not in stands | day.barred
        return known and (review.electors is None or poster.name in review.electors)

    for look in review.list_posts(may_vote):
        history, at = look.history, look.history.posted_at
        if look.readings or not history.is_marked or is_out(look.poster.name, at, day):
            continue
        if not is_before_open(at, history.exact_seconds, day) and not is_after_close(at, day):
            yield Finding("B202", _mark_of(history.first), look.poster.name, look.source)


def note_out(history: History, seat: str, review: Review) -> Iterator[Finding]:
    """已公示出局的角色不允许在讨论帖、投票帖、进程帖中发言 (M29, 出局)."""
    if history.posted_at >= review.material.day.opens:
        yield Finding("D102", (("seat", seat),), seat, cite(history, None))


def _note_words(review: Review, look: Look, post: Post) -> Iterator[Finding]:
    words = review.book.at(look.history.posted_at)
    match look.poster.kind:
        case PosterKind.SPECTATOR:
            text = _format_line(post) or find_lookalike(post, words)
            if text:
                yield Finding("B102", (("author", post.author), ("text", text)), None, look.source)
            if text and look.poster.namesake is not None:
                yield Finding("B307", (("author", post.author), ("seat", look.poster.namesake)), None, look.source)
        case PosterKind.DIRECTOR:
            for written in unread_proxies(post, words):
                if post.pid != review.opening:
                    yield Finding("B112", (("raw", written),), None, look.source)
            if not look.readings and post.pid != review.opening and has_format(post) and not unread_proxies(post, words):
                yield Finding("B111", (), None, look.source)
        case PosterKind.SEAT:
            if look.readings:
                return
            text = find_lookalike(post, words) if look.hinted else ""
            if text:
                yield Finding("B101", (("text", text),), look.poster.name, look.source)
            later = _later_words(look.history, look.revision)
            if later is not None and read_post(look.history, later, look.poster, words):
                yield Finding("B209", (("after", later.post.message.text),), look.poster.name, look.source)


def _format_line(post: Post) -> str:
    return post.message.text.strip() if has_format(post) else ""


def note_fate(review: Review, fate: Fate) -> Iterator[Finding]:
    """Findings about one ballot: how its target reads, what its voter may want to know, what became of its post."""
    reading = fate.reading
    for code, parameters in (
        *_on_target(review, fate),
        *_on_rules(review, fate),
        *_on_time(review, fate),
        *_on_history(review, fate),
    ):
        yield Finding(code, parameters, reading.voter, reading.source)


_Parameters = tuple[tuple[str, str], ...]


def _on_target(review: Review, fate: Fate) -> Iterator[tuple[str, _Parameters]]:
    reading = fate.reading
    raw = (("raw", reading.raw),)
    if marks := direction_marks(reading.raw):
        yield "B104", (("marks", marks), *raw)
    marks = invisible_marks(reading.raw)
    if marks and reading.match.how is not How.EXACT and reading.match.found:
        yield "B103", (("marks", marks), ("target", reading.match.seat or "弃权"))
    if fate.reason is Reason.UNKNOWN_TARGET and reading.match.hints:
        yield "B105", (*raw, ("hints", listing(reading.match.hints)))
    if fate.reason is Reason.UNKNOWN_TARGET and review.material.roster.targets is not None:
        # A player's public name, where votes name what is secret of him: it says nothing of whose number or vest it is.
        named = review.voters.find(reading.match.text)
        if named is not None and named.seat is not None:
            yield "B115", raw
    if fate.reason is Reason.AMBIGUOUS_TARGET:
        yield "B106", (*raw, ("candidates", listing(reading.match.candidates)))


def _on_rules(review: Review, fate: Fate) -> Iterator[tuple[str, _Parameters]]:
    reading, post = fate.reading, fate.reading.post
    if fate.reason is Reason.SECOND_VOTE and review.material.policy.off_board is not OffBoard.PRIVATE:
        yield "B107", ()
    if fate.reason is Reason.CHANGE_NOT_REPLY and post is not None and not post.quotes:
        yield "B108", ()
    counted = fate.place in (Place.STANDING, Place.REPLACED)
    if counted and (text := maybe_conditional(reading)):
        yield "B116", (("text", text),)
    if counted and reading.hidden:
        yield "B109", ()
    if counted and reading.struck:
        yield "B110", ()
    required = review.material.policy.change_reply is ChangeReply.REQUIRED
    if counted and reading.change and required and not reading.proxy and post is not None and not review.links_quotes:
        yield "B114", ()


def _on_time(review: Review, fate: Fate) -> Iterator[tuple[str, _Parameters]]:
    reading, day = fate.reading, review.material.day
    if fate.place is Place.VOID:
        return
    if not reading.exact:
        for limit, moment in limits_inside(reading.at, day, review.material.policy, reading.change):
            if limit == "close":
                yield "B301", (("at", _minute(reading.at)),)
            else:
                yield "B302", (("limit", limit), ("moment", f"{moment:%m-%d %H:%M:%S}"))
    if fate.place is Place.STANDING:
        until = review.cut[0] if review.cut else day.closes
        for out in day.out:
            if out.name == reading.voter and out.at is not None and reading.at < out.at <= until:
                yield "B304", (("voter", reading.voter), ("at", f"{out.at:%m-%d %H:%M:%S}"))


def _on_history(review: Review, fate: Fate) -> Iterator[tuple[str, _Parameters]]:
    reading, history = fate.reading, fate.reading.history
    if history is None:
        return
    edits = review.material.policy.edits
    if fate.place is Place.NEEDS_RULING:
        yield _open_finding(reading)
    elif reading.post is not None and reading.post.edited is not None and edits is Edits.FIRST_SEEN and fate.ruled_by is None:
        yield "B202", _mark_of(reading.post)
    later = _later_words(history, reading.revision)
    if later is not None and reading.post is not None:
        if edits is Edits.FIRST_SEEN:
            words = (("before", reading.post.message.text), ("after", later.post.message.text))
            mended = fate.place is Place.VOID and _reads_well(review, history, later, reading)
            yield "B206" if mended else "B201", words
    elif reading.edited and edits is Edits.LATEST:
        yield "B210", ()
    if reading.doubt is Doubt.UNREADABLE:
        return
    match history.state:
        case PostState.DELETED:
            missing = _second(history.missing_since) if history.missing_since else "?"
            yield "B207", (("last_seen", _second(history.last_seen)), ("missing_since", missing))
        case PostState.BLOCKED | PostState.LOCKED:
            # When it was last looked at changes with every pass, and would change the digest of a tally that stays the same.
            yield "B208", (("state", history.state.value),)
        case PostState.NORMAL:
            pass


def _open_finding(reading: Reading) -> tuple[str, _Parameters]:
    match reading.doubt:
        case Doubt.EDITED:
            return "B203", (*(_mark_of(reading.post) if reading.post is not None else ()), ("raw", reading.raw))
        case Doubt.UNREADABLE:
            state = reading.history.state if reading.history is not None else PostState.BLOCKED
            return "B204", (("voter", reading.voter), ("state", state.value))
        case Doubt.NONE:
            return "B205", (("voter", reading.voter), ("raw", reading.raw))


def _mark_of(post: Post) -> _Parameters:
    """Who edited it last, and in which minute; nothing where it bears no mark."""
    mark = post.edited
    return () if mark is None else (("editor", mark.editor), ("edited_at", _minute(mark.at)))


def _later_words(history: History, read: Revision | None) -> Revision | None:
    """The last revision that can be read and says something else than the one that was read, or quotes something else."""
    if read is None or len(history.revisions) == 1:
        return None
    readable = [revision for revision in history.revisions if revision.post.state is PostState.NORMAL]
    last = readable[-1]
    same = last.post.message.text == read.post.message.text and last.post.quotes == read.post.quotes
    return None if same or last.number <= read.number else last


def _reads_well(review: Review, history: History, revision: Revision, before: Reading) -> bool:
    again = read_post(history, revision, before.poster, review.book.at(history.first.posted_at))
    return bool(again) and all(one.match.found and one.has_reason and not one.malformed for one in again)


def _minute(moment: object) -> str:
    return f"{moment:%m-%d %H:%M}"


def _second(moment: object) -> str:
    return f"{moment:%m-%d %H:%M:%S}"
