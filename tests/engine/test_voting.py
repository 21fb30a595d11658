"""Votes that stand on no board: lines of the ledger and rows of votes.csv; and what a game file says for the other systems."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.counting import count_game_day, open_archive, read_events, votes_of
from engine.game import Game, load_game
from engine.ledger import LedgerError, parse_ledger, standing_events
from engine.votetable import read_table
from engine.voting import read_votes
from scraper.errors import GameFileError, UsageError
from tally.day import Curse, Out
from tally.result import DayTally
from tally.ruling import Entry

DAY = "\n[[day]]\nnumber = 2\nopens = 2021-07-02T20:00:00\ncloses = 2021-07-02T21:00:00\n"
VOTE = "vote = 4101\n"
SEATS = ("甲", "乙", "丙", "丁")


def write(folder: Path, ruleset: str, day: str = DAY, *, game: str = "", tail: str = "", secrets: str = "") -> Game:
    """A game of four seats."""
    players = "".join(f'[[player]]\nname = "{seat}"\n' for seat in SEATS)
    needed = '[switches]\n"wolves.channel" = "A"\n"votes.publicity" = "H"\n' if ruleset == "vest" else ""
    text = f'[game]\nruleset = "{ruleset}"\ndirectors = ["导演"]\n{game}\n{needed}{players}{day}{tail}'
    (folder / "game.toml").write_text(text, encoding="utf-8")
    if secrets:
        (folder / "secrets.toml").write_text(secrets, encoding="utf-8")
    return load_game(folder)


def roles(**named: str) -> str:
    """secrets.toml with the roles of some seats."""
    return "".join(f'[[player]]\nname = "{seat}"\nrole = "{role}"\n' for seat, role in named.items())


def tally_all(game: Game, folder: Path) -> list[DayTally]:
    """Every vote of the game's first day."""
    with open_archive(game, folder / "game.db") as archive:
        events = read_events(game)
        return [count_game_day(game, archive, events, vote) for vote in votes_of(game, game.days[0])]


def totals(tally: DayTally) -> dict[str, int]:
    """The counts by target."""
    return {one.target: one.votes for one in tally.counts}


def ledger(folder: Path, *lines: str) -> None:
    """A ledger of these lines."""
    (folder / "ledger.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def test_a_vote_at_a_table_is_closed_by_a_line(tmp_path: Path) -> None:
    game = write(tmp_path, "table")
    ledger(tmp_path, "日2 甲 投票 2号", "日2 丙 投票 乙", "日2 丁 投票 弃权")
    (tally,) = tally_all(game, tmp_path)
    assert (totals(tally), tally.final, tally.complete) == ({"乙": 2}, False, True)
    assert "B406" in {finding.code for finding in tally.findings}
    ledger(tmp_path, "日2 甲 投票 2号", "日2 丙 投票 乙", "日2 丁 投票 弃权", "日2 导演 截票")
    (tally,) = tally_all(game, tmp_path)
    assert (totals(tally), tally.verdict.seats) == ({"乙": 2}, ("乙",))
    assert "B406" not in {finding.code for finding in tally.findings}


def test_what_a_line_of_a_vote_is_in_each_kind_of_game(tmp_path: Path) -> None:
    line = parse_ledger("日2 甲 投票 乙 @2021-07-02T20:10", write(tmp_path, "table").zone)
    for ruleset, day, secrets, entry, by in (
        ("table", DAY, "", Entry.OWN, "甲"),
        ("m29", DAY + VOTE, "", Entry.PROXY, "导演"),
        ("assertion", DAY, roles(甲="村民"), Entry.OWN, "甲"),
    ):
        game = write(tmp_path, ruleset, day, secrets=secrets)
        (ballot,) = read_votes(game, line, game.days[0]).ballots
        assert (ballot.voter, ballot.target, ballot.entry, ballot.by) == ("甲", "乙", entry, by), ruleset
        (tmp_path / "secrets.toml").unlink(missing_ok=True)


def test_an_undated_vote_on_a_board_is_taken_as_the_last_that_a_proxy_can_be(tmp_path: Path) -> None:
    game = write(tmp_path, "m29", DAY + VOTE)
    cast = read_votes(game, parse_ledger("日2 甲 投票 乙", game.zone), game.days[0])
    assert [finding.code for finding in cast.findings] == ["E102"]
    assert cast.ballots[0].timed


def test_skills_of_the_night_before_weigh_curse_and_marry(tmp_path: Path) -> None:
    game = write(tmp_path, "table")
    lines = "夜0 甲 诅咒 乙\n夜1 甲 诅咒 丙\n夜1 丁 恋爱 甲 乙\n夜2 甲 诅咒 丁"
    day = read_votes(game, parse_ledger(lines, game.zone), game.days[0]).day
    assert (day.curse, day.lovers) == (Curse("丙", 2), frozenset({"甲", "乙"}))
    game = write(tmp_path, "assertion", DAY + 'souls = ["甲", "乙"]\n', secrets=roles(甲="狼人", 乙="吸血鬼"))
    lines = "夜1 甲 潜行 加倍\n夜1 乙 隐匿 无效\n夜2 甲 潜行 无效"
    assert read_votes(game, parse_ledger(lines, game.zone), game.days[0]).day.weights == (("甲", 2), ("乙", 0))


TWO_DAYS = """
[[day]]
number = 1
opens = 2021-07-01T20:00:00
closes = 2021-07-01T21:00:00
souls = ["甲", "丙"]

[[day]]
number = 2
opens = 2021-07-02T20:00:00
closes = 2021-07-02T21:00:00
souls = ["甲", "乙", "丙"]
"""


@pytest.mark.parametrize(
    ("lines", "target"),
    [
        # Later submitted is later told to the director, whatever the order in which he wrote it down.
        (("日2 甲 操纵 丁 丙 @2021-07-02T20:30", "日2 乙 操纵 丁 甲 @2021-07-02T20:10"), "丙"),
        (("日2 甲 操纵 丁 丙 @2021-07-02T20:10", "日2 乙 操纵 丁 甲 @2021-07-02T20:30"), "甲"),
        # Without times the lines' order is all there is.
        (("日2 甲 操纵 丁 丙", "日2 乙 操纵 丁 甲"), "甲"),
        # 在每个白天任意时刻发动一次: of one piper's two the first told holds.
        (("日2 甲 操纵 丁 丙 @2021-07-02T20:30", "日2 甲 操纵 丁 乙 @2021-07-02T20:10"), "乙"),
        # It changes the ballot of the day whenever it was said, before the ballot too.
        (("日2 甲 操纵 丁 丙 @2021-07-02T20:10", "日2 丁 审讯 乙 @2021-07-02T20:40"), "丙"),
    ],
)
def test_of_two_manipulations_the_later_submitted_holds(tmp_path: Path, lines: tuple[str, ...], target: str) -> None:
    game = write(tmp_path, "assertion", secrets=roles(甲="吹笛者", 乙="吹笛者", 丙="狼人", 丁="村民"))
    ledger(tmp_path, *lines, "日2 导演 截票")
    tally = next(one for one in tally_all(game, tmp_path) if one.poll == "审讯")
    assert totals(tally) == {target: 1}


@pytest.mark.parametrize(("maker", "counts"), [("乙", {"乙": 1}), ("丙", {})])
def test_only_a_piper_manipulates(tmp_path: Path, maker: str, counts: dict[str, int]) -> None:
    """A seat whose role nobody has told may be one; of a wolf the line has no effect, and nothing is final."""
    game = write(tmp_path, "assertion", secrets=roles(甲="村民", 丙="狼人"))
    ledger(tmp_path, f"日2 {maker} 操纵 甲 乙", "日2 导演 截票")
    tally = next(one for one in tally_all(game, tmp_path) if one.poll == "审讯")
    assert totals(tally) == counts
    assert ([finding.code for finding in tally.findings], tally.final) == (([], True) if counts else (["B409"], False))


@pytest.mark.parametrize(("actor", "curse"), [("乙", "丙"), ("乌鸦", "丙"), ("导演", "丙"), ("丁", "丙"), ("甲", None)])
def test_only_the_crow_curses(tmp_path: Path, actor: str, curse: str | None) -> None:
    game = write(tmp_path, "table", secrets=roles(甲="村民", 乙="乌鸦"))
    cast = read_votes(game, parse_ledger(f"夜1 {actor} 诅咒 丙", game.zone), game.days[0])
    assert cast.day.curse == (Curse(curse, 1) if curse else None)
    assert [finding.code for finding in cast.findings] == ([] if curse else ["B409"])


@pytest.mark.parametrize(
    ("line", "weights", "why"),
    [
        ("夜1 甲 潜行 加倍", (("甲", 2),), ""),
        # 乙 became a soul in that night, once the skills were used.
        ("夜1 乙 隐匿 加倍", (), "no_soul"),
        ("夜1 丁 潜行 无效", (), "no_soul"),
        ("夜1 甲 隐匿 加倍", (), "no_such_skill"),
        # Whose role nobody has told may have either.
        ("夜1 丙 隐匿 无效", (("丙", 0),), ""),
    ],
)
def test_only_a_soul_weighs_its_own_ballot(tmp_path: Path, line: str, weights: tuple[tuple[str, int], ...], why: str) -> None:
    """只有处于灵魂状态时可以使用此技能."""
    game = write(tmp_path, "assertion", TWO_DAYS, secrets=roles(甲="狼人", 乙="吸血鬼", 丁="狼人"))
    cast = read_votes(game, parse_ledger(line, game.zone), game.days[1])
    assert cast.day.weights == weights
    assert [(one.code, dict(one.parameters)["why"]) for one in cast.findings] == ([("B409", why)] if why else [])


def test_a_system_without_a_skill_leaves_its_lines_to_the_engine(tmp_path: Path) -> None:
    game = write(tmp_path, "m29", DAY + VOTE)
    cast = read_votes(game, parse_ledger("日2 甲 操纵 乙 丙\n夜1 甲 诅咒 乙\n夜1 甲 潜行 加倍", game.zone), game.days[0])
    assert (cast.ballots, cast.day.curse, cast.day.weights) == ((), None, ())


def test_the_actor_of_a_vote_may_be_the_sheriff_or_a_role_that_one_seat_has(tmp_path: Path) -> None:
    game = write(tmp_path, "table", DAY + 'sheriff = "丙"\n', secrets=roles(甲="女巫", 乙="村民", 丁="村民"))
    lines = parse_ledger("日2 警长 投票 乙\n日2 女巫 投票 丁", game.zone)
    assert [ballot.voter for ballot in read_votes(game, lines, game.days[0]).ballots] == ["丙", "甲"]
    with pytest.raises(LedgerError, match="村民"):
        read_votes(game, parse_ledger("日2 村民 投票 丁", game.zone), game.days[0])


@pytest.mark.parametrize(
    ("ruleset", "line", "words"),
    [
        ("table", "日2 甲 投票", "投票对象"),
        ("table", "日2 甲 投票 乙 丙", "投票对象"),
        ("table", "日2 甲 投票 戊", "戊"),
        ("table", "日2 戊 投票 甲", "戊"),
        ("table", "夜2 甲 投票 乙", "白天"),
        ("table", "日2 甲 投票 乙 票=加投", "加投"),
        ("table", "夜1 甲 诅咒 弃权", "弃权"),
        ("table", "夜1 谁 诅咒 甲", "谁"),
        ("table", "日2 甲 代投 乙 丙", "导演"),
        ("assertion", "日2 甲 操纵 乙", "操纵"),
        ("assertion", "夜1 甲 潜行 三倍", "加倍"),
        ("secret-number", "日2 导演 代投 甲 乙 @2021-07-02T20:10", "秘密数字"),
        ("secret-number", "日2 导演 代投 甲 5 @2021-07-02T20:10", "5"),
        ("secret-number", "日2 导演 裁定 票 pid=88 计为 乙", "秘密数字"),
    ],
)
def test_a_wrong_line_is_refused_with_its_place(tmp_path: Path, ruleset: str, line: str, words: str) -> None:
    game = write(tmp_path, ruleset, DAY + (VOTE if ruleset == "secret-number" else ""))
    ledger(tmp_path, "; 第一行", line)
    with pytest.raises(LedgerError, match=r"ledger\.txt:2:\d+: .*改法：") as caught:
        read_events(game)
    assert words in str(caught.value)


def test_rulings_and_proxies_name_numbers(tmp_path: Path) -> None:
    game = write(tmp_path, "secret-number", DAY + VOTE)
    lines = parse_ledger("日2 导演 代投 甲 三号 @2021-07-02T19:10", game.zone)
    assert [ballot.target for ballot in read_votes(game, lines, game.days[0]).ballots] == ["3"]


HEAD = "day,voter,target,time,change\n"


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "2,甲,乙,2021-07-02T20:10,\n",
        "日,投票人,投票对象,时间,改票\n2,甲,乙,2021/7/2 20:10:00,否\n",
        "\ufeff投票对象,日,时间,投票人\n乙,第2天,2021-7-2 20:10,甲\n",
        HEAD + "\n,,,,\n日2, 甲 , 乙 ,2021.7.2 20:10,no\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "gbk"])
def test_a_table_is_read_as_excel_saves_it(tmp_path: Path, text: str, encoding: str) -> None:
    game = write(tmp_path, "table")
    (tmp_path / "votes.csv").write_bytes(
        text.replace("\n", "\r\n").removeprefix("\ufeff" if encoding == "gbk" else "").encode(encoding)
    )
    (event,) = read_table(game.vote_table, game.zone)
    (ballot,) = read_votes(game, [event], game.days[0]).ballots
    assert (ballot.voter, ballot.target, ballot.file) == ("甲", "乙", "votes.csv")
    assert f"{ballot.at:%m-%d %H:%M:%S %z}" == "07-02 20:10:00 +0800"


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("day,voter\n2,甲\n", "1:1", "target"),
        ("day,voter,target,when\n", "1:4", "when"),
        ("day,日,voter,target\n", "1:2", "两次"),
        (HEAD + "二,甲,乙,,\n", "2:1", "第几天"),
        (HEAD + "2,甲,,,\n", "2:3", "target"),
        (HEAD + "2,甲,乙,昨晚,\n", "2:4", "昨晚"),
        (HEAD + "2,甲,乙,2021-13-01 20:10,\n", "2:4", "2021-13-01"),
        (HEAD + "2,甲,乙,,大概\n", "2:5", "大概"),
        (HEAD + "2,戊,乙,,\n", "2:2", "戊"),
        (HEAD + "2,甲,戊,,\n", "2:3", "戊"),
        (HEAD + "2,甲,乙,,\n9,甲,乙,,\n", "3:1", "第 9 天"),
    ],
)
def test_a_wrong_row_is_refused_with_line_and_column(tmp_path: Path, text: str, place: str, words: str) -> None:
    game = write(tmp_path, "table")
    (tmp_path / "votes.csv").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_events(game)
    assert f"votes.csv:{place}: " in str(caught.value)
    assert words in str(caught.value)
    assert "改法：" in str(caught.value)


def test_no_table_is_no_votes_and_an_empty_one_wants_its_header(tmp_path: Path) -> None:
    game = write(tmp_path, "table")
    assert read_table(game.vote_table, game.zone) == ()
    (tmp_path / "votes.csv").write_text(HEAD, encoding="utf-8")
    assert read_table(game.vote_table, game.zone) == ()


def test_what_was_entered_later_was_not_known_then(tmp_path: Path) -> None:
    game = write(tmp_path, "table")
    (tmp_path / "votes.csv").write_text(
        "day,voter,target,entered_at\n2,甲,乙,2021-07-02 20:10\n2,丙,丁,2021-07-03 09:00\n", "utf-8"
    )
    events = read_table(game.vote_table, game.zone)
    known = standing_events(events, events[0].entered_at)
    assert [event.actor for event in known] == ["甲"]


def test_the_facts_of_the_other_systems_are_read(tmp_path: Path) -> None:
    day = write(
        tmp_path,
        "secret-number",
        DAY + VOTE + 'out = ["甲", { name = "乙", number = 3 }]\nout_numbers = [1, 3]\nfeigned = [{ name = "丙", number = 2 }]\n',
    ).days[0]
    assert (day.targets_out, day.feigned, day.feigned_targets) == ((Out("3"), Out("1")), frozenset({"丙"}), frozenset({"2"}))
    day = write(tmp_path, "assertion", DAY + 'souls = ["甲"]\npublished = ["乙"]\n').days[0]
    assert (day.souls, day.published, day.vote) == (frozenset({"甲"}), frozenset({"乙"}), 0)
    day = write(tmp_path, "table", DAY + 'cursed = "甲"\nfeigned = ["乙"]\nresult = "无人"\n').days[0]
    assert (day.curse, day.feigned_targets, day.result) == (Curse("甲"), frozenset({"乙"}), "")
    game = write(tmp_path, "vest", DAY + VOTE, game='vests = ["长风", { name = "墨客", aliases = ["墨"] }, "青衫", "晚钟"]')
    assert [target.name for target in game.roster.targets or ()] == ["长风", "墨客", "青衫", "晚钟"]


def test_vests_that_only_the_secrets_name_stand_in_an_order_that_tells_nothing(tmp_path: Path) -> None:
    vests = dict(zip(SEATS, ("d", "b", "c", "a"), strict=True))
    secrets = "".join(f'[[player]]\nname = "{seat}"\nvest = "{vest}"\n' for seat, vest in vests.items())
    game = write(tmp_path, "vest", DAY + VOTE, secrets=secrets)
    assert [target.name for target in game.roster.targets or ()] == ["a", "b", "c", "d"]


ROUND = '[[day.poll]]\nkind = "重投"\nopens = 2021-07-02T22:00:00\ncloses = 2021-07-02T23:00:00\n'


@pytest.mark.parametrize(
    ("ruleset", "tail", "words"),
    [
        ("m29", VOTE + "out_numbers = [1]\n", "没有这个键"),
        ("m29", VOTE + "feigned = []\n", "没有这个键"),
        ("m29", VOTE + ROUND, "没有这个键"),
        ("m29", "", "缺少 vote"),
        ("secret-number", VOTE + "out_numbers = [5]\n", "没有 '5'"),
        ("secret-number", VOTE + 'out = [{ name = "甲", vest = "风" }]\n', "没有这个键"),
        ("assertion", 'result = "甲"\n', "没有这个键"),
        ("table", 'barred = ["甲", "乙", "丙", "丁"]\n', "最多 3 名"),
        ("table", 'cursed = "戊"\n', "戊"),
        ("table", 'result = "戊"\n', "戊"),
        ("table", ROUND.replace("22:00", "20:30"), "重叠"),
        ("table", ROUND.replace("T22:00:00", "T18:00:00").replace("T23:00:00", "T19:00:00"), "之后"),
        ("table", ROUND.replace("T23:00:00", "T22:00:00"), "关门不晚于开门"),
        ("table", ROUND + ROUND.replace("T23:00:00", "T23:30:00").replace("T22:00:00", "T23:00:00"), "两次"),
        ("table", ROUND.replace("重投", "加投"), "没有 '加投'"),
    ],
)
def test_a_wrong_fact_is_an_error_of_the_game_file(tmp_path: Path, ruleset: str, tail: str, words: str) -> None:
    with pytest.raises(GameFileError, match="改法：") as caught:
        write(tmp_path, ruleset, DAY, tail=tail)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("", "缺少 vests"),
        ('vests = ["长风"]', "1 个马甲，而玩家有 4 名"),
        ('vests = ["长风", "長風", "青衫", "晚钟"]', "已是 长风 的名字"),
        ('vests = "长风"', "一列马甲"),
    ],
)
def test_vests_are_as_many_as_players(tmp_path: Path, game: str, words: str) -> None:
    with pytest.raises(GameFileError, match=words):
        write(tmp_path, "vest", DAY + VOTE, game=game)


@pytest.mark.parametrize("name", ["wolves.channel", "votes.publicity"])
def test_a_switch_without_a_default_must_be_said(tmp_path: Path, name: str) -> None:
    text = '[game]\nruleset = "vest"\nvests = ["长风", "墨客", "青衫", "晚钟"]\n[switches]\n'
    text += '"wolves.channel" = "A"\n"votes.publicity" = "H"\n'
    text += "".join(f'[[player]]\nname = "{seat}"\n' for seat in SEATS) + DAY + VOTE
    (tmp_path / "game.toml").write_text(text, encoding="utf-8")
    load_game(tmp_path)
    (tmp_path / "game.toml").write_text("\n".join(line for line in text.split("\n") if name not in line), encoding="utf-8")
    with pytest.raises(GameFileError, match=f"缺少 {name}"):
        load_game(tmp_path)


def test_a_numbered_skill_has_only_its_variants(tmp_path: Path) -> None:
    text = '[game]\nruleset = "vest"\n[switches]\n"wolves.channel" = "A"\n"votes.publicity" = "H"\n"skill.预言" = 4\n'
    (tmp_path / "game.toml").write_text(text + '[[player]]\nname = "甲"\n' + DAY + VOTE, encoding="utf-8")
    with pytest.raises(GameFileError, match="没有 4 这个选择"):
        load_game(tmp_path)


def test_dated_aliases_and_a_substitutes_name(tmp_path: Path) -> None:
    text = (
        '[game]\nruleset = "table"\n[[player]]\nname = "甲"\naliases = ["小甲", { name = "阿甲", since = 2021-07-02T20:30:00 }]\n'
    )
    (tmp_path / "game.toml").write_text(text + '[[player]]\nname = "乙"\n' + DAY, encoding="utf-8")
    game = load_game(tmp_path)
    assert game.roster.seats[0].aliases == ("小甲",)
    assert [word for word, _ in game.roster.seats[0].later] == ["阿甲"]
    (tmp_path / "game.toml").write_text((text + '[[player]]\nname = "阿甲"\n' + DAY), encoding="utf-8")
    with pytest.raises(GameFileError, match="阿甲"):
        load_game(tmp_path)


def test_every_vote_of_a_day_is_counted_in_order(tmp_path: Path) -> None:
    election = ROUND.replace("重投", "竞选").replace("T22:00:00", "T18:00:00").replace("T23:00:00", "T19:00:00")
    game = write(tmp_path, "table", DAY + election + ROUND)
    assert [vote.poll for vote in votes_of(game, game.days[0])] == ["竞选", "", "重投"]
    ledger(
        tmp_path,
        "日2 甲 投票 乙 票=竞选",
        "日2 甲 投票 丙",
        "日2 甲 投票 丁 票=重投",
        "日2 导演 截票 票=竞选",
        "日2 导演 截票",
    )
    tallies = tally_all(game, tmp_path)
    assert [(tally.poll, totals(tally)) for tally in tallies] == [("竞选", {"乙": 1}), ("", {"丙": 1}), ("重投", {"丁": 1})]
    assert ["B406" in {finding.code for finding in tally.findings} for tally in tallies] == [False, False, True]
