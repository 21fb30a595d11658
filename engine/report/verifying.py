"""A result that was exported, held against the count of today: the same, or which rows are not.

Compared is what a digest covers: codes, parameters and places, not sentences.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.report.values import Json, find_digest, without_sentences
from engine.textfile import read_text
from scraper.errors import UsageError
from scraper.phrases import phrase

# What a result must have to be one of `tally --json`.
_NEEDED = ("game", "ruleset", "day", "as_of", "counts", "verdict", "digest")
_NAMES: Mapping[str, str] = {
    "game": phrase("比赛"),
    "ruleset": phrase("规则"),
    "day": phrase("第几天"),
    "poll": phrase("轮次"),
    "as_of": phrase("截至"),
    "complete": phrase("看全"),
    "final": phrase("最终"),
    "counts": phrase("票数"),
    "abstained": phrase("弃权"),
    "not_voted": phrase("未投票"),
    "void": phrase("无效"),
    "replaced": phrase("已改票"),
    "not_ballots": phrase("不是票的帖子"),
    "needs_ruling": phrase("待裁定"),
    "cards": phrase("罚牌"),
    "verdict": phrase("判定"),
    "findings": phrase("须留意"),
    "evidence": phrase("证据"),
    "window": phrase("开关门"),
    "events": phrase("经过"),
    "requests": phrase("申请"),
    "limits": phrase("限定"),
    "public": phrase("公布"),
    "weights": phrase("权重"),
}


@dataclass(frozen=True, slots=True)
class Exported:
    """One result of an exported file; `sound` tells whether its digest is that of what stands in it."""

    path: Path
    value: dict[str, Json]
    sound: bool

    @property
    def public(self) -> bool:
        """Whether it holds what everybody may see alone."""
        return "public" in self.value

    @property
    def limits(self) -> dict[str, str]:
        """The --as-of and --known-at it was counted with."""
        limits = self.value.get("limits")
        return {key: str(one) for key, one in limits.items()} if isinstance(limits, dict) else {}


@dataclass(frozen=True, slots=True)
class Deviation:
    """One list or fact of a result: what stands only in the file, and what only today's count has."""

    what: str
    missing: tuple[str, ...]
    extra: tuple[str, ...]


def read_exported(path: Path) -> tuple[Exported, ...]:
    """The results of a file that `tally --json` wrote (several, where a day has several votes); UsageError for any other."""
    try:
        value = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise UsageError(
            phrase("{path}:{lineno}: 不是 JSON。改法：写 `bansha tally … --json` 输出的文件。", path=path, lineno=error.lineno)
        ) from None
    values = value if isinstance(value, list) else [value]
    if not values or not all(_is_result(one) for one in values):
        raise UsageError(phrase("{path}: 不是计票结果。改法：写 `bansha tally … --json` 输出的文件。", path=path))
    return tuple(Exported(path, one, find_digest(one) == one["digest"]) for one in values)


def _is_result(value: object) -> bool:
    return isinstance(value, dict) and all(key in value for key in _NEEDED) and isinstance(value["day"], int)


def compare_values(exported: Mapping[str, Json], counted: Mapping[str, Json]) -> tuple[Deviation, ...]:
    """Every list and fact of an exported result that today's count has otherwise.

    What an older version did not write is not compared.
    """
    found = []
    for key, before in exported.items():
        if key not in ("digest", "operator") and (difference := _compare(key, before, counted.get(key))) is not None:
            found.append(difference)
    return tuple(found)


def _compare(key: str, before: Json, after: Json) -> Deviation | None:
    rows = [Counter(_rows(without_sentences(side))) for side in (before, after)]
    if rows[0] == rows[1] and _ordered(key, before) == _ordered(key, after):
        return None
    missing, extra = list((rows[0] - rows[1]).elements()), list((rows[1] - rows[0]).elements())
    if not missing and not extra:
        missing, extra = list(_rows(without_sentences(before))), list(_rows(without_sentences(after)))
    return Deviation(_NAMES.get(key, key), tuple(missing), tuple(extra))


def _ordered(key: str, value: Json) -> str:
    """The order of rows is part of a result: the digest covers it."""
    return json.dumps(without_sentences(value), ensure_ascii=False, sort_keys=True)


def _rows(value: Json) -> Iterator[str]:
    """The rows of a list, or the one of anything else, each as one line."""
    for row in value if isinstance(value, list) else [value]:
        yield row if isinstance(row, str) else json.dumps(row, ensure_ascii=False, sort_keys=True)


def verification_value(exported: Exported, counted: Mapping[str, Json]) -> dict[str, Json]:
    """A verification as JSON."""
    deviations = compare_values(exported.value, counted)
    return {
        "file": str(exported.path),
        "day": exported.value["day"],
        "same": exported.sound and not deviations,
        "unaltered": exported.sound,
        "digest": exported.value["digest"],
        "counted": counted["digest"],
        "differences": [{"list": one.what, "missing": list(one.missing), "extra": list(one.extra)} for one in deviations],
    }


def describe_verification(exported: Exported, counted: Mapping[str, Json]) -> Iterator[str]:
    """A verification in lines: the same, or each difference; - stands only in the file, + only in today's count."""
    where = phrase("{path} 第 {day} 天", path=exported.path, day=exported.value["day"])
    deviations = compare_values(exported.value, counted)
    if not exported.sound:
        yield phrase("{where}：摘要和内容对不上，文件被改过", where=where)
    if deviations:
        yield phrase("{where}：与现在的计票有 {count} 处不同", where=where, count=len(deviations))
        for one in deviations:
            yield phrase("  {line}", line=one.what)
            yield from (f"    - {row}" for row in one.missing)
            yield from (f"    + {row}" for row in one.extra)
    elif exported.sound:
        yield phrase("{where}：与现在的计票相同（{digest}）", where=where, digest=exported.value["digest"])
