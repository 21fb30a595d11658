"""`python -m tests.browser.pictures`: the pictures of the READMEs, made from the demo's game by what they show."""

from __future__ import annotations

import base64
import shutil
import tempfile
from io import StringIO
from pathlib import Path
from typing import Any

from engine.report.terminal import print_tally
from engine.report.words import Words
from tests.browser.chromium import open_browser
from tests.engine.command import run

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
DEMO = ROOT / "fixtures" / "m29" / "three_days"

# A terminal gives lines and dots one cell; Chinese types give them two.
_BOX = """
@font-face { font-family: Box; src: local("DejaVu Sans Mono"); unicode-range: U+B7, U+D7, U+2500-257F; size-adjust: 83.05%; }
pre { text-spacing-trim: space-all; }
"""


def main() -> None:
    """Write report.png and tally.png."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, open_browser(Path(name)) as browser:
        folder = Path(name) / "game"
        shutil.copytree(DEMO, folder)
        run("replay", str(folder), "--db", str(folder / "game.db"))
        run("report", str(folder), "-o", str(folder / "report.html"))
        take(browser, folder / "report.html", PICTURES / "report.png", width=760, height=1700)
        page = folder / "tally.html"
        page.write_text(draw_tally(folder), encoding="utf-8")
        take(browser, page, PICTURES / "tally.png", width=840, height=560)


def draw_tally(folder: Path) -> str:
    """The table of the demo's last day, as a terminal shows it."""
    from rich.console import Console

    from engine.counting import count_game_day, open_archive, read_events
    from engine.game import load_game

    game = load_game(folder)
    with open_archive(game, folder / "game.db") as archive:
        tally = count_game_day(game, archive, read_events(game), game.days[-1])
    console = Console(record=True, width=112, markup=False, highlight=False, file=StringIO(), force_terminal=True)
    print_tally(console, tally, game, Words("zh"))
    style = "font: 14px/1.3 Box, 'Noto Sans Mono CJK SC', monospace; margin: 12px"
    body = console.export_html(inline_styles=True, code_format=f'<pre style="{style}">{{code}}</pre>')
    return f"<!DOCTYPE html><meta charset=utf-8><style>{_BOX}</style><body style='margin: 0'>{body}"


def take(browser: Any, page: Path, picture: Path, *, width: int, height: int) -> None:
    """A picture of the top of a page."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get(page.as_uri())
    browser.execute_script("document.documentElement.style.overflow = 'hidden'")
    picture.write_bytes(base64.b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]))


if __name__ == "__main__":
    main()
