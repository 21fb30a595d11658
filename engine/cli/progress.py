"""How a long fetch goes on, on standard error: a bar on a terminal, a line a page anywhere else."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self

from engine.cli.common import is_quiet, say
from engine.language import localize
from scraper.phrases import Phrase, phrase

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from engine.polling import Target
    from scraper.passes import PageOutcome
    from scraper.schedule import Plan

# A pass of fewer pages is over before a bar is read.
LONG = 5


class Watch:
    """Tells of the passes of one command, and counts the pages that were stored; use it as a context manager.

    While it is open, what the program logs goes past the bar.
    """

    def __init__(self, day: int | None = None) -> None:
        """`day` is named before each thread; None where the threads are of no day."""
        self.stored = 0
        self._day = day
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._log = tell_log(self.say)

    def __enter__(self) -> Self:
        self._log.__enter__()
        if sys.stderr.isatty() and not is_quiet():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._log.__exit__(kind, error, trace)
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def say(self, text: str) -> None:
        """A line about the work."""
        line = phrase("bansha: {text}", text=text)
        if self._bar is None:
            say(line)
        else:
            said = localize(line)
            self._bar.console.print(said, markup=False, highlight=False, soft_wrap=True)

    def begin(self, target: Target, plan: Plan) -> None:
        """A pass begins: a bar of its own, where it is long enough for one."""
        if self._bar is not None:
            self._drop_task()
            wanted = len({*range(plan.first, plan.pages + 1), *plan.besides} - plan.gathered)
            self._task = self._bar.add_task(localize(_name(self._day, target)), total=max(wanted, 1), visible=wanted >= LONG)

    def ask(self, target: Target, page: int) -> None:
        """A page is asked for."""
        if self._bar is None:
            say(phrase("bansha: {name}，第 {page} 页", name=_name(self._day, target), page=page))

    def came(self, target: Target, plan: Plan, outcome: PageOutcome) -> None:
        """A page came and is stored."""
        self.stored += 1
        if self._bar is not None and self._task is not None:
            task = self._bar.tasks[self._bar.task_ids.index(self._task)]
            total = max(len({*range(plan.first, outcome.pages + 1), *plan.besides} - plan.gathered), task.completed + 1)
            self._bar.update(self._task, advance=1, total=total, visible=total >= LONG)

    def _drop_task(self) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None


@contextmanager
def tell_log(say: Callable[[str], None]) -> Iterator[None]:
    """What the program logs, as lines about the work; whoever asks last is told, and nobody beside him."""
    logger, handler = logging.getLogger("scraper"), _Handler(say)
    before = logger.handlers[:]
    logger.handlers[:] = [handler]
    # --verbose has asked for more already.
    if logger.level != logging.DEBUG:
        logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.handlers[:] = before


class _Handler(logging.Handler):
    """Log lines as lines about the work."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.DEBUG)
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        self._say(record.msg if isinstance(record.msg, Phrase) else record.getMessage())


def _name(day: int | None, target: Target) -> str:
    if not day:
        return phrase("{title} {tid}", title=target.title, tid=target.tid)
    return phrase("第 {day} 天 {title} {tid}", day=day, title=target.title, tid=target.tid)
