"""The report as one HTML page: a template filled with values, every word of a player's escaped, nothing fetched by it.

The page is Chinese, as everything is that is shown to players. It has no script, and allows none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engine.game import Game
from engine.ledger import Event
from engine.report.page.charts import draw_activity, draw_race, find_lack
from engine.report.page.gather import DayReport, GameReport
from engine.report.page.race import MOST_LINES, list_lines, list_steps
from engine.report.safe import show, show_lines
from engine.report.sounds.html import write_articles
from engine.report.terminal import describe_standing, line_words, name_by, verdict_sentence
from engine.report.words import Words
from scraper.address import Family, post_url
from scraper.post import PostState, Source
from tally.ballot import Ballot
from tally.finding import Finding, sentence, severity
from tally.penalties import Mark
from tally.policy import TargetKind
from tally.publish import Shown
from tally.result import Card, Decision, Step, Verdict
from tally.verdict import clause_of, rule_keys

if TYPE_CHECKING:
    from markupsafe import Markup

FOLDER = Path(__file__).parent
_WORDS = Words("zh")
_CLOCK = "<time>%Y-%m-%d</time> <time>%H:%M:%S</time>"
_STATES = {
    PostState.NORMAL: "",
    PostState.BLOCKED: "被屏蔽",
    PostState.LOCKED: "看不到内容",
    PostState.DELETED: "已删除",
}


def write_page(report: GameReport) -> str:
    """Write the page."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(FOLDER, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["show"] = show
    environment.filters["lines"] = show_lines
    environment.filters["name"] = name
    return environment.get_template("page.html.j2").render(page=Page(report))


def name(text: str) -> Markup:
    """A player's words in a line of their own direction: an Arabic name turns round nothing that stands beside it."""
    from markupsafe import Markup

    return Markup("<bdi>{}</bdi>").format(show(text))


class Page:
    """What the template asks: the report's values, and how each is said."""

    def __init__(self, report: GameReport) -> None:
        self.report = report
        self.game: Game = report.game
        self.days = [DayView(day, place, self) for place, day in enumerate(report.days)]
        self.lack = find_lack()
        self.charts = self.lack is None
        self.style = (FOLDER / "style.css").read_text(encoding="utf-8")

    def clock(self, at: datetime | None) -> str:
        """A time in the game's zone, which the head of the page names, broken between date and time alone; 无 for none."""
        from markupsafe import Markup

        return "无" if at is None else Markup(at.astimezone(self.game.zone).strftime(_CLOCK))

    def link(self, post: Source | None) -> str:
        """The address of a post; "" where it stands on no board that is known."""
        if post is None or not self.game.forum.url:
            return ""
        return post_url(self.game.forum.url, post.tid, post.pid, family=self.report.families.get(post.tid, Family.X))

    def label(self, post: Source) -> str:
        """What a post's link says: its floor, else its pid."""
        return show(post.floor or f"pid {post.pid}")

    def state(self, state: PostState) -> str:
        """What became of a post; "" where nothing did."""
        return _STATES[state]

    def line(self, number: int | None, file: str = "") -> str:
        """A line of the ledger or of a table; how many lines there are tells the players something, until the game has ended."""
        return line_words(number, file, _WORDS) if self.report.whole else "导演录入"

    def card(self, card: Card) -> str:
        """A card, and whether it has been given."""
        points = f" {card.points}" if card.points else ""
        given = "建议" if card.confirmed is None else self.line(card.confirmed)
        return f"{_WORDS.card(card.card)}{points}（{card.reason}，{given}）"

    def mark(self, mark: Mark) -> str:
        """What the director has given a seat, on which day and why."""
        points = f" {mark.points}" if mark.points else ""
        told = "，".join(word for word in (f"第 {mark.day} 天", mark.reason, self.line(mark.line)) if word)
        return f"{_WORDS.card(mark.kind.value)}{points}（{told}）"

    def target(self, target: str) -> str:
        """What a vote names, as a sentence does."""
        return f"{target}号" if self.game.policy.target is TargetKind.NUMBER else target

    def told(self, verdict: Verdict) -> str:
        """What a vote decides."""
        seats = tuple(map(self.target, verdict.seats)) if verdict.decision is not Decision.NOBODY else verdict.seats
        return verdict_sentence(replace(verdict, seats=seats), _WORDS)

    def posted(self, event: Event) -> Source | None:
        """The post that a ruling is about."""
        tid, pid = event.value("tid"), event.value("pid")
        if tid is None or pid is None or not (tid.text.isdecimal() and pid.text.isdecimal()):
            return None
        return Source(int(tid.text), int(pid.text), 1, "")

    def words(self, event: Event) -> str:
        """A line of the ledger without its time and its remark."""
        pairs = (f"{word.key}={word.text}" if word.key else word.text for word in event.words)
        return " ".join((str(event.phase or ""), event.actor, event.act, *pairs)).strip()

    def choices(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Who voted for whom over the days: for each voter, in the order of the roster, what he voted for in each vote."""
        hidden = tuple("未公布" if day.report.hidden else "" for day in self.days)
        found: dict[str, list[str]] = {}
        for place, day in enumerate(self.days):
            for voter, told in day.choices():
                found.setdefault(voter, [*hidden])[place] = told
        order = {seat.name: place for place, seat in enumerate(self.game.roster.seats)}
        return tuple(
            (voter, tuple(found[voter])) for voter in sorted(found, key=lambda name: (order.get(name, len(order)), name))
        )

    def speech(self) -> Markup:
        """The posts of chanted players with what offends marked in place."""
        from markupsafe import Markup

        assert self.report.speech is not None
        # Its writer escapes what players wrote, and marks the characters itself.
        return Markup(write_articles(self.report.speech, self.game, self.link))


class DayView:
    """One vote of a day, as the template asks for it."""

    def __init__(self, day: DayReport, place: int, page: Page) -> None:
        self.report = day
        self.tally = day.tally
        self.page = page
        self.id = f"day{place + 1}"
        self.title = f"第 {day.tally.day} 天" + (f" · {day.tally.poll}" if day.tally.poll else "")

    def standing(self) -> str:
        """Final, or what it waits for."""
        if self.report.hidden:
            return "最终结果" if self.tally.final else "暂定，不是最终结果"
        return describe_standing(self.tally, self.page.game, _WORDS)

    def verdict(self) -> str:
        """What the vote decides; "" where the rules do not publish that yet."""
        if self.tally.is_blank:
            return _WORDS("unread")
        return self.page.told(self.tally.verdict) if self.report.shown is not Shown.NOTHING else ""

    def unweighed(self) -> str:
        """That ballots stand without what they weigh; "" where they do not."""
        return "" if self.report.weights else _WORDS("no_weights")

    def odd(self, ballot: Ballot) -> str:
        """What is odd about a ballot: its weight, who cast it, a ruling."""
        marks = [name_by(ballot, _WORDS), "裁定" if ballot.ruled else "", f"×{ballot.weight}" if ballot.weight != 1 else ""]
        return "，".join(mark for mark in marks if mark)

    def place(self, ballot: Ballot) -> str:
        """Where a ballot stands: its floor, or a line of the ledger or the table."""
        return self.page.line(ballot.line, ballot.file) if ballot.post is None else self.page.label(ballot.post)

    def reason(self, ballot: Ballot) -> str:
        """Why a ballot does not stand."""
        return _WORDS.reason(ballot.reason) if ballot.reason is not None else ""

    def clause(self, ballot: Ballot) -> str:
        """The clause by which a ballot does not stand."""
        return clause_of(self.page.game.policy, *rule_keys(ballot, self.tally.poll))

    def reading(self, counts: tuple[tuple[str, int], ...]) -> str:
        """The counts that one reading of a doubtful post would give."""
        return "、".join(f"{self.page.target(target)} {votes}" for target, votes in counts) or "无人得票"

    def level(self, finding: Finding) -> str:
        """How much a finding matters."""
        return _WORDS.severity(severity(finding))

    def sentence(self, finding: Finding) -> str:
        """What a finding says."""
        return sentence(finding)

    def choices(self) -> Iterator[tuple[str, str]]:
        """Every voter with what his standing ballot says, or that he has none that stands."""
        found: dict[str, str] = {}
        for count in self.tally.counts:
            found |= {ballot.voter: self.page.target(count.target) for ballot in count.ballots}
        found |= {ballot.voter: "弃权" for ballot in self.tally.abstained}
        for doubt in self.tally.needs_ruling:
            found.setdefault(doubt.voter, "待裁定")
        for ballot in self.tally.void:
            found.setdefault(ballot.voter, "无效")
        yield from found.items()

    def steps(self) -> tuple[Step, ...]:
        """How the votes grew, ballot by ballot."""
        return list_steps(self.tally)

    def race(self) -> Markup:
        """The chart of the race."""
        from markupsafe import Markup

        tally = self.tally
        lines = [replace(line, target=self.page.target(line.target)) for line in list_lines(tally)]
        until = min(tally.closes or tally.as_of, tally.as_of)
        title = f"{self.title}：每个对象的票随时间增减"
        # matplotlib writes it, and escapes the names in it.
        return Markup(draw_race(lines, f"{self.id}-race", title, zone=self.page.game.zone, opens=tally.opens, until=until))

    def untold(self) -> int:
        """How many targets have no line in the chart."""
        return max(0, len(self.tally.counts) - MOST_LINES)

    def talk(self) -> Markup:
        """The chart of the activity."""
        from markupsafe import Markup

        return Markup(draw_activity(self.report.activity, f"{self.id}-talk", f"{self.title}：每个人的帖数"))
