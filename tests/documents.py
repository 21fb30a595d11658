"""docs/formats.md, votes.md, findings.md, templates.md and cli.md, made of the code: `python -m tests.documents` writes them.

The prose of a page stays as it is; what stands between `<!-- name -->` and `<!-- end -->` is made anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from string import Formatter

from engine.dayrules import DAY_RULES
from engine.report.templatewords import COMMANDS, VARIABLES
from engine.ruleset import RuleSet
from engine.rulesets import BUILT
from engine.switches import Switch
from engine.votetable import COLUMNS, NEEDED
from tally.advice import advise
from tally.ballot import Reason
from tally.formats import FORMATS, LIST_MARKS, PAIRS, PROXY_LABEL, STOPS, Form
from tally.kind import Severity
from tally.kinds import KINDS
from tally.policy import Clause, ElectionTie, Feigned, OffBoard, Publicity, SheriffScope, TargetKind, Tie, VotePolicy
from tally.requests import Ask, find_ask
from tally.rules import RULES
from tally.words import reason_words
from tests.command_page import make_blocks
from tests.tally.make import Table, Wrote, count, make_roster, result_of

DOCS = Path(__file__).parents[1] / "docs"
FORMATS_PAGE, VOTES_PAGE, FINDINGS_PAGE, COMMANDS_PAGE, TEMPLATES_PAGE = (
    DOCS / name for name in ("formats.md", "votes.md", "findings.md", "cli.md", "templates.md")
)
TABLE = Table(roster=make_roster(("饺子", "包子")))
# The systems in the order of the project's list; M29 is the one that spells the format out.
ORDER = ("m29", "secret-number", "vest", "assertion", "table")
_BLOCK = re.compile(r"(<!-- (?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_SEVERITIES = {Severity.ERROR: "错误", Severity.WARNING: "警告", Severity.NOTE: "备注"}
_FINDINGS = """# 须留意：每个代码的意思，和怎么办

由程序生成（`python -m tests.documents`），和程序不一致时测试不过。

**错误**：导演处理之前结果不算定（C 组除外：叫声违规不影响计票），命令以 1 退出。**警告**：照算，但请看一眼。**备注**：记录备查。
`{…}` 是参数，`--json` 和数据库的 `parameters` 里用同一个名字。任何一条都可以另有 `reason`（导演写的理由）、`operator`（录入人）、
`doubt`（不能证实的原因）和 `severity`（比平常轻时）。代码是公开的：只增不改。

"""
_GROUPS = (
    ("A", "页面和帖子"),
    ("B1", "一票怎么读"),
    ("B2", "一票后来怎样了"),
    ("B3", "时间和投票人"),
    ("B4", "整次投票"),
    ("B5", "开门、关门、申请"),
    ("C", "叫声（[sounds.md](sounds.md)）"),
    ("D", "罚牌和发言"),
    ("E1", "game.toml、账本、公布的结果"),
    ("E2", "裁定"),
    ("E3", "账本里不合规则的行"),
    ("E41", "身份配置"),
    ("E42", "身份配置：规则不建议的"),
    ("E4", "doctor：文件、电脑和论坛"),
    ("E5", "晨报"),
    ("E", "其他"),
)


def write_findings() -> str:
    """docs/findings.md: every code with its severity, parameters and sentence, and what to do."""
    text = _FINDINGS
    left = sorted(KINDS)
    for prefix, title in _GROUPS:
        codes = [code for code in left if code.startswith(prefix)]
        left = [code for code in left if code not in codes]
        if codes:
            text += f"## {prefix} {title}\n\n| 代码 | 级别 | 说什么 | 参数 | 怎么办 |\n|---|---|---|---|---|\n"
            text += "".join(f"{_row(code)}\n" for code in codes) + "\n"
    assert not left, left
    return text.rstrip("\n") + "\n"


def _row(code: str) -> str:
    kind = KINDS[code]
    said = (kind.chinese, kind.english)
    names = dict.fromkeys(name for text in said for _, name, _, _ in Formatter().parse(text) if name)
    told = "<br>".join(re.sub(r"\{(\w+)[^}]*\}", r"{\1}", text) for text in said)
    advice = "<br>".join(map(str, advise(code).parameters.values()))
    return f"| `{code}` | {_SEVERITIES[kind.severity]} | {_cell(told)} | {', '.join(names)} | {_cell(advice)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def fill(page: str) -> str:
    """A page with its tables made anew."""
    return _BLOCK.sub(lambda found: found[1] + _MAKERS[found["name"]]() + found[3], page)


def render_examples() -> str:
    """Each example of the formats with what it reads as, by counting it."""
    rows = ["| 写法 | 读作 |", "|---|---|"]
    for form in FORMATS:
        rows += [f"| {_code(text)} | {_read(text, form.form)} |" for text in (*form.takes, *form.leaves)]
    return "\n".join(rows) + "\n"


def _read(text: str, form: Form) -> str:
    script = [Wrote("投票对象：包子\n投票理由：略", by="包子")] if form is Form.CHANGE else []
    script.append(Wrote(text, by="包子", clock="15:00", quotes=(0,) if script else ()))
    result = result_of(count(script, TABLE), len(script) - 1)
    if result == "not a ballot":
        return "不是票"
    return result.removeprefix("→") if "→" in result or result == "弃权" else f"无效（{result}）"


def _code(text: str) -> str:
    return "` 换行 `".join(["", *text.split("\n"), ""]).removeprefix("` 换行 ").removesuffix(" 换行 `")


def render_labels() -> str:
    """What may open a line, and what is cut off a value."""
    written = [word for form in FORMATS for word in (*form.target, *form.reason)]
    return (
        f"- 标签：{'、'.join([*written, PROXY_LABEL])}。\n"
        f"- 标签前面可以有空格、零宽字符、一个左括号，和这样的序号：{' '.join(f'`{mark}`' for mark in LIST_MARKS)}。\n"
        f"- 括号：{' '.join(f'`{pair}`' for pair in PAIRS)}，形状相同的全角半角可以混用。\n"
        f"- 名字末尾的这些标点不算名字：{' '.join(f'`{stop}`' for stop in STOPS)}。\n"
    )


def render_requests() -> str:
    """The fixed forms of requests in each system, and what each asks for."""
    names = {Ask.SPEED_UP: "加速", Ask.EXTENSION: "延时", Ask.WITHDRAW: "撤回"}
    rows = ["| 规则 | 写法 | 读作 |", "|---|---|---|"]
    for key in ORDER:
        if (policy := DAY_RULES[key].requests) is None:
            rows.append(f"| {BUILT[key].title} | — | 规则没有申请 |")
            continue
        for word, ask in policy.words:
            assert find_ask(word, policy) is ask
            named = names[ask] if policy.speeds_up or ask is not Ask.SPEED_UP else "缩短"
            rows.append(f"| {BUILT[key].title} | `{word}` | {named} |")
    return "\n".join(rows) + "\n"


# What is worth saying of a reason beside its name.
_NOTES = {
    "after_close": "关门那一秒还算",
    "edited": "只在 `ballot.edits = \"void\"` 时",
    "malformed": "没有投票对象、对象是空的、两种格式混写",
    "no_reason": "改票格式须是改票理由；被吹笛的玩家可以不写",
    "ambiguous_target": "写了两个名字，或写的是两个名字的开头",
    "change_too_late": "按秒算，正好一小时也不行",
    "ruled_void": "账本里的那一行",
}  # fmt: skip


def render_reasons() -> str:
    """Every reason in the order in which the rules are tried, with M29's own sentence."""
    policy = BUILT["m29"].vote
    rows = ["| 原因 | 意思 | 规则贴原文（M29） |", "|---|---|---|"]
    reasons = dict.fromkeys(rule.reason for rule in RULES if rule.key in policy.clauses or rule.reason is Reason.EDITED)
    for reason in (*reasons, Reason.RULED_VOID):
        clause = policy.clauses.get(reason.value)
        rows.append(f"| `{reason.value}` | {_meaning(reason)} | {f'「{clause.text}」' if clause else '—'} |")
    return "\n".join(rows) + "\n"


def _meaning(reason: Reason) -> str:
    note = _NOTES.get(reason.value)
    return reason_words(reason) + (f"：{note}" if note else "")


def render_others() -> str:
    """The sentences of the other systems for reasons, where they have one of their own."""
    rows = ["| 规则 | 原因 | 规则贴原文 |", "|---|---|---|"]
    for key in ORDER[1:]:
        rows += [f"| {BUILT[key].title} | {names} | 「{clause.text}」 |" for names, clause in _own_clauses(BUILT[key].vote)]
    return "\n".join(rows) + "\n"


def _own_clauses(policy: VotePolicy) -> Iterator[tuple[str, Clause]]:
    grouped: dict[Clause, list[str]] = {}
    keys = {rule.key: rule.reason for rule in RULES} | {reason.value: reason for reason in Reason}
    for key, clause in policy.clauses.items():
        reason = keys.get(key.partition(":")[0])
        if key == "target_feigned" and policy.feigned_votable:
            # It is the clause of a switch that this system leaves off.
            continue
        if reason is not None and not clause.borrowed and clause.text:
            grouped.setdefault(clause, []).append(f"`{reason.value}`")
    for clause, reasons in grouped.items():
        yield "、".join(dict.fromkeys(reasons)), clause


def render_systems() -> str:
    """How each system votes, one row a question, from its policy."""
    chosen = [BUILT[key] for key in ORDER]
    rows = [f"| | {' | '.join(one.title for one in chosen)} |", f"|---|{'---|' * len(chosen)}"]
    for title, answer in _QUESTIONS:
        rows.append(f"| {title} | {' | '.join(answer(one) for one in chosen)} |")
    return "\n".join(rows) + "\n"


_TARGETS = {
    TargetKind.CHARACTER: "角色的名字",
    TargetKind.NUMBER: "秘密数字（7、７、七、7号、#7、No.7 都是 7）",
    TargetKind.VEST: "马甲",
    TargetKind.SEAT: "名字或座位号",
}
_OFF = {
    OffBoard.PROXY: "导演代投（账本、votes.csv）",
    OffBoard.TABLE: "举手，导演记在账本或 votes.csv",
    OffBoard.PRIVATE: "私下告诉导演，记在账本或 votes.csv",
}
_FEIGNED = {None: "—", Feigned.VOID: "作废，也不可被投", Feigned.NO_WEIGHT: "计 0 票，仍可被投"}
_PUBLIC = {Publicity.AT_THE_END: "终局才公布", Publicity.AFTER_THE_CLOSE: "当天计票后公布", Publicity.LIVE: "一直公开"}


def _ties(one: RuleSet) -> str:
    scope = "（须在平票者中）" if one.vote.sheriff_scope is SheriffScope.AMONG_TIED else "（不必在平票者中）"
    words = {Tie.SCAPEGOAT: "替罪羊", Tie.SHERIFF_TARGET: f"警长投的{scope}", Tie.RANDOM: "抽签", Tie.NOBODY: "无人"}
    return "，再".join(words[tie] for tie in one.vote.tie)


def _election(one: RuleSet) -> str:
    if one.vote.election_day is None:
        return "—"
    tied = "先到最高票者" if one.vote.election_tie is ElectionTie.EARLIEST else "平票无警长"
    return f"日{one.vote.election_day}，{tied}"


def _public(one: RuleSet) -> str:
    return "game.toml 写 F、G 或 H" if one.id == "vest" else _PUBLIC[one.vote.publicity]


def _changes(one: RuleSet) -> str:
    policy = one.vote
    return f"{policy.changes} 次，关门前 {policy.freeze // 60} 分钟起不行" if policy.changes else "不可改"


_QUESTIONS: tuple[tuple[str, Callable[[RuleSet], str]], ...] = (
    ("投票写什么", lambda one: _TARGETS[one.vote.target]),
    ("不在论坛上的票", lambda one: _OFF[one.vote.off_board]),
    ("警长的票", lambda one: f"{one.vote.sheriff_weight} 票" if one.vote.has_sheriff else "—"),
    ("竞选警长", _election),
    ("平票", _ties),
    ("无人投票", lambda one: "替罪羊，再无人" if Tie.SCAPEGOAT in one.vote.no_votes else "无人"),
    ("改票", _changes),
    ("装傻之后的白痴", lambda one: _FEIGNED[one.vote.feigned]),
    ("投自己", lambda one: "可以" if one.vote.self_vote else "不可以"),
    ("必须一致的票", lambda one: "、".join(one.vote.agree) or "—"),
    ("票何时公布", _public),
)
_COLUMN_MEANINGS = {
    "day": "the day's number: `2`, `日2`, `第2天`",
    "voter": "the seat that votes: name, alias, or a role that one seat has",
    "target": "what the vote names, exactly or by alias, or `弃权`; a near miss is an error",
    "time": "when it was cast: `2018-06-04 12:00`, `2018/6/4 12:00:30`, or ISO 8601; in the game's zone",
    "change": "`是` (`yes`, `1`, `改票`, `√`) where it is a change; empty or `否` where not",
    "poll": "which of the day's votes, where a day has several: `竞选`, `重投`, `审讯`, `撕咬`, `血饮`",
    "entered_at": "when you wrote it down, for `--known-at`",
    "operator": "who wrote it down",
    "remark": "anything",
}


def render_columns() -> str:
    """The columns of votes.csv, their other names, and what each holds."""
    rows = ["| column | also | needed | what it holds |", "|---|---|---|---|"]
    for name, (first, *others) in COLUMNS.items():
        rows.append(f"| `{first}` | {', '.join(others)} | {'yes' if name in NEEDED else ''} | {_COLUMN_MEANINGS[name]} |")
    return "\n".join(rows) + "\n"


def render_switches() -> str:
    """The switches that a count follows, by system, each with its default first."""
    rows = ["| switch | values | what it chooses | systems |", "|---|---|---|---|"]
    found: dict[tuple[str, str, str], list[str]] = {}
    for key in ORDER:
        for switch in BUILT[key].switches:
            if switch.counts:
                row = (switch.name, _values(switch), switch.meaning)
                found.setdefault(row, []).append(BUILT[key].title)
    for (name, values, meaning), systems in sorted(found.items()):
        rows.append(f"| `{name}` | {values} | {meaning} | {', '.join(systems)} |")
    return "\n".join(rows) + "\n"


def _values(switch: Switch) -> str:
    if isinstance(switch.default, tuple):
        return "[" + ", ".join(f'"{word}"' for word in switch.default) + "]"
    default = str(switch.default).lower() if isinstance(switch.default, bool) else str(switch.default)
    if switch.needed:
        return f"needed: {', '.join(switch.choices)}"
    return ", ".join([default, *(choice for choice in switch.choices if choice != default)]) + (
        ", true" if switch.default is False else ", false" if switch.default is True else ""
    )


def render_templates() -> str:
    """A section for each template: which commands write it, and what it is given."""
    text = ""
    for template, variables in VARIABLES.items():
        commands = " · ".join(f"`bansha {command}`" for command in COMMANDS[template])
        text += f"## {template}.bbcode\n\n{commands}\n\n| 变量 variable | 是什么 | what it is |\n|---|---|---|\n"
        for one in variables:
            chinese, english = ("（代码）", " (code)") if one.code else ("", "")
            text += f"| `{one.name}` | {one.chinese}{chinese} | {one.english}{english} |\n"
        text += "\n"
    return text.rstrip("\n") + "\n"


_MAKERS: Mapping[str, Callable[[], str]] = {
    "examples": render_examples,
    "labels": render_labels,
    "requests": render_requests,
    "reasons": render_reasons,
    "others": render_others,
    "systems": render_systems,
    "columns": render_columns,
    "switches": render_switches,
    "templates": render_templates,
    **make_blocks(),
}


if __name__ == "__main__":
    FINDINGS_PAGE.write_text(write_findings(), encoding="utf-8")
    for path in (FORMATS_PAGE, VOTES_PAGE, COMMANDS_PAGE, TEMPLATES_PAGE):
        path.write_text(fill(path.read_text(encoding="utf-8")), encoding="utf-8")
