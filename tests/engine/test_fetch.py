"""`fetch` against the small board: one plain pass over a day's threads, and a clear error where it fails."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest

from scraper.agent import user_agent
from tests.board.script import load_script
from tests.board.server import Asked, Board, Fault, Reply, Served, serve
from tests.engine.command import run

CASE = Path(__file__).parents[2] / "fixtures" / "m29" / "three_days"


@dataclass(frozen=True, slots=True)
class Site:
    """A board that plays the three days, and a game file that points at it."""

    served: Served
    folder: Path

    def look(self, moment: str) -> None:
        """Move the board's clock (board-local)."""
        self.served.board.clock = datetime.fromisoformat(moment)

    def fail(self, *faults: Fault) -> None:
        self.served.board.faults = faults

    @property
    def asked(self) -> list[str]:
        return [re.sub(r"^.*tid=(\d+)(?:&page=(\d+))?.*$", r"\1-\2", asked.address) for asked in self.served.board.asked]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with serve(Board(load_script(CASE / "script.toml"), datetime(2018, 6, 8, 21, 10))) as served:  # noqa: DTZ001 - board-local
        for name in ("game.toml", "secrets.toml"):
            shutil.copy(CASE / name, tmp_path / name)
        game = tmp_path / "game.toml"
        text = game.read_text(encoding="utf-8")
        pointed = re.sub(r'url = "[^"]*"', f'url = "{served.base}"\ninterval = 0.0', text)
        game.write_text(pointed, encoding="utf-8")
        yield Site(served, tmp_path)


def test_a_pass_reads_every_page_of_the_days_threads_and_the_tally_counts_it(site: Site) -> None:
    ran = run("fetch", str(site.folder), "--day", "3")
    assert (ran.code, re.findall(r"(投票帖|讨论帖) (\d+)：(\d)/\3 页", ran.out)) == (
        0,
        [("投票帖", "1238", "3"), ("讨论帖", "1237", "2")],
    )
    assert ran.out.count("，完整") == 2
    assert site.asked == ["1238-1", "1238-2", "1238-3", "1237-1", "1237-2"]
    tally = run("tally", str(site.folder), "--day", "3")
    assert "投票出局：" in tally.out


def test_the_board_is_told_the_contact_that_the_director_set_and_none_otherwise(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BANSHA_CONTACT", raising=False)
    run("fetch", str(site.folder), "--day", "3")
    monkeypatch.setenv("BANSHA_CONTACT", "mailto:who@example.org")
    run("fetch", str(site.folder), "--day", "3")
    told = {asked.header("user-agent") for asked in site.served.board.asked}
    assert told == {user_agent(), user_agent("mailto:who@example.org")}
    monkeypatch.setenv("BANSHA_CONTACT", "导演甲")
    ran = run("fetch", str(site.folder), "--day", "3")
    assert ran.code == 2
    assert "contact" in ran.err


def test_a_day_that_is_over_needs_no_number(site: Site) -> None:
    run("fetch", str(site.folder))
    assert {page.split("-")[0] for page in site.asked} == {"1238", "1237"}


def test_a_second_pass_tells_what_is_new_and_changed(site: Site) -> None:
    site.look("2018-06-03T22:00:00")
    first = json.loads(run("fetch", str(site.folder), "--day", "2", "--json").out)[0]
    site.look("2018-06-05T21:10:00")
    second = json.loads(run("fetch", str(site.folder), "--day", "2", "--json").out)[0]
    assert (first["tid"], first["complete"], 5209 in first["new"], first["changed"]) == (1235, True, True, [])
    assert (5209 in second["new"], 5209 in second["changed"], second["complete"]) == (False, True, True)


def test_a_thread_that_is_no_thread_page_exits_8_and_stores_the_rest(site: Site) -> None:
    def strange(asked: Asked, reply: Reply) -> Reply:
        body = b"<html><head><title>Under construction</title></head><body>soon</body></html>"
        return Reply(200, reply.headers, body) if "tid=1238" in asked.address and "page=2" in asked.address else reply

    site.fail(strange)
    ran = run("fetch", str(site.folder), "--day", "3")
    assert ran.code == 8
    assert "Under construction" in ran.err
    (copy,) = (site.folder / "unreadable").iterdir()
    assert b"Under construction" in copy.read_bytes()
    assert "不完整，缺第 2 页：" in ran.out
    assert "不认识的页面" in ran.out
    assert "1237-2" in site.asked, "the other pages and threads are still fetched"
    tally = run("tally", str(site.folder), "--day", "3", "--json")
    value = json.loads(tally.out)
    assert (tally.code, value["complete"], value["final"], value["evidence"]["missing_pages"]) == (1, False, False, [2])


def test_a_thread_that_is_gone_exits_4_and_names_it(site: Site) -> None:
    game = site.folder / "game.toml"
    game.write_text(game.read_text(encoding="utf-8").replace("1238", "9999"), encoding="utf-8")
    ran = run("fetch", str(site.folder), "--day", "3")
    assert ran.code == 4
    assert "9999" in ran.err
    tally = run("tally", str(site.folder), "--day", "3")
    assert (tally.code, "投票帖还没有读到，判定不了" in tally.out, "没有人得票" in tally.out) == (1, True, False)


def test_a_tally_with_a_missing_page_marks_its_verdict(site: Site) -> None:
    def lost(asked: Asked, reply: Reply) -> Reply:
        return Reply(403, reply.headers, b"") if "tid=1238" in asked.address and "page=2" in asked.address else reply

    site.fail(lost)
    run("fetch", str(site.folder), "--day", "3")
    ran = run("tally", str(site.folder), "--day", "3")
    assert re.search(r"^判定 .*（暂定）", ran.out, re.MULTILINE)


def test_another_try_is_announced_in_the_language_of_the_terminal(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    from scraper.pace import Settings

    monkeypatch.setattr("scraper.pace.Settings", lambda **given: Settings(**given, attempts=2, back_off=0.0))
    site.fail(lambda asked, reply: Reply(500, reply.headers, b""))
    ran = run("fetch", str(site.folder), "--day", "3")
    assert "秒后再试（第 2 次，共 2 次）" in ran.err
    assert "Next try" not in ran.err


def test_a_board_that_does_not_answer_exits_4(site: Site) -> None:
    game = site.folder / "game.toml"
    game.write_text(re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:9", game.read_text(encoding="utf-8")), encoding="utf-8")
    from scraper.pace import Settings

    patch = pytest.MonkeyPatch()
    patch.setattr("scraper.pace.Settings", lambda **given: Settings(**given, attempts=1, back_off=0.0))
    try:
        ran = run("fetch", str(site.folder), "--day", "3")
    finally:
        patch.undo()
    assert ran.code == 4
    assert "127.0.0.1:9" in ran.err


def test_without_a_board_there_is_nothing_to_fetch(tmp_path: Path) -> None:
    text = (CASE / "game.toml").read_text(encoding="utf-8")
    (tmp_path / "game.toml").write_text(text.replace("[forum]\nurl", "[forum]\n# url"), encoding="utf-8")
    ran = run("fetch", str(tmp_path))
    assert (ran.code, "[forum]" in ran.err) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["game.toml"]


def test_progress_goes_to_standard_error_and_results_to_standard_output(site: Site) -> None:
    ran = run("fetch", str(site.folder), "--day", "3")
    assert "第 2 页" in ran.err
    assert "第 2 页" not in ran.out
