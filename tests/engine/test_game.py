"""What a game file may say, and what each mistake in it gets: file, line, key and fix."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from engine.game import Game, load_game
from scraper.errors import GameFileError, UsageError
from tally.day import Out, Span
from tally.policy import ChangeReply, Tie

HEAD = """[game]
title = "试局"
ruleset = "m29"
timezone = "Asia/Shanghai"
directors = ["[M29]导演", { account = "导演乙", uid = 3 }]

[[player]]
name = "饺子"
account = "小泡饺子"
uid = 1001
aliases = ["饺", "jiaozi"]
games = 3

[[player]]
name = "包子"

[[player]]
name = "豆沙"

"""
DAY = """[[day]]
number = 2
opens = 2018-06-03T09:30:00
closes = 2018-06-05T21:00:00
vote = 1235
"""


def load(folder: Path, text: str | bytes) -> Game:
    path = folder / "game.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_game(path)


def fails(folder: Path, text: str | bytes) -> str:
    """The error of a game file, without its folder."""
    with pytest.raises(UsageError) as caught:
        load(folder, text)
    assert caught.value.exit_code == 2
    assert "改法：" in str(caught.value)
    assert [path.name for path in folder.iterdir()] == ["game.toml"], "nothing is written"
    return str(caught.value).removeprefix(str(folder)).lstrip("/\\")


def test_a_sheriff_may_go_out_in_the_middle_of_the_day(tmp_path: Path) -> None:
    (day,) = load(tmp_path, HEAD + DAY + 'sheriff = "饺子"\nout = [{ name = "饺子", at = 2018-06-03T09:30:01 }]\n').days
    assert day.sheriff == "饺子"


def test_a_game_is_its_players_directors_and_days(tmp_path: Path) -> None:
    game = load(tmp_path, HEAD + DAY)
    assert (game.title, game.ruleset.id, game.database.name) == ("试局", "m29", "game.db")
    assert [(seat.name, seat.accounts[0].name, seat.accounts[0].uid, seat.aliases) for seat in game.roster.seats] == [
        ("饺子", "小泡饺子", 1001, ("饺", "jiaozi")),
        ("包子", "包子", None, ()),
        ("豆沙", "豆沙", None, ()),
    ]
    assert [(director.name, director.uid) for director in game.roster.directors] == [("[M29]导演", None), ("导演乙", 3)]
    day = game.day(2)
    assert day is not None
    assert (day.opens, day.closes) == (datetime(2018, 6, 3, 1, 30, tzinfo=UTC), datetime(2018, 6, 5, 13, 0, tzinfo=UTC))
    assert (day.vote, day.sheriff, day.speed_ups) == (1235, None, ())


def test_the_facts_of_a_day_are_read(tmp_path: Path) -> None:
    day = load(
        tmp_path,
        HEAD
        + DAY
        + """discussion = [1234, "https://bbs.example.net/thread-1240-1-1.html"]
progress = 1236
sheriff = "饺"
chanted = ["包子"]
out = ["豆沙", { name = "包子", at = 2018-06-04T15:00:00 }]
barred = ["jiaozi"]
""",
    ).days[0]
    assert (day.discussion, day.progress, day.sheriff, day.chanted) == ((1234, 1240), 1236, "饺子", ("包子",))
    assert day.out == (Out("豆沙"), Out("包子", datetime(2018, 6, 4, 7, 0, tzinfo=UTC)))
    assert day.barred == {"饺子"}


@pytest.mark.parametrize(
    ("lines", "speed_ups"),
    [
        ("", ()),
        ("accelerated = false", ()),
        ("accelerated = true", (Span(datetime(2018, 6, 5, 10, 0, tzinfo=UTC)),)),
        ("progress = 1236", None),
        ("progress = 1236\naccelerated = false", ()),
    ],
)
def test_a_speed_up_holds_from_three_hours_before_the_close_and_waits_for_a_judgement_where_there_is_a_progress_thread(
    tmp_path: Path, lines: str, speed_ups: tuple[Span, ...] | None
) -> None:
    assert load(tmp_path, HEAD + DAY + lines).days[0].speed_ups == speed_ups


@pytest.mark.parametrize(
    ("written", "tid"),
    [
        ("1235", 1235),
        ('"1235"', 1235),
        ('"https://bbs.example.net/forum.php?mod=viewthread&tid=1235&page=2"', 1235),
        ('"https://bbs.example.net/thread-1235-1-1.html"', 1235),
        ('"http://www.bbs.example.net/viewthread.php?tid=1235"', 1235),
    ],
)
def test_a_thread_is_a_tid_or_any_link_of_it(tmp_path: Path, written: str, tid: int) -> None:
    forum = '[forum]\nurl = "https://bbs.example.net/"\n'
    assert load(tmp_path, forum + HEAD + DAY.replace("1235", written)).days[0].vote == tid


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "utf-16"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_file_is_read_in_the_encodings_that_editors_save(tmp_path: Path, encoding: str, line_end: str) -> None:
    game = load(tmp_path, (HEAD + DAY).replace("\n", line_end).encode(encoding))
    assert game.roster.seats[0].name == "饺子"


def test_switches_change_the_policy_and_are_documented(tmp_path: Path) -> None:
    lines = [
        '"ballot.change_reply" = "optional"',
        '"ballot.freeze" = 1800',
        '"tie_policy" = ["nobody"]',
        '"wolf.loss" = "identity"',
    ]
    game = load(tmp_path, HEAD + DAY + "\n".join(["[switches]", *lines]))
    assert (game.policy.change_reply, game.policy.freeze, game.policy.tie) == (ChangeReply.OPTIONAL, 1800, (Tie.NOBODY,))
    assert game.switches["wolf.loss"] == "identity"


def test_without_switches_the_policy_is_the_rule_sets(tmp_path: Path) -> None:
    game = load(tmp_path, HEAD + DAY)
    assert game.policy == game.ruleset.vote


def test_the_other_tables_of_the_contract_are_read(tmp_path: Path) -> None:
    game = load(
        tmp_path,
        HEAD
        + DAY
        + """[forum]
url = "https://bbs.example.net/forum.php"
timezone = "Asia/Tokyo"
cookies = "cookies.txt"
interval = 1.5
[calendar]
day = "36h"
weekend_extra = "1d"
holidays = [2018-06-18]
accelerate_at = 6
[cards]
min_posts = 3
yellow_to_red = 3
points = { "未投票" = 3 }
void_counts_as_vote = false
[speech]
chars = "喵汪"
punctuation = "warning"
exempt = ["投票对象"]
[given]
phase = "日3"
chanted = ["包子"]
""",
    )
    assert (game.forum.url, game.forum.cookies, game.forum.interval) == (
        "https://bbs.example.net/",
        tmp_path / "cookies.txt",
        1.5,
    )
    assert (game.calendar.day, game.calendar.holidays) == (timedelta(hours=36), (date(2018, 6, 18),))
    assert (game.cards.min_posts, game.cards.yellow_to_red, game.points) == (3, 3, {"未投票": 3})
    assert (game.policy.void_counts_as_vote, game.speech.rules.order, game.given["phase"]) == (False, "喵汪", "日3")


# what is added to or replaced in a good file, the line and key of the error, and what the message shows
SECOND = DAY.replace("number = 2", "number = 3").replace("2018-06-03T09", "2018-06-05T08").replace("05T21", "07T21")
MISTAKES: list[tuple[str, str, str, int, str, str]] = [
    ("an unknown key", 'title = "试局"', 'titel = "试局"', 2, "game.titel", "title"),
    ("an unknown key of a player", "games = 3", "gmaes = 3", 12, "player.gmaes", "games"),
    ("an unknown table", "[game]", "[gane]", 1, "gane", "game"),
    ("a wrong type: text for a number", "uid = 1001", 'uid = "1001"', 10, "player.uid", "整数"),
    ("a wrong type: number for a text", 'name = "包子"', "name = 5", 15, "player.name", "文字"),
    ("a wrong type: truth for a number", "uid = 1001", "uid = true", 10, "player.uid", "整数"),
    ("a time in quotes", "opens = 2018-06-03T09:30:00", 'opens = "2018-06-03 09:30"', 22, "day.opens", "不加引号"),
    ("a date without a time", "opens = 2018-06-03T09:30:00", "opens = 2018-06-03", 22, "day.opens", "没有时刻"),
    ("a table written once", "[[day]]", "[day]", 20, "day", "[[day]]"),
    ("two players of one name", 'name = "豆沙"', 'name = "包子"', 18, "player.name", "包子"),
    ("a name that is another's alias", 'name = "豆沙"', 'name = "饺"', 18, "player.name", "饺子"),
    ("two accounts that are one", 'name = "豆沙"', 'name = "豆沙"\naccount = "小泡饺子"', 19, "player.account", "小泡饺子"),
    ("an account that is another's by default", 'name = "豆沙"', 'name = "豆沙"\naccount = "包子"', 19, "player.account", "包子"),
    ("two uids that are one", 'name = "豆沙"', 'name = "豆沙"\nuid = 1001', 19, "player.uid", "1001"),
    ("an alias that is another's name", 'name = "豆沙"', 'name = "豆沙"\naliases = ["包子"]', 19, "player.aliases", "包子"),
    ("a player named like an abstention", 'name = "豆沙"', 'name = "弃权"', 18, "player.name", "弃权"),
    ("an alias like an abstention", 'name = "豆沙"', 'name = "豆沙"\naliases = ["棄權"]', 19, "player.aliases", "弃权"),
    ("a name with a control character", 'name = "豆沙"', 'name = "豆\\u001b沙"', 18, "player.name", "看不见"),
    ("a name that nobody can see", 'name = "豆沙"', 'name = "\\u200b"', 18, "player.name", "U+200B"),
    ("a name of format marks", 'name = "豆沙"', 'name = "\\u2060\\ufe0f\\u0301"', 18, "player.name", "U+2060 U+FE0F"),
    ("a name of letters without a shape", 'name = "豆沙"', 'name = "\\u3164"', 18, "player.name", "U+3164"),
    ("a name that is written backwards", 'name = "豆沙"', 'name = "豆\\u202e沙"', 18, "player.name", "U+202E"),
    ("a name with a filler", 'name = "豆沙"', 'name = "豆沙\\u3164"', 18, "player.name", "U+3164"),
    ("an alias that nobody can see", 'name = "豆沙"', 'name = "豆沙"\naliases = ["\\u200d"]', 19, "player.aliases", "U+200D"),
    (
        "an alias with a control character",
        'name = "豆沙"',
        'name = "豆沙"\naliases = ["\\u0007豆"]',
        19,
        "player.aliases",
        "看不见",
    ),
    ("two names that differ by a mark of no width", 'name = "豆沙"', 'name = "包\\u200b子"', 18, "player.name", "包子"),
    ("two names that differ by a space", 'name = "豆沙"', 'name = "包 子"', 18, "player.name", "零宽"),
    ("an alias that is another's alias", 'name = "豆沙"', 'name = "豆沙"\naliases = ["ＪIAOZI"]', 19, "player.aliases", "饺子"),
    ("a player named like nobody", 'name = "豆沙"', 'name = "無人"', 18, "player.name", "出局 无人"),
    ("a player named like the director", 'name = "豆沙"', 'name = "导演"', 18, "player.name", "另有所指"),
    ("an alias like an office", 'name = "豆沙"', 'name = "豆沙"\naliases = ["警长"]', 19, "player.aliases", "另有所指"),
    ("an empty name", 'name = "豆沙"', 'name = " "', 18, "player.name", "空"),
    ("a director who plays", '"[M29]导演"', '"包子"', 5, "game.directors", "包子"),
    ("a day that closes before it opens", "closes = 2018-06-05T21", "closes = 2018-06-03T08", 23, "day.closes", "关门"),
    ("days that overlap", DAY, DAY + SECOND, 27, "day.opens", "第 3 天"),
    ("a day written twice", DAY, DAY + DAY, 26, "day.number", "第 2 天"),
    ("a missing key of a day", "vote = 1235\n", "", 20, "day", "vote"),
    ("an unknown sheriff", DAY, DAY + 'sheriff = "饺于"\n', 25, "day.sheriff", "饺子"),
    ("a sheriff who is out", DAY, DAY + 'sheriff = "饺子"\nout = ["包子", "饺子"]\n', 25, "day.sheriff", "继任"),
    (
        "a sheriff who is out as the day opens",
        DAY,
        DAY + 'out = [{ name = "饺子", at = 2018-06-03T09:30:00 }]\nsheriff = "饺子"\n',
        26,
        "day.sheriff",
        "继任",
    ),
    ("an unknown player in out", DAY, DAY + 'out = ["饺子", "汤圆"]\n', 25, "day.out", "汤圆"),
    ("an unknown player in barred", DAY, DAY + 'barred = ["汤圆"]\n', 25, "day.barred", "汤圆"),
    ("an unknown player in chanted", DAY, DAY + 'chanted = ["汤圆"]\n', 25, "day.chanted", "汤圆"),
    ("an out after the close", DAY, DAY + 'out = [{ name = "饺子", at = 2018-06-05T21:00:01 }]\n', 25, "day.out", "下一天"),
    ("an unknown switch", DAY, DAY + '[switches]\n"balot.freeze" = 3\n', 26, 'switches."balot.freeze"', "ballot.freeze"),
    ("a switch of another system", DAY, DAY + '[switches]\n"wolves.channel" = "A"\n', 26, 'switches."wolves.channel"', "马甲杀"),
    ("a switch without quotes", DAY, DAY + "[switches]\nballot.freeze = 3\n", 26, "switches.ballot", '"ballot.freeze"'),
    ("a switch that is a table", DAY, DAY + '[switches]\n"cards.min_posts" = 3\n', 26, 'switches."cards.min_posts"', "[cards]"),
    (
        "a value the switch has not",
        DAY,
        DAY + '[switches]\n"ballot.edits" = "last"\n',
        26,
        'switches."ballot.edits"',
        "first_seen",
    ),
    ("an unknown rule set", '"m29"', '"m92"', 3, "game.ruleset", "m29"),
    ("an unknown zone", "Asia/Shanghai", "Asia/Shanghia", 4, "game.timezone", "Asia/Shanghai"),
    ("a thread that is no thread", "vote = 1235", 'vote = "投票帖"', 24, "day.vote", "tid"),
    ("a thread too large", "vote = 1235", "vote = 99999999999999999999999", 24, "day.vote", "没有这么大的 tid"),
    ("a number too large", "number = 2", "number = 99999999999999999999999", 21, "day.number", "这个数太大"),
    ("no polite pace", DAY, DAY + '[forum]\nurl = "https://bbs.example.net/"\ninterval = 0.1\n', 27, "forum.interval", "1.0"),
]


@pytest.mark.parametrize(("good", "bad", "line", "key", "shown"), [row[1:] for row in MISTAKES], ids=[row[0] for row in MISTAKES])
def test_a_mistake_is_an_error_with_file_line_key_and_fix(
    tmp_path: Path, good: str, bad: str, line: int, key: str, shown: str
) -> None:
    text = HEAD + DAY
    assert text.count(good) >= 1
    message = fails(tmp_path, text.replace(good, bad, 1))
    assert message.startswith(f"game.toml:{line}: {key}: ")
    assert shown in message


NOT_TOML = [
    ("a full-width quote", 'title = "试局"', "title = “试局”", 2, "全角引号"),
    ("a string closed by a full-width quote", 'title = "试局"', 'title = "试局”', 2, "全角引号"),
    ("an unquoted CJK key", 'title = "试局"', "标题 = 1", 2, "汉字的键 标题 没有加引号"),
    (
        "an unquoted CJK key in a list of points",
        DAY,
        DAY + "[cards]\npoints = { 未投票 = 3 }\n",
        26,
        "汉字的键 未投票 没有加引号",
    ),
    ("a full-width equals sign", 'title = "试局"', 'title ＝ "试局"', 2, "全角的 ＝"),
    ("text without quotes", 'title = "试局"', "title = 试局", 2, "引号"),
    ("no value", 'title = "试局"', "title =", 2, "没有值"),
    ("a key written twice", 'title = "试局"', 'title = "试局"\ntitle = "又"', 3, "两次"),
]


@pytest.mark.parametrize(("good", "bad", "line", "shown"), [row[1:] for row in NOT_TOML], ids=[row[0] for row in NOT_TOML])
def test_what_is_no_toml_is_shown_with_its_line(tmp_path: Path, good: str, bad: str, line: int, shown: str) -> None:
    message = fails(tmp_path, (HEAD + DAY).replace(good, bad, 1))
    assert message.startswith(f"game.toml:{line}: ")
    assert shown in message


@pytest.mark.parametrize(("text", "shown"), [(f"x = {'[' * 3000}", "套得太深"), (f"x = {'9' * 5000}", "有一个值读不了")])
def test_what_would_exhaust_the_reader_is_an_error(tmp_path: Path, text: str, shown: str) -> None:
    assert shown in fails(tmp_path, text)


def test_bytes_of_no_encoding_are_an_error_with_their_line(tmp_path: Path) -> None:
    assert fails(tmp_path, b'[game]\ntitle = "\xff\xff"\n').startswith("game.toml:2: ")


def test_a_full_width_quote_inside_a_text_is_only_a_letter(tmp_path: Path) -> None:
    assert load(tmp_path, (HEAD + DAY).replace('"试局"', '"M29『小泡“佩奇”』"')).title == "M29『小泡“佩奇”』"


def test_an_error_after_a_text_of_several_lines_names_the_right_line(tmp_path: Path) -> None:
    text = HEAD.replace('"试局"', '"""试\n局"""').replace('["饺", "jiaozi"]', '[\n  "饺", # [\n  "]",\n]') + DAY
    with pytest.raises(GameFileError, match=r"game\.toml:2: game\.title: "):
        load(tmp_path, text)
    with pytest.raises(GameFileError, match=r"game\.toml:28: day\.vote: "):
        load(tmp_path, text.replace('"""试\n局"""', '"""\\\n试局"""').replace("vote = 1235", "vote = 1.5"))


@pytest.mark.parametrize("header", ["[game]", "[[player]]"])
def test_a_missing_table_is_named(tmp_path: Path, header: str) -> None:
    text = {"[game]": DAY, "[[player]]": HEAD[: HEAD.index("[[player]]")] + DAY}[header]
    assert f"缺少 {header}" in fails(tmp_path, text)


def test_a_game_without_a_day_names_the_command_that_opens_one(tmp_path: Path) -> None:
    assert f"还没有哪一天。改法：bansha day {tmp_path} 1 --vote" in fails(tmp_path, HEAD)


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"没有这个文件.*bansha init 报名帖的地址"):
        load_game(tmp_path / "game.toml")


def test_names_that_boards_print_are_taken_as_they_are(tmp_path: Path) -> None:
    odd = ["👩\u200d🚀", "a\u3000b", "(笑)", "投票理由", "Napole\u0301on", "it's 'quoted'"]
    text = HEAD + "".join(f'[[player]]\nname = "{name}"\n' for name in odd) + DAY
    assert [seat.name for seat in load(tmp_path, text).roster.seats][3:] == odd


def test_a_folder_means_the_game_in_it(tmp_path: Path) -> None:
    load(tmp_path, HEAD + DAY)
    assert load_game(tmp_path).title == "试局"


def test_roles_come_from_the_secrets_beside_the_game(tmp_path: Path) -> None:
    (tmp_path / "secrets.toml").write_text('seed = "x"\n[[player]]\nname = "包子"\nrole = "狼助"\n', encoding="utf-8")
    assert [seat.role for seat in load(tmp_path, HEAD + DAY).roster.seats] == [None, "替罪羊", None]


@pytest.mark.parametrize(
    ("player", "line", "key", "shown"),
    [
        ('name = "汤圆"\nrole = "女巫"', 2, "player.name", "汤圆"),
        ('name = "包子"\nrole = "白痴"', 3, "player.role", "白痴"),
        ('name = "包子"\nroll = "女巫"', 3, "player.roll", "role"),
    ],
)
def test_a_mistake_in_the_secrets_is_an_error_too(tmp_path: Path, player: str, line: int, key: str, shown: str) -> None:
    (tmp_path / "secrets.toml").write_text(f"[[player]]\n{player}\n", encoding="utf-8")
    with pytest.raises(GameFileError) as caught:
        load(tmp_path, HEAD + DAY)
    assert f"secrets.toml:{line}: {key}: " in str(caught.value)
    assert shown in str(caught.value)


def test_vests_are_called_by_the_same_rules_as_players(tmp_path: Path) -> None:
    vests = 'vests = ["甲", "乙", "丙"]\n[switches]\n"wolves.channel" = "A"\n"votes.publicity" = "H"\n'
    text = (HEAD + DAY).replace('"m29"', '"vest"').replace("[[player]]", f"{vests}[[player]]", 1)
    assert load(tmp_path, text).title == "试局"
    for wrong in ("弃权", "無人", "乙", "乙\\u200b", "\\u200b"):
        assert "game.vests: " in fails(tmp_path, text.replace('"丙"', f'"{wrong}"'))
    # Nobody acts in a ledger under his vest.
    assert load(tmp_path, text.replace('"丙"', '"警长"')).title == "试局"
