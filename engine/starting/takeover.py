"""A game that is taken up in the middle: the facts that hold as its first day here opens, checked before they are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from engine.asking import Asker
from engine.game import Game
from engine.play.chain import POISON, RED_CARD, SCAPEGOAT, SHOT, SICKNESS, SKILL_LOST, SUICIDE, VOTE
from engine.ruleset import RuleSet
from engine.starting.answers import Answers, need
from engine.starting.dealing import rules_of_game
from engine.starting.newgame import Given, has_souls
from scraper.errors import UsageError
from scraper.phrases import listing, phrase

NOBODY = "无"
_BY_SYSTEM = {
    "m29": ("杀人",),
    "secret-number": ("指杀",),
    "vest": ("杀人", "撕咬"),
    "assertion": (),
    "table": ("指杀", "杀人"),
}
_T = TypeVar("_T")


def list_causes(ruleset: str) -> tuple[str, ...]:
    """How a seat may have gone out in a system, as the ledger's own results say it."""
    return (VOTE, *_BY_SYSTEM[ruleset], POISON, SHOT, SUICIDE, SCAPEGOAT, RED_CARD, SKILL_LOST, SICKNESS)


def settle_given(answers: Answers, ruleset: RuleSet, names: Sequence[str], asker: Asker | None) -> Given | None:
    """What held at the takeover; None for a game from its beginning. UsageError names the option that is missing or wrong."""
    if answers.from_day is None:
        _refuse_facts(answers)
        return None
    souls = has_souls(ruleset)
    out: tuple[tuple[str, str], ...] = ()
    sheriff = ""
    if not souls or answers.out is not None:
        out = _settle(
            answers.out,
            asker,
            "--out 饺子:投票,包子:杀人",
            phrase("从中间接手，要知道谁出局了（没有写 无）"),
            lambda asked: asked.text(phrase("已出局的，按先后，名字:原因，用逗号隔开（没有就回车）"), "", names),
            lambda words: tuple(_read_outs(words, ruleset.id, names)),
        )
    if not souls or answers.sheriff is not None:
        sheriff = _settle_sheriff(answers.sheriff, {name for name, _ in out}, names, asker)
    chanted = _settle(
        answers.chanted,
        asker,
        "--chanted",
        phrase("从中间接手，要知道谁被吹笛（没有写 无）"),
        lambda asked: asked.text(phrase("被吹笛的，用逗号隔开（没有就回车）"), "", names),
        lambda words: tuple(_find_name(word, names) for word in words),
    )
    used = _settle(
        answers.used,
        asker,
        "--used",
        phrase("从中间接手，要知道用掉了哪些技能（没有写 无）"),
        lambda asked: asked.text(phrase("用掉的技能，如 女巫 救药，用逗号隔开（没有就回车）"), "", names),
        lambda words: words,
    )
    turned, published = (
        _settle_group(said, option, why, souls, names, asker)
        for said, option, why in (
            (answers.souls, "--souls", phrase("从中间接手，要知道谁进入了灵魂状态（没有写 无）")),
            (answers.published, "--published", phrase("从中间接手，要知道谁被公示了身份（没有写 无）")),
        )
    )
    lovers = tuple(_find_name(word, names) for word in answers.lovers)
    if len(lovers) not in (0, 2) or len({*lovers}) != len(lovers):
        raise UsageError(phrase("--lovers: 情侣是两名玩家。改法：写成 --lovers 饺子,包子。"))
    return Given(answers.from_day, out, sheriff, chanted, used, lovers, answers.lost, turned, published)


def _settle_sheriff(said: str | None, gone: set[str], names: Sequence[str], asker: Asker | None) -> str:
    if said is None:
        asked = need(asker, "--sheriff", phrase("从中间接手，要知道谁是警长（没有写 无）"))
        said = asked.choose(phrase("警长是谁"), [phrase("无"), *(name for name in names if name not in gone)])
    sheriff = "" if said.strip() in ("", NOBODY) else _find_name(said.strip(), names)
    if sheriff in gone:
        raise UsageError(phrase("--sheriff {name}: 他已经出局（--out）。改法：写出局以后继任的警长，没有就写 无。", name=sheriff))
    return sheriff


def _settle_group(
    said: tuple[str, ...] | None, option: str, why: str, souls: bool, names: Sequence[str], asker: Asker | None
) -> tuple[str, ...]:
    """Who is a soul, or public: asked where the system has such."""
    if not souls:
        if said is not None:
            raise UsageError(phrase("{option}: 这套规则里没有。改法：删去它。", option=option))
        return ()
    return _settle(
        said,
        asker,
        option,
        why,
        lambda asked: asked.text(phrase("{why}，用逗号隔开", why=why), "", names),
        lambda words: tuple(_find_name(word, names) for word in words),
    )


def _settle(
    said: tuple[str, ...] | None,
    asker: Asker | None,
    option: str,
    why: str,
    ask: Callable[[Asker], str],
    read: Callable[[tuple[str, ...]], _T],
) -> _T:
    """What was said, read; else what is asked, again and again until it can be read."""
    if said is not None:
        return read(said)
    asked = need(asker, option, why)
    while True:
        try:
            return read(split_words(ask(asked)))
        except UsageError as error:
            asked.confirm(phrase("{problem} 再写一次", problem=error), True)


def split_words(text: str) -> tuple[str, ...]:
    """Words that commas part, of either width; 无 is none."""
    parts = (part.strip() for part in text.replace("，", ",").replace("、", ",").split(","))
    return tuple(part for part in parts if part and part != NOBODY)


def _refuse_facts(answers: Answers) -> None:
    """Facts of a takeover where no game is taken over."""
    told = {
        "--out": answers.out,
        "--sheriff": answers.sheriff,
        "--chanted": answers.chanted,
        "--used": answers.used,
        "--lovers": answers.lovers or None,
        "--lost": answers.lost or None,
        "--souls": answers.souls,
        "--published": answers.published,
    }
    if written := [option for option, value in told.items() if value is not None]:
        raise UsageError(phrase("{options} 只在从中间接手时写。改法：加 --from-day N，或删去它。", options=listing(written)))


def _read_outs(words: Sequence[str], ruleset: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    causes = list_causes(ruleset)
    found = [_part(word.replace("：", ":"), names) for word in words]
    if twice := [name for name, count in Counter(name for name, _ in found).items() if count > 1]:
        raise UsageError(phrase("--out: {name} 写了两次。改法：每人只出局一次。", name=twice[0]))
    for name, cause in found:
        if cause not in causes:
            raise UsageError(
                phrase(
                    "--out {name}: 没有写原因，或没有 {cause!r} 这种。改法：写成 {name}:投票；原因有 {causes}。",
                    name=name,
                    cause=cause,
                    causes=listing(causes),
                )
            )
        yield _find_name(name, names), cause


def _part(word: str, names: Sequence[str]) -> tuple[str, str]:
    """A name and its cause; a name may have a colon of its own."""
    name, mark, cause = word.rpartition(":")
    return (name.strip(), cause.strip()) if mark and word not in names else (word, "")


def _find_name(word: str, names: Sequence[str]) -> str:
    if word not in names:
        raise UsageError(
            phrase(
                "没有叫 {name!r} 的玩家。改法：写名单里的名字：{names}；名单里少了他，就加 --player {name}。",
                name=word,
                names=listing(names),
            )
        )
    return word


def check_given(game: Game) -> None:
    """Hold the used skills and the lost camps of a game against its rules; UsageError names the option."""
    play = rules_of_game(game)
    if play is None or not game.given:
        return
    skills = {word for role in play.roles for skill in role.skills for word in (skill.name, *skill.aliases)}
    roles = {word for role in game.ruleset.roles for word in (role.name, *role.aliases)}
    names = {word for seat in game.roster.seats for word in (seat.name, *seat.aliases)}
    for text in _texts(game.given.get("used")):
        words = text.split()
        place = next((place for place, word in enumerate(words) if word in skills), None)
        if place is None:
            raise UsageError(
                phrase(
                    "--used {text!r}: 里面没有技能的名字。改法：写成 女巫 救药；技能有 {skills}。",
                    text=text,
                    skills=listing(dict.fromkeys(skill.name for role in play.roles for skill in role.skills)),
                )
            )
        for word in words[:place]:
            if word not in roles | names:
                raise UsageError(
                    phrase("--used {text!r}: {word} 不是玩家，也不是身份。改法：写成 女巫 救药。", text=text, word=word)
                )
    camps = [camp.name for camp in play.camps]
    for camp in _texts(game.given.get("lost")):
        if camp not in camps:
            raise UsageError(phrase("--lost {camp}: 没有这个阵营。改法：写 {camps} 中的。", camp=camp, camps=listing(camps)))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()
