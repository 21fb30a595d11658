"""[[day]] of game.toml: the windows, threads and facts of each day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from itertools import pairwise

from engine.gamefile import MOST, Section, suggest
from engine.ruleset import RuleSet
from engine.votekeys import day_keys, entry_keys, needs_thread
from scraper.errors import BanshaError, GameFileError
from scraper.phrases import phrase
from tally.calendar import DayLength, find_close
from tally.day import Day, Out, Span


class DaysOverlapError(GameFileError):
    """A day opens before the one before it has closed."""


def read_days(
    sections: tuple[Section, ...],
    names: Mapping[str, str],
    zone: tzinfo,
    board: str,
    ruleset: RuleSet,
    length: DayLength | None = None,
) -> tuple[tuple[Day, ...], dict[int, bool]]:
    """Every day in order, and for the days that say so whether a speed-up holds.

    `length` is what the file's own [calendar] says: with it a day may leave `closes` out.
    """
    declared: dict[int, bool] = {}
    found: list[tuple[Day, Section]] = []
    for section in sections:
        day = _read_day(section, names, zone, board, ruleset, length)
        if any(day.number == other.number for other, _ in found):
            raise section.error(
                "number", phrase("第 {number} 天写了两次", number=day.number), phrase("每一天一个 [[day]]，number 各不相同")
            )
        if "accelerated" in section.values:
            declared[day.number] = section.boolean("accelerated")
        found.append((day, section))
    found.sort(key=lambda pair: pair[0].number)
    for (earlier, _), (later, section) in pairwise(found):
        if later.opens < earlier.closes:
            problem = section.error(
                "opens",
                phrase(
                    "第 {number} 天 {clock} 开门，而第 {number2} 天 {clock2} 才关门",
                    number=later.number,
                    clock=_clock(later.opens),
                    number2=earlier.number,
                    clock2=_clock(earlier.closes),
                ),
                phrase("改 opens 或 closes，两天不可重叠"),
            )
            raise DaysOverlapError(problem.args[0])
    return tuple(day for day, _ in found), declared


def _read_day(
    section: Section, names: Mapping[str, str], zone: tzinfo, board: str, ruleset: RuleSet, length: DayLength | None
) -> Day:
    section.allow(
        *("number", "opens", "closes", "vote", "discussion", "progress"),
        *("sheriff", "chanted", "piper_out", "out", "barred", "accelerated"),
        *day_keys(ruleset.vote),
    )
    section.need(
        "number", "opens", *(() if length is not None else ("closes",)), *(("vote",) if needs_thread(ruleset.vote) else ())
    )
    number = section.integer("number", least=1)
    assert number is not None
    opens = section.moment("opens", zone)
    closes = _find_close(section, opens, length) if "closes" not in section.values else section.moment("closes", zone)
    if closes <= opens:
        raise section.error(
            "closes",
            phrase("{clock} 关门，不晚于 {clock2} 开门", clock=_clock(closes), clock2=_clock(opens)),
            phrase("改 opens 或 closes"),
        )
    written = section.values.get("discussion", [])
    discussions = written if isinstance(written, list) else [written]
    progress = _read_thread(section, "progress", section.values["progress"], board) if "progress" in section.values else None
    day = Day(
        number=number,
        opens=opens,
        closes=closes,
        vote=read_vote_thread(section, board),
        discussion=tuple(_read_thread(section, "discussion", item, board) for item in discussions),
        progress=progress,
        sheriff=_read_sheriff(section, names),
        chanted=find_seats(section, "chanted", section.texts("chanted"), names),
        out=_read_outs(section, names, zone, closes, entry_keys(ruleset.vote)),
        barred=frozenset(find_seats(section, "barred", section.texts("barred"), names)),
    )
    if any(out.name == day.sheriff and (out.at is None or out.at <= opens) for out in day.out):
        raise section.error(
            "sheriff", phrase("{name} 在这一天开门之前已经出局", name=day.sheriff), phrase('写继任的警长，没有就写 ""')
        )
    if section.boolean("accelerated"):
        return replace(day, speed_ups=(Span(closes - timedelta(seconds=ruleset.speed_up_lead)),))
    if "accelerated" not in section.values and progress is not None:
        return replace(day, speed_ups=None)
    return day


def _find_close(section: Section, opens: datetime, length: DayLength | None) -> datetime:
    closes = find_close(opens, length) if length is not None else None
    if closes is None:
        raise section.error(
            "", phrase("缺少 closes，[calendar] 也算不出来"), phrase("写上 closes = …，或在 [calendar] 里写 close = 21:00:00")
        )
    return closes


def read_piper_out(sections: tuple[Section, ...], zone: tzinfo) -> datetime | None:
    """When the piper was published as out: a moment of a day (or of the night behind it), or its opening for `true`."""
    found: datetime | None = None
    for section in sections:
        written = section.values.get("piper_out", False)
        if written is False:
            continue
        opens = section.moment("opens", zone)
        at = opens if written is True else section.moment("piper_out", zone)
        if at < opens:
            raise section.error(
                "piper_out",
                phrase("{clock} 在这一天开门之前", clock=_clock(at)),
                phrase("开门时才公示的写 piper_out = true；前一天公示的写进前一天"),
            )
        if found is not None:
            raise section.error("piper_out", phrase("写了两次"), phrase("吹笛者只出局一次，删去其中一个"))
        found = at
    return found


def read_vote_thread(section: Section, board: str) -> int:
    """The thread of a vote; 0 where it has none, and every vote is a line of the ledger or a table."""
    return _read_thread(section, "vote", section.values["vote"], board) if "vote" in section.values else 0


def _read_thread(section: Section, key: str, value: object, board: str) -> int:
    """The tid that a number or any link of the thread names."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise section.wrong(key, phrase("帖子的 tid 或地址"), phrase('{key} = 1235，或 {key} = "https://…"', key=key))
    tid = _read_tid(section, key, value, board)
    if tid > MOST:
        raise section.error(
            key,
            phrase("没有这么大的 tid"),
            phrase("检查是不是多打了几位；写成 {key} = 1235（帖子的 tid），或帖子的整个地址", key=key),
        )
    return tid


def _read_tid(section: Section, key: str, value: int | str, board: str) -> int:
    if str(value).strip().isdigit() and int(value) > 0:
        return int(value)
    from scraper.address import read_thread

    try:
        return read_thread(value, board).tid
    except BanshaError as error:
        raise section.error(key, error.args[0], phrase("{key} = 1235（帖子的 tid），或帖子的整个地址", key=key)) from None


def find_seats(section: Section, key: str, words: tuple[str, ...], names: Mapping[str, str]) -> tuple[str, ...]:
    for word in words:
        if word not in names:
            raise section.error(key, phrase("没有叫 {word!r} 的玩家", word=word), suggest(word, dict.fromkeys(names.values())))
    return tuple(dict.fromkeys(names[word] for word in words))


def _read_sheriff(section: Section, names: Mapping[str, str]) -> str | None:
    if "sheriff" not in section.values:
        return None
    written = section.text("sheriff")
    return find_seats(section, "sheriff", (written,), names)[0] if written else ""


def _read_outs(
    section: Section, names: Mapping[str, str], zone: tzinfo, closes: datetime, told: tuple[str, ...] = ()
) -> tuple[Out, ...]:
    value = section.values.get("out", [])
    if not isinstance(value, list):
        raise section.wrong("out", phrase("一列玩家"), phrase('out = ["豆沙", {{ name = "汤圆", at = 2018-06-04T15:00:00 }}]'))
    outs: dict[str, Out] = {}
    for item in value:
        one = Section(section.file, (*section.path, "out"), item if isinstance(item, dict) else {"name": item})
        one.allow("name", "at", *told)
        one.need("name")
        name = find_seats(section, "out", (one.name("name"),), names)[0]
        at = section.as_moment("out", one.values["at"], zone) if "at" in one.values else None
        if at is not None and at > closes:
            raise section.error(
                "out", phrase("{name} 在关门之后才出局（{clock}）", name=name, clock=_clock(at)), phrase("写进下一天的 out")
            )
        if name in outs:
            raise section.error("out", phrase("{name} 写了两次", name=name), phrase("删去其中一个"))
        outs[name] = Out(name, at)
    return tuple(outs.values())


def _clock(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S}"
