"""Charts of a report as inline SVG: how the votes grew, and how much everybody said.

Drawn by matplotlib where it is installed (the extra `bansha[report]`); what a chart shows stands in a table as well. Colours are
told apart on light and dark ground, lines by their marks too; words take the colour of the page's text.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from engine.report.safe import show
from tally.activity import Activity
from tally.result import DayTally

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# A colour that nothing else has, exchanged for that of the page's text.
_TEXT = "#010203"
_COLOURS = ("#3b82c4", "#c2703d", "#3f9a5f", "#a865b5", "#b58a1f", "#c25a6a", "#5f8a8b", "#8a7a5f")
_MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
# So many targets have a line of their own; the table has them all.
MOST_LINES = 8


@dataclass(frozen=True, slots=True)
class Line:
    """A target's votes over time: after each ballot the sum so far. Moments are naive, in the game's zone."""

    target: str
    moments: tuple[datetime, ...]
    sums: tuple[int, ...]


def has_charts() -> bool:
    """Whether the plotting library is installed."""
    return find_spec("matplotlib") is not None


def list_lines(tally: DayTally) -> Iterator[Line]:
    """The race of a tally: how the standing ballots of each target added up, the targets in the order of the table."""
    for count in tally.counts[:MOST_LINES]:
        moments, sums, total = [], [], 0
        for ballot in sorted(count.ballots, key=lambda ballot: ballot.at):
            total += ballot.weight
            moments.append(ballot.at)
            sums.append(total)
        yield Line(count.target, tuple(moments), tuple(sums))


def draw_race(tally: DayTally, zone: ZoneInfo, name: str) -> str:
    """The race as steps over time, from the opening to the close (or as far as was counted); "" where nobody has a vote.

    `name` makes the ids of the drawing different from those of other charts on the page.
    """
    lines = [line for line in list_lines(tally) if line.moments]
    if not lines:
        return ""
    from matplotlib.dates import DateFormatter

    figure, axes = _begin(height=3.2)
    last = max(line.moments[-1] for line in lines)
    end = max(last, min(tally.closes or tally.as_of, tally.as_of))
    for place, line in enumerate(lines):
        start = min(tally.opens or line.moments[0], line.moments[0])
        moments = [moment.astimezone(zone).replace(tzinfo=None) for moment in (start, *line.moments, end)]
        axes.step(
            moments,  # type: ignore[arg-type]
            [0, *line.sums, line.sums[-1]],
            where="post",
            # A label that begins with an underscore would be left out of the legend.
            label=f" {show(line.target)}",
            linewidth=2,
            color=_COLOURS[place % len(_COLOURS)],
            marker=_MARKS[place % len(_MARKS)],
            markersize=5,
        )
    axes.set_ylabel("票")
    _count_in_whole(axes)
    axes.xaxis.set_major_formatter(DateFormatter("%m-%d %H:%M"))  # type: ignore[no-untyped-call]
    axes.tick_params(axis="x", rotation=25)
    axes.figure.legend(frameon=False, labelcolor=_TEXT, ncols=4, loc="outside upper left")
    return _write(figure, name)


def draw_activity(activity: Sequence[Activity], name: str) -> str:
    """How many posts each seat made, as bars from most to least; "" where nobody spoke."""
    seats = sorted(activity, key=lambda one: (one.posts, one.characters))
    if not any(one.posts for one in seats):
        return ""
    figure, axes = _begin(height=0.8 + 0.28 * len(seats))
    bars = axes.barh(range(len(seats)), [one.posts for one in seats], color=_COLOURS[0], height=0.7)
    axes.set_yticks(range(len(seats)), [show(one.seat) for one in seats])
    axes.bar_label(bars, [str(one.posts) for one in seats], padding=3, color=_TEXT)
    axes.set_xlabel("帖")
    axes.margins(x=0.1)
    return _write(figure, name)


def _begin(height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, height), layout="constrained")
    axes = figure.subplots()
    axes.tick_params(colors=_TEXT)
    axes.xaxis.label.set_color(_TEXT)
    axes.yaxis.label.set_color(_TEXT)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("bottom", "left"):
        axes.spines[side].set_color(_TEXT)
    return figure, axes


def _count_in_whole(axes: Axes) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(bottom=0)


def _write(figure: Figure, name: str) -> str:
    """The drawing as an `<svg>` element: words stay words, in the page's type and colour, and two runs give the same bytes."""
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
    return drawing.replace(_TEXT, "currentColor")
