"""How each language parts and brackets what the terminal says."""

from __future__ import annotations

from collections.abc import Iterable

from engine.language import LANGUAGES


class Punctuation:
    """The marks of one language ("zh" or "en")."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._place = LANGUAGES.index(language)

    def join(self, texts: Iterable[str]) -> str:
        """Texts in a list, parted as the language parts them."""
        return ("、", ", ")[self._place].join(texts)

    def comma(self, texts: Iterable[str]) -> str:
        """Parts of one clause, each with its comma before it."""
        return ("，", ", ")[self._place].join(texts)

    def chain(self, texts: Iterable[str]) -> str:
        """Clauses one after the other, parted as the language parts them."""
        return ("；", "; ")[self._place].join(texts)

    def aside(self, *texts: str) -> str:
        """Remarks in brackets; nothing where there is none."""
        said = self.comma(text for text in texts if text)
        opened, closed = (("（", "）"), (" (", ")"))[self._place]
        return f"{opened}{said}{closed}" if said else ""

    def tell(self, what: str, text: str) -> str:
        """A thing, and after a colon what is said of it; the thing alone where nothing is."""
        return f"{what}{('：', ': ')[self._place]}{text}" if text else what
