"""The grammar of the ledger, as a list of facts."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from engine.ledger import Event, LedgerError, PhaseKind, parse_ledger, parse_line, standing_events

SHANGHAI = ZoneInfo("Asia/Shanghai")


def read(line: str) -> Event:
    event = parse_line(line, 1, SHANGHAI)
    assert event is not None
    return event


# The lines of the contract's example, and what each says.
CONTRACT = [
    ("夜0 丘比特 丘比特之箭 饺子 包子", "夜0", "丘比特", "丘比特之箭", ["饺子", "包子"], ""),
    ("日1 导演 截票", "日1", "导演", "截票", [], ""),
    ("夜1 女巫 救药 4          ; a remark", "夜1", "女巫", "救药", ["4"], "a remark"),
    ("日2 导演 裁定 结果 出局 包子 ; 已误公示，维持", "日2", "导演", "裁定", ["结果", "出局", "包子"], "已误公示，维持"),
    ("日2 包子 放弃", "日2", "包子", "放弃", [], ""),
]


@pytest.mark.parametrize(("line", "phase", "actor", "act", "targets", "remark"), CONTRACT)
def test_a_line_is_phase_actor_act_targets_and_remark(
    line: str, phase: str, actor: str, act: str, targets: list[str], remark: str
) -> None:
    event = read(line)
    assert (str(event.phase), event.actor, event.act, [word.text for word in event.targets], event.remark) == (
        phase,
        actor,
        act,
        targets,
        remark,
    )


def test_pairs_and_targets_keep_their_order_and_columns() -> None:
    event = read("日2 导演 裁定 票 tid=1235 pid=88 计为 包子 ; 错别字")
    assert [(word.key, word.text, word.column) for word in event.words] == [
        (None, "票", 10),
        ("tid", "1235", 12),
        ("pid", "88", 21),
        (None, "计为", 28),
        (None, "包子", 31),
    ]


@pytest.mark.parametrize("word", ["夜3", "night3", "Night3", "夜３"])
def test_night_is_written_in_two_languages(word: str) -> None:
    phase = read(f"{word} 守卫 守护之盾 3").phase
    assert phase is not None
    assert (phase.kind, phase.number) == (PhaseKind.NIGHT, 3)


@pytest.mark.parametrize(
    ("written", "utc"),
    [
        ("@2018-06-05T22:10", datetime(2018, 6, 5, 14, 10, tzinfo=UTC)),
        ("@2018-06-05T22:10:30", datetime(2018, 6, 5, 14, 10, 30, tzinfo=UTC)),
        ("@2018-06-05T22:10+09:00", datetime(2018, 6, 5, 13, 10, tzinfo=UTC)),
    ],
)
def test_a_time_without_offset_is_in_the_zone_of_the_game(written: str, utc: datetime) -> None:
    assert read(f"夜1 猎人 最后一枪 6 {written}").at == utc


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ('"a b"', "a b"),
        ('"a;b"', "a;b"),
        ('"a=b"', "a=b"),
        ('"a@b"', "a@b"),
        ('"#7"', "#7"),
        (r'"a\"b"', 'a"b'),
        (r'"a\\b"', "a\\b"),
        ('"“全角”"', "“全角”"),
        ("a&b<c>", "a&b<c>"),
        ("🐱喵", "🐱喵"),
        ("Napoléon", "Napoléon"),
    ],
)
def test_a_name_with_a_character_of_the_grammar_stands_in_quotes(written: str, name: str) -> None:
    event = read(f"日2 {written} 投票 {written} by={written} ; 备注")
    value = event.value("by")
    assert value is not None
    assert (event.actor, event.targets[0].text, value.text, event.remark) == (name, name, name, "备注")


def test_a_full_width_space_and_a_full_width_semicolon_after_a_space_are_read() -> None:
    event = read("日2　导演　红牌　饺子　；催了三次")
    assert ([word.text for word in event.targets], event.remark) == (["饺子"], "催了三次")


def test_a_remark_may_hold_anything() -> None:
    assert read('日2 导演 截票 ; @x #1 "；; a=b').remark == '@x #1 "；; a=b'


def test_empty_lines_and_remarks_hold_no_event_and_count_as_lines() -> None:
    events = parse_ledger("; 第二天\n\n  \n日2 导演 截票\n", SHANGHAI)
    assert [(event.number, event.act) for event in events] == [(4, "截票")]


def test_a_stored_line_says_when_and_by_whom() -> None:
    event = read("日2 导演 红牌 饺子 entered_at=2018-06-05T21:30 operator=导演乙")
    assert (event.entered_at, event.operator, len(event.words)) == (datetime(2018, 6, 5, 13, 30, tzinfo=UTC), "导演乙", 1)


def test_a_late_line_is_marked() -> None:
    assert (read("补 夜1 女巫 救药 4").late, read("夜1 女巫 救药 4").late) == (True, False)


# line, column of the error, what the message shows
MALFORMED = [
    ("日2 导演 裁定 票 pid=5000 pid=5001 作废", 21, "pid= 写了两次"),
    ("日99999 导演 截票", 1, "没有这么多天"),
    ("导演 截票", 1, "导演"),
    ("夜 1 女巫 救药 4", 1, "夜"),
    ("夜一 女巫 救药 4", 1, "夜一"),
    ("日0 导演 截票", 1, "日0"),
    ("日2", 3, "行动者"),
    ("日2 导演", 6, "行动"),
    ("日2 导演 tid=3", 7, "行动"),
    ('日2 导演 红牌 "饺子', 10, "引号"),
    ('日2 导演 红牌 "饺"子', 13, "引号"),
    ("日2 导演 红牌 “饺子”", 10, "全角引号"),
    ("日2 导演 红牌 a@b", 11, "a@b"),
    ("日2 导演 红牌 a#b", 11, "a#b"),
    ("日2 导演 红牌 饺子；催了", 12, "；"),
    ("日2 导演 裁定 票 tid=", 16, "tid="),
    ("日2 导演 裁定 票 =88", 12, "键"),
    ("日2 导演 裁定 票 a=b=c", 15, "="),
    ("日2 导演 截票 @昨天", 10, "昨天"),
    ("日2 导演 截票 @2018-06-05", 10, "2018-06-05"),
    ("日2 导演 截票 @2018-06-05 22:10", 10, "2018-06-05"),
    ("日2 导演 截票 @2018-06-05T22:10 饺子", 28, "时间后面"),
    ("@2018-06-05T22:10", 1, "时间"),
    ("日2 导演 撤销 12", 10, "行号"),
    ("日2 导演 撤销", 7, "行号"),
    ("撤销 #1 #2", 7, "行号"),
    ("日2 导演 红牌 饺\x1b子", 11, "U+001B"),
]


@pytest.mark.parametrize(("line", "column", "shown"), MALFORMED)
def test_a_malformed_line_is_an_error_with_line_and_column(line: str, column: int, shown: str) -> None:
    with pytest.raises(LedgerError) as caught:
        parse_ledger(f"日1 导演 截票\n{line}", SHANGHAI, "ledger.txt")
    message = str(caught.value)
    assert message.startswith(f"ledger.txt:2:{column}: ")
    assert shown in message
    assert "改法：" in message
    assert caught.value.exit_code == 2


def numbers(text: str) -> list[int]:
    return [event.number for event in standing_events(parse_ledger(text, SHANGHAI))]


def test_an_undone_line_does_not_hold() -> None:
    assert numbers("日1 导演 截票\n日2 导演 红牌 饺子\n撤销 #2") == [1]


def test_an_undone_undoing_undoes_nothing() -> None:
    assert numbers("日1 导演 截票\n日2 导演 红牌 饺子\n撤销 #2\n日2 导演 撤销 #3 ; 手误") == [1, 2]


@pytest.mark.parametrize("target", ["#9", "#2", "#3"])
def test_only_an_earlier_line_can_be_undone(target: str) -> None:
    with pytest.raises(LedgerError, match=r"^ledger\.txt:2:4: "):
        numbers(f"日1 导演 截票\n撤销 {target}\n日2 导演 截票")
