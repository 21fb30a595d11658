"""A check as one HTML page that stands alone: what offends is marked in place, and says what it is under the pointer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

from engine.game import Game
from engine.report.safe import show
from engine.report.sounds.terminal import describe_place, describe_remark, describe_rule, is_provisional, summarise
from engine.report.sounds.view import Entry, list_entries, reveal
from engine.report.sounds.words import CheckWords
from engine.report.terminal import clock
from engine.sounds.check import SpeechCheck
from scraper.post import Source
from tally.finding import sentence
from tally.sounds.marks import Piece

_STYLE = """
body { font: 16px/1.6 sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em; }
article { border-left: 4px solid #999; margin: 1.5em 0; padding: 0 1em; }
article.error { border-color: #c00; } article.warning { border-color: #c80; }
h2 { font-size: 1em; margin: 0; } blockquote { background: #f4f4f4; margin: .5em 0; padding: .5em 1em; }
mark { background: #fcc; outline: 1px solid #c00; } .line { white-space: pre-wrap; } .cut { color: #777; }
@media (prefers-color-scheme: dark) {
  body { background: #111; color: #ddd; } blockquote { background: #222; } mark { background: #722; color: #fff; }
}
"""


def write_html(check: SpeechCheck, game: Game, *, day: int | None = None) -> str:
    """Write the page: the rule, the result, every post with its whole text, notes too."""
    return "".join(f"{line}\n" for line in _lines(check, game, CheckWords("zh"), day))


def write_articles(check: SpeechCheck, game: Game, link: Callable[[Source], str]) -> str:
    """Write what was found, without a page around it: the rule, the result, every post with its whole text.

    `link` gives the address of a post, or "".
    """
    words = CheckWords("zh")
    lines = [f"<p>{_safe(describe_rule(game, words))}</p>"]
    if is_provisional(check):
        lines.append(f"<p><strong>{_safe(words('provisional'))}</strong></p>")
    lines.append(f"<p><strong>{_safe(summarise(check, words))}</strong></p>")
    for entry in list_entries(check, whole=True):
        lines += _article(entry, game, words, head="h3", link=link)
    lines += _findings(check, words, head="h3")
    return "".join(f"{line}\n" for line in lines)


def _findings(check: SpeechCheck, words: CheckWords, head: str = "h2") -> Iterator[str]:
    """What was found of no post."""
    if check.findings:
        yield f"<{head}>{_safe(words('findings'))}</{head}><ul>"
        yield from (f"<li>{_safe(f'{finding.code} {sentence(finding)}')}</li>" for finding in check.findings)
        yield "</ul>"


def _lines(check: SpeechCheck, game: Game, words: CheckWords, day: int | None) -> Iterator[str]:
    scope = words("all_days") if day is None else words("one_day", day=day)
    title = _safe(words("title", game=game.title, scope=scope))
    yield "<!DOCTYPE html>"
    yield f'<html lang="zh"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head><body>'
    yield f"<h1>{title}</h1>"
    yield f"<p>{_safe(describe_rule(game, words))}</p>"
    if is_provisional(check):
        yield f"<p><strong>{_safe(words('provisional'))}</strong></p>"
    yield f"<p><strong>{_safe(summarise(check, words))}</strong></p>"
    for entry in list_entries(check, whole=True):
        yield from _article(entry, game, words)
    yield from _findings(check, words)
    yield "</body></html>"


def _article(
    entry: Entry, game: Game, words: CheckWords, head: str = "h2", link: Callable[[Source], str] = lambda _: ""
) -> Iterator[str]:
    yield f'<article class="{entry.severity.value}">'
    place, address = _safe(describe_place(entry, words)), link(entry.source)
    if address:
        place = f'<a href="{escape(address)}" rel="noreferrer">{place}</a>'
    told = f"{words.rank(entry.severity)}  <bdi>{_safe(entry.seat)}</bdi>  {place}  {clock(entry.at, game)}"
    yield f"<{head}>{told}</{head}>"
    if entry.lines:
        says = _name_codes(entry, words)
        shown = (line for line in entry.lines if line is not None)
        yield "<blockquote>"
        yield from (
            f'<div class="line">{"".join(_piece(piece, says) for piece in pieces) or "<br>"}</div>' for _, pieces in shown
        )
        yield "</blockquote>"
    yield "<ul>"
    yield from (f"<li>{_safe(f'{remark.finding.code} {describe_remark(remark, words)}')}</li>" for remark in entry.remarks)
    yield "</ul></article>"


def _name_codes(entry: Entry, words: CheckWords) -> dict[str, str]:
    """What each code in the post says, for the pointer."""
    found: dict[str, list[str]] = {}
    for remark in entry.remarks:
        found.setdefault(remark.finding.code, []).append(describe_remark(remark, words))
    return {code: "；".join(said) for code, said in found.items()}


def _piece(piece: Piece, says: dict[str, str]) -> str:
    if not piece.codes:
        return _safe(piece.text)
    told = "；".join(f"{code} {says.get(code, '')}" for code in piece.codes)
    return f'<mark title="{_safe(told)}">{escape(reveal(piece))}</mark>'


def _safe(text: str) -> str:
    return escape(show(text))
