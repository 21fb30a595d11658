"""The labelled set: posts of chanted players that carry a message, and posts that do not.

`innocent.toml` and `coded.toml` hold it; every sample belongs to the half that thresholds may be chosen on, or to the half
that is kept out of that choice.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from enum import StrEnum
from pathlib import Path

from scraper.post import PLAIN, History, Line, Message, Post, PostState, Revision, Smiley, Style, Text, Token

FOLDER = Path(__file__).parent
BEIJING = timezone(timedelta(hours=8))
FIRST_POST = datetime(2018, 6, 3, 12, 0, tzinfo=BEIJING)
SEAT = "包子"


class Half(StrEnum):
    """Whether a sample may be used to choose thresholds; the second set was written by another hand, who knew the detectors."""

    TUNED = "tuned"
    HELD_OUT = "held-out"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class Sample:
    """One player's posts in order, each as its revisions; `message` is what they tell, "" for mere noise."""

    id: str
    half: Half
    system: str
    way: str
    posts: tuple[tuple[str, ...], ...]
    message: str = ""


def read_samples(name: str) -> tuple[Sample, ...]:
    """Read `innocent` or `coded`."""
    rows = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))["sample"]
    return tuple(
        Sample(
            id=row["id"],
            half=Half(row["half"]),
            system=row["system"],
            way=row["way"],
            posts=tuple((post,) if isinstance(post, str) else tuple(post) for post in row["posts"]),
            message=row.get("message", ""),
        )
        for row in rows
    )


_CODE = re.compile(
    r"\[(?P<close>/)?(?P<tag>b|i|u|s|color|size|font|backcolor|align)(?:=(?P<value>[^\]]*))?\]|\[:(?P<smiley>\w+):\]"
)


def _change_style(style: Style, tag: str, value: str) -> Style:
    match tag:
        case "b":
            return replace(style, bold=True)
        case "i":
            return replace(style, italic=True)
        case "u":
            return replace(style, underline=True)
        case "s":
            return replace(style, strike=True)
        case "color":
            return replace(style, color=value)
        case "size":
            return replace(style, size=value)
        case "font":
            return replace(style, font=value)
        case "backcolor":
            return replace(style, background=value)
        case _:
            return replace(style, align=value)


def read_message(source: str) -> Message:
    """Read a post as it is typed: board codes become styles, `[:name:]` a smiley, the rest the author's words."""
    lines: list[Line] = []
    styles: list[Style] = [PLAIN]
    for row in source.split("\n"):
        tokens: list[Token] = []
        end = 0
        for code in _CODE.finditer(row):
            if code.start() > end:
                tokens.append(Text(row[end : code.start()], styles[-1]))
            end = code.end()
            if code["smiley"]:
                tokens.append(Smiley(code["smiley"]))
            elif code["close"]:
                styles.pop()
            else:
                styles.append(_change_style(styles[-1], code["tag"], code["value"] or ""))
        if end < len(row):
            tokens.append(Text(row[end:], styles[-1]))
        lines.append(tuple(tokens))
    return Message(tuple(lines))


def build_histories(sample: Sample) -> tuple[History, ...]:
    """Make the histories of the sample's posts: ten minutes between two posts, two between two revisions."""
    histories = []
    for number, revisions in enumerate(sample.posts):
        posted = FIRST_POST + timedelta(minutes=10 * number)
        seen = tuple(
            Revision(
                count,
                posted + timedelta(minutes=2 * count - 1),
                Post(2, 100 + number, f"{number + 2}#", SEAT, 7, posted, read_message(source)),
            )
            for count, source in enumerate(revisions, 1)
        )
        histories.append(History(seen, PostState.NORMAL, seen[-1].seen_at))
    return tuple(histories)
