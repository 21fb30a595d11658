"""The posts of a scenario ([[post]]): what chanted seats may not have written, by the sounds of the rule system.

A post stands at noon of its day. It is checked where its seat was published as chanted when that day opened, and the piper was
not out yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from engine.gamefile import Section
from engine.ledger import Phase, PhaseKind
from engine.play.state import GameState
from engine.play.views import told_chanted
from scraper.phrases import listing, phrase

if TYPE_CHECKING:
    from scraper.post import Post

ZONE = timezone(timedelta(hours=8))
_SMILEY = re.compile(r"\[:(\w+):\]")
_THREADS = {"讨论": 1, "discussion": 1, "投票": 2, "vote": 2, "进程": 3, "progress": 3}


@dataclass(frozen=True, slots=True)
class Breach:
    """What a seat wrote against the rule: the code of the finding, and the characters (none where it is about no character)."""

    name: str
    code: str
    characters: frozenset[str]


@dataclass(frozen=True, slots=True)
class WrittenPost:
    """A post of a scenario; `breaches` None: they are told elsewhere, or not at all."""

    day: int
    name: str
    thread: int
    text: str
    breaches: tuple[Breach, ...] | None


def read_posts(sections: Iterable[Section]) -> tuple[WrittenPost, ...]:
    """The [[post]] tables of a scenario."""
    posts = []
    for section in sections:
        section.allow("phase", "name", "thread", "text", "breaches")
        section.need("phase", "name", "text")
        phase = section.text("phase")
        if phase[:1] != PhaseKind.DAY.value or not phase[1:].isdigit():
            raise section.error("phase", phrase("{phase!r} 不是白天", phase=phase), phrase('写 日N，如 phase = "日3"'))
        thread = section.text("thread", "讨论").removesuffix("帖").removesuffix("贴")
        if thread not in _THREADS:
            raise section.error(
                "thread",
                phrase("没有 {thread!r} 这种帖子", thread=thread),
                phrase("写 {THREADS} 中的一个", THREADS=listing(_THREADS)),
            )
        text = section.values["text"]
        if not isinstance(text, str):
            raise section.wrong("text", phrase("文字"), phrase('text = "喵 喵"'))
        breaches = read_breaches(section, "breaches") if "breaches" in section.values else None
        posts.append(WrittenPost(int(phase[1:]), section.name("name"), _THREADS[thread], text, breaches))
    return tuple(posts)


def read_breaches(section: Section, key: str) -> tuple[Breach, ...]:
    """A list of [name, code, characters]."""
    value = section.values[key]
    rows = value if isinstance(value, list) else [value]
    breaches = []
    for row in rows:
        if not isinstance(row, list) or len(row) not in (2, 3) or not all(isinstance(part, str) for part in row):
            raise section.wrong(key, phrase("一列 [名字, 代码, 字]"), phrase('{key} = [["饺子", "C101", "你好"]]', key=key))
        breaches.append(Breach(row[0], row[1], frozenset(row[2] if len(row) == 3 else "")))
    return tuple(breaches)


def check_posts(posts: tuple[WrittenPost, ...], states: Mapping[Phase, GameState], system: str) -> list[tuple[Breach, ...]]:
    """The breaches of each post. `states` are the states with which the days opened; `system` is the rule system's id."""
    return [_check_post(post, place, states.get(Phase(PhaseKind.DAY, post.day)), system) for place, post in enumerate(posts)]


def _check_post(post: WrittenPost, place: int, state: GameState | None, system: str) -> tuple[Breach, ...]:
    from scraper.post import History, PostState, Revision
    from tally.day import Day
    from tally.finding import Severity
    from tally.sounds.case import SoundCase
    from tally.sounds.chant import Chant
    from tally.sounds.check import check_history
    from tally.sounds.sets import SOUND_RULES

    if state is None or post.name not in [state.table.name(seat) for seat in told_chanted(state)]:
        return ()
    opens = datetime(2018, 6, 1, 9, 30, tzinfo=ZONE) + timedelta(days=2 * post.day)
    day = Day(post.day, opens, opens + timedelta(hours=35), 2, (1,), 3, chanted=(post.name,))
    at = opens + timedelta(hours=2, minutes=place)
    revision = Revision(1, at, _make_post(post, place, at))
    case = SoundCase(
        SOUND_RULES[system], (day,), names_target=lambda word: word == "弃权" or state.table.find_target(word) is not None
    )
    found: dict[str, set[str]] = {}
    for finding in check_history(History((revision,), PostState.NORMAL, at), Chant(post.name, opens), case):
        if finding.severity is Severity.ERROR:
            characters = found.setdefault(finding.code, set())
            if finding.codepoint:
                characters.add(chr(int(finding.codepoint.removeprefix("U+"), 16)))
    return tuple(Breach(post.name, code, frozenset(characters)) for code, characters in sorted(found.items()))


def _make_post(post: WrittenPost, place: int, at: datetime) -> Post:
    """The post as a reader of pages would give it; a smiley is written as the archive prints it, `[:name:]`."""
    from scraper.post import Message, Post, Smiley, Text

    lines = []
    for line in post.text.split("\n"):
        parts = _SMILEY.split(line)
        tokens = [Smiley(part) if odd % 2 else Text(part) for odd, part in enumerate(parts) if part]
        lines.append(tuple(tokens))
    return Post(post.thread, place + 1, f"{place + 1}#", post.name, None, at, Message(tuple(lines)))
