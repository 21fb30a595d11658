"""The report as one HTML page: a template filled with values, every word of a player's escaped, nothing fetched by it.

The page is Chinese, as everything is that is shown to players. It has no script, and allows none.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engine.game import Game
from engine.report.page.charts import draw_activity, draw_race, has_charts
from engine.report.page.gather import DayReport, GameReport
from engine.report.safe import show
from engine.report.sounds.html import write_articles
from engine.report.terminal import describe_standing, line_words, name_by, verdict_sentence
from engine.report.words import Words
from scraper.address import Family, post_url
from scraper.post import PostState, Source
from tally.ballot import Ballot
from tally.finding import Finding, sentence, severity
from tally.publish import Shown
from tally.result import Card, Step
from tally.verdict import clause_of, rule_keys

if TYPE_CHECKING:
    from markupsafe import Markup

FOLDER = Path(__file__).parent
_WORDS = Words("zh")
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
    return environment.get_template("page.html.j2").render(page=Page(report))


class Page:
    """What the template asks: the report's values, and how each is said."""

    def __init__(self, report: GameReport) -> None:
        self.report = report
        self.game: Game = report.game
        self.days = [DayView(day, place, self) for place, day in enumerate(report.days)]
        self.charts = has_charts()
        self.style = (FOLDER / "style.css").read_text(encoding="utf-8")

    def clock(self, at: datetime | None) -> str:
        """A time in the game's zone, which the head of the page names; 无 for none."""
        return "无" if at is None else at.astimezone(self.game.zone).strftime("%Y-%m-%d %H:%M:%S")

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

    def card(self, card: Card) -> str:
        """A card, and whether it has been given."""
        points = f" {card.points}" if card.points else ""
        given = "" if card.confirmed is None else f"，账本第 {card.confirmed} 行"
        return f"{_WORDS.card(card.card)}{points}（{card.reason}{given}）"

    def choices(self) -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
        """Who voted for whom over the days: for each voter, in the order of the roster, what he voted for in each vote."""
        found: dict[str, list[tuple[str, ...]]] = {}
        for place, day in enumerate(self.days):
            for voter, target in day.choices():
                cells = found.setdefault(voter, [() for _ in self.days])
                cells[place] = (*cells[place], target)
        order = {seat.name: place for place, seat in enumerate(self.game.roster.seats)}
        return tuple(
            (voter, tuple(found[voter])) for voter in sorted(found, key=lambda name: (order.get(name, len(order)), name))
        )

    def speech(self) -> Markup:
        """The posts of chanted players with what offends marked in place."""
        from markupsafe import Markup

        assert self.report.speech is not None
        # Its writer escapes what players wrote, and marks the characters itself.
        return Markup(write_articles(self.report.speech, self.game))


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
        verdict = self.tally.verdict
        if self.tally.is_blank:
            return _WORDS("unread")
        return verdict_sentence(verdict, _WORDS) if self.report.shown is not Shown.NOTHING else ""

    def odd(self, ballot: Ballot) -> str:
        """What is odd about a ballot: its weight, who cast it, a ruling."""
        marks = [name_by(ballot, _WORDS), "裁定" if ballot.ruled else "", f"×{ballot.weight}" if ballot.weight != 1 else ""]
        return "，".join(mark for mark in marks if mark)

    def place(self, ballot: Ballot) -> str:
        """Where a ballot stands: its floor, or a line of the ledger or the table."""
        return line_words(ballot.line, ballot.file, _WORDS) if ballot.post is None else self.page.label(ballot.post)

    def reason(self, ballot: Ballot) -> str:
        """Why a ballot does not stand."""
        return _WORDS.reason(ballot.reason) if ballot.reason is not None else ""

    def clause(self, ballot: Ballot) -> str:
        """The clause by which a ballot does not stand."""
        return clause_of(self.page.game.policy, *rule_keys(ballot, self.tally.poll))

    def step(self, step: Step) -> str:
        """One step of a race that time decided."""
        ballot = step.ballot
        voter = show(ballot.voter)
        return f"{self.page.clock(ballot.at)}  {show(step.target)} {step.votes} 票：{voter} {self.place(ballot)}"

    def reading(self, counts: tuple[tuple[str, int], ...]) -> str:
        """The counts that one reading of a doubtful post would give."""
        return "、".join(f"{target} {votes}" for target, votes in counts) or "无人得票"

    def verdict_of(self, verdict: object) -> str:
        """The verdict that one reading of a doubtful post would give."""
        return verdict_sentence(verdict, _WORDS)  # type: ignore[arg-type]

    def level(self, finding: Finding) -> str:
        """How much a finding matters."""
        return _WORDS.severity(severity(finding))

    def sentence(self, finding: Finding) -> str:
        """What a finding says."""
        return sentence(finding)

    def choices(self) -> Iterator[tuple[str, str]]:
        """Every voter with what his standing ballot says."""
        for count in self.tally.counts:
            yield from ((ballot.voter, count.target) for ballot in count.ballots)
        yield from ((ballot.voter, "弃权") for ballot in self.tally.abstained)

    def race(self) -> Markup:
        """The chart of the race."""
        from markupsafe import Markup

        # matplotlib writes it, and escapes the names in it.
        return Markup(draw_race(self.tally, self.page.game.zone, f"{self.id}-race"))

    def talk(self) -> Markup:
        """The chart of the activity."""
        from markupsafe import Markup

        return Markup(draw_activity(self.report.activity, f"{self.id}-talk"))
