"""What each template is given, and which commands make a post from it: docs/templates.md is made of this."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple


class Template(StrEnum):
    """The posts that are made from a template."""

    RULING = "ruling"
    ELEVATOR = "elevator"
    ANNOUNCEMENT = "announcement"
    RECORD = "record"
    TALLY = "tally"


class Variable(NamedTuple):
    """One name that a template may use, in Chinese and in English what it holds; `code` where it is BBCode already."""

    name: str
    chinese: str
    english: str
    code: bool = False


_TITLE = Variable("title", "这一局的名字", "the game's title")
_SECTIONS = (
    Variable("sections", "各节，依次", "the sections, in order"),
    Variable(
        "sections[].head", "一节的标题；announcement 里没有标题的是空的", "its heading; empty in an announcement without one"
    ),
    Variable("sections[].lines", "一节的各行", "its lines"),
)

COMMANDS: Mapping[Template, tuple[str, ...]] = MappingProxyType(
    {
        Template.TALLY: ("tally --bbcode", "post", "watch", "announce --moment close"),
        Template.ANNOUNCEMENT: ("announce", "post --announce", "reveal"),
        Template.ELEVATOR: ("elevator", "day"),
        Template.RULING: ("check --bbcode",),
        Template.RECORD: ("reveal -o",),
    }
)

VARIABLES: Mapping[Template, tuple[Variable, ...]] = MappingProxyType(
    {
        Template.TALLY: (
            Variable("title", "名字、第几天、截至何时", "the game's title, the day, and up to when", code=True),
            Variable(
                "standing", "还不是最终结果时，在等什么；最终结果时是空的", "what is waited for; empty once the result is final"
            ),
            Variable(
                "ballots",
                "每个对象的票、弃权、改票、未投票、无效；不公布时是空的",
                "votes per target, abstentions, changes, missing and void ballots; empty where votes are not public",
                code=True,
            ),
            Variable("verdict", "判定，和为什么", "the verdict, and why", code=True),
            Variable(
                "course",
                "票数的先后，和当天的加速、延时、开关门",
                "the race, and speed-ups, extensions and doors of the day",
                code=True,
            ),
            Variable("cards", "已经确认的罚牌", "the cards that were confirmed"),
            Variable("audit", "摘要和操作人", "digest and operator", code=True),
            Variable(
                "provisional", "「暂定，不是最终结果」；最终结果时是空的", "says that it is provisional; empty once it is final"
            ),
        ),
        Template.ANNOUNCEMENT: (
            _TITLE,
            Variable("moment", "是什么公示，如「第 2 天 开门」", "which announcement it is"),
            Variable(
                "provisional", "「暂定，不是最终结果」；最终结果时是空的", "says that it is provisional; empty once it is final"
            ),
            *_SECTIONS,
        ),
        Template.ELEVATOR: (
            Variable("title", "电梯楼的标题", "the heading of the floor"),
            Variable("threads", "各讨论帖", "the discussion threads"),
            Variable("threads[].tid", "帖子的编号", "its number"),
            Variable("threads[].riders", "在场的角色，按电梯楼的顺序", "who is in, in the order of the elevator"),
            Variable("threads[].riders[].name", "角色的名字", "the name"),
            Variable(
                "threads[].riders[].link",
                "只看他的地址；不知道 uid 时是空的",
                "the address of his posts alone; empty without a uid",
                code=True,
            ),
        ),
        Template.RULING: (
            Variable("title", "这一局的名字，和查的是哪几天", "the game's title, and which days were checked"),
            Variable("rule", "所依据的规则条文", "the sentence of the rules"),
            Variable(
                "provisional",
                "还有没看到的，或时刻可能有错；没有就是空的",
                "says that something was not seen; empty where all was",
            ),
            Variable("breaches_head", "违规的标题", "the heading of the breaches"),
            Variable("breaches", "违规的帖子", "the posts that break the rule"),
            Variable("breaches[].seat", "谁的", "whose it is"),
            Variable("breaches[].place", "在哪里", "where it stands"),
            Variable("breaches[].lines", "原文的各行，违规的字标出来", "its lines, with what offends marked", code=True),
            Variable("breaches[].remarks", "每一处是什么", "what each of it is"),
            Variable("lawful_head", "裁定合规的标题", "the heading of what was ruled lawful"),
            Variable("lawful", "裁定合规的帖子，各项与 breaches 相同", "the posts that were ruled lawful; each as in breaches"),
        ),
        Template.RECORD: (_TITLE, *_SECTIONS),
    }
)


def list_names(template: Template) -> tuple[str, ...]:
    """The names that stand at the top of a template."""
    return tuple(one.name for one in VARIABLES[template] if "." not in one.name)
