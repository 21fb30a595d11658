"""The check of a morning report: everybody whom the opening publishes as out is named in it, and no secret word stands in it.

What is wrong are findings (E501–E517). Secret are, as the day opens: numbers, vests and roles that are not public, people,
passwords, the seed; what a skill is called, or a camp, while nothing published has named it (不能透露游戏流程相关信息), is a
warning. A word is found in another width, case or script (預言家) too, with spaces or marks of no width in between.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.announcing.morning import open_day
from engine.play.skillset import Effect
from engine.play.views import see_public
from tally.finding import Finding, Severity, severity
from tally.folding import fold
from tally.policy import TargetKind

if TYPE_CHECKING:
    from engine.announcing.announce import Desk
    from engine.announcing.morning import Cast
    from engine.play.views import PublicView

NUMBER, VEST, ROLE, PERSON, PASSWORD, THE_SEED, COURSE = "E511", "E512", "E513", "E514", "E515", "E516", "E517"
# What a finding does not repeat: it goes to a terminal, and perhaps on to the writer.
_UNSAID = (PASSWORD, THE_SEED)
# Words of the rules themselves that hold the name of a role, and tell of nobody who has it.
_PUBLIC_WORDS = ("被吹笛", "吹笛状态", "灵魂状态")
# What tells of the game's course besides skills and camps.
_COURSE = ("情侣", "殉情", "判负", "投降")
# Shorter ones stand in any text by accident.
_SHORTEST = 2


@dataclass(frozen=True, slots=True)
class Slip:
    """One thing that is wrong with a text, at its line and column (1-based; 0 where something is missing)."""

    finding: Finding
    line: int = 0
    column: int = 0

    @property
    def error(self) -> bool:
        """Whether the text cannot go out like this; else it is worth a look."""
        return severity(self.finding) is Severity.ERROR


@dataclass(frozen=True, slots=True)
class Secret:
    """A word that nobody may read yet, and the code of the finding that it makes."""

    code: str
    word: str


def check_text(desk: Desk, cast: Cast, text: str) -> tuple[Slip, ...]:
    """What is wrong with a morning report, in the order of the text; what is missing first."""
    return (*_missing(desk, cast, text), *_slips(desk, cast, text))


def _missing(desk: Desk, cast: Cast, text: str) -> Iterator[Slip]:
    seats = desk.game.roster.seats
    known = [fold(word) for seat in seats for word in (seat.name, *seat.aliases)]
    for names, code in ((cast.out, "E501"), (cast.chanted, "E502"), (cast.souls, "E503")):
        for name in names:
            seat = next((one for one in seats if one.name == name), None)
            words = (name, *(seat.aliases if seat is not None else ()))
            if not any(_names(text, fold(word), known) for word in words):
                yield Slip(Finding(code, (("who", name),), name if seat is not None else None))


def _names(text: str, word: str, known: list[str]) -> bool:
    """Whether a text names somebody, and not only another whose name holds his (夜行者, 夜行者二)."""
    whole = fold(text)
    for longer in known:
        if word in longer and word != longer:
            whole = whole.replace(longer, " ")
    return word in whole


def _slips(desk: Desk, cast: Cast, text: str) -> Iterator[Slip]:
    secrets = list_secrets(desk, cast.day)
    names = [fold(word) for seat in desk.game.roster.seats for word in (seat.name, *seat.aliases)]
    names += _PUBLIC_WORDS
    for number, line in enumerate(text.splitlines(), 1):
        for start, secret in _find(line, secrets, names):
            said = (("word", secret.word),) if secret.code not in _UNSAID else ()
            parameters = (("line", str(number)), ("column", str(start + 1)), *said)
            yield Slip(Finding(secret.code, parameters), number, start + 1)


def _find(line: str, secrets: Iterable[Secret], names: Iterable[str]) -> Iterator[tuple[int, Secret]]:
    """Where secret words stand in a line, in its order; of two that overlap the longer alone (预言家, not 预言 too)."""
    folded, places = _fold_line(line)
    covered = [found.span() for name in names if name for found in re.finditer(re.escape(name), folded)]
    covered = [(places[start], places[end - 1] + 1) for start, end in covered]
    hits: list[tuple[int, int, Secret]] = []
    for secret in secrets:
        if secret.code == NUMBER and secret.word.isdecimal():
            spans = [found.span() for found in re.finditer(_NUMBER.format(secret.word), _fold_digits(line))]
        else:
            found_in = [found.span() for found in re.finditer(re.escape(fold(secret.word)), folded)]
            spans = [(places[start], places[end - 1] + 1) for start, end in found_in]
        # A name that is public anyway may hold a secret word: 狼人3, or 7号.
        hits += [
            (start, end, secret) for start, end in spans if not any(first <= start and end <= last for first, last in covered)
        ]
    reached = 0
    for start, end, secret in sorted(hits, key=lambda hit: (hit[0], -hit[1])):
        if end > reached:
            reached = end
            yield start, secret


def _fold_line(line: str) -> tuple[str, list[int]]:
    """A line as it is read, and where in the line each of its characters stands."""
    folded = [fold(char) for char in line]
    return "".join(folded), [place for place, char in enumerate(folded) for _ in char]


_NUMBER = r"(?<![\d.:一二十]){}(?![\d.:]|\s*(?:天|日|夜|月|年|点|分))"
_DIGITS = str.maketrans("０１２３４５６７８９", "0123456789")
_CHINESE = "零一二三四五六七八九"


def _write_number(number: int) -> str:
    """A number below a hundred as it is written out."""
    tens, ones = divmod(number, 10)
    head = f"{_CHINESE[tens] if tens > 1 else ''}十" if tens else ""
    return head + (_CHINESE[ones] if ones or not tens else "")


def _fold_digits(line: str) -> str:
    return line.translate(_DIGITS)


def list_secrets(desk: Desk, day: int) -> tuple[Secret, ...]:
    """Every word that nobody may read yet as a day opens, with what it is."""
    game, secrets = desk.game, desk.game.secrets
    found: dict[Secret, None] = {}
    if desk.played is not None:
        view = see_public(open_day(desk, day))
        numbers = {name for name, number in secrets.numbers.items() if name in view.numbers or _was_listed(view, number)}
        vests = {*view.out, *([view.sheriff] if view.sheriff else [])}
        public = set(view.roles.values())
        messages = view.messages
    else:
        # Nothing but game.toml tells what was published.
        messages = ()
        told = game.day(day)
        numbers = {one.name for one in told.out} if told is not None else set()
        vests = {one.name for one in (told.targets_out or ())} if told is not None else set()
        open_cards = game.ruleset.vote.target in (TargetKind.NUMBER, TargetKind.VEST)
        public = set(secrets.roles.values()) if open_cards else set()
    for name, number in secrets.numbers.items():
        if name not in numbers:
            found |= {Secret(NUMBER, str(number)): None, Secret(NUMBER, f"{_write_number(number)}号"): None}
    found |= {Secret(VEST, vest): None for vest in secrets.vests.values() if vest not in vests}
    for role in game.ruleset.roles:
        words = (role.name, *role.aliases)
        if role.name in secrets.roles.values() and role.name not in public:
            found |= {Secret(ROLE, word): None for word in words if len(word) >= _SHORTEST}
    found |= {Secret(PERSON, person): None for person in secrets.people.values() if len(person) >= _SHORTEST}
    found |= {Secret(PASSWORD, word): None for word in secrets.passwords.values() if len(word) >= _SHORTEST}
    if secrets.seed:
        found[Secret(THE_SEED, secrets.seed)] = None
    # Of who was chanted an opening tells itself.
    skills = {skill.name for role in game.ruleset.roles for skill in role.skills if skill.effect is not Effect.CHANT}
    camps = {role.camp for role in game.ruleset.roles if role.camp}
    for word in sorted({*skills, *camps, *_COURSE}):
        if not any(word in message for message in messages):
            found.setdefault(Secret(COURSE, word))
    return tuple(one for one in found if fold(one.word))


def _was_listed(view: PublicView, number: int) -> bool:
    """Whether a number stands in a published list: several numbers that are out together are told without whose they are."""
    for message in view.messages:
        _, found, listed = message.partition("秘密数字：")
        if found and str(number) in re.findall(r"\d+", listed):
            return True
    return False
