"""Charts of a report as inline SVG: how the votes grew, and how much everybody said.

Drawn by matplotlib where it is installed (the extra `bansha[report]`); what a chart shows stands in a table as well, and in words
inside the drawing. Colours are told apart on light and dark ground, lines by their marks too; words take the colour of the page's
text.
"""

from __future__ import annotations

import io
import re
import unicodedata
import warnings
from collections.abc import Sequence
from datetime import datetime
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from engine.report.page.race import MOST_LINES, Line
from engine.report.safe import shorten, show
from tally.activity import Activity

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

# A colour that nothing else has, exchanged for that of the page's text.
_TEXT = "#010203"
# Each stands out from the light and the dark ground by 3 : 1 at least.
COLOURS = ("#3b82c4", "#c2703d", "#3a9158", "#a865b5", "#a27b14", "#c25a6a", "#5b8585", "#867659")
_MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
# How much of a name stands in a chart, and how wide a line of its legend may be, in half-width characters.
_NAME, _LEGEND = 12, 80


def find_lack() -> str | None:
    """Why no chart can be drawn: "" where the plotting library is not installed, else what it says; None where it works.

    An installed one may not load: a Windows without Microsoft's C++ runtime has not the libraries that it is built on.
    """
    if find_spec("matplotlib") is None:
        return ""
    try:
        import_module("matplotlib.figure")
    except ImportError as error:
        return str(error) or type(error).__name__
    return None


def draw_race(
    lines: Sequence[Line], name: str, title: str, *, zone: ZoneInfo, opens: datetime | None = None, until: datetime | None = None
) -> str:
    """The race as steps over time, from the opening to a moment (or the last ballot); "" where there is no time to show.

    Where every ballot stands at one moment (votes by hand, whose time nobody wrote down) nothing grew that could be drawn.
    `name` makes the ids of the drawing different from those of other charts on the page.
    """
    if len({moment for line in lines for moment in line.moments}) < 2:
        return ""
    from matplotlib.dates import DateFormatter

    figure, axes = _begin(7.2, 3.2)
    last = max(line.moments[-1] for line in lines)
    end = max(last, until or last)
    for place, line in enumerate(lines[:MOST_LINES]):
        start = min(opens or line.moments[0], line.moments[0])
        moments = [moment.astimezone(zone).replace(tzinfo=None) for moment in (start, *line.moments, end)]
        axes.step(
            moments,  # type: ignore[arg-type]
            [0, *line.sums, line.sums[-1]],
            where="post",
            # A label that begins with an underscore would be left out of the legend.
            label=f" {shorten(line.target, _NAME)}",
            linewidth=2,
            color=COLOURS[place % len(COLOURS)],
            marker=_MARKS[place % len(_MARKS)],
            markersize=5,
            # Each ballot has a mark, and neither the opening nor the close.
            markevery=slice(1, len(line.moments) + 1),
        )
    axes.set_ylabel("票")
    _count_in_whole(axes.yaxis)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_formatter(DateFormatter("%m-%d %H:%M"))  # type: ignore[no-untyped-call]
    axes.tick_params(axis="x", rotation=25)
    widest = max(_width(shorten(line.target, _NAME)) for line in lines) + 6
    axes.figure.legend(frameon=False, labelcolor=_TEXT, ncols=max(1, min(4, _LEGEND // widest)), loc="outside upper left")
    return _write(figure, name, title, "；".join(f"{show(line.target)} {line.sums[-1]} 票" for line in lines))


def draw_activity(activity: Sequence[Activity], name: str, title: str) -> str:
    """How many posts each seat made, as bars from most to least; "" where nobody spoke."""
    seats = sorted(activity, key=lambda one: (one.posts, one.characters))
    if not any(one.posts for one in seats):
        return ""
    figure, axes = _begin(4.4, 0.8 + 0.28 * len(seats))
    bars = axes.barh(range(len(seats)), [one.posts for one in seats], color=COLOURS[0], height=0.7)
    axes.set_yticks(range(len(seats)), [shorten(one.seat, _NAME) for one in seats])
    axes.bar_label(bars, [str(one.posts) for one in seats], padding=3, color=_TEXT)
    axes.set_xlabel("帖")
    _count_in_whole(axes.xaxis)
    axes.margins(x=0.1)
    return _write(figure, name, title, "；".join(f"{show(one.seat)} {one.posts} 帖" for one in reversed(seats)))


def _width(text: str) -> int:
    """How wide a text is, in half-width characters."""
    return sum(2 if unicodedata.east_asian_width(char) in "WFA" else 1 for char in text)


def _begin(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure of so many inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.tick_params(colors=_TEXT)
    axes.xaxis.label.set_color(_TEXT)
    axes.yaxis.label.set_color(_TEXT)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("bottom", "left"):
        axes.spines[side].set_color(_TEXT)
    return figure, axes


def _count_in_whole(axis: Axis) -> None:
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def _write(figure: Figure, name: str, title: str, told: str) -> str:
    """The drawing as an `<svg>` element: words stay words, in the page's type and colour, and two runs give the same bytes.

    It is a picture with a title and `told`, what it shows in words.
    """
    import matplotlib as mpl
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        # A name may hold dollar signs, which would begin a formula.
        text.set_parse_math(False)
    out = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}), warnings.catch_warnings():
        # Chinese is measured in a type that lacks it; the browser draws it in one that does not.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure.savefig(out, format="svg", transparent=True, metadata=nothing)
    drawing = out.getvalue()
    drawing = drawing[drawing.index("<svg") :]
    drawing = re.sub(r' (width|height)="[\d.]+pt"', "", drawing, count=2)
    drawing = re.sub(r'\bid="', f'id="{name}-', drawing)
    drawing = re.sub(r'(href="|url\()#', rf"\g<1>#{name}-", drawing)
    drawing = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", drawing, flags=re.DOTALL)
    drawing = drawing.replace(_TEXT, "currentColor")
    words = f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(told)}</desc>'
    head = f'<svg role="img" aria-labelledby="{name}-title {name}-desc"'
    return re.sub(r"<svg([^>]*)>", lambda found: f"{head}{found[1]}>{words}", drawing, count=1)
