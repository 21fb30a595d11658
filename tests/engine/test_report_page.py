"""The report: one page that stands alone, whole for the director, and no more than the rules publish in the public version."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import html

from engine.report.page import charts
from engine.report.page.charts import Line, draw_activity, draw_race, list_lines
from engine.report.page.edits import Mark, Piece, compare
from engine.report.page.gather import DayReport, GameReport
from engine.report.page.render import write_page
from scraper.address import Family
from tally.activity import Activity
from tally.publish import Shown
from tests.engine.command import run
from tests.engine.sample import DOUBTFUL, FIRST, PROXY, RULED, TALLY, game

FIXTURES = Path(__file__).parents[2] / "fixtures"
EVIL = "<script>alert(1)</script>\"'&$x$"


def write(case: str, folder: Path, *options: str) -> html.HtmlElement:
    """The report of a recorded case."""
    here = folder / "case"
    if not here.is_dir():
        shutil.copytree(FIXTURES / case, here)
        run("replay", str(here), "--db", str(here / "game.db"))
    page = folder / "report.html"
    ran = run("report", str(here), "-o", str(page), *options)
    assert page.is_file(), ran.err
    return html.document_fromstring(page.read_text(encoding="utf-8"))


def words(element: html.HtmlElement) -> str:
    return " ".join(" ".join(map(str, element.itertext())).split())


def test_every_vote_of_every_day_has_its_table_and_every_ballot_its_post(tmp_path: Path) -> None:
    page = write("m29/three_days", tmp_path)
    assert [words(head) for head in page.iterfind(".//section/h2")][:3] == ["第 1 天", "第 2 天", "第 3 天"]
    first = page.get_element_by_id("day1")
    row = next(row for row in first.iterfind(".//tbody/tr") if words(row).startswith("青岚"))
    assert words(row) == "青岚 4 饺子 沙发 汤圆 5# 豆沙 12# 麻花 14#"
    links = [link.get("href") for link in row.iterfind(".//a")]
    assert len(links) == 4
    assert all(
        re.fullmatch(r"https://bbs\.example\.net/forum\.php\?mod=redirect&goto=findpost&ptid=\d+&pid=\d+", link) for link in links
    )


def test_who_voted_for_whom_stands_in_one_table_over_the_days(tmp_path: Path) -> None:
    table = write("m29/three_days", tmp_path).get_element_by_id("choices")
    rows = {words(row.find("th")): [words(cell) for cell in row.iterfind("td")] for row in table.iterfind(".//tbody/tr")}
    assert rows["麻花"][:2] == ["青岚", "老王"]
    assert rows["青岚"][:2] == ["弃权", "10号"]


def test_an_edited_post_is_shown_with_what_was_taken_out_and_put_in(tmp_path: Path) -> None:
    page = write("m29/edited_after_it_was_seen", tmp_path)
    article = next(
        one for one in page.iterfind(".//article") if one.find(".//del") is not None and "豆沙" in words(one.find("h4"))
    )
    assert words(article.find(".//del")) == "汪"
    assert words(article.find(".//ins")) == "王"


def test_a_deleted_post_is_shown_with_its_words_and_since_when_it_is_gone(tmp_path: Path) -> None:
    page = write("m29/deleted_after_it_was_seen", tmp_path)
    gone = [one for one in page.iterfind(".//article") if "已删除" in words(one)]
    assert gone
    assert all("起看不到" in words(one) and one.find("blockquote").text_content().strip() for one in gone)


def test_the_offending_characters_of_a_chanted_player_are_marked(tmp_path: Path) -> None:
    sounds = write("m29/sounds_characters", tmp_path).get_element_by_id("sounds")
    assert "叽咕" in [words(mark) for mark in sounds.iterfind(".//mark")]


def test_the_directors_rulings_are_listed_with_their_lines(tmp_path: Path) -> None:
    rulings = write("m29/rulings_of_the_director", tmp_path).get_element_by_id("rulings")
    assert all(words(one).startswith("账本第 ") for one in rulings.iterfind(".//li"))
    assert len(list(rulings.iterfind(".//li"))) > 1


def test_the_public_version_has_neither_findings_nor_rulings_nor_sounds(tmp_path: Path) -> None:
    page = write("m29/rulings_of_the_director", tmp_path, "--public")
    said = words(page)
    assert "须留意" not in said
    assert not page.xpath("//*[@id='rulings' or @id='sounds']")
    assert "导演版" not in said


def test_votes_that_are_published_at_the_end_only_are_in_no_public_version(tmp_path: Path) -> None:
    here = tmp_path / "case"
    shutil.copytree(FIXTURES / "vest/the_first_to_reach_is_sheriff", here)
    text = (here / "game.toml").read_text(encoding="utf-8")
    assert '"votes.publicity" = "H"' in text
    (here / "game.toml").write_text(text.replace('"votes.publicity" = "H"', '"votes.publicity" = "F"'), encoding="utf-8")
    run("replay", str(here), "--db", str(here / "game.db"))
    public = write("", tmp_path, "--public")
    assert "投票过程现在不公布" in words(public)
    assert not public.xpath("//ul[@class='ballots']")
    assert "还没有可以公布的票" in words(public.get_element_by_id("choices"))
    assert write("", tmp_path).xpath("//ul[@class='ballots']/li")


def test_cards_that_nobody_confirmed_are_in_the_directors_version_only(tmp_path: Path) -> None:
    assert "罚牌" in words(write("m29/sounds_characters", tmp_path))
    assert "罚牌" not in words(write("m29/sounds_characters", tmp_path, "--public"))


def test_the_page_asks_for_nothing_and_runs_nothing(tmp_path: Path) -> None:
    page = write("m29/three_days", tmp_path)
    assert not page.xpath("//script | //link | //img | //iframe | //@src | //@onload | //@onclick")
    assert "default-src 'none'" in page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert "@import" not in page.find(".//style").text_content()
    assert "url(" not in page.find(".//style").text_content()


def test_no_two_elements_of_a_page_share_an_id(tmp_path: Path) -> None:
    ids = write("m29/three_days", tmp_path).xpath("//@id")
    assert len(ids) == len(set(ids))


def test_two_reports_of_one_database_are_the_same_to_the_byte(tmp_path: Path) -> None:
    write("m29/three_days", tmp_path)
    first = (tmp_path / "report.html").read_bytes()
    write("m29/three_days", tmp_path)
    assert (tmp_path / "report.html").read_bytes() == first


def test_without_a_place_for_it_there_is_no_report(tmp_path: Path) -> None:
    ran = run("report", str(FIXTURES / "m29/three_days"))
    assert ran.code == 2
    assert "-o report.html" in ran.err


def make(folder: Path, *days: DayReport) -> GameReport:
    return GameReport(game(folder), False, False, days, (), None, {})


def day(**changes: object) -> DayReport:
    return replace(DayReport(TALLY, Shown.ALL, (), (), ()), **changes)  # type: ignore[arg-type]


def test_what_a_player_wrote_stays_text(tmp_path: Path) -> None:
    evil = replace(FIRST, voter=EVIL, target=EVIL)
    tally = replace(TALLY, counts=(replace(TALLY.counts[0], target=EVIL, ballots=(evil,)),), not_voted=(EVIL,))
    text = write_page(make(tmp_path, day(tally=tally, activity=(Activity(EVIL, 2, 3),))))
    assert "<script" not in text
    page = html.document_fromstring(text)
    assert EVIL in words(page)


def test_control_and_direction_characters_are_shown_not_sent(tmp_path: Path) -> None:
    text = write_page(make(tmp_path, day()))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\\x1b[31m包子\\u202e" in text


def test_a_doubtful_post_stands_with_every_reading(tmp_path: Path) -> None:
    page = html.document_fromstring(write_page(make(tmp_path, day(tally=DOUBTFUL))))
    article = next(one for one in page.iterfind(".//article") if "包子 8#" in words(one.find("h4")))
    assert "若「计为 饺子」：包子 3、饺子 2" in words(article)


def test_a_ballot_that_counts_double_and_one_by_proxy_say_so(tmp_path: Path) -> None:
    page = html.document_fromstring(write_page(make(tmp_path, day())))
    row = next(row for row in page.iterfind(".//tbody/tr") if words(row).startswith("包子"))
    assert "（×2）" in words(row)
    assert "账本第 7 行（[M29]导演 代投）" in words(row).replace(" （", "（")


def test_links_of_an_old_board_are_written_as_its_own(tmp_path: Path) -> None:
    report = replace(make(tmp_path, day()), families={1235: Family.OLD})
    bare = html.document_fromstring(write_page(report))
    assert not bare.xpath("//ul[@class='ballots']//a")  # the sample names no board
    forum = replace(report.game.forum, url="https://bbs.example.net/")
    page = html.document_fromstring(write_page(replace(report, game=replace(report.game, forum=forum))))
    first = next(page.iterfind(".//ul[@class='ballots']//a"))
    assert first.get("href") == "https://bbs.example.net/redirect.php?goto=findpost&ptid=1235&pid=5202"


def test_without_the_plotting_library_the_page_says_so_and_has_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charts, "find_spec", lambda name: None)
    page = html.document_fromstring(write_page(make(tmp_path, day(activity=(Activity("饺子", 2, 3),)))))
    assert "bansha[report]" in words(page)
    assert not page.xpath("//svg | //figure")
    assert "饺子 2 3" in words(page)


def test_the_race_adds_up_the_weights_in_order_of_time() -> None:
    assert list(list_lines(TALLY)) == [
        Line("包子", (FIRST.at, PROXY.at), (2, 3)),
        Line("饺子", (RULED.at,), (1,)),
    ]


def test_a_chart_has_words_as_text_and_a_name_that_looks_like_a_formula_stays(tmp_path: Path) -> None:
    tally = replace(TALLY, counts=(replace(TALLY.counts[0], target="_$x^2$<b>"),))
    drawing = draw_race(tally, game(tmp_path).zone, "one")
    assert "_$x^2$&lt;b&gt;" in drawing
    assert "currentColor" in drawing
    assert all(found.startswith("one-") for found in re.findall(r'\bid="([^"]*)"', drawing))


def test_a_vote_without_ballots_has_no_chart(tmp_path: Path) -> None:
    assert draw_race(replace(TALLY, counts=()), game(tmp_path).zone, "one") == ""
    assert draw_activity((Activity("饺子"),), "one") == ""


def test_a_comparison_tells_what_was_removed_and_what_was_added() -> None:
    assert compare("投票对象：老汪", "投票对象：老王！") == (
        Piece(Mark.KEPT, "投票对象：老"),
        Piece(Mark.REMOVED, "汪"),
        Piece(Mark.ADDED, "王！"),
    )
