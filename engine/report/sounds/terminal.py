"""A check for a terminal: breaches first, then suspects with their figures, notes last; what offends stands in `[!…!]`.

Nothing is said by colour alone, and no word of a player's reaches the terminal unescaped (see `safe`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.game import Game
from engine.language import tell_finding
from engine.report.safe import show
from engine.report.sounds.view import Entry, Remark, list_entries, reveal, reveal_char
from engine.report.sounds.words import CheckWords
from engine.report.terminal import clock, hang
from engine.report.words import SEVERITIES
from engine.sounds.check import CheckedSeat, SpeechCheck
from tally.finding import Finding, Severity, severity
from tally.sounds.chant import Placing
from tally.sounds.marks import Piece
from tally.words import term_words

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

# So many notes are listed without being asked for; so many characters of a kind, and places of a character.
_FEW, _CHARS, _PLACES = 5, 12, 8
_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "bold"}


def print_check(
    console: Console, check: SpeechCheck, game: Game, words: CheckWords, *, day: int | None = None, notes: bool = False
) -> None:
    """Print a check; notes are left out where there are many, unless they are wanted."""
    for part in _parts(check, game, words, day, notes or check.count(Severity.NOTE) <= _FEW):
        console.print(part)


def _parts(check: SpeechCheck, game: Game, words: CheckWords, day: int | None, notes: bool) -> Iterator[RenderableType]:
    from rich.text import Text

    scope = words("all_days") if day is None else words("one_day", day=day)
    yield Text(words("title", game=show(game.title), scope=scope), style="bold")
    if not check.checked:
        yield Text(words("unchecked"))
        return
    if is_provisional(check):
        yield Text(words("provisional"), style="bold yellow")
    yield hang(words("rule"), describe_rule(game, words))
    if check.seats:
        yield hang(words("chanted"), "\n".join(_describe_seat(one, game, words) for one in check.seats))
    else:
        yield hang(words("chanted"), words("nobody"))
    yield hang(words("result"), summarise(check, words, listed=notes), style="bold")
    seen = words("seen_until", at=clock(check.seen_until, game)) if check.seen_until else words("never_seen")
    if check.seats:
        yield hang(words("evidence"), seen)
    for entry in list_entries(check):
        if notes or entry.severity is not Severity.NOTE or entry.ruling is not None:
            yield Text()
            yield from _print_entry(entry, game, words)
    for position, finding in enumerate(check.findings):
        yield hang(words("findings") if position == 0 else "", _describe_finding(finding, words))


def describe_rule(game: Game, words: CheckWords) -> str:
    """The rule that a game is checked by: the sentence of the rule post, or the game's own set."""
    rules = game.speech.rules
    if rules.clause is not None:
        return f"「{rules.clause.text}」{words.aside(rules.clause.post)}"
    return words("home_made", chars=show(rules.order)) if rules.chars else words("only_smilies")


def summarise(check: SpeechCheck, words: CheckWords, *, listed: bool = True) -> str:
    """How many posts are what, in one line."""
    counts = {severity: check.count(severity) for severity in Severity}
    said = words("summary", breaches=counts[Severity.ERROR], suspects=counts[Severity.WARNING], notes=counts[Severity.NOTE])
    if not counts[Severity.ERROR] and not counts[Severity.WARNING]:
        said = f"{words('clean')}{words.aside(said)}"
    return said if listed else words.chain((said, words("more_notes")))


def is_provisional(check: SpeechCheck) -> bool:
    """Whether something that may hold a breach was not seen, or the times of all may be wrong."""
    return any(finding.code in ("C201", "C202") or severity(finding) is Severity.ERROR for finding in check.findings)


def _describe_seat(one: CheckedSeat, game: Game, words: CheckWords) -> str:
    end = words("until", end=clock(one.chant.end, game)) if one.chant.end is not None else ""
    posts = words.comma(words.placed(place, one.placed[place]) for place in Placing if one.placed.get(place))
    return words("from", seat=show(one.chant.seat), start=clock(one.chant.start, game), end=end, posts=posts or words("no_posts"))


def describe_place(entry: Entry, words: CheckWords) -> str:
    """Where a post stands: day, thread, floor, ids, and the revision where it is not the first."""
    source = entry.source
    parts = [words("one_day", day=entry.day), f"{words.thread(entry.thread)} {show(source.floor)}"]
    parts.append(f"tid={source.tid} pid={source.pid}")
    if source.revision > 1:
        parts.append(words("revision", number=source.revision))
    return " · ".join(parts)


def describe_remark(remark: Remark, words: CheckWords, *, places: bool = True) -> str:
    """One remark: what was found and where, a suspect's figures, and what it was before a ruling."""
    told = dict(remark.finding.parameters)
    if remark.chars:
        doubt = term_words(told["doubt"], words.language) if "doubt" in told else ""
        kind = term_words(told["kind"], words.language) if "kind" in told and remark.finding.code != "C110" else ""
        said = words(remark.finding.code, kinds=words.aside(kind, doubt), chars=_describe_chars(remark, words, places))
    else:
        source = remark.finding.source
        line = source.line if source is not None and places else None
        column = source.column if source is not None else None
        where = "" if line is None else f"{words('line', line=line)} " if column is None else f"{line}:{column} "
        said = where + show(tell_finding(remark.finding, words.language))
    extra = []
    if "entropy" in told:
        earlier = words("earlier", entropy=told["earlier_entropy"]) if told.get("earlier_entropy") else ""
        extra.append(words("figures", earlier=earlier, runs=told.get("runs") or "—"))
    if "machine" in told:
        extra.append(words("machine", severity=SEVERITIES[Severity(told["machine"])][words.language != "zh"]))
    return said + (f"{('｜', ' | ')[words.language != 'zh']}{words.chain(extra)}" if extra else "")


def _describe_chars(remark: Remark, words: CheckWords, places: bool) -> str:
    """Each character with its code point, its name where that says more, and its places."""
    said = []
    for marked in remark.chars[:_CHARS]:
        point = f"U+{ord(marked.char):04X}"
        parts = [part for part in (reveal_char(marked.char), point) if part != f"<{point}>"] or [f"<{point}>"]
        if point[2:] not in marked.name:
            parts.append(marked.name)
        if places:
            parts += [f"{line}:{column}" for line, column in marked.places[:_PLACES]]
        said.append(" ".join(parts))
    shown = sum(len(marked.places[:_PLACES]) for marked in remark.chars[:_CHARS]) if places else remark.count
    if len(remark.chars) > _CHARS or shown < remark.count:
        said.append(words("times", count=remark.count))
    return words.join(said)


def _print_entry(entry: Entry, game: Game, words: CheckWords) -> Iterator[RenderableType]:
    from rich.text import Text

    head = f"{words.rank(entry.severity)}  {show(entry.seat)}  {describe_place(entry, words)}  {clock(entry.at, game)}"
    yield Text(head, style=_STYLES[entry.severity])
    if entry.lines:
        yield hang(words("words"), _mark_lines(entry, words))
    for position, remark in enumerate(entry.remarks):
        label = f"[{remark.finding.code}]"
        yield hang(words("found") if position == 0 else "", f"{label} {describe_remark(remark, words)}")


def _mark_lines(entry: Entry, words: CheckWords) -> Text:
    from rich.text import Text

    marked = Text()
    for position, line in enumerate(entry.lines):
        if position:
            marked.append("\n")
        if line is None:
            marked.append(words("left_out"))
            continue
        number, pieces = line
        if len(entry.lines) > 1:
            marked.append(f"{number:>3}│ ")
        for piece in pieces:
            _mark_piece(marked, piece)
    return marked


def _mark_piece(marked: Text, piece: Piece) -> None:
    if piece.codes:
        marked.append(f"[!{reveal(piece)}!]", style="bold red")
    else:
        marked.append(reveal(piece))


def _describe_finding(finding: Finding, words: CheckWords) -> str:
    level = SEVERITIES[severity(finding)][words.language != "zh"]
    return f"[{level} {finding.code}] {show(tell_finding(finding, words.language))}"
