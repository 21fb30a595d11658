"""Whether a thread is closed to replies, by the mark that a board puts beside its title."""

from __future__ import annotations

import re

# X puts it behind the title: `<img src="…/locked.gif" title="关闭">` (X2 to X3.4) or `<i class="fico-lock" title="关闭">`
# (X3.5).
_SUBJECT = re.compile(rb'id="thread_subject"')
_FIRST_POST = re.compile(rb'id="post_\d')
_WORDS = b"|".join(
    word.encode(codec) for word, codec in (("关闭", "utf-8"), ("關閉", "utf-8"), ("关闭", "gbk"), ("關閉", "big5"))
)
_MARK = re.compile(rb'<(?:img|i)\b[^>]*(?:locked\.gif|fico-lock|title="(?:' + _WORDS + rb')")[^>]*>')
# The mobile API says it in a word.
_API = re.compile(rb'"closed"\s*:\s*"?(\d+)')


def is_locked(body: bytes) -> bool | None:
    """Whether the page's thread takes no more replies; None where the surface does not tell (7.x, 6.x, touch)."""
    if body.lstrip()[:1] == b"{":
        found = _API.search(body)
        return None if found is None else found[1] != b"0"
    subject = _SUBJECT.search(body)
    if subject is None:
        return None
    # Behind the first post's frame stands what players wrote.
    post = _FIRST_POST.search(body, subject.end())
    return _MARK.search(body, subject.end(), post.start() if post is not None else len(body)) is not None
