"""`watch`: the table of a day as it fills, until the day is over; then its result and what to publish."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from time import monotonic, sleep
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Annotated, Self

import typer

from engine.cli.boards import INTERRUPTED
from engine.cli.common import AsJson, DatabasePath, DayNumber, GameHere, finish, print_json, say, tally_code, warn_exposed
from engine.cli.progress import tell_log
from engine.cli.words import _
from engine.language import localize
from scraper.phrases import phrase

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

    from engine.game import Game
    from engine.ledger import Event
    from engine.polling import Target
    from engine.report.values import Json
    from engine.watching import Look
    from scraper.passes import PageOutcome
    from scraper.schedule import Plan

# What shells expect of a program that SIGTERM ended, and one whose terminal went away (SIGHUP).
TERMINATED = 143
HUNG_UP = 129
# So long, in seconds, one signal is enough: a second Ctrl-C would only cut off the ending itself.
_ENDING = 2.0
# So long between the looks around the close, and it is worth a warning.
_LONG = timedelta(minutes=10)


def watch(
    game: GameHere = Path(),
    day: DayNumber = None,
    every: Annotated[float, typer.Option("--every", metavar="MINUTES", min=1, help=_("平时隔几分钟看一次。"))] = 30,
    last_hour: Annotated[float, typer.Option("--last-hour", metavar="MINUTES", min=1, help=_("关门前一小时隔几分钟看。"))] = 5,
    follow: Annotated[
        bool, typer.Option("--follow", help=_("看完一天就等下一天开，一直看到游戏结束；每天看完都给出结果。"))
    ] = False,
    patience: Annotated[
        float,
        typer.Option("--patience", metavar="DAYS", min=0, help=_("最多等几天：等开门、等论坛回答、等下一天；过了就自己停。")),
    ] = 7,
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """守着一天：按时去看，票表随看随变；关门以后全看两遍，给出最终结果、罚牌和可以发的帖子。随时可以停，再开就接着。"""
    import scraper.pace
    from engine.cli.boards import open_client
    from engine.counting import read_events
    from engine.game import load_game
    from engine.report.templating import check_templates
    from engine.watching import Rhythm, wait_for_next, watch

    def load() -> tuple[Game, tuple[Event, ...]]:
        loaded = load_game(game)
        return loaded, read_events(loaded)

    begun = load()[0]
    warn_exposed(begun)
    # The post that ends the day must not fail then.
    check_templates(begun)
    rhythm = Rhythm(usual=every * 60, last_hour=last_hour * 60, patience=patience * 86400)
    clock = scraper.pace.utc_now
    codes: list[int] = []
    number = day
    with _stoppable() as signals:

        def nap(seconds: float) -> None:
            signals.check()
            sleep(seconds)

        try:
            while True:
                with TableScreen(as_json=as_json) as screen, tell_log(screen.say):
                    look = watch(
                        load, number, db, open_client, clock=clock, sleep=nap, screen=screen, watcher=screen, rhythm=rhythm
                    )
                codes += _end(look, as_json=as_json)
                if not follow:
                    break
                number = wait_for_next(load, look.day.number, db, clock=clock, sleep=nap, screen=screen, patience=rhythm.patience)
                if number is None:
                    break
        except KeyboardInterrupt:
            say(phrase("bansha: 停下了：看到的都已存好。再运行一次 bansha watch，就接着看。"))
            raise typer.Exit(signals.code) from None
    finish(codes)


class Signals:
    """Whoever asks the process to end gets a clean end: the first signal interrupts, further ones do not interrupt the ending."""

    def __init__(self) -> None:
        self.code = INTERRUPTED
        self._heard: float | None = None

    @property
    def heard(self) -> bool:
        """Whether a signal came."""
        return self._heard is not None

    def hear(self, number: int, frame: FrameType | None) -> None:
        """The handler of all of them. Raises KeyboardInterrupt."""
        if self._heard is not None and monotonic() - self._heard < _ENDING:
            return
        self._heard = monotonic()
        self.code = {signal.SIGTERM: TERMINATED, getattr(signal, "SIGHUP", None): HUNG_UP}.get(number, INTERRUPTED)
        raise KeyboardInterrupt

    def check(self) -> None:
        """Raise KeyboardInterrupt where a signal came, and what it raised was lost (in a finalizer)."""
        if self._heard is not None:
            raise KeyboardInterrupt


@contextmanager
def _stoppable() -> Iterator[Signals]:
    """Listen to the signals that end a process, but to none that whoever started it has told it not to hear (nohup)."""
    signals = Signals()
    names = ("SIGINT", "SIGTERM", "SIGBREAK", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    heard = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, signals.hear) for number in heard}
    try:
        yield signals
    finally:
        # Once one was heard, the process is ending: until it has, no further one may cut that off.
        for number, handler in before.items() if not signals.heard else ():
            signal.signal(number, handler)


class TableScreen:
    """A live table on a terminal; elsewhere a line for each look, and the table where it has changed. Also told of pages."""

    def __init__(self, *, as_json: bool) -> None:
        self._plain = as_json or not _is_terminal()
        self._quiet = as_json
        self._live: Live | None = None
        self._shown: tuple[str, ...] | None = None

    def __enter__(self) -> Self:
        if not self._plain:
            from rich.live import Live

            self._live = Live(console=self._console(), auto_refresh=False, transient=True)
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def say(self, text: str) -> None:
        """A line about the work, past the table."""
        say(phrase("bansha: {text}", text=text))

    def show(self, look: Look) -> None:
        """The table after a look, and when the next one is."""
        from engine.report.lines import write_lines
        from engine.report.passes import describe_pass

        for polled in look.polled:
            for error in polled.outcome.errors:
                self.say(phrase("{title} {tid}: {error}", title=polled.target.title, tid=polled.target.tid, error=error))
        zone = look.game.zone
        at = f"{look.at.astimezone(zone):%m-%d %H:%M:%S}"
        line = phrase("{at} 看过", at=at)
        if look.next_at is not None:
            line = phrase("{at} 看过，下一次 {next}", at=at, next=f"{look.next_at.astimezone(zone):%m-%d %H:%M:%S}")
        if self._live is not None:
            self._draw(look, line)
            return
        self.say(line)
        if self._quiet:
            return
        if look.digests != self._shown:
            self._shown = look.digests
            for polled in look.polled:
                write_lines(describe_pass(polled))
            if look.next_at is not None:
                # The table of the last look stands in the result.
                self._print(look, self._console())
            sys.stdout.flush()

    def _draw(self, look: Look, line: str) -> None:
        from rich.console import Group
        from rich.text import Text

        assert self._live is not None
        console = self._console()
        with console.capture() as drawn:
            self._print(look, console)
        self._live.update(Group(Text.from_ansi(drawn.get()), Text(localize(line), style="dim")), refresh=True)

    def _print(self, look: Look, console: Console) -> None:
        from engine.language import choose_language
        from engine.report.terminal import print_tally
        from engine.report.words import Words

        for tally, digest in zip(look.tallies, look.digests, strict=True):
            print_tally(console, tally, look.game, Words(choose_language()), digest=digest)

    @staticmethod
    def _console() -> Console:
        from engine.report.terminal import make_console

        return make_console()

    def begin(self, target: Target, plan: Plan) -> None:
        """A pass begins."""

    def ask(self, target: Target, page: int) -> None:
        """A page is asked for."""

    def came(self, target: Target, plan: Plan, outcome: PageOutcome) -> None:
        """A page came."""


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _end(look: Look, *, as_json: bool) -> list[int]:
    """The day is over: its result, the cards, the evidence around the close, the posts that may be published; the exit codes."""
    from engine.counting import read_events
    from engine.language import choose_language
    from engine.ledger import standing_events
    from engine.penalties import read_marks
    from engine.report.bbcode import write_bbcode
    from engine.report.penalties import cards_value, print_cards
    from engine.report.terminal import make_console, print_tally
    from engine.report.values import tally_value
    from engine.report.words import Words
    from engine.watching import find_gap
    from scraper.errors import BoardError

    game, words = look.game, Words(choose_language())
    marks = read_marks(game, standing_events(read_events(game)))
    text = write_bbcode(look.tallies, look.digests, game)
    gap = find_gap(look)
    told = ""
    if gap is not None and (gap.since is None or gap.until - gap.since > _LONG):
        until = f"{gap.until.astimezone(game.zone):%m-%d %H:%M:%S}"
        if gap.since is None:
            told = phrase("关门以前没有人看过，{until} 才第一次看：以前改过、删过的帖子看不出来。", until=until)
        else:
            told = phrase(
                "关门前后有一段没有人看：{since} 到 {until}。这段时间里改过、删过的帖子看不出来。",
                since=f"{gap.since.astimezone(game.zone):%m-%d %H:%M:%S}",
                until=until,
            )
    if as_json:
        value: dict[str, Json] = {
            "day": look.day.number,
            "tallies": [tally_value(tally, game) for tally in look.tallies],
            "cards": [cards_value(tally, marks, game) for tally in look.tallies],
            "publish": text,
            "gap": str(told) or None,
            "unread": [target.tid for target in look.unread],
        }
        print_json(value)
    else:
        console = make_console()
        for tally, digest in zip(look.tallies, look.digests, strict=True):
            print_tally(console, tally, game, words, digest=digest)
            print_cards(console, tally, marks, game, words)
        sys.stdout.write(f"{localize(phrase('———— 可以发的帖子 ————'))}\n{text}")
    if told:
        say(phrase("bansha: {told}", told=told))
    for target in look.unread:
        say(
            phrase(
                "bansha: {title} {tid} 关门以后一直没有看全，不等了；看得到了就再运行一次 bansha watch。",
                title=target.title,
                tid=target.tid,
            )
        )
    if all(tally.final for tally in look.tallies) and game.secrets.roles:
        say(phrase('bansha: 接下来：bansha do {path} "日{number} 导演 截票"', path=game.path, number=look.day.number))
    sys.stdout.flush()
    return [*(tally_code(tally) for tally in look.tallies), *([BoardError.exit_code] if look.unread else [])]
