"""Surfaces that are recognised and refused, each with its reason: what they lose, or that no such board was at hand.

`EARLY` are those that a dialect might take for its own; they are looked for first, by a few bytes. The others are looked for
where no dialect recognises a page.
"""

from __future__ import annotations

import re

from scraper.dialects.surface import Fact, Gap, Refusal
from scraper.dialects.v6 import V6
from scraper.phrases import phrase

_HEAD = 4096
_ONE_POST = re.compile(rb"\s*<\?xml[^>]*>\s*<root>\s*<!\[CDATA\[", re.IGNORECASE)
_MARK_X5 = b'<meta name="generator" content="Discuz! X5'
_ARCHIVER = re.compile(rb'<p class="author">\s*<strong>')
_PRINTABLE = re.compile(rb'<hr noshade size="2" width="100%"[^>]*>\s*<b>[^<]{1,20}</b>')
_NT = re.compile(rb'href="[^">]*showtopic-\d|href="[^">]*showtopic\.aspx', re.IGNORECASE)

_NO_IDENTITY = Gap("no pid, no uid")
_NONE = Gap("none")
_NO_ZONE = Gap("not told")

ONE_POST = Refusal(
    name="viewpid",
    title="one post as XML (viewpid=)",
    example="https://bbs.example.net/forum.php?mod=viewthread&tid=2&viewpid=14&inajax=1",
    recognise=lambda body: _ONE_POST.match(body, 0, _HEAD) is not None,
    reason=phrase(
        "it holds one post and says nothing of the thread's other posts or pages, so that a count would lack them unseen"
    ),
    instead=phrase("the thread's own pages"),
    gaps={Fact.PAGING: Gap("one post of who knows how many"), Fact.ZONE: _NO_ZONE},
)
X5 = Refusal(
    name="x5",
    title="Discuz! X5",
    example="https://bbs.example.net/forum.php?mod=viewthread&tid=2",
    recognise=lambda body: body.find(_MARK_X5, 0, _HEAD) >= 0,
    reason=phrase("no such board was at hand, so that nobody has checked what is read of it"),
    instead=phrase("nothing yet: record a page with `bansha record` and report it"),
    gaps={fact: Gap("not known") for fact in Fact},
)
ARCHIVER = Refusal(
    name="archiver",
    title="archiver",
    example="https://bbs.example.net/archiver/?tid-2.html",
    recognise=lambda body: _ARCHIVER.search(body) is not None,
    reason=phrase(
        "it has no pid, uid or floor; on X boards it takes out whatever stands in [ ], names of authors included, and flattens "
        "quotes without a mark: a quoted ballot would read as the author's own"
    ),
    instead=phrase("the thread's own pages"),
    gaps={
        Fact.IDENTITY: _NO_IDENTITY,
        Fact.FLOOR: _NONE,
        Fact.WORDS: Gap("on X boards quotes stand among the own, and what stands in [ ] is gone"),
        Fact.STYLE: _NONE,
        Fact.QUOTED: _NONE,
        Fact.EDITED: Gap("stands among the own words"),
        Fact.REMARKS: _NONE,
        Fact.SIGNATURE: _NONE,
        Fact.ZONE: _NO_ZONE,
    },
)
PRINTABLE = Refusal(
    name="printable",
    title="printable",
    example="https://bbs.example.net/forum.php?mod=viewthread&action=printable&tid=2",
    recognise=lambda body: _PRINTABLE.search(body) is not None,
    reason=phrase("it shows the first 100 posts only, without pid, uid or floor"),
    instead=phrase("the thread's own pages"),
    gaps={
        Fact.IDENTITY: _NO_IDENTITY,
        Fact.FLOOR: _NONE,
        Fact.REMARKS: _NONE,
        Fact.SIGNATURE: _NONE,
        Fact.PAGING: Gap("the first 100 posts only"),
        Fact.ZONE: _NO_ZONE,
    },
)
SPECIAL6 = Refusal(
    name="v6special",
    title="Discuz! 6.x, poll and other special threads",
    example="https://bbs.example.net/viewthread.php?tid=3",
    recognise=lambda body: b"specialthread" in body and b'id="ajaxspecialpost"' in body,
    reason=phrase("its first post has no pid, and its replies come by script, so that the page holds none of them"),
    instead=phrase("an ordinary thread: vote in one"),
    gaps={**V6.gaps, Fact.IDENTITY: Gap("none of the first post"), Fact.PAGING: Gap("the replies come by script")},
)
NT = Refusal(
    name="nt",
    title="Discuz!NT (ASP.NET)",
    example="https://bbs.example.net/showtopic-2-1.aspx",
    recognise=lambda body: _NT.search(body) is not None,
    reason=phrase("no such board was at hand, so that nobody has checked what is read of it"),
    instead=phrase("nothing yet: record a page with `bansha record` and report it"),
    gaps={fact: Gap("not known") for fact in Fact},
)

EARLY: tuple[Refusal, ...] = (ONE_POST, X5)
REFUSALS: tuple[Refusal, ...] = (*EARLY, ARCHIVER, PRINTABLE, SPECIAL6, NT)
