"""Finds the Chinese in what a command prints in English: what the rules call a thing, and what users wrote, may stand there."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from engine.game import load_game
from engine.replay import replay_case
from engine.rulesets import BUILT
from tests.engine.command import Ran

ROOT = Path(__file__).parents[2]
# Han characters, and the marks that stand between them.
_MARKS = "\u3001\u3002\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\uff5c"
CHINESE = re.compile(f"[\u3400-\u9fff{_MARKS}]+")
# With what stands among them: K先生.
PASSAGE = re.compile(rf"\w*[\u3400-\u9fff{_MARKS}][\w{_MARKS}]*")
# Words of a rule post, or of a post of the board, in the quotes of both languages.
QUOTED = re.compile("「[^」]*」|『[^』]*』")
SINGLE = re.compile(r"\S (?=U\+[0-9A-F]{4})")
# What a director types in the ledger, and the floors of a thread: names of things, in every language.
TERMS = frozenset(
    (
        *("夜", "日", "天亮", "截票", "导演", "投票", "改票", "代投", "收", "超时", "过时的", "裁定", "事实", "结果", "获胜"),
        *(
            "票",
            "竞选",
            "账号",
            "名字",
            "发言",
            "合规",
            "违规",
            "版本",
            "摘要",
            "无",
            "弃权",
            "弃权者",
            "警长",
            "撤销",
            "补",
            "胜",
            "负",
        ),
        *("楼主", "沙发", "板凳", "地板", "版杀", "规则贴"),
    )
)
# Commands whose standard output is a text for the board, or for its writer; and options that make one.
FOR_THE_BOARD = frozenset(("announce", "elevator", "morning", "post", "reveal", "day"))
# Lines that quote a message to pass on to a player, or to publish.
PASSED_ON = re.compile(r"\s*(tell|publish) ?.*?: ")
# So short a word is in any long text by chance: it must be a term or a name.
SHORT = 2


@cache
def read_rules() -> str:
    """What the rule posts say, which is quoted in their own words: every sentence that the program holds of them."""
    files = [path for room in ("engine/rulesets", "tally/sounds") for path in sorted((ROOT / room).glob("*.py"))]
    return "\n".join(path.read_text(encoding="utf-8") for path in (*files, ROOT / "engine/dayrules.py"))


@cache
def name_things() -> frozenset[str]:
    """Roles, skills, camps, and the rule systems' own names."""
    words: set[str] = set()
    for ruleset in BUILT.values():
        words.add(ruleset.title)
        for role in ruleset.roles:
            words |= {role.name, role.camp, *role.aliases}
            words |= {skill.name for skill in role.skills}
    return frozenset(words)


@cache
def read_demo() -> tuple[str, frozenset[str]]:
    """What the players of the example game wrote, and their names."""
    import tempfile

    folder = ROOT / "fixtures/m29/three_days"
    with tempfile.TemporaryDirectory() as made:
        database = Path(made) / "game.db"
        replay_case(folder, database)
        return read_posts(database), name_seats(folder)


def name_seats(folder: Path) -> frozenset[str]:
    """The players of a game by every name that they have, and what votes name."""
    roster = load_game(folder, before_days=True).roster
    words = (word for seat in roster.seats for word in (seat.name, *seat.aliases, *(account.name for account in seat.accounts)))
    return frozenset((*words, *(one.name for one in roster.targets or ())))


def find_chinese(line: str, ran: Ran, written: str, names: frozenset[str]) -> Iterator[str]:
    """Each Chinese passage of a command's output that is no term of the rules, no name, and no quotation of `written`."""
    known = TERMS | name_things() | names
    board = line.split()[0] in FOR_THE_BOARD and "--json" not in line
    for text in [ran.err] if board else [ran.out, ran.err]:
        for printed in text.split("\n[b]", 1)[0].splitlines():
            if printed.startswith("[b]") or PASSED_ON.match(printed):
                continue
            # A marked character is shown in brackets where it stands, and by itself with its code point.
            plain = SINGLE.sub("", QUOTED.sub("", printed)).replace("[!", "").replace("!]", "")
            for passage in PASSAGE.findall(plain):
                if passage in known or any(passage in name for name in names) or is_quoted(passage, written):
                    continue
                yield from (f"{line}: {word}: {printed}" for word in CHINESE.findall(passage) if word not in known)


def is_quoted(passage: str, written: str) -> bool:
    """Whether it stands in what was written; so short a word is in any long text by chance, unless it stands by itself."""
    return (len(passage) > SHORT and passage in written) or passage in written.split()


def read_posts(database: Path) -> str:
    """Every word that an archive holds of anybody's: posts, their authors and floors."""
    with sqlite3.connect(database) as connection:
        found = [
            str(text)
            for question in ("SELECT text FROM post_revisions", "SELECT author FROM posts", "SELECT floor FROM posts")
            for (text,) in connection.execute(question)
        ]
    connection.close()
    return "\n".join(found)
