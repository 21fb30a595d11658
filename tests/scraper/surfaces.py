"""The tables of docs/surfaces.md, made of the registry: `python -m tests.scraper.surfaces` writes them into the page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from scraper.dialects import DIALECTS
from scraper.dialects.refused import REFUSALS
from scraper.dialects.surface import Dialect, Fact, Gap, Refusal

DOCUMENT = Path(__file__).parents[2] / "docs" / "surfaces.md"

_BLOCK = re.compile(r"(<!-- (?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def render_shown() -> str:
    """What each surface shows, and what it does not."""
    rows = ["| surface | | it shows | not, or not wholly |", "|---|---|---|---|"]
    surfaces: tuple[Dialect | Refusal, ...] = (*DIALECTS, *REFUSALS)
    for surface in surfaces:
        shown = ", ".join(fact.value for fact in Fact if fact not in surface.gaps)
        rows.append(f"| `{surface.name}` | {surface.title} | {shown or 'nothing known'} | {_list_gaps(surface.gaps)} |")
    return "\n".join(rows) + "\n"


def render_examples() -> str:
    """An address of each surface that is counted, as such a board has it."""
    rows = ["| surface | an address |", "|---|---|"]
    rows += [f"| `{dialect.name}` | `{dialect.example}` |" for dialect in DIALECTS]
    return "\n".join(rows) + "\n"


def render_refused() -> str:
    """Why each of the others is refused."""
    rows = ["| surface | an address | why it is not counted | to be read instead |", "|---|---|---|---|"]
    rows += [f"| `{one.name}` | `{one.example}` | {one.reason} | {one.instead} |" for one in REFUSALS]
    return "\n".join(rows) + "\n"


def fill(page: str) -> str:
    """The page with its tables made anew."""
    makers = {"shown": render_shown, "examples": render_examples, "refused": render_refused}
    return _BLOCK.sub(lambda found: found[1] + makers[found["name"]]() + found[3], page)


def _list_gaps(gaps: Mapping[Fact, Gap]) -> str:
    if set(gaps) == set(Fact) and len({gap.what for gap in gaps.values()}) == 1:
        return next(iter(gaps.values())).what
    return "; ".join(_tell(fact, gaps[fact]) for fact in Fact if fact in gaps) or "—"


def _tell(fact: Fact, gap: Gap) -> str:
    return f"{fact.value}: {gap.what}" + (f" ({gap.code})" if gap.code else "")


if __name__ == "__main__":
    DOCUMENT.write_text(fill(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
