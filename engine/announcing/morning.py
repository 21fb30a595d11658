"""晨报: a skeleton for those who write it, and a check of what they wrote.

契合剧本与当天公示的出局玩家、被吹笛的玩家，以故事的形式阐述并展示给大家，但不能透露游戏流程相关信息。(秘密数字杀 · 晨报)

A skeleton holds nothing that the opening of the day does not publish. A text must name everybody whom the opening publishes as
out, should name the chanted, and may hold no secret word: numbers, vests and roles that are not public, people, passwords, seed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.announcing.moments import Moment, sort_messages
from engine.ledger import Phase, PhaseKind
from engine.play.messages import Told
from engine.play.views import PublicView, see_public
from scraper.errors import UsageError
from scraper.phrases import phrase
from tally.folding import fold
from tally.policy import TargetKind

if TYPE_CHECKING:
    from engine.announcing.announce import Desk
    from engine.play.state import GameState

RULE = "契合剧本与当天公示的出局玩家、被吹笛的玩家，以故事的形式阐述并展示给大家，但不能透露游戏流程相关信息。"
# Words of the rules themselves that hold the name of a role, and tell of nobody who has it.
_PUBLIC_WORDS = ("被吹笛", "吹笛状态", "灵魂状态")
# Shorter ones stand in any text by accident.
_SHORTEST = 2


@dataclass(frozen=True, slots=True)
class Cast:
    """Whom a day's morning report is about, as the opening publishes them: who is out, in order, and the chanted."""

    day: int
    out: tuple[str, ...]
    chanted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slip:
    """One thing that is wrong with a text, at its line and column (1-based; 0 where something is missing)."""

    kind: str
    word: str
    line: int = 0
    column: int = 0
    error: bool = True

    @property
    def sentence(self) -> str:
        """What is wrong, in words."""
        return phrase(_SENTENCES[self.kind], word=self.word, line=self.line, column=self.column)


_SENTENCES = {
    "out": "没有写到出局的 {word}",
    "chanted": "没有写到被吹笛的 {word}",
    "number": "第 {line} 行第 {column} 字：没有公示的秘密数字 {word}",
    "vest": "第 {line} 行第 {column} 字：没有公示的马甲 {word}",
    "role": "第 {line} 行第 {column} 字：没有公示的身份 {word}",
    "person": "第 {line} 行第 {column} 字：演员 {word}",
    "password": "第 {line} 行第 {column} 字：账号的密码",
    "seed": "第 {line} 行第 {column} 字：种子",
}


def read_cast(desk: Desk, day: int) -> Cast:
    """Whom the opening of a day publishes. UsageError where the game has not come to it."""
    game = desk.game
    if desk.played is None:
        found = game.day(day)
        if found is None:
            raise _not_yet(desk, day)
        veiled = game.ruleset.vote.target is TargetKind.VEST
        gone = (found.targets_out or ()) if veiled else found.out
        before = game.day(day - 1)
        earlier = {out.name for out in ((before.targets_out or ()) if veiled else before.out)} if before is not None else set()
        return Cast(day, tuple(out.name for out in gone if out.name not in earlier), () if veiled else tuple(found.chanted))
    state = _opened(desk, day)
    table = state.table
    call = table.vest if table.play.vests else table.name
    out: dict[str, None] = {}
    chanted: dict[str, None] = {}
    for public in sort_messages(desk.played):
        if (public.moment, public.day) != (Moment.OPENING, day):
            continue
        if public.message.told in (Told.DAY_OPENS, Told.OUT):
            out.update(dict.fromkeys(call(seat) for seat in public.message.seats))
        elif public.message.told is Told.CHANTED:
            chanted.update(dict.fromkeys(table.name(seat) for seat in public.message.seats))
    return Cast(day, tuple(out), tuple(chanted))


def write_skeleton(cast: Cast, title: str) -> str:
    """A text to write on from: whom to tell of, and what the rule asks; nothing else."""
    lines = [f"{title} 晨报 · 第 {cast.day} 天", "", f"（{RULE}）", ""]
    lines += [line for name in cast.out for line in (f"{name}：出局。", "（他的一段）", "")]
    lines += [line for name in cast.chanted for line in (f"{name}：被吹笛。", "（他的一段）", "")]
    if not cast.out and not cast.chanted:
        lines += ["（没有人出局，也没有人被吹笛。）", ""]
    return "\n".join(lines)


def check_text(desk: Desk, cast: Cast, text: str) -> tuple[Slip, ...]:
    """What is wrong with a morning report, in the order of the text; what is missing first."""
    return (*_missing(desk, cast, text), *sorted(_slips(desk, cast, text), key=lambda slip: (slip.line, slip.column)))


def _missing(desk: Desk, cast: Cast, text: str) -> Iterator[Slip]:
    known = [fold(word) for seat in desk.game.roster.seats for word in (seat.name, *seat.aliases)]
    for names, kind in ((cast.out, "out"), (cast.chanted, "chanted")):
        for name in names:
            seat = next((one for one in desk.game.roster.seats if one.name == name), None)
            words = (name, *(seat.aliases if seat is not None else ()))
            if not any(_names(text, fold(word), known) for word in words):
                yield Slip(kind, name, error=kind == "out")


def _names(text: str, word: str, known: list[str]) -> bool:
    """Whether a text names somebody, and not only another whose name holds his (夜行者, 夜行者二)."""
    whole = fold(text)
    for longer in known:
        if word in longer and word != longer:
            whole = whole.replace(longer, " ")
    return word in whole


def _slips(desk: Desk, cast: Cast, text: str) -> Iterator[Slip]:
    secret = list_secrets(desk, cast.day)
    names = [word for seat in desk.game.roster.seats for word in (seat.name, *seat.aliases)]
    names += _PUBLIC_WORDS
    for number, line in enumerate(text.splitlines(), 1):
        covered = [found.span() for name in names for found in re.finditer(re.escape(name), line)]
        for kind, word in secret:
            pattern = _NUMBER.format(word) if kind == "number" else re.escape(word)
            for found in re.finditer(pattern, _fold_digits(line), re.IGNORECASE):
                # A name that is public anyway may hold a secret word: 狼人3, or 7号.
                if not any(start <= found.start() and found.end() <= end for start, end in covered):
                    yield Slip(kind, word, number, found.start() + 1)


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


def list_secrets(desk: Desk, day: int) -> tuple[tuple[str, str], ...]:
    """Every word that nobody may read yet as a day opens, with what it is."""
    game, secrets = desk.game, desk.game.secrets
    view = see_public(_opened(desk, day)) if desk.played is not None else None
    found: dict[tuple[str, str], None] = {}
    for name, number in secrets.numbers.items():
        if view is not None and name not in view.numbers and not _was_listed(view, number):
            found["number", str(number)] = None
            found["number", f"{_write_number(number)}号"] = None
    told = {*view.out, *([view.sheriff] if view.sheriff else [])} if view is not None else set()
    found |= {("vest", vest): None for vest in secrets.vests.values() if vest not in told}
    public = set(view.roles.values()) if view is not None else set()
    for role in game.ruleset.roles:
        words = (role.name, *role.aliases)
        if role.name in secrets.roles.values() and role.name not in public:
            found |= {("role", word): None for word in words if len(word) >= _SHORTEST}
    found |= {("person", person): None for person in secrets.people.values() if len(person) >= _SHORTEST}
    found |= {("password", word): None for word in secrets.passwords.values() if len(word) >= _SHORTEST}
    if secrets.seed:
        found["seed", secrets.seed] = None
    return tuple(found)


def _was_listed(view: PublicView, number: int) -> bool:
    """Whether a number stands in a published list: several numbers that are out together are told without whose they are."""
    for message in view.messages:
        _, found, listed = message.partition("秘密数字：")
        if found and str(number) in re.findall(r"\d+", listed):
            return True
    return False


def _opened(desk: Desk, day: int) -> GameState:
    """The state as a day opens."""
    assert desk.played is not None
    phase = Phase(PhaseKind.DAY, day)
    state = next((one for one in desk.played.states if one.phase == phase), None)
    if state is None:
        raise _not_yet(desk, day)
    return state


def _not_yet(desk: Desk, day: int) -> UsageError:
    return UsageError(
        phrase("{path}: 第 {day} 天还没有开门。改法：先记完前一夜（bansha night），或改 --day。", path=desk.game.path, day=day)
    )
