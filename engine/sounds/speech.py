"""[speech] of game.toml: what chanted players may post in a home-made game, and when the detectors of codes speak up.

What the table leaves out is the rule system's own.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from engine.gamefile import Section
from scraper.phrases import phrase
from tally.sounds.chars import name_char
from tally.sounds.code import Measures
from tally.sounds.sets import SOUND_RULES, Punctuation, Slip, SoundRules, find_slip


@dataclass(frozen=True, slots=True)
class Speech:
    """The rule of sounds that a game is checked by, and the thresholds of the detectors."""

    rules: SoundRules
    measures: Measures


def read_speech(section: Section, ruleset: str) -> Speech:
    """Read the table for a rule system (its id); GameFileError names file, line, key and fix."""
    section.allow("chars", "smilies", "punctuation", "exempt", "whitespace", "thresholds")
    own = SOUND_RULES[ruleset]
    rules = replace(
        own,
        smilies=section.boolean("smilies", own.smilies),
        whitespace=section.boolean("whitespace", own.whitespace),
        punctuation=Punctuation(section.choice("punctuation", tuple(Punctuation), own.punctuation)),
        exempt=_read_exempt(section) if "exempt" in section.values else own.exempt,
    )
    if "chars" in section.values:
        chars = _read_chars(section)
        # Whoever writes a list wants it checked, whatever the system says; the rule post's sentence is no longer the rule.
        rules = replace(rules, chars=frozenset(chars), order=chars, checked=True, clause=None)
    return Speech(rules, _read_measures(section.table("thresholds")))


def _read_chars(section: Section) -> str:
    listed = section.values["chars"]
    if isinstance(listed, list):
        # As a list would be natural, and the fix that any text gets would show brackets and quotes as sounds.
        joined = "".join(word for word in listed if isinstance(word, str))
        raise section.error(
            "chars", phrase("是一列字，不是一串"), phrase('连着写，如 chars = "{joined}"', joined=joined or "喵汪")
        )
    chars = section.text("chars")
    if not chars:
        raise section.error(
            "chars", phrase("是空的"), phrase('每个可用的字写一次，如 chars = "喵汪"；用规则原有的叫声就删去这一行')
        )
    slip = find_slip(chars)
    if slip is None:
        return chars
    position, why = slip
    point, name = name_char(chars[position - 1])
    match why:
        case Slip.TWICE:
            problem, fix = phrase("写了两次"), phrase("删去其中一个")
        case Slip.WHITE:
            problem, fix = phrase("是空白"), phrase("删去它；空白本来就可以发，写 whitespace = false 才不可以")
        case Slip.SEPARATOR:
            problem, fix = phrase("是分隔号"), phrase('字与字之间什么也不写，如 chars = "喵汪"')
        case Slip.INVISIBLE:
            problem, fix = phrase("看不见，或不能单独显示"), phrase("删去它")
    char = chars[position - 1]
    shown = point if why in (Slip.WHITE, Slip.INVISIBLE) else phrase("{char}（{point}）", char=char, point=point)
    raise section.error(
        "chars",
        phrase("第 {position} 个字 {shown}：{problem}（{name}）", position=position, shown=shown, problem=problem, name=name),
        fix,
    )


def _read_exempt(section: Section) -> tuple[str, ...]:
    listed = section.values["exempt"]
    if isinstance(listed, list) and any(isinstance(label, str) and not label.strip() for label in listed):
        raise section.error("exempt", phrase("有一个标签是空的"), phrase("删去它；一个也不豁免就写 exempt = []"))
    labels = tuple(label.strip() for label in section.texts("exempt"))
    if len(set(labels)) != len(labels):
        raise section.error("exempt", phrase("同一个标签写了两次"), phrase("删去其中一个"))
    return labels


def _read_measures(section: Section) -> Measures:
    defaults = Measures()
    names = [field.name for field in fields(Measures)]
    section.allow(*names)
    chosen = {name: section.integer(name, getattr(defaults, name), least=1) for name in names}
    return Measures(**{name: value for name, value in chosen.items() if value is not None})
