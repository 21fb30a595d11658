"""Questions at a terminal, by questionary; what players wrote is escaped before it is shown."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from engine.asking import Asker, Stopped
from engine.language import localize
from engine.report.safe import show
from scraper.phrases import phrase


class AtTerminal:
    """Asks the director."""

    def text(self, question: str, default: str = "", words: Sequence[str] = ()) -> str:
        """A line of text."""
        import questionary
        from prompt_toolkit.completion import WordCompleter

        completer = WordCompleter([show(localize(word)) for word in words], match_middle=True) if words else None
        return str(
            self._need(questionary.text(show(localize(question)), default=default, completer=completer).ask(kbi_msg=_stopped()))
        )

    def choose(self, question: str, choices: Sequence[str], default: str | None = None) -> str:
        """One of some."""
        import questionary

        shown = {show(localize(choice)): choice for choice in choices}
        proposed = show(localize(default)) if default is not None else None
        how = localize(phrase("（用上下键选）"))
        picked = questionary.select(show(localize(question)), list(shown), default=proposed, instruction=how).ask(
            kbi_msg=_stopped()
        )
        return shown[str(self._need(picked))]

    def confirm(self, question: str, default: bool = True) -> bool:
        """Yes or no."""
        import questionary

        return bool(self._need(questionary.confirm(show(localize(question)), default=default).ask(kbi_msg=_stopped())))

    @staticmethod
    def _need(answer: object) -> object:
        if answer is None:
            raise Stopped
        return answer


def _stopped() -> str:
    return localize(phrase("停下了。"))


def make_asker() -> Asker | None:
    """The director, where both ends of the command are a terminal; None where nobody can be asked."""
    return AtTerminal() if sys.stdin.isatty() and sys.stdout.isatty() else None
