"""What players and vests may be called: words that a reader can see, that no two share, and that the ledger keeps for nobody."""

from __future__ import annotations

import re
import unicodedata

from engine.gamefile import Section
from engine.ledger import DIRECTOR
from scraper.errors import GameFileError
from scraper.phrases import phrase
from tally.ballot import CURSE
from tally.folding import ZERO_WIDTH, fold
from tally.names import ABSTENTION
from tally.posted import NOBODY_WORD

SHERIFF = "警长"

# What a vote or a ruling says of nobody in particular, with why.
_NOT_A_TARGET = {
    ABSTENTION: phrase("投票对象写它就是弃权"),
    CURSE: phrase("投票对象写它就是弃权"),
    NOBODY_WORD: phrase("账本里 `裁定 结果 出局 无人` 说的是没有人出局"),
}
# Who acts in a ledger without being one player.
_NOT_AN_ACTOR = {word: phrase("账本里「{word}」另有所指", word=word) for word in (DIRECTOR, SHERIFF)}

# Letters of some scripts that print as nothing, beside the format characters.
_FILLERS = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
_UNSEEN = ("Cc", "Cf", "Cs", "Zs", "Zl", "Zp", "Mn", "Me")
_FOLDED = re.compile(f"[{ZERO_WIDTH}]")


class Words:
    """The names and aliases of all players, or of all vests, as they are read: each belongs to one."""

    def __init__(self, one: str, two: str, *, act: bool) -> None:
        """`one` and `two` are what such things are called; those that `act` write lines of the ledger under their names."""
        self._one, self._two = one, two
        kept = {**_NOT_A_TARGET, **(_NOT_AN_ACTOR if act else {})}
        self._kept = {fold(word): why for word, why in kept.items()}
        self._owners: dict[str, str] = {}

    def begin(self, section: Section, key: str, name: str) -> None:
        """Take in the name of the next one; GameFileError at `key` where it cannot be called so."""
        if name in self._owners.values():
            raise self._taken(section, key, name, name)
        self.add(section, key, name, name)

    def add(self, section: Section, key: str, word: str, owner: str) -> None:
        """Take in a word of one that was begun; GameFileError at `key` where it cannot be his."""
        check_visible(section, key, word)
        folded = fold(word)
        if (why := self._kept.get(folded)) is not None:
            raise section.error(
                key,
                phrase("{one}不能叫 {word!r}：{why}", one=self._one, word=word, why=why),
                phrase("换一个名字；弃权者 这样的名字可以"),
            )
        if (other := self._owners.setdefault(folded, owner)) != owner:
            raise self._taken(section, key, word, other)

    def _taken(self, section: Section, key: str, word: str, owner: str) -> GameFileError:
        problem = phrase("{word!r} 已是 {owner} 的名字（全半角、大小写、繁简、空格和零宽字符不分）", word=word, owner=owner)
        return section.error(key, problem, phrase("{two}的名字和别名都不可相同", two=self._two))


def check_visible(section: Section, key: str, word: str) -> None:
    """Refuse a name that prints as nothing, or holds a character without a shape that no reader of votes passes over."""
    seen = [char for char in word if unicodedata.category(char) not in _UNSEEN and char not in _FILLERS]
    wrong = [char for char in word if unicodedata.category(char) == "Cf" or char in _FILLERS]
    wrong = [char for char in wrong if not _FOLDED.match(char)] if seen else [*word]
    if wrong or not seen:
        marks = " ".join(dict.fromkeys(f"U+{ord(char):04X}" for char in wrong))
        if seen:
            problem = phrase("名字里有看不见的字符 {marks}", marks=marks)
        else:
            problem = phrase("名字没有看得见的字，只有 {marks}", marks=marks)
        fix = phrase("重新打一遍这个名字，不要从网页上复制；论坛账号里真有它时，写在 account 里")
        raise section.error(key, problem, fix)
