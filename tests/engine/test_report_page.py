"""The report: one page that stands alone, whole for the director, and no more than the rules publish in the public version."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import html

from engine.counting import open_archive, read_events
from engine.derived import derive_facts
from engine.game import load_game
from engine.report.page import charts
from engine.report.page.charts import draw_activity, draw_race
from engine.report.page.edits import Mark, Piece, compare, find_edited
from engine.report.page.gather import DayReport, GameReport, gather_report
from engine.report.page.race import Line, list_lines, list_steps
from engine.report.page.render import write_page
from scraper.address import Family
from scraper.post import History, Message, Post, PostState, Revision, Text
from tally.activity import Activity
from tally.ballot import Ballot
from tally.publish import Shown
from tally.result import DayTally
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
    assert [words(head) for head in page.iterfind(".//section/h2")][:4] == ["一览", "第 1 天", "第 2 天", "第 3 天"]
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
        one for one in page.iterfind(".//article") if one.find(".//del") is not None and "豆沙" in words(one.find("h3"))
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
    return GameReport(game(folder), False, False, days)


def day(**changes: object) -> DayReport:
    return replace(DayReport(TALLY, Shown.ALL), **changes)  # type: ignore[arg-type]


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


def test_a_plotting_library_that_does_not_load_takes_no_report_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise ImportError("DLL load failed while importing ft2font <1>")

    monkeypatch.setattr(charts, "import_module", fail)
    page = html.document_fromstring(write_page(make(tmp_path, day(activity=(Activity("饺子", 2, 3),)))))
    assert "DLL load failed while importing ft2font <1>" in words(page)
    assert "bansha[report]" not in words(page)
    assert not page.xpath("//svg | //figure")
    assert "饺子 2 3" in words(page)


def test_the_race_adds_up_the_weights_in_order_of_time() -> None:
    """包子's sheriff had voted for 豆沙 before: his two votes stood there, and went over."""
    assert [(step.ballot.voter, step.target, step.votes) for step in list_steps(TALLY)] == [
        ("饺子", "豆沙", 2),
        ("饺子", "豆沙", 0),
        ("饺子", "包子", 2),
        ("豆沙", "包子", 3),
        ("包子", "饺子", 1),
    ]
    assert list(list_lines(TALLY)) == [
        Line("包子", (FIRST.at, PROXY.at), (2, 3)),
        Line("饺子", (RULED.at,), (1,)),
    ]


@pytest.mark.parametrize(
    "case",
    [
        *("m29/three_days", "m29/election_by_earliest_to_reach", "m29/election_by_pid_inside_one_second"),
        *("m29/rulings_of_the_director", "m29/proxies_by_the_director", "m29/edited_after_it_was_seen"),
        *("secret-number/a_withdrawn_ballot_in_the_race", "secret-number/the_first_to_reach_is_sheriff"),
        *("assertion/manipulations", "table/the_crow_adds_two", "table/hands_at_the_table", "vest/the_first_to_reach_is_sheriff"),
    ],
)
def test_every_race_ends_at_the_table_and_goes_as_the_election_says(case: str, tmp_path: Path) -> None:
    here = Path(shutil.copytree(FIXTURES / case, tmp_path / "case"))
    run("replay", str(here), "--db", str(here / "game.db"))
    for report in read_report(here).days:
        tally, steps = report.tally, list_steps(report.tally)
        last = {step.target: step.votes for step in steps}
        assert {target: votes for target, votes in last.items() if votes} == {
            count.target: count.votes for count in tally.counts if count.votes
        }
        told = [(step.target, step.votes, step.ballot.at) for step in tally.verdict.race]
        raced = {step.target for step in tally.verdict.race}
        assert [(step.target, step.votes, step.ballot.at) for step in steps if step.target in raced] == told


def read_report(here: Path, *, public: bool = False) -> GameReport:
    """What the report of a game tells, as values."""
    loaded = load_game(here)
    events = read_events(loaded)
    with open_archive(loaded, here / "game.db") as archive:
        return gather_report(derive_facts(loaded, archive, events), archive, events, public=public)


def test_how_the_votes_grew_stands_in_a_table_too(tmp_path: Path) -> None:
    page = html.document_fromstring(write_page(make(tmp_path, day())))
    details = next(one for one in page.iterfind(".//details") if words(one.find("summary")).startswith("票是怎么来的"))
    rows = [words(row) for row in details.iterfind(".//tbody/tr")]
    assert rows == [
        "2018-06-04 08:00:00 饺子 1# 豆沙 2",
        "2018-06-04 09:00:00 饺子 2# 豆沙 （改走） 0",
        "2018-06-04 09:00:00 饺子 2# 包子 2",
        "2018-06-04 10:00:00 豆沙 账本第 7 行 包子 3",
        "2018-06-04 11:00:00 包子 3# 饺子 1",
    ]


def race(folder: Path, tally: DayTally) -> str:
    """The chart of a race."""
    return draw_race(list(list_lines(tally)), "one", "先后", zone=game(folder).zone)


def test_a_chart_has_words_as_text_and_a_name_that_looks_like_a_formula_stays(tmp_path: Path) -> None:
    tally = replace(TALLY, counts=(replace(TALLY.counts[0], target="_$x^2$<b>", ballots=named("_$x^2$<b>")),))
    drawing = race(tmp_path, tally)
    assert drawing.count("_$x^2$&lt;b&gt;") == 2  # in the legend, and in what it says
    assert "currentColor" in drawing
    assert all(found.startswith("one-") for found in re.findall(r'\bid="([^"]*)"', drawing))


def named(target: str) -> tuple[Ballot, ...]:
    return tuple(replace(ballot, target=target) for ballot in TALLY.counts[0].ballots)


def test_a_chart_says_in_words_what_it_shows(tmp_path: Path) -> None:
    for drawing, told in (
        (race(tmp_path, TALLY), "包子 3 票；饺子 1 票"),
        (draw_activity((Activity("饺子", 2, 3), Activity("包子")), "one", "发言"), "饺子 2 帖；包子 0 帖"),
    ):
        root = html.fragment_fromstring(drawing)
        assert (root.get("role"), root.get("aria-labelledby")) == ("img", "one-title one-desc")
        assert root.find("title").text in ("先后", "发言")
        assert root.find("desc").text == told


def test_a_long_name_is_cut_in_a_chart_alone(tmp_path: Path) -> None:
    long = "长" * 60
    tally = replace(TALLY, counts=(replace(TALLY.counts[0], target=long, ballots=named(long)),))
    drawing = race(tmp_path, tally)
    assert f" {'长' * 11}…</text>" in drawing
    assert long in drawing[: drawing.index("</desc>")]


def test_a_vote_without_ballots_or_times_has_no_chart(tmp_path: Path) -> None:
    assert race(tmp_path, replace(TALLY, counts=())) == ""
    assert draw_activity((Activity("饺子"),), "one", "") == ""
    by_hand = tuple(replace(ballot, at=FIRST.at) for ballot in TALLY.counts[0].ballots)
    assert race(tmp_path, replace(TALLY, counts=(replace(TALLY.counts[0], ballots=by_hand),), replaced=())) == ""


def test_a_comparison_tells_what_was_removed_and_what_was_added() -> None:
    assert compare("投票对象：老汪", "投票对象：老王！") == (
        Piece(Mark.KEPT, "投票对象：老"),
        Piece(Mark.REMOVED, "汪"),
        Piece(Mark.ADDED, "王！"),
    )


def test_of_a_vote_that_nobody_has_read_nothing_is_counted(tmp_path: Path) -> None:
    """Before the first look at the third day's thread nobody is said not to have voted, or to have been silent."""
    here = Path(shutil.copytree(FIXTURES / "m29/three_days", tmp_path / "case"))
    for look in ("9", "10", "11", "12"):
        shutil.rmtree(here / "polls" / look)
    run("replay", str(here), "--db", str(here / "game.db"))
    ran = run("report", str(here), "-o", str(tmp_path / "report.html"))
    third = html.parse(tmp_path / "report.html", html.HTMLParser(encoding="utf-8")).getroot().get_element_by_id("day3")
    assert ran.code == 1
    assert words(third.find("div/p")) == "投票帖还没有读到，判定不了"
    assert not [word for word in ("没有得票", "没有投票", "没有有效票", "替罪羊", "谁说了多少") if word in words(third)]


def test_what_days_share_is_told_once(tmp_path: Path) -> None:
    """断言 has three votes a day and no thread; the discussion of a day belongs to its first vote."""
    here = Path(shutil.copytree(FIXTURES / "table/the_judge_calls_another_vote", tmp_path / "case"))
    run("replay", str(here), "--db", str(here / "game.db"))
    days = read_report(here).days
    assert [(one.tally.day, one.tally.poll, bool(one.activity)) for one in days][:2] == [(3, "", True), (3, "重投", True)]
    edited = [(one.history.tid, one.history.pid) for day in days for one in day.edited]
    assert len(edited) == len(set(edited))
    here = Path(shutil.copytree(FIXTURES / "assertion/whole_game", tmp_path / "other"))
    run("replay", str(here), "--db", str(here / "game.db"))
    assert not any(day.activity or day.watched for day in read_report(here).days)


def test_every_thread_of_a_day_has_its_passes(tmp_path: Path) -> None:
    page = write("m29/three_days", tmp_path)
    details = next(one for one in page.get_element_by_id("day1").iterfind("details") if "什么时候看过" in words(one))
    assert {words(row.find("td")) for row in details.iterfind(".//tbody/tr")} == {"投票 1232", "讨论 1231"}


def test_a_ruling_that_was_undone_is_told_with_what_undid_it(tmp_path: Path) -> None:
    rulings = write("m29/rulings_of_the_director", tmp_path).get_element_by_id("rulings")
    told = [words(one) for one in rulings.iterfind(".//li") if one.find("s") is not None]
    assert len(told) == 1
    assert told[0].replace(" ", "").startswith("账本第6行：日2导演裁定票tid=1235pid=5209作废（第7行撤销）")


def test_once_a_game_has_ended_everybody_may_read_everything(tmp_path: Path) -> None:
    public = words(write("vest/whole_game", tmp_path, "--public"))
    for part in ("裁定", "账本", "发言检查", "夜1 守卫 守护之盾 墨客"):
        assert part in public


def test_before_the_end_no_line_of_the_ledger_is_numbered_in_public(tmp_path: Path) -> None:
    """How many lines stand before a proxy's would tell who has done something in the night."""
    assert "账本第" in words(write("table/hands_at_the_table", tmp_path))
    public = words(write("table/hands_at_the_table", tmp_path, "--public"))
    assert "导演录入" in public
    assert "账本第" not in public


def test_cards_that_were_given_stand_together(tmp_path: Path) -> None:
    here = Path(shutil.copytree(FIXTURES / "m29/nobody_votes", tmp_path / "case"))
    (here / "ledger.txt").write_text("日2 导演 黄牌 包子 ; 未投票\n日2 导演 红牌 饺子 ; 辱骂\n", encoding="utf-8")
    run("replay", str(here), "--db", str(here / "game.db"))
    rows = [words(row) for row in write("", tmp_path).get_element_by_id("cards").iterfind(".//tbody/tr")]
    assert rows == ["包子 1 0 黄牌（第 2 天，未投票，账本第 1 行）", "饺子 0 0 红牌（第 2 天，辱骂，账本第 2 行）"]


def test_a_long_text_is_compared_by_its_lines_and_one_long_line_as_a_whole() -> None:
    """Thousands of letters of two kinds would take seconds letter by letter."""
    lines = ["哈呵" * 20 for _ in range(100)]
    pieces = compare("\n".join(lines), "\n".join([*lines[:50], "呵哈" * 20, *lines[51:]]) + "！")
    assert "".join(piece.text for piece in pieces if piece.mark is not Mark.ADDED) == "\n".join(lines)
    assert [piece.mark for piece in pieces if len(piece.text) > 100] == [Mark.KEPT, Mark.KEPT]
    assert [piece.mark for piece in compare("哈呵" * 4000, "呵哈" * 3999)] == [Mark.REMOVED, Mark.ADDED]


def test_turned_round_words_of_an_edited_post_are_shown_not_sent(tmp_path: Path) -> None:
    post = Post(1235, 1, "1#", "饺子", 1, FIRST.at, Message(((Text("原来"),), (Text("第二行"),))))
    later = post._replace(message=Message(((Text("\u202e原来"),), (Text("第二行\x1b"),))))
    history = History((Revision(1, FIRST.at, post), Revision(2, FIRST.at, later)), PostState.NORMAL, FIRST.at)
    text = write_page(make(tmp_path, day(edited=tuple(find_edited([history])))))
    assert "<ins>\\u202e</ins>原来\n第二行<ins>\\x1b</ins>" in text


def test_the_public_version_ends_as_the_directors_does(tmp_path: Path) -> None:
    """What waits for the director is not in it, and still waits."""
    here = Path(shutil.copytree(FIXTURES / "m29/the_director_posts_another_result", tmp_path / "case"))
    run("replay", str(here), "--db", str(here / "game.db"))
    for options in ((), ("--public",)):
        assert run("report", str(here), "-o", str(tmp_path / "report.html"), *options).code == 1
    assert "须留意" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_race_without_times_has_no_chart_and_its_table(tmp_path: Path) -> None:
    page = write("assertion/whole_game", tmp_path)
    assert not page.xpath("//svg")
    assert "票是怎么来的" in words(page)


def test_lines_of_a_chart_stand_out_from_both_grounds() -> None:
    """WCAG 1.4.11: 3 : 1 at least."""
    style = (Path(charts.__file__).parent / "style.css").read_text(encoding="utf-8")
    grounds = re.findall(r"--ground: (#[0-9a-f]{6})", style)
    assert len(grounds) == 2
    for ground in grounds:
        for colour in charts.COLOURS:
            one, other = sorted((shine(ground), shine(colour)))
            assert (other + 0.05) / (one + 0.05) >= 3


def shine(colour: str) -> float:
    """The relative luminance of a colour."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
