"""`bansha reveal`, `assistants`, `export`: what is told and kept once a game is over."""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import json
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.store import VIEWS
from tests.board.script import read_script
from tests.board.server import Board, serve
from tests.engine.command import Ran, run
from tests.engine.living import post, vote
from tests.engine.tables import SEED, write_game
from tests.engine.test_announce import NUMBERED, WHOLE

# The wolves are all out, and so is every camp but the village.
ENDED = ["日1 甲 投票 6", "日1 导演 截票", "日1 导演 场外助理 丑 助理=小白", "夜1 导演 裁定 事实 获胜 村民阵营"]


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """The recorded whole game, with its threads in a database."""
    folder = Path(shutil.copytree(WHOLE, tmp_path / "game"))
    assert run("replay", str(folder), "--db", str(folder / "game.db")).code == 0
    return folder


def ended(folder: Path) -> Path:
    """A game of 秘密数字杀 that 村民阵营 has won."""
    lines = ["日1 导演 场外助理 丑 助理=小白", "日1 导演 黄牌 癸 ; 未投票", *ENDED[:2], ENDED[3]]
    return write_game(folder / "game", "secret-number", NUMBERED, lines, people=True)


def test_a_game_that_goes_on_is_not_revealed_unless_the_director_insists(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "game", "secret-number", NUMBERED, ENDED[:2])
    refused = run("reveal", str(folder))
    assert (refused.code, refused.out) == (2, "")
    told = run("reveal", str(folder), "--force", "服务器没了")
    assert told.code == 0
    assert "服务器没了" in told.out
    assert SEED in told.out


def test_a_reward_that_is_no_number_is_told_with_its_own_option(tmp_path: Path) -> None:
    refused = run("reveal", str(ended(tmp_path)), "--reward", "胜=x")
    assert (refused.code, refused.out) == (2, "")
    assert "--reward '胜=x' 读不懂" in refused.err
    assert "--roles" not in refused.err


def test_roles_numbers_and_a_seed_that_is_the_committed_one(tmp_path: Path) -> None:
    told = run("reveal", str(ended(tmp_path)))
    assert told.code == 0, told.err
    assert "丁：女巫，村民阵营，秘密数字 4" in told.out.splitlines()
    assert "核对：种子的 SHA-256 就是这个承诺。" in told.out


def test_another_seed_than_the_committed_one_is_said_and_exits_with_1(tmp_path: Path) -> None:
    folder = ended(tmp_path)
    secrets = folder / "secrets.toml"
    secrets.write_text(secrets.read_text(encoding="utf-8").replace(SEED, "换掉的种子 0000"), encoding="utf-8")
    told = run("reveal", str(folder))
    assert told.code == 1
    assert "不一致" in told.out


def test_the_record_holds_players_cards_assistants_and_rewards(tmp_path: Path) -> None:
    """新手玩家的场外助理可以获得等同该玩家的版杀奖励。"""
    folder = ended(tmp_path)
    told = run("reveal", str(folder), "--reward", "胜=3,负=1", "-o", str(tmp_path / "out"), "--json")
    assert told.code == 0, told.err
    record = json.loads((tmp_path / "out" / "record.json").read_text(encoding="utf-8"))
    assert record == json.loads(told.out)
    players = {one["name"]: one for one in record["players"]}
    assert (players["丑"]["reward"], players["甲"]["reward"]) == (3, 1)
    assert (players["丑"]["person"], players["丑"]["number"], players["丑"]["won"]) == ("真人乙12", 12, True)
    assert record["assistants"] == [
        {"seat": "丑", "name": "小白", "line": 1, "allowed": True, "why": None, "reward": 3},
    ]
    assert record["cards"] == [{"day": 1, "seat": "癸", "card": "黄牌", "points": 0, "reason": "未投票"}]
    assert (record["result"]["winner"], record["seed_matches"]) == (["村民阵营"], True)
    assert "pw-" not in told.out
    text = (tmp_path / "out" / "record.bbcode").read_text(encoding="utf-8")
    assert "丑：小白，奖励 3（等同该玩家）" in text


def test_logs_are_collected_in_any_encoding_and_shown_to_the_letter(tmp_path: Path) -> None:
    folder = ended(tmp_path)
    logs = tmp_path / "树洞"
    logs.mkdir()
    (logs / "丁.txt").write_bytes("第一夜：[b]不救[/b]\r\n第二夜：救\r\n".encode("gbk"))
    (logs / "甲.txt").write_text("\ufeff我是狼", encoding="utf-8")
    (logs / "路人.txt").write_text("？", encoding="utf-8")
    told = run("reveal", str(folder), "--logs", str(logs), "-o", str(tmp_path / "out"))
    assert told.code == 0, told.err
    assert "路人.txt" in told.err
    text = (tmp_path / "out" / "logs.bbcode").read_text(encoding="utf-8")
    assert text.index("我是狼") < text.index("第一夜")
    assert "[b]不救" not in text
    assert (
        json.loads((tmp_path / "out" / "record.json").read_text(encoding="utf-8"))["logs"]["丁"]
        == "第一夜：[b]不救[/b]\n第二夜：救\n"
    )


AWARDS = f"""
[[thread]]
tid = 1250
title = "评奖"
[[post]]
tid = 1250
pid = 1
{post("导演", "20T09:00", "请投 MVP")}
[[post]]
tid = 1250
pid = 2
{vote("甲", "20T10:00", "丁")}
[[post]]
tid = 1250
pid = 3
{vote("己", "20T10:05", "丁")}
[[post]]
tid = 1250
pid = 4
{vote("丁", "20T10:10", "己")}
[[post]]
tid = 1250
pid = 5
{vote("路人", "20T10:11", "己")}
[[post]]
tid = 1250
pid = 6
{post("庚", "20T10:12", "我装得太早了，对不起大家。")}
"""


def test_a_log_that_cannot_be_opened_is_named_and_keeps_no_other_closed(tmp_path: Path) -> None:
    """A picture under another name, a document, a film, two bytes of no encoding; what a system left is nobody's."""
    folder, logs = ended(tmp_path), tmp_path / "树洞"
    logs.mkdir()
    (logs / "丁.txt").write_bytes("第一夜：不救".encode("utf-16"))
    (logs / "己.txt").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
    (logs / "庚.docx").write_bytes(b"PK\x03\x04")
    (logs / "辛.txt").write_bytes(b"ok\n\x80\xff\n")
    with (logs / "壬.txt").open("wb") as film:
        film.truncate(9 << 20)
    (logs / "癸.txt").mkdir()
    for left in (".DS_Store", "Thumbs.db", "~$丁.txt"):
        (logs / left).write_bytes(b"\x00")
    told = run("reveal", str(folder), "--logs", str(logs), "-o", str(tmp_path / "out"), "--json")
    assert told.code == 1
    assert json.loads(told.out)["logs"] == {"丁": "第一夜：不救"}
    for name in ("己.txt", "庚.docx", "辛.txt", "壬.txt", "癸.txt"):
        assert f"{name} 没有打开" in told.err
    assert "DS_Store" not in told.err


def test_an_output_that_is_no_folder_is_told(tmp_path: Path) -> None:
    folder = ended(tmp_path)
    (tmp_path / "file").write_text("x", encoding="utf-8")
    told = run("reveal", str(folder), "-o", str(tmp_path / "file"))
    assert (told.code, "改法" in told.err) == (2, True)


def test_a_commitment_without_its_kind_is_the_same(tmp_path: Path) -> None:
    folder = ended(tmp_path)
    game = folder / "game.toml"
    text = game.read_text(encoding="utf-8")
    for other in (text.replace("sha256:", ""), re.sub("sha256:(\\w+)", lambda found: found[0].upper(), text)):
        game.write_text(other, encoding="utf-8")
        assert run("reveal", str(folder)).code == 0


def test_anybody_can_check_the_commitment_with_what_every_computer_has(tmp_path: Path) -> None:
    """The SHA-256 of the seed's own bytes, and of nothing else: no line end, no salt."""
    record = json.loads(run("reveal", str(ended(tmp_path)), "--json").out)
    assert record["seed_commitment"] == f"sha256:{hashlib.sha256(record['seed'].encode()).hexdigest()}"


def test_awards_are_counted_with_reasons_and_reviews_are_kept(tmp_path: Path) -> None:
    """甲 and 己 for 丁, 丁 for 己; whoever does not play has no vote."""
    with serve(Board(read_script(AWARDS), datetime(2018, 6, 22, tzinfo=UTC))) as served:
        folder = write_game(tmp_path / "game", "secret-number", NUMBERED, [*ENDED[:2], ENDED[3]])
        game = folder / "game.toml"
        board = f'[forum]\nurl = "{served.base}"\ninterval = 0.0\n'
        day = "[[day]]\nnumber = 1\nopens = 2018-06-03T09:30:00\ncloses = 2018-06-05T21:00:00\nvote = 1234\n"
        game.write_text(game.read_text(encoding="utf-8") + board + day, encoding="utf-8")
        run("fetch", str(folder))
        options = ("--award", "MVP=1250", "--reviews", "1250", "--reward", "胜=3,负=1,MVP=2", "--json")
        told = run("reveal", str(folder), *options)
    assert told.code == 0, told.err
    record = json.loads(told.out)
    assert record["mvp"] == ["丁"]
    assert record["awards"][0]["votes"] == {"丁": 2, "己": 1}
    assert {one["name"]: one["reward"] for one in record["players"]}["丁"] == 5
    assert [(one["seat"], one["text"]) for one in record["reviews"] if one["seat"] == "庚"] == [
        ("庚", "我装得太早了，对不起大家。")
    ]


def ballots(*votes: tuple[str, str]) -> str:
    """The thread of an award, in which these vote for those."""
    head = f'[[thread]]\ntid = 1250\ntitle = "评奖"\n[[post]]\ntid = 1250\npid = 1\n{post("导演", "20T09:00", "请投 MVP")}\n'
    posts = (
        f"[[post]]\ntid = 1250\npid = {pid}\n{vote(voter, f'20T10:{pid:02d}', seat)}\n"
        for pid, (voter, seat) in enumerate(votes, 2)
    )
    return head + "".join(posts)


def award(tmp_path: Path, script: str, *options: str) -> Ran:
    """A reveal with the award, of a game without a day that the board knows, and without a database."""
    with serve(Board(read_script(script), datetime(2018, 6, 22, tzinfo=UTC))) as served:
        folder = write_game(tmp_path / "game", "secret-number", NUMBERED, [*ENDED[:2], ENDED[3]])
        game = folder / "game.toml"
        text = game.read_text(encoding="utf-8")
        game.write_text(f'{text}[forum]\nurl = "{served.base}"\ninterval = 0.0\n', encoding="utf-8")
        return run("reveal", str(folder), "--award", "MVP=1250", "--json", *options)


def test_those_who_tie_have_an_award_together_and_all_who_played_vote(tmp_path: Path) -> None:
    """己 is out, and votes and is voted for; a vote for oneself counts, since no post says otherwise; a number is no name."""
    script = ballots(("甲", "丁"), ("丁", "丁"), ("己", "己"), ("庚", "己"), ("辛", "6"), ("导演", "丁"), ("壬", "弃权"))
    record = json.loads(award(tmp_path, script, "--reward", "胜=3,MVP=2").out)
    (one,) = record["awards"]
    assert (record["mvp"], one["votes"]) == (["丁", "己"], {"丁": 2, "己": 2})
    assert [(void["voter"], void["reason"]) for void in one["tally"]["void"]] == [("辛", "unknown_target")]
    assert [each["voter"] for each in one["tally"]["abstained"]] == ["壬"]
    assert "出局" not in json.dumps(one, ensure_ascii=False), "nobody is put out by an award"
    assert {each["name"]: each["reward"] for each in record["players"] if each["name"] in "丁己庚"} == {"丁": 5, "己": 5, "庚": 3}


def test_votes_past_the_end_of_an_award_do_not_count(tmp_path: Path) -> None:
    told = award(tmp_path, ballots(("甲", "丁"), ("丁", "甲")), "--until", "2018-06-20T10:02:30")
    assert (told.code, json.loads(told.out)["mvp"]) == (0, ["丁"])


def test_an_award_whose_thread_was_not_read_is_no_award_for_nobody(tmp_path: Path) -> None:
    told = award(tmp_path, ballots(("甲", "丁")), "--award", "最佳新人=9999", "-o", str(tmp_path / "out"))
    assert told.code == 4
    assert [(one["name"], one["read"]) for one in json.loads(told.out)["awards"]] == [("MVP", True), ("最佳新人", False)]
    assert "最佳新人：评奖帖还没有读到" in (tmp_path / "out" / "record.bbcode").read_text(encoding="utf-8")


@pytest.mark.parametrize(("games", "allowed"), [("games = 3", True), ("games = 4", False), ("", None)])
def test_who_may_have_an_assistant(tmp_path: Path, games: str, allowed: bool | None) -> None:
    """版杀游戏场次累计三场或以下的玩家允许申请场外助理; 四场或以上 may not."""
    from engine.play.table import Player

    players = [Player("狼", "狼人"), *(Player(f"民{place}", "村民") for place in range(7))]
    folder = write_game(tmp_path / "game", "m29", players)
    game = folder / "game.toml"
    game.write_text(game.read_text(encoding="utf-8").replace('name = "民1"\n', f'name = "民1"\n{games}\n'), encoding="utf-8")
    value = json.loads(run("assistants", str(folder), "--json").out)
    assert (value["limit"], value["may_have"]["民1"]) == (3, allowed)


def test_a_player_of_the_game_is_nobodys_assistant(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "game", "secret-number", NUMBERED)
    assert run("do", str(folder), "日1 导演 场外助理 丑 助理=甲").code == 1
    assert run("do", str(folder), "日1 导演 场外助理 丑 助理=小白").code == 0
    ledger = folder / "ledger.txt"
    ledger.write_text('日1 导演 场外助理 丑 助理=Ａ\u3000甲\n日1 导演 场外助理 丑 助理="甲\u200b"\n', encoding="utf-8")
    told = run("assistants", str(folder), "--json")
    assert (told.code, [one["allowed"] for one in json.loads(told.out)["assistants"]]) == (1, [True, False])


def test_an_export_is_a_file_a_view_that_excel_opens(recorded: Path, tmp_path: Path) -> None:
    ran = run("export", str(recorded), "-o", str(tmp_path / "out"))
    assert ran.code == 0, ran.err
    names = {path.stem for path in (tmp_path / "out").iterdir()}
    assert names == {*VIEWS, "posts", "post_revisions"}
    raw = (tmp_path / "out" / "ballots.csv").read_bytes()
    assert raw.startswith(codecs.BOM_UTF8)
    rows = list(csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline="")))
    assert rows[0] == list(VIEWS["ballots"])
    assert raw.count(b"\r\n") == len(rows)
    assert run("export", str(recorded), "-o", str(tmp_path / "json"), "--json").code == 0
    value = json.loads((tmp_path / "json" / "ballots.json").read_text(encoding="utf-8"))
    assert len(value) == len(rows) - 1
    assert value[0]["voter"] == rows[1][VIEWS["ballots"].index("voter")]


def test_a_public_export_before_the_end_has_no_events_and_no_findings(recorded: Path, tmp_path: Path) -> None:
    ledger = recorded / "ledger.txt"
    lines = ledger.read_text(encoding="utf-8").splitlines(keepends=True)
    ledger.write_text("".join(lines[: lines.index("日3 导演 截票 @2018-06-08T21:00\n")]), encoding="utf-8")
    assert run("export", str(recorded), "-o", str(tmp_path / "out")).code in (0, 1)
    assert run("export", str(recorded), "-o", str(tmp_path / "out"), "--public").code in (0, 1)
    assert {path.stem for path in (tmp_path / "out").iterdir()} == {"posts", "post_revisions", "ballots", "tallies"}


def test_no_cell_of_an_export_is_a_formula() -> None:
    from engine.report.exports import write_sheet

    raw = write_sheet(("text",), [("=1+1",), ("一\r\n=2",), (None,), (-3,)]).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(raw, newline=""))) == [["text"], ["'=1+1"], ["一\n=2"], [""], ["-3"]]
