"""A glance is the same where nothing that counts has changed, and never where the gate would tell a change."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from scraper.archive import Archive
from scraper.errors import BanshaError
from scraper.glance import glance_page
from scraper.page import gate_page
from scraper.response import Response
from tests.board.load import BASE, TID, Load, make_pages

SEEN = datetime(2018, 6, 5, 13, 5, tzinfo=UTC)
(PAGE,) = make_pages(Load(posts=60, per_page=12), range(2, 3))
BODY = PAGE.fill(0)


def seal_of(body: bytes) -> bytes | None:
    glance = glance_page(body)
    return glance.seal if glance else None


def gate_of(body: bytes) -> bytes | None:
    try:
        return gate_page(body).gate
    except BanshaError:
        return None


def test_what_changes_by_itself_does_not_change_the_glance() -> None:
    seals = {seal_of(PAGE.fill(volatile)) for volatile in range(4)}
    assert len(seals) == 1
    assert None not in seals


def test_a_glance_tells_the_page_as_its_gate_does() -> None:
    glance, gate = glance_page(BODY), gate_page(BODY)
    assert glance
    found = glance.found
    assert (found.number, found.pages, found.tids) == (gate.number, gate.pages, gate.tids) == (2, 5, frozenset((TID,)))
    assert gate_page(BODY, glance=glance) == gate


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'class="xw1">', b'class="xw1">x'),
        (b"uid=100", b"uid=900"),
        (b"<sup>#</sup></a>", b"<sup>F</sup></a>"),
        (b'<span title="2018-6-3 09:3', b'<span title="2018-6-3 19:3'),
        (b"</td></tr></table>", b".</td></tr></table>"),
        (b'<div id="comment_', b'<div class="attach"></div><div id="comment_'),
        (b'id="postmessage_100013"', b'id="postmessage_100099"'),
        (b'id="post_100013"', b'id="post_100099"'),
    ],
)
def test_what_a_post_says_changes_the_glance(old: bytes, new: bytes) -> None:
    head, mark, posts = BODY.partition(b'<div id="post_')
    changed = head + (mark + posts).replace(old, new, 1)
    assert changed != BODY
    assert seal_of(changed) != seal_of(BODY)


@pytest.mark.parametrize("seed", range(8))
def test_no_change_that_the_gate_tells_escapes_the_glance(seed: int) -> None:
    draw = random.Random(seed)
    seal, gate, told = seal_of(BODY), gate_of(BODY), 0
    bits = [
        b"x",
        b"<",
        b">",
        b'"',
        b"",
        b"</div>",
        b"</em>",
        b'<div id="post_1">',
        b'id="postnum100014"',
        b'class="locked">',
        b"\0",
    ]
    for _ in range(120):
        start = draw.randrange(BODY.find(b'id="post_'), BODY.rfind(b'id="comment_') + 200)
        changed = BODY[:start] + draw.choice(bits) + BODY[start + draw.choice((0, 1, 1, 7, 300)) :]
        if gate_of(changed) != gate:
            told += 1
            assert seal_of(changed) != seal
    assert told > 10


@pytest.mark.parametrize(
    "body",
    [
        BODY[: BODY.rfind(b"</html")],
        BODY.replace(b'id="authorposton100014"', b'id="x"', 1),
        BODY.replace(b'id="post_100014"', b'id="post_100013"', 1),
        BODY.replace(b'<em id="authorposton100014">', b'<em id="authorposton100014">5 &nbsp;</em><em>', 1),
        b"<html></html>",
    ],
)
def test_a_page_of_another_shape_is_not_glanced_at(body: bytes) -> None:
    assert glance_page(body) is None


def test_a_page_known_at_a_glance_is_stored_as_any_other(tmp_path: Path) -> None:
    outcomes = []
    edited = BODY.replace(b"</td></tr></table>", "再说".encode() + b"</td></tr></table>", 1)
    with Archive.open(tmp_path / "game.db", board="b", zone=ZoneInfo("Asia/Shanghai")) as archive:
        for hour, body in enumerate((BODY, PAGE.fill(1), edited, PAGE.fill(2), BODY)):
            seen_at = SEEN + timedelta(hours=hour)
            started = archive.begin_pass(TID, seen_at)
            url = f"{BASE}forum.php?mod=viewthread&tid={TID}&page=2"
            response = Response(url, 200, (("Content-Type", "text/html; charset=utf-8"),), body, seen_at)
            outcomes.append(archive.save_page(started, response, 2))
        assert archive.database["glances"].count == archive.database["page_contents"].count == 2
        assert archive.database["pages"].count == 5
    first, again, changed, back, last = outcomes
    assert (len(first.new), first.unchanged) == (12, False)
    assert (again.new, again.changed, again.unchanged, again.same) == ((), (), True, True)
    assert (again.pids, again.posts, again.pages) == (first.pids, 12, 5)
    # An edit, and then the words from before: each is a version of its own, known at a glance or not.
    assert changed.changed == back.changed == (first.pids[0],)
    assert (changed.unchanged, back.unchanged, back.same) == (False, True, False)
    assert (last.changed, last.same) == ((), True)
