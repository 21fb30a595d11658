"""Threads that a board shows in another way than by floor: newest first, with copies of sticky posts, an old page from a cache.

Faults for `Board.faults`. They cut X pages where a post container begins, and put the pieces together otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

from tests.board.server import Asked, Board, Fault, Reply

_CONTAINER = re.compile(rb'(?=<div id="post_\d+")')
_END = re.compile(rb'(?=<div id="postlistreply")')
_LABEL = re.compile(rb'(id="postnum\d+"[^>]*>\s*)(.*?)(\s*</a>)', re.DOTALL)


def page_of(asked: Asked) -> int:
    """The page that a request is for."""
    return int(parse_qs(urlsplit(asked.address).query).get("page", ["1"])[0])


def newest_first(board: Board, *, always: bool = False) -> Fault:
    """A thread that shows its newest posts first, behind its first one, unless asked with `ordertype=2` (`always`: even then)."""

    def turn(asked: Asked, reply: Reply) -> Reply:
        if "ordertype=2" in asked.address and not always:
            return reply
        bodies = [_show(board, asked, number) for number in range(1, _count(board) + 1)]
        first, *others = [post for body in bodies for post in _cut(body)[1]]
        number, size = min(page_of(asked), len(bodies)), board.script.settings.per_page
        return _join(reply, [first, *reversed(others)][(number - 1) * size : number * size])

    return turn


def sticky(board: Board, pid: int, page: int) -> Fault:
    """A copy of a post of a later page, which stands on page 1 behind the first post, labelled with where it is from."""

    def stick(asked: Asked, reply: Reply) -> Reply:
        if page_of(asked) != 1:
            return reply
        copy = next(post for post in _cut(_show(board, asked, page))[1] if b'id="post_%d"' % pid in post)
        floor = re.sub(rb"<[^>]*>", b"", _LABEL.search(copy)[2]).strip()  # type: ignore[index]
        label = "来自 ".encode(board.script.settings.charset) + floor
        copy = _LABEL.sub(lambda found: found[1] + b'<img src="settop.png" /> ' + label + found[3], copy)
        first, *others = _cut(reply.body)[1]
        return _join(reply, [first, copy, *others])

    return stick


def cached(board: Board, page: int) -> Fault:
    """What a board hands out from its cache: that page as it stands now, whatever happens later."""
    kept: dict[int, bytes] = {}

    def hand_out(asked: Asked, reply: Reply) -> Reply:
        if page_of(asked) != page:
            return reply
        return replace(reply, body=kept.setdefault(page, reply.body))

    return hand_out


def _show(board: Board, asked: Asked, number: int) -> bytes:
    address = re.sub(r"page=\d+", f"page={number}", asked.address)
    reply = Board(board.script, board.clock).answer(replace(asked, address=address))
    assert reply is not None
    return reply.body


def _count(board: Board) -> int:
    from tests.board.view import count_pages

    (tid,) = board.script.threads
    return count_pages(board.script, tid, board.script.local(board.clock))


def _cut(body: bytes) -> tuple[bytes, list[bytes], bytes]:
    """What stands before the posts, the posts, and what stands behind them."""
    head, *posts = _CONTAINER.split(body)
    last, tail = _END.split(posts[-1], maxsplit=1)
    return head, [*posts[:-1], last], tail


def _join(reply: Reply, posts: Sequence[bytes]) -> Reply:
    head, _, tail = _cut(reply.body)
    return replace(reply, body=head + b"".join(posts) + tail)
