"""The words around a check's findings, in Chinese and in English; boards, HTML and JSON get the Chinese ones."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.report.punctuation import Punctuation
from tally.finding import Severity
from tally.sounds.chant import Placing
from tally.sounds.exempt import ThreadKind

LABELS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "title": ("{game} · 叫声检查 · {scope}", "{game} · sounds · {scope}"),
        "all_days": ("全部各天", "all days"),
        "one_day": ("第 {day} 天", "day {day}"),
        "rule": ("规则", "rule"),
        "home_made": ("本局自定的叫声：{chars}", "this game's own sounds: {chars}"),
        "only_smilies": ("只能发表情", "smilies only"),
        "chanted": ("被吹笛", "chanted"),
        "from": ("{seat}：{start} 起{end}，{posts}", "{seat}: from {start}{end}; {posts}"),
        "until": ("，到 {end}（吹笛者出局）", " to {end} (the piper is out)"),
        "placed": ("{place} {count} 帖", "{count} {place}"),
        "no_posts": ("没有帖子", "no posts"),
        "nobody": ("没有人被吹笛，没有要查的。", "Nobody is chanted; there is nothing to check."),
        "unchecked": ("这套规则不公布谁被吹笛，不查。", "These rules tell nobody who is chanted: nothing is checked."),
        "summary": (
            "违规 {breaches} 帖，可疑 {suspects} 帖，备查 {notes} 帖",
            "breaches {breaches}, suspects {suspects}, notes {notes}",
        ),
        "clean": ("没有违规，没有可疑", "no breach and no suspect"),
        "result": ("结果", "result"),
        "more_notes": ("备查的没有列出，用 --notes 列出", "notes are not listed; --notes lists them"),
        "findings": ("须留意", "findings"),
        "evidence": ("证据", "evidence"),
        "seen_until": ("看到 {at} 为止", "seen until {at}"),
        "never_seen": ("有帖子从没看过", "some threads were never looked at"),
        "provisional": ("暂定：见“须留意”", "PROVISIONAL: see the findings"),
        "provisional_post": ("暂定：证据还不全", "PROVISIONAL: the evidence is not whole"),
        "post_breaches": ("违规 {count} 帖", "{count} breaches"),
        "post_clean": ("没有违规", "No breach"),
        "post_lawful": ("裁定合规 {count} 帖", "{count} ruled lawful"),
        "words": ("原文", "words"),
        "found": ("查出", "found"),
        "ruling": ("裁定", "ruling"),
        "left_out": ("……", "…"),
        "revision": ("第 {number} 版", "revision {number}"),
        "line": ("第 {line} 行", "line {line}"),
        "times": ("共 {count} 处", "{count} in all"),
        "machine": ("原判 {severity}", "was {severity}"),
        "figures": ("{earlier}连续 {runs}", "{earlier}runs {runs}"),
        "earlier": ("此前每声 {entropy} 比特；", "{entropy} bits each before; "),
        "C101": ("规定之外的字符{kinds}：{chars}", "characters outside the set{kinds}: {chars}"),
        "C102": ("看不见或伪装的字符{kinds}：{chars}", "invisible or disguised characters{kinds}: {chars}"),
        "C110": ("标点或符号{kinds}：{chars}", "punctuation or symbols{kinds}: {chars}"),
    }
)

RANKS: Mapping[Severity, tuple[str, str]] = MappingProxyType(
    {Severity.ERROR: ("违规", "BREACH"), Severity.WARNING: ("可疑", "SUSPECT"), Severity.NOTE: ("备查", "note")}
)

THREADS: Mapping[ThreadKind, tuple[str, str]] = MappingProxyType(
    {
        ThreadKind.DISCUSSION: ("讨论帖", "discussion"),
        ThreadKind.VOTE: ("投票帖", "vote"),
        ThreadKind.PROGRESS: ("进程帖", "progress"),
        ThreadKind.OTHER: ("帖子", "thread"),
    }
)

PLACES: Mapping[Placing, tuple[str, str]] = MappingProxyType(
    {
        Placing.INSIDE: ("白天", "in daytime"),
        Placing.DOUBT: ("不能确定", "in doubt"),
        Placing.NIGHT: ("夜里", "at night"),
        Placing.FREE: ("不在期间", "outside"),
    }
)


class CheckWords(Punctuation):
    """The words of one language ("zh" or "en")."""

    def __call__(self, label: str, **parameters: object) -> str:
        """A label, with its parameters put in."""
        return LABELS[label][self._place].format(**parameters)

    def rank(self, severity: Severity) -> str:
        """What a post is by the worst that was found in it."""
        return RANKS[severity][self._place]

    def thread(self, kind: ThreadKind) -> str:
        """What a thread is for."""
        return THREADS[kind][self._place]

    def placed(self, place: Placing, count: int) -> str:
        """How many posts lie somewhere."""
        return self("placed", place=PLACES[place][self._place], count=count)
