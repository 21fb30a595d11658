"""A game of three days on the test board, from the sign-up to the record, with nothing but the commands that a director types."""

from __future__ import annotations

import json
import tomllib
from datetime import timedelta
from pathlib import Path

from tests.board.replies import Replies
from tests.board.script import read_script
from tests.engine.living import post, vote
from tests.engine.test_examples import Place, at_a_place, run_line

NAMES = ("饺子", "包子", "豆沙", "汤圆", "夜行猫", "夜行者", "小克", "青岚", "老王", "馒头", "花卷", "麻花")
# The days: number, the dates of opening and close, the vote's and the discussion's thread.
DAYS = (("1", "05-31", "06-02", 1232, 1231), ("2", "06-03", "06-05", 1235, 1234), ("3", "06-06", "06-08", 1238, 1237))


def board(targets: dict[int, str]) -> str:
    """The sign-up thread and the threads of the days; everybody votes for the day's target, where the day has one yet."""
    blocks = ['[[thread]]\ntid = 1200\ntitle = "[M29] 小泡佩奇 报名帖"\n']
    blocks.append(f"[[post]]\ntid = 1200\npid = 120000\n{dated(post('导演', '01T00:00', '开'), '05-28T09:00')}")
    for place, name in enumerate(NAMES, 1):
        blocks.append(
            f"[[post]]\ntid = 1200\npid = {120000 + place}\n{dated(post(name, '01T00:00', '报名'), f'05-28T10:{place:02d}')}"
        )
    for number, opens, _closes, votes, talk in DAYS:
        for tid, title in ((votes, "投票帖"), (talk, "讨论帖")):
            blocks.append(f'[[thread]]\ntid = {tid}\ntitle = "[M29] 小泡佩奇 第 {number} 天 {title}"\n')
            blocks.append(f"[[post]]\ntid = {tid}\npid = {tid * 100}\n{dated(post('导演', '01T00:00', '开'), f'{opens}T09:30')}")
        for place, name in enumerate(NAMES, 1) if int(number) in targets else ():
            ballot = vote(name, "01T00:00", targets[int(number)])
            blocks.append(f"[[post]]\ntid = {votes}\npid = {votes * 100 + place}\n{dated(ballot, f'{opens}T10:{place:02d}')}")
    return "\n".join(blocks)


def dated(text: str, moment: str) -> str:
    return text.replace("2018-06-01T00:00", f"2018-{moment}")


def test_a_game_from_the_sign_up_to_the_record(tmp_path: Path) -> None:
    """The piper goes on the second day and the wolf on the third: nobody is left to beat the village."""
    with at_a_place(tmp_path, read_script(board({}))) as place:
        site = place.clock.board
        replies = Replies(site, "导演")
        site.faults = (replies,)

        def type_in(line: str, *codes: int) -> str:
            ran = run_line(place, line)
            assert ran.code in (codes or (0,)), f"{line}: {ran.code}\n{ran.out}{ran.err}"
            return ran.out

        place.set("2018-05-29T20:00")
        type_in("init https://bbs.example.net/thread-1200-1-1.html --dir mygame")
        type_in("doctor mygame", 0, 1)
        type_in("deal mygame --roles 狼人=1,预言=1,女巫=1,替罪羊=1,村民=6,吹笛者=1,丘比特=1 --force")
        roles = read_roles(place)
        start = type_in("announce mygame --moment start")
        assert "玩家 12 人" in start
        assert not any(role in start for role in roles.values())
        villagers = [name for name, role in roles.items() if role == "村民"]
        piper, wolf = find(roles, "吹笛者"), find(roles, "狼人")
        type_in(f'night mygame "{find(roles, "丘比特")} 金箭 {villagers[0]} {villagers[1]}" --dawn')
        targets = {1: villagers[2], 2: piper, 3: wolf}
        site.script = read_script(board(targets))
        for number, opens, closes, votes, talk in DAYS:
            place.set(f"2018-{opens}T09:31")
            day = f"day mygame {number} --vote {votes} --discussion {talk} --opens 2018-{opens}T09:30"
            assert f"第 {number} 天" in type_in(f"{day} --closes 2018-{closes}T21:00")
            opening = type_in(f"announce mygame --moment opening --day {number}")
            type_in(f"morning mygame --day {number}")
            if number == "3":
                assert f"前一天投票出局：{piper}" in opening
            # He begins to watch in the evening: two days of half hours would only take the test's time.
            place.set(f"2018-{closes}T19:30")
            assert "最终结果" in type_in("watch mygame", 0, 1)
            type_in(f'do mygame "日{number} 导演 截票"')
            closing = type_in(f"post mygame --announce close --day {number} --yes")
            assert closing == ""
            assert f"{targets[int(number)]}：1" in replies.sent[-1]
            if number != "3":
                place.clock.now += timedelta(minutes=61)
                # 女巫 has her own half hour from when she learns of the night.
                type_in("night mygame --time-up 过时的")
                place.clock.now += timedelta(minutes=31)
                type_in("night mygame --time-up 过时的 --dawn")
        told = json.loads(type_in("status mygame --json"))
        assert told["winner"] == ["村民阵营"]
        type_in("post mygame --announce end --yes")
        assert "核对：种子的 SHA-256 就是这个承诺。" in replies.sent[-1].replace("[b][/b]", "")
        type_in("reveal mygame --reward 胜=3,负=1 -o archive")
        type_in("export mygame -o tables --public", 0, 1)
    record = json.loads((tmp_path / "archive" / "record.json").read_text(encoding="utf-8"))
    assert {one["name"]: one["role"] for one in record["players"]} == roles
    assert {one["name"]: one["reward"] for one in record["players"]}[wolf] == 1
    assert [one["out"] for one in record["players"] if one["name"] in (piper, wolf)].count(None) == 0


def read_roles(place: Place) -> dict[str, str]:
    """Who was dealt what."""
    values = tomllib.loads((place.folder / "mygame" / "secrets.toml").read_text(encoding="utf-8"))
    return {one["name"]: one["role"] for one in values["player"]}


def find(roles: dict[str, str], role: str) -> str:
    return next(name for name, one in roles.items() if one == role)
