"""What a page prints around its posts: its number and of how many, and the threads that its own links name."""

from __future__ import annotations

import re

_CURRENT = re.compile(rb"<strong>\s*(\d+)\s*</strong>")
_TOTAL = re.compile(rb'<span title="[^"\d]*(\d+)[^"\d]*">\s*/')
_NUMBERS = re.compile(rb">(?:\.{2,3}\s*)?(\d+)</a>")

# Links that the board makes for the thread of the page, by what stands before and behind its number.
_TID = re.compile(rb"tid=(\d{1,18})")
_OWN_BEFORE = re.compile(rb"(?:goto=next(?:old|new)set|action=printable|action=reply&(?:amp;)?fid=\d+)&(?:amp;)?\Z")
_OWN_BEHIND = re.compile(
    rb"&(?:amp;)?(?:goto=next(?:old|new)set|page=\d+&(?:amp;)?authorid=\d|extra=[^&\"]*&(?:amp;)?page=\d)"
    rb'|(?:&(?:amp;)?pid=\d+)?"[^>]*\bid="postnum'
)


def read_pager(body: bytes, pager: bytes, head: int, foot: int) -> tuple[int, int]:
    """The page's number and of how many, by the pager (its class) before `head` or behind `foot`; (1, 1) where there is none."""
    for start, stop in ((0, head), (foot, len(body))):
        at = body.find(pager, start, stop)
        links = find_inside(body, b"</div>", at, stop) if at >= 0 else b""
        current = _CURRENT.search(links)
        if current:
            numbers = [int(current[1]), *(int(number) for number in _NUMBERS.findall(links))]
            total = _TOTAL.search(links)
            return int(current[1]), max([*numbers, int(total[1])] if total else numbers)
    return 1, 1


def find_tids(body: bytes, before: int, behind: int) -> frozenset[int]:
    """The threads that the board's own links name as the page's, before and behind two places; what is between is not read.

    Between them stand members' words, who link to what they like.
    """
    named: set[bytes] = set()
    for start, stop in ((0, before), (behind, len(body))):
        for mark in _TID.finditer(body, start, stop):
            if mark[1] not in named and (
                _OWN_BEHIND.match(body, mark.end()) or _OWN_BEFORE.search(body[max(0, mark.start() - 60) : mark.start()])
            ):
                named.add(mark[1])
    return frozenset(map(int, named))


def find_inside(body: bytes, closing: bytes, start: int, stop: int) -> bytes:
    """What stands between the end of the tag that `start` is in and `closing`; empty where either is missing."""
    begin = body.find(b">", start, stop) + 1
    end = body.find(closing, begin, stop) if begin else -1
    return body[begin:end] if end >= 0 else b""
