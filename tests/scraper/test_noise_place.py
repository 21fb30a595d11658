"""Text that nobody sees stands at a line break, where boards put it, or in the middle of a line, where only a person does."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from scraper.message import read_message

HIDDEN = '<span style="display:none">x9 q</span>'
JAMMER = '<font class="jammer">x9 q</font>'


@pytest.mark.parametrize(
    ("html", "line", "at_break"),
    [
        (f"喵{JAMMER}<br />\r\n汪", 1, True),
        (f"喵<br />\r\n{HIDDEN}汪", 2, True),
        (f"<b>喵{JAMMER}</b><br />汪", 1, True),
        (f"喵{HIDDEN}", 1, True),
        (f"喵{HIDDEN}汪<br />汪", 1, False),
        (f"<b>喵{HIDDEN}</b>汪<br />汪", 1, False),
        (f"喵<br />汪{JAMMER} <i>汪</i>", 2, False),
    ],
)
def test_hidden_text_knows_whether_it_stands_at_a_break(html: str, line: int, at_break: bool) -> None:
    reading = read_message(html, seen_at=datetime(2018, 6, 4, tzinfo=UTC), zone=ZoneInfo("Asia/Shanghai"))
    assert [(noise.text, noise.line, noise.at_end) for noise in reading.noise] == [("x9 q", line, at_break)]
