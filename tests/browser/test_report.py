"""The report in headless Chromium: it asks for nothing, says nothing to the console, fits a phone, and can be read and walked."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.ledger import parse_ledger
from engine.report.page.edits import find_edited
from engine.report.page.gather import DayReport, GameReport, Ruled
from engine.report.page.render import write_page
from scraper.post import History, Message, Post, PostState, Revision, Text
from tally.activity import Activity
from tally.publish import Shown
from tally.result import Decision, Verdict
from tally.roster import Account, Seat
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


# A page of each rule system, and of what the others have not: breaches, rulings, edits, votes that are not published.
PAGES = {
    "m29": ("m29/three_days",),
    "secret-number": ("secret-number/whole_game",),
    "vest": ("vest/whole_game",),
    "vest-public": ("vest/the_idiots_ballot_weighs_nothing", "--public"),
    "assertion": ("assertion/whole_game",),
    "assertion-public": ("assertion/a_tied_bite", "--public"),
    "table": ("table/the_judge_calls_another_vote",),
    "sounds": ("m29/sounds_edits",),
    "rulings": ("m29/rulings_of_the_director",),
}


def write(case: str, folder: Path, *options: str) -> str:
    """The report of a recorded game."""
    here = folder / "case"
    shutil.copytree(FIXTURES / case, here)
    run("replay", str(here), "--db", str(here / "game.db"))
    ran = run("report", str(here), "-o", str(folder / "report.html"), *options)
    assert ran.code == 0, ran.err
    return (folder / "report.html").as_uri()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of the demo's game."""
    return write("m29/three_days", tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module", params=PAGES)
def every(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """One report after the other."""
    case, *options = PAGES[request.param]
    return write(case, tmp_path_factory.mktemp("report"), *options)


def show(browser: Any, address: str, *, width: int = 1000, dark: bool = False) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    browser.get(address)
    browser.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")


# Names and words as players may have them: script, a terminal's colours, turned round, right to left, sixty letters, emoji.
HOSTILE = (
    EVIL,
    "\x1b[31m红\x1b[0m",
    "左\u202e右翻\u202c",
    "عربي اسم طويل",
    "長" * 60,
    "W" * 60,
    "👨\u200d👩\u200d👧\u200d👦🐺🇨🇳",
    "$x^2$ & <b>",
    "'\";--",
)


def hostile(folder: Path) -> str:
    """A page on which players' names, targets and words are all that."""
    made = game(folder)
    seats = tuple(Seat(name, (Account(name),)) for name in HOSTILE)
    made = replace(
        made, roster=replace(made.roster, seats=seats), title=EVIL, forum=replace(made.forum, url="https://b.invalid/")
    )
    counts = tuple(
        replace(TALLY.counts[0], target=name, votes=1, ballots=(replace(FIRST, voter=name, target=name, raw=name, weight=1),))
        for name in HOSTILE
    )
    void = tuple(replace(TALLY.void[0], raw=name * 5, voter=name) for name in HOSTILE)
    doubts = tuple(replace(DOUBTFUL.needs_ruling[0], voter=name, raw=name * 5) for name in HOSTILE)
    tally = replace(DOUBTFUL, counts=counts, void=void, needs_ruling=doubts, not_voted=HOSTILE, abstained=(), replaced=())
    edited = tuple(find_edited(make_history(name, pid) for pid, name in enumerate(HOSTILE, 9000)))
    spoken = tuple(Activity(name, place, 3) for place, name in enumerate(HOSTILE))
    verdict = Verdict(Decision.EXILE, HOSTILE, HOSTILE[4], HOSTILE[4])
    days = [DayReport(replace(tally, verdict=verdict), Shown.ALL, spoken, edited)] * 3
    lines = "".join(f"日2 导演 裁定 票 tid=1235 pid={pid} 作废 ; {name}\n" for pid, name in enumerate(HOSTILE[1:], 9001))
    events = parse_ledger(lines.replace("\x1b", ""), made.zone)
    report = GameReport(made, False, False, tuple(days), tuple(map(Ruled, events)), events=events)
    path = folder / "hostile.html"
    path.write_text(write_page(report), encoding="utf-8")
    return path.as_uri()


def make_history(words: str, pid: int) -> History:
    """A post that was edited."""
    posts = [Post(1235, pid, "9#", words, 1, FIRST.at, Message(((Text(f"{words}{end}"),),))) for end in "前后"]
    revisions = tuple(Revision(number, FIRST.at, post) for number, post in enumerate(posts, 1))
    return History(revisions, PostState.DELETED, FIRST.at, FIRST.at)


def test_nothing_is_asked_for_and_nothing_is_said_to_the_console(browser: Any, every: str) -> None:
    browser.get("about:blank")
    browser.get_log("performance")
    browser.get_log("browser")
    show(browser, every)
    sent = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    requests = [one["params"] for one in sent if one["method"] == "Network.requestWillBeSent"]
    # The page that a browser opens with is late with its own at times.
    assert [one["request"]["url"] for one in requests if not one["documentURL"].startswith("chrome:")] == [every]
    assert browser.get_log("browser") == []


def widest(browser: Any) -> tuple[int, list[str]]:
    """How wide the page is, and what reaches over its edge, save what is moved sideways by itself."""
    return tuple(browser.execute_script(WIDE))


# A table that can be moved sideways is as wide as it likes.
WIDE = """
const edge = document.documentElement.clientWidth;
const over = [...document.querySelectorAll('body *')].filter(one =>
  !one.closest('.wide, .drawing, svg') && one.getBoundingClientRect().right > edge + 0.5);
return [document.documentElement.scrollWidth, over.map(one => one.outerHTML.slice(0, 80))];
"""


@pytest.mark.parametrize("width", [320, 1000])
def test_a_page_is_no_wider_than_its_window(browser: Any, every: str, width: int) -> None:
    show(browser, every, width=width)
    wide, over = widest(browser)
    assert (over, wide <= width) == ([], True)


def test_on_a_phone_only_what_grows_with_the_days_is_moved_sideways(browser: Any, page: str) -> None:
    show(browser, page, width=320)
    assert browser.execute_script(SIDEWAYS) == ["谁投了谁"]


# The tables that do not fit, by the heading of their part.
SIDEWAYS = """
return [...document.querySelectorAll('.wide')].filter(one => one.scrollWidth > one.clientWidth + 1).map(one =>
  (one.closest('details')?.querySelector('summary') ?? one.closest('section').querySelector('h2')).textContent);
"""


@pytest.mark.parametrize("width", [320, 700])
def test_a_floor_stands_in_one_piece(browser: Any, page: str, width: int) -> None:
    show(browser, page, width=width)
    count, broken = browser.execute_script(FLOORS)
    assert count > 40
    assert broken == []


# How many floors there are, and those on more than one line.
FLOORS = """
const floors = [...document.querySelectorAll('a')].filter(one => /^\\d+#$/.test(one.textContent));
const lines = one => { const all = document.createRange(); all.selectNodeContents(one); return all.getClientRects().length; };
return [floors.length, floors.filter(one => lines(one) > 1).map(one => one.textContent)];
"""


def test_a_line_of_the_ledger_stands_in_one_piece_beside_its_voter(browser: Any, tmp_path: Path) -> None:
    show(browser, write("assertion/whole_game", tmp_path), width=360)
    count, broken = browser.execute_script(LINES)
    assert count > 40
    assert broken == []


# How many lines of the ledger stand beside a voter, and those that are parted.
LINES = """
const places = [...document.querySelectorAll('li, table.choices td')].flatMap(one => [...one.childNodes].flatMap(node =>
  [...(node.textContent.matchAll(/账本第 \\d+ 行/g))].map(found => [node.firstChild ?? node, found])));
const lines = ([node, found]) => {
  const range = document.createRange();
  range.setStart(node, found.index);
  range.setEnd(node, found.index + found[0].length);
  return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size;
};
return [places.length, places.filter(one => lines(one) > 1).map(one => one[1][0])];
"""


def test_a_long_word_without_spaces_makes_no_page_wider(browser: Any, tmp_path: Path) -> None:
    show(browser, hostile(tmp_path), width=320)
    wide, over = widest(browser)
    assert (over, wide <= 320) == ([], True)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_word_stands_out_from_its_ground(browser: Any, every: str, dark: bool) -> None:
    show(browser, every, dark=dark)
    assert browser.execute_script(CONTRAST) == []


def test_the_contrast_of_words_is_really_measured(browser: Any, page: str) -> None:
    show(browser, page)
    browser.execute_script("document.querySelector('.state').style.color = '#999'")
    browser.execute_script("document.querySelector('svg text').style.fill = '#ccc'")
    assert [found[0] for found in browser.execute_script(CONTRAST)] == ["SPAN", "text"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_ground_follows_the_theme(browser: Any, page: str, dark: bool) -> None:
    show(browser, page, dark=dark)
    ground = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(23, 24, 26)" if dark else "rgb(253, 253, 251)")


def test_the_keyboard_walks_through_the_page_in_its_order_and_shows_where_it_is(browser: Any, page: str) -> None:
    from selenium.webdriver.common.keys import Keys

    show(browser, page)
    browser.execute_script("document.querySelectorAll('details').forEach(one => one.open = false)")
    places, outlines = [], set()
    for _ in range(40):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        place, outline = browser.execute_script(
            "const here = document.activeElement, style = getComputedStyle(here);"
            "return [[...document.querySelectorAll('*')].indexOf(here), `${style.outlineStyle} ${style.outlineWidth}`]"
        )
        places.append(place)
        outlines.add(outline)
    assert places == sorted(set(places))
    assert len(places) == 40
    assert outlines == {"solid 3px"}


def test_script_in_a_players_words_stays_text(browser: Any, tmp_path: Path) -> None:
    show(browser, hostile(tmp_path))
    assert browser.title == f"{EVIL} · 报告"
    assert browser.execute_script("return document.querySelectorAll('script, img').length") == 0
    said = browser.execute_script("return document.body.textContent")
    assert EVIL in said
    assert not set("\x1b\u202e\u202c") & set(browser.page_source)
    assert all(shown in said for shown in ("\\x1b[31m红", "左\\u202e右翻", "عربي اسم طويل", "長" * 60, HOSTILE[6]))


def test_every_chart_tells_in_words_what_it_shows(browser: Any, page: str) -> None:
    show(browser, page)
    told = browser.execute_script(
        "return [...document.querySelectorAll('svg[role=img]')].map(one =>"
        " one.getAttribute('aria-labelledby').split(' ').map(id => document.getElementById(id).textContent))"
    )
    assert len(told) == 6
    assert told[0] == ["第 1 天：每个对象的票随时间增减", "青岚 4 票；饺子 4 票；夜行者 1 票；1号 1 票；夜行猫 1 票"]
    assert browser.execute_script("return document.querySelectorAll('svg').length") == 6
