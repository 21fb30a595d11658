"""The letter to each player: his account, his identity, his number or vest, what he can do. Nothing of anybody else.

Whom he knows he is told when the rules tell him: contacts come after 爱神 has chosen, for lovers may change them.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.game import Game
from engine.play.rules import Play
from engine.play.skillset import Effect, Role
from engine.report.safe import defuse, show
from engine.starting.deal import Seated

# What a whole sentence of a rule post ends with.
_ENDS = ("。", ".", "）", ")")
FOLDER, TABLE = "letters", "letters.csv"
# Names that Windows keeps for devices, whatever their ending.
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)
_FORBIDDEN = '<>:"/\\|?*'


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter: the seat that it is for, the file's name, and its words."""

    seat: Seated
    account: str
    file: str
    text: str


def write_letters(
    game: Game, play: Play | None, seats: Sequence[Seated], passwords: dict[str, str], spare: Sequence[str] = ()
) -> tuple[Letter, ...]:
    """A letter for each seat, in the order of game.toml; `passwords` are by account, `spare` cards that were dealt to nobody.

    Which cards there are is public; which of them lie aside is not, so that no letter may differ by it.
    """
    by_name = {seat.name: seat for seat in seats}
    archer = _find_archer(play, {*(seat.role for seat in seats), *spare})
    letters = []
    for place, one in enumerate(game.roster.seats, 1):
        seat, account = by_name[one.name], one.accounts[0].name
        lines = _lines(game, play, seat, account, passwords.get(account) or passwords.get(one.name), archer)
        letters.append(Letter(seat, account, f"{place:02d}-{name_file(one.name)}.txt", "".join(f"{line}\n" for line in lines)))
    return tuple(letters)


def _find_archer(play: Play | None, cards: set[str]) -> str:
    """The identity among the cards that makes lovers; "" for none."""
    roles = play.roles if play is not None else ()
    return next(
        (role.name for role in roles if role.name in cards and any(one.effect is Effect.ARROW for one in role.skills)), ""
    )


def _lines(game: Game, play: Play | None, seat: Seated, account: str, password: str | None, archer: str) -> Iterator[str]:
    person = f"{show(seat.person.name)}，" if seat.person is not None else ""
    yield f"{person}你好！"
    yield ""
    yield f"这是《{show(game.title)}》给你一个人的信，终局以前请不要给任何人看。"
    yield ""
    yield f"你的角色：{show(seat.name)}"
    yield f"角色账号：{show(account)}"
    if password is not None:
        yield f"密码：{password}"
    yield f"你的身份：{seat.role}"
    if seat.number is not None:
        yield f"你的秘密数字：{seat.number}"
    if seat.vest is not None:
        yield f"你的马甲：{show(seat.vest)}"
    yield ""
    role = _find_role(game, play, seat.role)
    if role is not None and role.skills:
        yield "你的技能（节录，全文以规则帖为准）："
        for skill in role.skills:
            text = skill.clause.text or skill.name
            yield f"· {text if text.endswith(_ENDS) else f'{text}……'}"
        yield ""
        yield from _deadline(play, role)
    if archer:
        yield f"谁和你互知、谁和你共群，要等{archer}选定情侣以后才能告诉你（没有消息，就是没有）。"
    elif play is None or play.wolf_knowledge.knows:
        yield "谁和你互知、谁和你共群，开局以后告诉你（没有消息，就是没有）。"
    if game.seed_commitment:
        yield f"抽签的种子已经封存，终局公布，可以核对：{game.seed_commitment}"


def _find_role(game: Game, play: Play | None, name: str) -> Role | None:
    roles = play.roles if play is not None else game.ruleset.roles
    return next((role for role in roles if role.name == name), None)


def _deadline(play: Play | None, role: Role) -> Iterator[str]:
    """What must be chosen before the first day, and by when."""
    for step in play.opening if play is not None else ():
        mine = [skill for skill in role.skills if skill.name in step.skills and skill.forced]
        if mine:
            named = "、".join(skill.name for skill in mine)
            limit = f"收到信后 {step.minutes} 分钟内" if step.minutes else "游戏开始以前"
            yield f"请在{limit}告诉导演{named}的对象；到时没有，就随机决定。"
            yield ""


def name_file(name: str) -> str:
    """A name as a file can bear it on every system."""
    kept = "".join("_" if char in _FORBIDDEN or unicodedata.category(char)[0] == "C" else char for char in name)
    kept = kept.strip(" .")[:60] or "_"
    return f"_{kept}" if _DEVICES.match(kept) else kept


def write_table(letters: Iterable[Letter]) -> bytes:
    """The letters as one table for mail merge: UTF-8 with a byte order mark, no cell that a spreadsheet would run.

    The password stands in the letter itself alone: an apostrophe before it would make it another one.
    """
    written = tuple(letters)
    titles = list(dict.fromkeys(title for one in written if one.seat.person is not None for title in one.seat.person.more))
    numbers = [
        *(["秘密数字"] if any(one.seat.number is not None for one in written) else []),
        *(["马甲"] if any(one.seat.vest is not None for one in written) else []),
    ]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([defuse(cell) for cell in ("玩家", *titles, "角色", "账号", "身份", *numbers, "信")])
    for one in written:
        seat, person = one.seat, one.seat.person
        row = [
            person.name if person is not None else "",
            *(person.more.get(title, "") if person is not None else "" for title in titles),
            *(seat.name, one.account, seat.role),
            *([str(seat.number or "")] if "秘密数字" in numbers else []),
            *([seat.vest or ""] if "马甲" in numbers else []),
        ]
        writer.writerow([*(defuse(cell) for cell in row), defuse(one.text, lines=True)])
    return codecs.BOM_UTF8 + text.getvalue().encode("utf-8")
