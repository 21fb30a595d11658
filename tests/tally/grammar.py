"""A grammar of ballots as players write them, right and wrong, each with the result that its writer can expect.

It imports nothing of the program: every production says by itself, from the rule posts and the reading of them, whether it keeps
what was meant or spoils it, and by which reason. `deck` lists ballots of a system one production after another and mixed;
`mix` makes one from any choice of productions.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

# Stands in a text where the board shows a smiley.
SMILEY = "\ue000"

# Where several reasons hold, the first of these: voter, window, format, target.
ORDER = (
    "voter_out",
    "voter_barred",
    "before_open",
    "after_close",
    "malformed",
    "no_reason",
    "unknown_target",
    "ambiguous_target",
    "target_out",
    "target_barred",
)
NOT_A_BALLOT = "not a ballot"
ABSTAIN = "弃权"
# Who posts without having a seat.
SPECTATOR = "路人"


@dataclass(frozen=True)
class System:
    """What votes name in a rule system, and how else its writers spell and misspell that.

    `spellings` are other ways to write a target, `misses` values that name nobody, `several` values that may be more than one.
    `out` may not be named any more, `barred` neither though it is in ("" where the system has no such thing).
    """

    name: str
    voters: tuple[str, ...]
    targets: tuple[str, ...]
    spellings: Mapping[str, tuple[str, ...]]
    misses: tuple[str, ...]
    several: tuple[str, ...]
    out: str
    barred: str = ""
    numbers: bool = False


@dataclass(frozen=True)
class Piece:
    """One production: its name, what it makes of what it is given, and the flaw that it brings in ("" for none)."""

    name: str
    make: Callable[[str], str] = str
    flaw: str = ""


@dataclass(frozen=True)
class Choice:
    """One production for every part of a ballot; `target` is what is meant, "" for what is no target at all."""

    target: str
    spelling: Piece
    wrap: Piece
    label: Piece
    reason: Piece
    around: Piece
    author: Piece
    clock: Piece
    fate: Piece


@dataclass(frozen=True)
class Ballot:
    """A ballot as it is posted: its words, author and time, what became of it, and how it must end.

    `later` are the words that an edit leaves, `state` is normal, deleted or blocked; both after it was seen. `quotes` tells
    that it stands below a quote of somebody else's ballot.
    """

    text: str
    voter: str
    clock: str
    outcome: str
    made_of: tuple[str, ...]
    later: str = ""
    state: str = "normal"
    quotes: bool = False


@dataclass(frozen=True)
class Thread:
    """Ballots of one voter in order, the last of which is judged: `quotes` is for each the index of the one it quotes, or -1."""

    name: str
    texts: tuple[str, ...]
    clocks: tuple[str, ...]
    quotes: tuple[int, ...]
    outcome: str


def _insert(mark: str) -> Callable[[str], str]:
    return lambda text: text[:1] + mark + text[1:]


def _always(word: str) -> Callable[[str], str]:
    return lambda _: word


def widen(text: str) -> str:
    """ASCII in full-width forms."""
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


def _spaced(text: str) -> str:
    return " ".join(text)


def _traditional(text: str) -> str:
    return text.translate(str.maketrans("岚长风钟饺号权", "嵐長風鐘餃號權"))


# What changes how a name looks and not what it says.
KEEPING = (
    Piece("as it is"),
    Piece("full width", widen),
    Piece("in capitals", str.upper),
    Piece("in small letters", str.lower),
    Piece("decomposed", lambda text: unicodedata.normalize("NFD", text)),
    Piece("composed", lambda text: unicodedata.normalize("NFC", text)),
    Piece("traditional", _traditional),
    *(
        Piece(f"with U+{ord(mark):04X} inside", _insert(mark))
        for mark in "\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0f\u034f\u180e"
    ),
    Piece("with a smiley inside", _insert(SMILEY)),
    Piece("with a smiley behind", lambda text: text + SMILEY),
)
# Names may be spaced; digits that are spaced are two numbers.
SPACED = (
    Piece("spaced", _spaced),
    Piece("with U+3000 inside", _insert("\u3000")),
    Piece("with U+00A0 inside", _insert("\u00a0")),
    Piece("with U+2009 inside", _insert("\u2009")),
)
# What shows another thing than it says.
DISGUISED = tuple(
    Piece(f"with U+{ord(mark):04X} inside", _insert(mark), "unknown_target") for mark in "\u202e\u202d\u200f\u2066\u061c"
)
WRAPS = (
    Piece("bare"),
    Piece("in 【】", "【{}】".format),
    Piece("in 「」", "「{}」".format),
    Piece("in “”", "“{}”".format),
    Piece("in 《》", "《{}》".format),
    Piece("in half brackets", "[{}]".format),
    Piece("in unlike brackets", "（{})".format),
    Piece("a stop", "{}。".format),
    Piece("a half stop", "{}.".format),
    Piece("shouting", "{}！！！".format),
    Piece("a wave", "{}~".format),
    Piece("dots", "{}……".format),
    Piece("a comma", "{}，".format),
    Piece("a remark", "{}（他最可疑）".format),
    Piece("a half-width remark", "{}(sorry)".format),
    Piece("a remark and a stop", "{}（没别的了）。".format),
    Piece("a remark in a remark", "{}（他（真的）可疑）".format),
    Piece("spaces around", "  {}　".format),
)
SPOILING_WRAPS = (
    Piece("a particle", "{}吧".format, "unknown_target"),
    Piece("a word before", "就{}".format, "unknown_target"),
    Piece("mentioned", "@{}".format, "unknown_target"),
    Piece("denied", "不投{}".format, "unknown_target"),
    Piece("a remark without brackets", "{}他最可疑".format, "unknown_target"),
    Piece("a remark before", "（可疑）{}".format, "unknown_target"),
    Piece("an arrow", "→{}".format, "unknown_target"),
    Piece("a semicolon before", "；{}".format, "unknown_target"),
    Piece("an equals sign", "={}".format, "unknown_target"),
)


def _labels() -> Iterator[Piece]:
    for mark in ("", " ", "　", "1. ", "①", "- ", "★", "● ", "(1)", "\u200b", "※ "):
        yield Piece(f"opened by {mark!r}", f"{mark}投票对象：{{}}".format)
    for label in (
        "投票對象：",
        "投票对象:",
        "投票对象 ： ",
        "投票对象",
        "投票对象﹕",
        "投票对象︓",
        "投票对象︰",
        "投票对象∶",
        "投票对象：：",
        "投票对\u200b象：",
    ):
        yield Piece(f"{label!r}", f"{label}{{}}".format)
    for pair in ("【】", "［］", "[]", "（）", "「」", "《》", "{}", "〖〗"):
        name = f"in {pair}"
        opening, closing = (bracket * 2 if bracket in "{}" else bracket for bracket in pair)
        yield Piece(name, f"{opening}投票对象{closing}{{}}".format)
        yield Piece(f"{name} and a colon", f"{opening}投票对象{closing}：{{}}".format)
    yield Piece("a bracket around both", "【投票对象：{}】".format)
    yield Piece("twice the same", "投票对象：{0}\n投票对象：{0}".format)
    yield Piece("an empty one above", "投票对象：\n投票对象：{}".format)


LABELS = tuple(_labels())
SPOILING_LABELS = (
    # What the label does not open is chat.
    *(
        Piece(f"chat: {label}", f"{label}{{}}".format, "no target")
        for label in (
            "我觉得投票对象：",
            "投 票 对 象：",
            "投票对像：",
            "投票人：",
            "投票：",
            "对象：",
            "【投票】",
            "本人的投票对象是：",
            "大家的投票对象：",
            "vote: ",
            "🗳投票对象：",
        )
    ),
    Piece("nothing behind it", lambda value: "投票对象：", "malformed"),
    Piece("nothing but brackets", lambda value: "投票对象：【】", "malformed"),
    Piece("nothing but a stop", lambda value: "投票对象：。", "malformed"),
    Piece("in the next line", "投票对象：\n{}".format, "malformed"),
    Piece("in both formats", "投票对象：{0}\n改票对象：{0}".format, "malformed"),
)
REASONS = (
    Piece("a line", "{}\n投票理由：好吃".format),
    Piece("half width", "{}\n投票理由:x".format),
    Piece("in brackets", "{}\n【投票理由】他不说话".format),
    Piece("a blank line between", "{}\n\n投票理由：略".format),
    Piece("a chat line between", "{}\n想了很久\n投票理由：略".format),
    Piece("above", "投票理由：略\n{}".format),
    Piece("in its next line", "{}\n投票理由：\n就是他".format),
    Piece("a smiley", f"{{}}\n投票理由：{SMILEY}".format),
    Piece("a dot", "{}\n投票理由：。".format),
    Piece("without a colon", "{}\n投票理由 略".format),
    Piece("with a label in its words", "{}\n投票理由：看了大家的投票对象：都一样".format),
    Piece("in the same line", "{} 投票理由：略".format),
    Piece("glued", "{}投票理由：略".format),
    Piece("glued in brackets", "{}【投票理由】略".format),
)
# Behind a value, on its line: not possible where something that is no line's end follows the value.
SAME_LINE = frozenset({"in the same line", "glued", "glued in brackets"})
SPOILING_REASONS = (
    Piece("none", "{}".format, "no_reason"),
    Piece("an empty one", "{}\n投票理由：".format, "no_reason"),
    Piece("white space", "{}\n投票理由：　 ".format, "no_reason"),
    Piece("a mark of no width", "{}\n投票理由：\u200b".format, "no_reason"),
    Piece("an empty one above", "投票理由：\n{}".format, "no_reason"),
    Piece("another label", "{}\n理由：好吃".format, "no_reason"),
    Piece("of a change", "{}\n改票理由：好吃".format, "no_reason"),
    Piece("glued and empty", "{}投票理由：".format, "no_reason"),
)
AROUND = (
    Piece("nothing"),
    Piece("chat above", "早上好，我先投了。\n{}".format),
    Piece("much chat above", "昨天包子说7号可疑\n我看10号也是\n\n{}".format),
    Piece("smilies above", f"{SMILEY}{SMILEY}\n{{}}".format),
    Piece("below a quote", "{}".format),
    Piece("emoji above", "🎉🎉👨\u200d👩\u200d👧\n{}".format),
    Piece("the label in chat above", "我觉得投票对象：应该写清楚\n{}".format),
)
AUTHORS = (
    Piece("a seat"),
    Piece("out", flaw="voter_out"),
    Piece("barred", flaw="voter_barred"),
    Piece("a spectator", flaw=NOT_A_BALLOT),
)
CLOCKS = (
    *(Piece(clock) for clock in ("10:00", "09:30:00", "20:30", "20:59:59", "21:00:00")),
    *(Piece(clock, flaw="before_open") for clock in ("09:29:59", "08:00")),
    *(Piece(clock, flaw="after_close") for clock in ("21:00:01", "22:30")),
)
FATES = (
    Piece("left alone"),
    Piece("edited into another", lambda text: "投票对象：弃权\n投票理由：改主意了"),
    Piece("edited into chat", lambda text: "算了"),
    Piece("deleted"),
    Piece("blocked"),
)

_CHARACTERS = System(
    name="m29",
    voters=("饺子", "青岚", "老王", "夜行猫", "夜行者", "汤圆", "豆沙"),
    targets=("包子", "青岚", "夜行猫", "K先生", "1号", "10号", "🐱喵", "a&b<c>", "Napoléon", "弃权者", "豆包子", "Ⅱ世"),
    spellings={"包子": ("包包",), "K先生": ("老K",)},
    misses=(
        *("包籽", "包", "包子子", "子包", "11号", "0号", "К先生", "先生", "Napoleon", "夜行人", "再看看", "无", "空"),
        *("弃票", "弃", "你们猜"),
    ),
    several=("夜行", "夜", "包子、青岚", "包子和10号", "1号10号", "青岚 包子", "包子/青岚", "K先生或者老K或者1号", "弃权，包子"),
    out="汤圆",
)
_NUMBERS = System(
    name="secret-number",
    voters=("云朵", "秋水", "飞鸟", "阿木", "石头", "小满", "白露"),
    targets=("1", "2", "7", "10", "11", "12"),
    spellings={
        "1": ("1号", "一", "一号", "#1", "No.1", "no1", "１", "１号", "＃１"),
        "2": ("2號", "二", "NO.2"),
        "7": ("七", "７", "七号", "No.7号", "7 号"),
        "10": ("十", "10号", "十号", "１０", "1\u200b0"),
        "11": ("十一", "十一号", "#11"),
        "12": ("十二號", "No.12"),
    },
    misses=(
        *("13", "0", "07", "第7", "7楼", "7.0", "7.1", "-7", "⑦", "Ⅶ", "1O", "l2", "１３", "一百", "十十", "壹", "两", "云朵"),
        *("100", "七七", "七上八下"),
    ),
    several=(
        "1、2",
        "1和2",
        "1 2",
        "1,2",
        "1/2",
        "1号2号",
        "七号十号",
        "10 1",
        "弃权 1",
        "1或2",
        "一、二号和2",
        "七、八",
        "七和八",
        "１和２",
    ),
    out="9",
    barred="6",
    numbers=True,
)
_VESTS = System(
    name="vest",
    voters=("先知", "女巫", "守卫", "狼人一", "狼人二", "村民一", "村民二"),
    targets=("长风", "墨客", "青衫", "青衫客", "晚钟", "7", "Q"),
    spellings={"长风": ("风",), "墨客": ("MK", "mk")},
    misses=("长凤", "墨", "晚", "晚钟鼓", "7号", "17", "O", "先知", "女巫", "狼人一", "不知道"),
    several=("长风、墨客", "长风和晚钟", "青衫客青衫", "7和墨客", "弃权、长风"),
    out="寒江",
)
_SEATS = System(
    name="table",
    voters=("甲", "乙", "丙", "丁", "戊", "己", "庚"),
    targets=("甲", "乙", "丁", "大王"),
    spellings={
        "甲": ("1", "1号", "一号", "#1", "１"),
        "乙": ("2", "二", "No.2"),
        "丁": ("4号", "四号", "４"),
        "大王": ("王", "8", "八号", "8 号"),
    },
    misses=("癸", "第1", "01", "1楼", "13", "0", "小王八", "⑧", "天", "1.5"),
    several=("甲、乙", "1和2", "甲 2号", "1 2", "大王或者4号"),
    out="己",
    barred="庚",
    numbers=True,
)
SYSTEMS = (_CHARACTERS, _NUMBERS, _VESTS, _SEATS)
# 所有投票均为QQ私聊导演投票: what is written is a cell of the director's table.
ASSERTION = System(
    name="assertion",
    voters=("村一", "村二", "村三"),
    targets=("狼一", "狼二", "血一", "Ann", "Zoë"),
    spellings={"狼一": ("大灰",)},
    misses=("狼", "狼三", "狼一吧", "狼一、血一", "一", "Zoe", "狼一 血一", "弃票", "（狼一）x"),
    several=(),
    out="",
)


def mix(system: System, choice: Choice) -> Ballot:
    """The ballot that a choice of productions makes, with its result by the order in which reasons are told."""
    parts = [choice.spelling, choice.wrap, choice.label, choice.reason, choice.around, choice.author, choice.clock, choice.fate]
    value = choice.wrap.make(choice.spelling.make(choice.target))
    text = choice.around.make(choice.reason.make(choice.label.make(value)))
    return Ballot(
        text=text,
        voter=_voter_of(system, choice.author),
        clock=choice.clock.name,
        outcome=_judge(system, choice, [part.flaw for part in parts]),
        made_of=tuple(part.name for part in parts),
        later=choice.fate.make(text) if choice.fate.name.startswith("edited") else "",
        state=choice.fate.name if choice.fate.name in ("deleted", "blocked") else "normal",
        quotes=choice.around.name == "below a quote",
    )


def _voter_of(system: System, author: Piece) -> str:
    """A voter for each kind of author: the test's table has the last but one out and the last barred."""
    return {"out": system.voters[5], "barred": system.voters[6], "a spectator": SPECTATOR}.get(author.name, system.voters[0])


def _judge(system: System, choice: Choice, flaws: Sequence[str]) -> str:
    if choice.author.name == "a spectator":
        return NOT_A_BALLOT
    if choice.label.flaw == "no target":
        # A reason's label opens a line of it: then it is a ballot without its target, else none at all.
        has_label = choice.reason.name not in ("none", "another label", *SAME_LINE, "glued and empty")
        if not has_label:
            return NOT_A_BALLOT
        flaws = ["malformed" if flaw == "no target" else flaw for flaw in flaws]
    found = [flaw for flaw in flaws if flaw]
    if choice.target == system.out:
        found.append("target_out")
    if system.barred and choice.target == system.barred:
        found.append("target_barred")
    if found:
        return f"void {min(found, key=ORDER.index)}"
    return ABSTAIN if choice.target == ABSTAIN else f"→{choice.target}"


def plain(system: System, target: str = "") -> Choice:
    """The choice that makes a ballot as the rule post prints it."""
    first = target or system.targets[0]
    return Choice(first, KEEPING[0], WRAPS[0], LABELS[0], REASONS[0], AROUND[0], AUTHORS[0], CLOCKS[0], FATES[0])


def spellings_of(system: System, target: str) -> tuple[Piece, ...]:
    """Every way to write a target that still says it, and the disguised ones that do not."""
    named = tuple(Piece(f"as {word!r}", _always(word)) for word in system.spellings.get(target, ()))
    spaced = () if target.isdigit() else SPACED
    # A compatibility twin of a letter is another letter: only width folds, and Ⅱ has no width.
    return (*KEEPING, *named, *spaced, *DISGUISED) if len(target) > 1 else (*KEEPING[:7], *named)


def values_of(system: System) -> tuple[tuple[str, Piece], ...]:
    """What may stand behind the label: targets, the abstention, who is out or barred; what names nobody, or several."""
    named = [*system.targets, ABSTAIN, *(word for word in (system.out, system.barred) if word)]
    good = [(target, piece) for target in named for piece in spellings_of(system, target)]
    bad = [("", Piece(f"{word!r}", _always(word), "unknown_target")) for word in system.misses]
    bad += [("", Piece(f"{word!r}", _always(word), "ambiguous_target")) for word in system.several]
    return (*good, *bad)


def fits(system: System, choice: Choice) -> bool:
    """Whether the productions go together, and what they make has one meaning."""
    if choice.wrap.flaw and (choice.spelling.flaw == "ambiguous_target" or not choice.target):
        # A word more around what is no name is only more of the same.
        return False
    if choice.reason.name in SAME_LINE | {"glued and empty"} and (
        "\n" in choice.label.make("x") or choice.label.name == "a bracket around both" or choice.label.flaw
    ):
        return False
    if choice.label.name == "in both formats" and choice.reason.name == "of a change":
        return False
    if choice.label.name in ("in half brackets",) and choice.spelling.flaw:
        return False
    # Some values begin or end with what a wrap would take for its own.
    bare = choice.spelling.make(choice.target)
    return not (bare[:1] in "（([" or bare[-1:] in "）)]")


def deck(system: System, mixed: int = 60, seed: int = 7) -> list[Ballot]:
    """Every production of a system by itself on more than one target, then `mixed` ballots of productions put together."""
    base = plain(system)
    choices = [replace(base, target=target, spelling=piece) for target, piece in values_of(system)]
    parts: dict[str, tuple[Piece, ...]] = {
        "wrap": (*WRAPS, *SPOILING_WRAPS),
        "label": (*LABELS, *SPOILING_LABELS),
        "reason": (*REASONS, *SPOILING_REASONS),
        "around": AROUND,
        "author": AUTHORS,
        "clock": CLOCKS,
        "fate": FATES,
    }
    for number, (part, pieces) in enumerate(parts.items()):
        for place, piece in enumerate(pieces):
            target = system.targets[(number + place) % len(system.targets)]
            choices.append(replace(plain(system, target), **{part: piece}))  # type: ignore[arg-type]
    random = Random(seed)
    while mixed:
        target, spelling = random.choice(values_of(system))
        picked = {part: random.choice(pieces[: len(pieces) if random.random() < 0.5 else 3]) for part, pieces in parts.items()}
        choice = replace(plain(system, target), target=target, spelling=spelling, **picked)
        if fits(system, choice):
            choices.append(choice)
            mixed -= 1
    return [mix(system, choice) for choice in choices if fits(system, choice)]


def _vote(target: str, change: bool = False, reason: str = "略") -> str:
    form = "改票" if change else "投票"
    return f"{form}对象：{target}\n{form}理由：{reason}"


def threads(system: System) -> list[Thread]:
    """First votes and changes of one voter, each with where the last one ends. M29's rules, borrowed where a post is silent."""
    first, second, third = system.targets[:3]
    vote, change, again = _vote(first), _vote(second, change=True), _vote(third, change=True)

    def two(name: str, outcome: str, text: str = change, clock: str = "15:00", quotes: int = 0, before: str = vote) -> Thread:
        return Thread(name, (before, text), ("10:00", clock), (-1, quotes), outcome)

    return [
        two("a change", f"→{second}"),
        two("a change to the same", f"→{first}", _vote(first, change=True)),
        two("a change to the abstention", ABSTAIN, _vote(ABSTAIN, change=True)),
        two("a change from the abstention", f"→{second}", before=_vote(ABSTAIN)),
        two("a change that quotes nothing", "void change_not_reply", quotes=-1),
        two("a second first vote", "void second_vote", _vote(second), quotes=-1),
        two("a second first vote that quotes", "void second_vote", _vote(second)),
        two("a change with the reason of a vote", "void no_reason", f"改票对象：{second}\n投票理由：略"),
        two("a change that names nobody", "void unknown_target", _vote("没有这个人", change=True)),
        two("a change to who is out", "void target_out", _vote(system.out, change=True)),
        two("a change just before the last hour", f"→{second}", clock="19:59:59"),
        two("a change as the last hour begins", "void change_too_late", clock="20:00:00"),
        two("a late change that quotes nothing", "void change_too_late", clock="20:30", quotes=-1),
        two("a change after the close", "void after_close", clock="21:00:01"),
        two("a change in brackets", f"→{second}", f"【改票对象】{second}【改票理由】略"),
        two("a change in traditional characters", f"→{second}", f"改票對象：{second}\n改票理由：略"),
        two("a change of what was void", "void nothing_to_change", before=_vote("没有这个人")),
        two("a first vote after a void one", f"→{second}", _vote(second), quotes=-1, before=_vote("没有这个人")),
        two("a first vote in the last hour after a void one", f"→{second}", _vote(second), "20:59:59", -1, _vote("谁都不是")),
        Thread("a change of nothing", (change,), ("10:00",), (-1,), "void nothing_to_change"),
        Thread("two changes", (vote, change, again), ("10:00", "11:00", "12:00"), (-1, 0, 1), "void change_limit"),
        Thread("a change after a void one", (vote, change, again), ("10:00", "11:00", "12:00"), (-1, -1, 0), f"→{third}"),
        Thread("a late second change", (vote, change, again), ("10:00", "11:00", "20:30"), (-1, 0, 1), "void change_limit"),
    ]


@dataclass(frozen=True)
class Cell:
    """One cell of a director's table of votes, and what it names: a target, the abstention, or "" where the row is refused."""

    text: str
    names: str
    made_of: str = field(default="", compare=False)


def cells(system: System = ASSERTION) -> list[Cell]:
    """What a director may type into the column of targets. A cell has no smilies, and no remark: it is a name or a mistake."""
    made = [
        Cell(piece.make(target), "" if piece.flaw else target, piece.name)
        for target in (*system.targets, ABSTAIN)
        for piece in spellings_of(system, target)
        if SMILEY not in piece.make(target)
    ]
    made += [Cell(word, "", "names nobody, or several") for word in (*system.misses, "", "　")]
    return list(dict.fromkeys(made))
