"""Offending characters are marked in their place."""

from __future__ import annotations

from scraper.post import Image, Message, Smiley, Style, Text
from tally.sounds.marks import Piece, mark_message
from tests.tally.sounds.posts import check


def mark(*lines: tuple[Text | Image | Smiley, ...]) -> tuple[tuple[Piece, ...], ...]:
    """Check a message and mark it."""
    message = Message(lines)
    return mark_message(message, check(message))


def test_a_character_is_marked_alone_and_its_neighbours_of_the_same_code_with_it() -> None:
    assert mark((Text("喵"), Smiley("lol"), Text("狼人汪！")), (Text("汪"),)) == (
        (Piece("喵[:lol:]"), Piece("狼人", ("C101",)), Piece("汪"), Piece("！", ("C110",))),
        (Piece("汪"),),
    )


def test_a_picture_and_a_link_are_marked_whole() -> None:
    assert mark((Text("喵"), Image("http://x/狼.png"), Text("汪汪", Style(link="http://y/")))) == (
        (Piece("喵"), Piece("[image: http://x/狼.png]汪汪", ("C103",))),
    )


def test_a_clean_post_has_no_marks() -> None:
    assert mark((Text("喵"), Smiley("lol")), ()) == ((Piece("喵[:lol:]"),), ())
