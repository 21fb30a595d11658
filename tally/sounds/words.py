"""What stands in the words of a post: characters outside the set, disguised ones, marks, and things that are no words."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

from scraper.post import Attachment, Code, Image, Line, Message, Smiley, Style, Text
from tally.finding import Severity
from tally.sounds.chars import WHITE, CharKind, classify_char, find_code
from tally.sounds.exempt import Exemption, ThreadKind, find_exemptions, list_labels
from tally.sounds.sets import Punctuation, SoundRules

# One post may hold a whole book: past so many findings the rest is counted in the last one.
MOST = 300
# Stands in a transcript for whatever is neither a sound nor a smiley nor white space.
OTHER = "·"

# The text codes of the stock smilies, as the archiver and the mobile API print them.
TEXT_SMILIES = re.compile(
    r":(?:loveliness|funk|curse|dizzy|shutup|sleepy|hug|victory|time|kiss|call):|:(?:lol|handshake)(?![A-Za-z])"
    r"|\{:\d{1,2}_\d{1,4}:\}|:'\(|:[)(DoP@$LQ]|;P"
)


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing found in a post, without whose post it is: a finding's code, place and parameters."""

    code: str
    line: int | None = None
    column: int | None = None
    char: str = ""
    parameters: tuple[tuple[str, str], ...] = ()
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class Reading:
    """What the words of a post hold: the hits in order, and the transcript that the detectors of codes measure.

    In the transcript each smiley is one character of the private plane, each mark or word is `OTHER`; exempt stretches are
    left out. `styles` are the styles of what is left, one after another, each differing from the one before.
    """

    hits: tuple[Hit, ...]
    transcript: tuple[str, ...]
    styles: tuple[Style, ...]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the words are read against: the kind of the thread, who is a target, and whether smilies are printed as text."""

    thread: ThreadKind = ThreadKind.DISCUSSION
    names_target: Callable[[str], bool] | None = None
    text_smilies: bool = False


def read_words(message: Message, rules: SoundRules, around: Surroundings) -> Reading:
    """Check every line of a message, and transcribe it."""
    ear = _make_ear(rules)
    hits: list[Hit] = []
    transcript: list[str] = []
    styles: list[Style] = []
    first = True
    for number, line in enumerate(message.lines, 1):
        heard = _hear(line, ear, rules)
        if heard is None:
            transcript.append(_read_line(number, line, first, rules, around, hits, styles))
        else:
            transcript.append(heard)
            for token in line:
                if isinstance(token, Text):
                    _add_style(styles, token.style, token.text)
        first = first and all(isinstance(token, Text) and not token.text.strip() for token in line)
    return Reading(_limit(hits), tuple(transcript), tuple(styles))


def show_smiley(name: str) -> str:
    """Give the one character that stands for a smiley in a transcript: the same for the same file name, in every post."""
    return chr(0xF0000 + zlib.crc32(name.encode()) % 0xFFFD)


@dataclass(frozen=True, slots=True)
class _Ear:
    """What one rule hears: the characters it allows, the pattern of every other one, and the judge of those.

    `plain` tells whether every label and every text code of a smiley has one of those: a line without any holds none then.
    """

    allowed: frozenset[str]
    foreign: re.Pattern[str]
    judge: Callable[[str], Hit | None]
    plain: bool


@lru_cache(maxsize=16)
def _make_ear(rules: SoundRules) -> _Ear:
    """Make the ear of a rule; its judge remembers each character that he has seen."""
    allowed = rules.chars | (WHITE if rules.whitespace else frozenset())
    listed = "".join(sorted(allowed))
    return _Ear(
        allowed,
        re.compile(f"[^{re.escape(listed)}]" if listed else r".", re.DOTALL),
        lru_cache(maxsize=4096)(partial(_judge_char, rules=rules)),
        all(set(label) - allowed for label in list_labels(rules)) and allowed.isdisjoint(":;"),
    )


def _hear(line: Line, ear: _Ear, rules: SoundRules) -> str | None:
    """Give the transcript of a line of nothing but sounds and smilies, in which there is nothing to find; None for any other.

    Most lines are such, and pass with one search of each run of words.
    """
    if not ear.plain:
        return None
    heard = ""
    for token in line:
        if isinstance(token, Text):
            if token.hidden or token.style.link or ear.foreign.search(token.text) is not None:
                return None
            heard += token.text
        elif isinstance(token, Smiley) and rules.smilies:
            heard += show_smiley(token.name)
        else:
            return None
    return heard


def _read_line(
    number: int, line: Line, first: bool, rules: SoundRules, around: Surroundings, hits: list[Hit], styles: list[Style]
) -> str:
    """Add the hits and styles of one line, and give its transcript."""
    flat = "".join(
        token.text if isinstance(token, Text) else f"[:{token.name}:]" if isinstance(token, Smiley) else "" for token in line
    )
    ear = _make_ear(rules)
    exempt = find_exemptions(flat, first=first, rules=rules, thread=around.thread, names_target=around.names_target)
    covered = _cover(line, exempt, rules, around)
    hits += [_note_exemption(number, flat, stretch) for stretch in exempt if stretch.remark]
    written: list[str] = []
    column = 0
    link = ""
    for token in line:
        match token:
            case Text(text=text, style=style, hidden=hidden):
                if style.link and style.link != link:
                    hits.append(_place(number, column, "link", style.link))
                link = style.link
                if hidden:
                    hits.append(_place(number, column, "hidden_text", text))
                written.append(_read_text(text, number, column, ear, covered, hits))
                _add_style(styles, style, written[-1])
                column += len(text)
            case Smiley(name=name):
                written.append(show_smiley(name))
                if not rules.smilies:
                    hits.append(_place(number, column, "smiley", name))
                column += len(name) + 4
            case Image(address=address):
                hits.append(_place(number, column, "image", address))
            case Attachment(name=name):
                hits.append(_place(number, column, "attachment", name))
            case Code(text=text):
                written.append(_read_text(text, number, column, ear, {}, hits))
                column += len(text)
    return "".join(written)


def _read_text(text: str, number: int, column: int, ear: _Ear, covered: dict[int, str], hits: list[Hit]) -> str:
    """Add the hits of one run of words, and give its transcript."""
    if not covered and ear.foreign.search(text) is None:
        return text
    written: list[str] = []
    for place, char in enumerate(text, column):
        if place in covered:
            written.append(covered[place])
        elif char in ear.allowed:
            written.append(char)
        else:
            written.append(OTHER)
            hit = ear.judge(char)
            if hit is not None:
                hits.append(Hit(hit.code, number, place + 1, char, hit.parameters, hit.severity))
    return "".join(written)


def _add_style(styles: list[Style], style: Style, written: str) -> None:
    # Most runs share one object: comparing two styles field by field is the dear part.
    if not (styles and (styles[-1] is style or styles[-1] == style)) and written.strip():
        styles.append(style)


def _judge_char(char: str, rules: SoundRules) -> Hit | None:
    """Judge a character that the pattern stopped at; the hit has no place yet."""
    kind = classify_char(char, rules.chars)
    severity = Severity.ERROR
    parameters: tuple[tuple[str, str], ...] = (("kind", kind.value),)
    match kind:
        case CharKind.MARK if rules.punctuation is Punctuation.IGNORE:
            return None
        case CharKind.MARK if rules.punctuation is Punctuation.WARNING:
            severity = Severity.WARNING
        case CharKind.LOST:
            # What the board or the reading lost proves nothing against the author.
            severity = Severity.WARNING
            parameters = (*parameters, ("doubt", "lost_character"))
        case _:
            pass
    return Hit(find_code(kind), None, None, char, parameters, severity)


def _cover(line: Line, exempt: tuple[Exemption, ...], rules: SoundRules, around: Surroundings) -> dict[int, str]:
    """Give, for every column (0-based) that is exempt or in a smiley's text code, what the transcript writes there."""
    covered = {column: "" for stretch in exempt for column in range(stretch.start, stretch.end)}
    if not around.text_smilies or not rules.smilies:
        return covered
    column = 0
    for token in line:
        if isinstance(token, Text):
            for code in TEXT_SMILIES.finditer(token.text):
                columns = range(column + code.start(), column + code.end())
                covered |= dict.fromkeys(columns, "")
                covered[columns[0]] = show_smiley(code.group())
            column += len(token.text)
        elif isinstance(token, Smiley):
            column += len(token.name) + 4
    return covered


def _note_exemption(number: int, flat: str, stretch: Exemption) -> Hit:
    parameters = (("why", stretch.remark), ("text", flat[stretch.start : stretch.end].strip()))
    return Hit("C107", number, stretch.start + 1, parameters=parameters, severity=Severity.NOTE)


def _place(line: int, column: int, place: str, text: str) -> Hit:
    return Hit("C103", line, column + 1, parameters=(("place", place), ("text", text[:200])))


def _limit(hits: list[Hit]) -> tuple[Hit, ...]:
    if len(hits) <= MOST:
        return tuple(hits)
    # The worst must not be hidden behind a flood of softened marks.
    kept = sorted(
        sorted(hits, key=lambda hit: hit.severity is not Severity.ERROR)[:MOST], key=lambda hit: (hit.line or 0, hit.column or 0)
    )
    last = kept[-1]
    more = (*last.parameters, ("more", str(len(hits) - MOST)))
    return (*kept[:-1], Hit(last.code, last.line, last.column, last.char, more, last.severity))
