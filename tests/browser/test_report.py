"""The report in headless Chromium: it asks for nothing, says nothing to the console, fits a phone, and can be read and walked."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.report.page.gather import DayReport, GameReport
from engine.report.page.render import write_page
from tally.activity import Activity
from tally.publish import Shown
from tests.browser.chromium import MISSING, open_browser
from tests.engine.command import run
from tests.engine.sample import DOUBTFUL, FIRST, TALLY, game

pytestmark = pytest.mark.skipif(
    MISSING, reason="needs Chromium and its driver (Debian: apt-get install chromium chromium-driver)"
)

FIXTURES = Path(__file__).parents[2] / "fixtures"
EVIL = '<img src=x onerror="document.title=1"><script>document.title=1</script>'

# For every element that holds words itself: the contrast of its colour with the ground behind it.
CONTRAST = """
const light = value => { const c = value / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4 };
const parts = text => text.match(/[\\d.]+/g).map(Number);
const shine = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
const ground = element => {
  for (let one = element; one; one = one.parentElement) {
    const colour = parts(getComputedStyle(one).backgroundColor);
    if (colour.length < 4 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
const found = [];
for (const element of document.querySelectorAll('body *')) {
  const words = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
  if (!words || element.tagName === 'STYLE' || !element.getClientRects().length) continue;
  const style = getComputedStyle(element);
  const drawn = element instanceof SVGElement;
  const [one, other] = [shine(parts(drawn ? style.fill : style.color)), shine(ground(element))];
  const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  if (ratio < 4.5) found.push([element.tagName, element.textContent.trim().slice(0, 30), ratio]);
}
return found;
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One browser for all."""
    with open_browser(tmp_path_factory.mktemp("browser")) as driver:
        yield driver


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of the whole recorded game, everything unfolded."""
    folder = tmp_path_factory.mktemp("report")
    here = folder / "case"
    shutil.copytree(FIXTURES / "m29/three_days", here)
    run("replay", str(here), "--db", str(here / "game.db"))
    ran = run("report", str(here), "-o", str(folder / "report.html"))
    assert ran.code == 0, ran.err
    return (folder / "report.html").as_uri()


def show(browser: Any, address: str, *, width: int = 1000, dark: bool = False) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    browser.get(address)
    browser.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")


def hostile(folder: Path) -> str:
    """A page on which a player's name, target and words are script."""
    evil = replace(FIRST, voter=EVIL, target=EVIL, raw=EVIL)
    count = replace(TALLY.counts[0], target=EVIL, ballots=(evil,))
    tally = replace(DOUBTFUL, counts=(count,), void=(replace(TALLY.void[0], raw=EVIL, voter=EVIL),), not_voted=(EVIL,))
    report = GameReport(game(folder), False, False, (DayReport(tally, Shown.ALL, (Activity(EVIL, 2, 3),), (), ()),), (), None, {})
    path = folder / "hostile.html"
    path.write_text(write_page(report), encoding="utf-8")
    return path.as_uri()


def test_nothing_is_asked_for_and_nothing_is_said_to_the_console(browser: Any, page: str) -> None:
    import json

    browser.get_log("performance")
    browser.get_log("browser")
    show(browser, page)
    sent = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [one["params"]["request"]["url"] for one in sent if one["method"] == "Network.requestWillBeSent"]
    assert asked == [page]
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("width", [320, 375, 1000])
def test_a_page_is_no_wider_than_its_window(browser: Any, page: str, width: int) -> None:
    show(browser, page, width=width)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width


def test_a_long_word_without_spaces_makes_no_page_wider(browser: Any, tmp_path: Path) -> None:
    show(browser, hostile(tmp_path), width=320)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_word_stands_out_from_its_ground(browser: Any, page: str, dark: bool) -> None:
    show(browser, page, dark=dark)
    assert browser.execute_script(CONTRAST) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_ground_follows_the_theme(browser: Any, page: str, dark: bool) -> None:
    show(browser, page, dark=dark)
    ground = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(23, 24, 26)" if dark else "rgb(253, 253, 251)")


def test_the_keyboard_walks_through_the_page_in_its_order(browser: Any, page: str) -> None:
    from selenium.webdriver.common.keys import Keys

    show(browser, page)
    browser.execute_script("document.querySelectorAll('details').forEach(one => one.open = false)")
    places = []
    for _ in range(12):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        places.append(
            browser.execute_script("const all = [...document.querySelectorAll('*')]; return all.indexOf(document.activeElement)")
        )
    assert places == sorted(set(places))
    assert len(places) == 12


def test_script_in_a_players_words_stays_text(browser: Any, tmp_path: Path) -> None:
    show(browser, hostile(tmp_path))
    assert browser.title == "试局 · 报告"
    assert browser.execute_script("return document.querySelectorAll('script, img').length") == 0
    assert EVIL in browser.execute_script("return document.body.textContent")


def test_every_chart_tells_in_words_what_it_shows(browser: Any, page: str) -> None:
    show(browser, page)
    told = browser.execute_script("return [...document.querySelectorAll('figure')].map(one => one.getAttribute('aria-label'))")
    assert len(told) == 6
    assert all(told)
