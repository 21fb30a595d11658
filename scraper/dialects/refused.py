"""Surfaces that are recognised and refused, each with its reason: what they lose, or that no such board was at hand.

`EARLY` are those that a dialect might take for its own; they are looked for first, by a few bytes. The others are looked for
where no dialect recognises a page.
"""

from __future__ import annotations

import re

from scraper.dialects.surface import Fact, Gap, Refusal

_HEAD = 4096
_ONE_POST = re.compile(rb"\s*<\?xml[^>]*>\s*<root>\s*<!\[CDATA\[", re.IGNORECASE)
_MARK_X5 = b'<meta name="generator" content="Discuz! X5'
_ARCHIVER = re.compile(rb'<p class="author">\s*<strong>')
_PRINTABLE = re.compile(rb'<hr noshade size="2" width="100%"[^>]*>\s*<b>[^<]{1,20}</b>')
_NT = re.compile(rb'href="[^">]*showtopic-\d|href="[^">]*showtopic\.aspx', re.IGNORECASE)

_NO_IDENTITY = Gap("没有 pid 和 uid")
_NO_FLOOR = Gap("没有楼层")
_NO_QUOTED = Gap("没有引用的编号")

ONE_POST = Refusal(
    name="viewpid",
    title="one post as XML (viewpid=)",
    example="https://bbs.example.net/forum.php?mod=viewthread&tid=2&viewpid=14&inajax=1",
    recognise=lambda body: _ONE_POST.match(body, 0, _HEAD) is not None,
    reason="it holds one post and says nothing of the thread's other posts or pages, so that a count would lack them unseen",
    instead="the thread's own pages",
    gaps={Fact.PAGING: Gap("只有一帖，看不出还有没有别的")},
)
X5 = Refusal(
    name="x5",
    title="Discuz! X5",
    example="https://bbs.example.net/forum.php?mod=viewthread&tid=2",
    recognise=lambda body: body.find(_MARK_X5, 0, _HEAD) >= 0,
    reason="no such board was at hand, so that nobody has checked what is read of it",
    instead="nothing yet: record a page with `bansha record` and report it",
    gaps={fact: Gap("没有见过") for fact in Fact},
)
ARCHIVER = Refusal(
    name="archiver",
    title="archiver",
    example="https://bbs.example.net/archiver/?tid-2.html",
    recognise=lambda body: _ARCHIVER.search(body) is not None,
    reason=(
        "it has no pid, uid or floor, takes out whatever stands in [ ] on X boards, and flattens quotes without a mark: "
        "a quoted ballot would read as the author's own"
    ),
    instead="the thread's own pages",
    gaps={
        Fact.IDENTITY: _NO_IDENTITY,
        Fact.FLOOR: _NO_FLOOR,
        Fact.WORDS: Gap("引用和正文不分；X 版连 [ ] 里的字都去掉"),
        Fact.STYLE: Gap("都没有"),
        Fact.QUOTED: _NO_QUOTED,
        Fact.EDITED: Gap("编辑标记混在正文里"),
        Fact.REMARKS: Gap("都没有"),
        Fact.SIGNATURE: Gap("没有"),
    },
)
PRINTABLE = Refusal(
    name="printable",
    title="printable",
    example="https://bbs.example.net/forum.php?mod=viewthread&action=printable&tid=2",
    recognise=lambda body: _PRINTABLE.search(body) is not None,
    reason="it shows the first 100 posts only, without pid, uid or floor",
    instead="the thread's own pages",
    gaps={
        Fact.IDENTITY: _NO_IDENTITY,
        Fact.FLOOR: _NO_FLOOR,
        Fact.REMARKS: Gap("都没有"),
        Fact.SIGNATURE: Gap("没有"),
        Fact.PAGING: Gap("只有前 100 帖"),
    },
)
SPECIAL6 = Refusal(
    name="v6special",
    title="Discuz! 6.x, poll and other special threads",
    example="https://bbs.example.net/viewthread.php?tid=3",
    recognise=lambda body: b"specialthread" in body and b'id="ajaxspecialpost"' in body,
    reason="its first post has no pid, and its replies come by script, so that the page holds none of them",
    instead="an ordinary thread: vote in one",
    gaps={Fact.IDENTITY: Gap("首帖没有 pid"), Fact.PAGING: Gap("回帖由脚本另取")},
)
NT = Refusal(
    name="nt",
    title="Discuz!NT (ASP.NET)",
    example="https://bbs.example.net/showtopic-2-1.aspx",
    recognise=lambda body: _NT.search(body) is not None,
    reason="no such board was at hand, so that nobody has checked what is read of it",
    instead="nothing yet: record a page with `bansha record` and report it",
    gaps={fact: Gap("没有见过") for fact in Fact},
)

EARLY: tuple[Refusal, ...] = (ONE_POST, X5)
REFUSALS: tuple[Refusal, ...] = (*EARLY, ARCHIVER, PRINTABLE, SPECIAL6, NT)
