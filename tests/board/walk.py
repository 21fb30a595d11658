"""The board of the game that README.zh-CN.md leads through: the sign-up thread, and the threads of three days.

Twelve sign up; everybody votes for 饺子 as sheriff on the first day, against 包子 on the second, and all who are left against
夜行猫 on the third. Whatever is dealt, no camp has won by then: two are out, and at least one of three wolves is not.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.board.script import Script, read_script

NAMES = ("饺子", "包子", "豆沙", "汤圆", "夜行猫", "夜行者", "小克", "青岚", "老王", "馒头", "花卷", "麻花")
DIRECTOR = "导演"
SIGN_UP = 1200
# Threads: tid, title, when the director opened it, and whom all who are not out vote for (None: nobody posts there).
_THREADS = (
    (1231, "第一天 讨论帖", "2018-05-31T09:30", None),
    (1232, "第一天 投票帖", "2018-05-31T09:30", "饺子"),
    (1234, "第二天 讨论帖", "2018-06-02T09:30", None),
    (1235, "第二天 投票帖", "2018-06-02T09:30", "包子"),
    (1237, "第三天 讨论帖", "2018-06-05T09:30", None),
    (1238, "第三天 投票帖", "2018-06-05T09:30", "夜行猫"),
)
_OUT = {1238: "包子"}


def make_script() -> Script:
    """The whole game as the board plays it."""
    return read_script("\n".join(_tables()))


def _tables() -> Iterator[str]:
    joins = [(name, "报名") for name in NAMES]
    yield from _thread(SIGN_UP, "报名帖", "2018-05-28T09:00", joins)
    for tid, title, opens, target in _THREADS:
        votes = [(name, f"投票对象：{target}\n投票理由：如此") for name in NAMES if target and name != _OUT.get(tid)]
        yield from _thread(tid, title, opens, votes)


def _thread(tid: int, title: str, opens: str, replies: list[tuple[str, str]]) -> Iterator[str]:
    yield f'[[thread]]\ntid = {tid}\ntitle = "[M29] 小泡佩奇 {title}"'
    yield _post(tid, 0, DIRECTOR, opens, "开")
    for place, (author, text) in enumerate(replies, 1):
        yield _post(tid, place, author, f"{opens[:10]}T10:{place:02d}", text)


def _post(tid: int, place: int, author: str, at: str, text: str) -> str:
    return f'[[post]]\ntid = {tid}\npid = {tid * 100 + place}\nauthor = "{author}"\nat = {at}:00\ntext = """{text}"""'
