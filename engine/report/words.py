"""The words of the terminal, in Chinese and English. What goes to JSON, SQLite and boards is Chinese and not from here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.language import load_catalogue
from engine.report.punctuation import Punctuation
from engine.report.safe import show
from scraper.phrases import translate
from tally.ballot import Reason
from tally.finding import Severity
from tally.result import Decision
from tally.words import place_words, reason_words

DECISIONS: Mapping[Decision, tuple[str, str]] = MappingProxyType(
    {
        Decision.EXILE: ("投票出局", "exiled"),
        Decision.SHERIFF: ("当选警长", "elected sheriff"),
        Decision.NOBODY: ("无人", "nobody"),
        Decision.DRAW: ("待抽签", "to be drawn"),
        Decision.IDENTITY: ("公示身份", "identity published"),
        Decision.SOUL: ("进入灵魂状态", "becomes a soul"),
    }
)

SEVERITIES: Mapping[Severity, tuple[str, str]] = MappingProxyType(
    {Severity.ERROR: ("错误", "error"), Severity.WARNING: ("警告", "warning"), Severity.NOTE: ("提示", "note")}
)

CARDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"yellow": ("黄牌", "yellow"), "red": ("红牌", "red"), "points": ("扣分", "points"), "off": ("罚下", "sent off")}
)

OFFENCES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"未投票": ("未投票", "did not vote"), "发言不足": ("发言不足", "spoke too little")}
)

MATCHES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "exact": ("与名字相同", "the exact name"),
        "alias": ("别名", "an alias"),
        "folded": ("不分全半角、大小写、空格、繁简", "after folding width, case, space and characters"),
        "number": ("号码", "a number"),
        "ruled": ("导演裁定", "ruled by the director"),
        "abstain": ("弃权", "an abstention"),
        "": ("", ""),
    }
)

LABELS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "title": ("{game} · 第 {day} 天 · 截至 {as_of}", "{game} · day {day} · as of {as_of}"),
        "title_poll": ("{game} · 第 {day} 天 · {poll} · 截至 {as_of}", "{game} · day {day} · {poll} · as of {as_of}"),
        "final": ("最终结果", "final"),
        "provisional": ("暂定，不是最终结果：{why}", "PROVISIONAL, not final: {why}"),
        "why_incomplete": ("有页面没有抓到", "pages are missing"),
        "why_pages": ("缺第 {pages} 页", "page {pages} is missing"),
        "why_ruling": ("有 {count} 帖待裁定", "{count} post(s) need a ruling"),
        "why_open": ("还没有在关门之后查看过", "nobody has looked since the close"),
        "why_unclosed": ("账本里还没有截票", "the ledger has not closed the vote"),
        "why_as_of": ("只算到关门之前的一刻", "counted only up to a moment before the close"),
        "why_errors": ("有 {count} 处错误待导演处理", "{count} error(s) wait for the director"),
        "target": ("投票对象", "target"),
        "votes": ("票数", "votes"),
        "voters": ("投票人（楼层）", "voters (floor)"),
        "no_votes": ("没有有效票", "no standing ballot"),
        "abstained": ("弃权", "abstained"),
        "not_voted": ("未投票", "not voted"),
        "not_ballots": ("不是票的帖子", "not ballots"),
        "void": ("无效", "void"),
        "replaced": ("已改票", "replaced"),
        "needs_ruling": ("待裁定", "needs a ruling"),
        "voter": ("投票人", "voter"),
        "floor": ("楼层", "floor"),
        "raw": ("写的是", "as written"),
        "reason": ("原因", "reason"),
        "clause": ("规则条文", "clause"),
        "cards": ("罚牌", "cards"),
        "card_open": ("建议", "proposed"),
        "card_given": ("账本第 {line} 行", "ledger line {line}"),
        "cards_title": ("{game} · 第 {day} 天 · 罚牌", "{game} · day {day} · cards"),
        "cards_none": ("这一天没有罚牌。", "No cards on this day."),
        "cards_wait": (
            "还没有关门，或投票帖没有看全，不能建议罚牌。",
            "The day is open, or its vote thread was not seen whole: no cards yet.",
        ),
        "cards_counted": ("计入", "counted"),
        "cards_ignored": ("不计", "not counted"),
        "cards_no_posts": ("没有帖子", "no posts"),
        "cards_then": ("确认后累计 {count} 张黄牌{red}", "{count} yellow card(s) once confirmed{red}"),
        "cards_then_red": ("，即红牌", ", which is red"),
        "cards_then_points": ("确认后累计扣 {count} 分{off}", "{count} point(s) once confirmed{off}"),
        "cards_then_off": ("，即罚下", ", which sends off"),
        "cards_records": ("到这一天为止", "up to this day"),
        "cards_record": ("{seat}：{yellows} 张黄牌", "{seat}: {yellows} yellow"),
        "cards_record_points": ("{seat}：扣 {points} 分", "{seat}: {points} point(s)"),
        "cards_confirm": (
            "确认：bansha cards {game} --day {day} --confirm {seats}",
            "confirm: bansha cards {game} --day {day} --confirm {seats}",
        ),
        "cards_written": ("已写进 {path} 第 {line} 行：{text}", "written to line {line} of {path}: {text}"),
        "post_at": ("{floor} pid={pid} tid={tid}", "{floor} pid={pid} tid={tid}"),
        "verdict": ("判定", "verdict"),
        "provisional_verdict": ("{verdict}（暂定）", "{verdict} (provisional)"),
        "unread": ("投票帖还没有读到，判定不了", "the vote thread was not read; there is nothing to judge"),
        "not_public": ("还没有可以公布的。", "Nothing may be published yet."),
        "votes_not_public": ("投票过程不公布。", "The votes themselves are not published."),
        "no_weights": (
            "警长是谁不公布，上面每张票都写作一票；判定按加权计票。",
            "Who the sheriff is is not published: every ballot above stands as one; the verdict is by the weighted count.",
        ),
        "race": ("先后", "the race"),
        "step": ("{at}  {target} {votes} 票  {voter} {floor}", "{at}  {target} {votes}  {voter} {floor}"),
        "findings": ("须留意", "findings"),
        "events": ("经过", "events"),
        "digest": ("摘要", "digest"),
        "operator": ("操作人", "operator"),
        "evidence": ("证据", "evidence"),
        "before": ("关门前最后一次查看 {at}", "last pass before the close {at}"),
        "after": ("关门后第一次查看 {at}", "first pass after the close {at}"),
        "never": ("无", "none"),
        "doubled": ("×{weight}", "×{weight}"),
        "by": ("{by} 代投", "cast by {by}"),
        "manipulated": ("被 {by} 操纵", "turned by {by}"),
        "ruled": ("裁定", "ruled"),
        "ledger": ("账本第 {line} 行", "ledger line {line}"),
        "table": ("{file} 第 {line} 行", "{file} line {line}"),
        "reading": ("若「{ruling}」：{counts}；{verdict}", "if “{ruling}”: {counts}; {verdict}"),
        "counted": ("{target} {votes}", "{target} {votes}"),
        "explain_title": ("{game} · 第 {day} 天 · {seat} 的每一帖", "{game} · day {day} · every post of {seat}"),
        "explain_none": ("投票帖里没有他的帖子，也没有为他代投。", "No post of his in the vote thread, and no proxy for him."),
        "explain_by": ("  账号 {by}", "  account {by}"),
        "explain_words": ("原话", "words"),
        "explain_label": ("格式", "format"),
        "explain_rule": ("规则", "rule"),
        "explain_passed": ("{rule}？否。", "{rule}? no. "),
        "explain_failed": ("{rule}？是！", "{rule}? YES! "),
        "explain_result": ("结果", "result"),
        "explain_ruled": ("（账本第 {line} 行的裁定）", " (ruled by ledger line {line})"),
        "explain_candidates": ("可能是 {names}", " may be {names}"),
        "explain_hints": ("是不是 {names}", " near: {names}"),
        "explain_lost": ("先到", "first"),
        "explain_lost_to": (
            "{target} 先到 {votes} 票：{at} {voter} {post}",
            "{target} reached {votes} first: {at} {voter} {post}",
        ),
    }
)


class Words(Punctuation):
    """The words of one language."""

    def __call__(self, label: str, **parameters: object) -> str:
        """A label, with its parameters put in."""
        return LABELS[label][self._place].format(**parameters)

    def translate(self, text: str) -> str:
        """A sentence that the count made, in this language."""
        return translate(text, load_catalogue(self.language))

    def reason(self, reason: Reason) -> str:
        """Why a ballot does not stand."""
        return reason_words(reason, self.language)

    def decision(self, decision: Decision) -> str:
        """What a vote decides."""
        return DECISIONS[decision][self._place]

    def severity(self, severity: Severity) -> str:
        """How much a finding matters."""
        return SEVERITIES[severity][self._place]

    def card(self, card: str) -> str:
        """The colour of a card."""
        return CARDS[card][self._place]

    def because_of(self, reason: str) -> str:
        """What a card is for; a reason that the director wrote stands as he wrote it."""
        return OFFENCES[reason][self._place] if reason in OFFENCES else show(reason)

    def place(self, place: str) -> str:
        """Where a post ended."""
        return place_words(place, self.language)

    def match(self, how: str) -> str:
        """By what a value matched a name; "" for not at all."""
        return MATCHES[how][self._place]

    def rule(self, rule: str) -> str:
        """A rule that was tried, by the reason that it gives where it fails."""
        named = next((reason for reason in Reason if reason.value == rule), None)
        return reason_words(named, self.language) if named else rule
