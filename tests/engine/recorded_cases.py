"""The recorded cases as plain data, read without the program: what a script shows, and what its author expects.

Only what a tool for hand-written files may know stands here: which posts somebody saw, who wrote them, and which of them open a
line with a label of the format. Nothing here counts.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures" / "m29"
# Those that are about a count, and those that are about what chanted players posted.
CASES = sorted(path.parent.name for path in FIXTURES.glob("*/expected.toml") if "[[verdict]]" in path.read_text(encoding="utf-8"))
SOUND_CASES = {
    path.parent.name: path.parent
    for path in sorted(FIXTURES.parent.glob("*/*/expected.toml"))
    if "[[sound]]" in path.read_text(encoding="utf-8")
}
LISTS = ("tally", "abstained", "void", "replaced", "needs_ruling", "verdict", "card", "event", "finding")

_OUTSIDE = re.compile(r"\[(quote|code)\].*?\[/\1\]", re.S)
_MARKUP = re.compile(r"\[/?(?:b|i|u|color|size)(?:=[^\]]*)?\]")
_LABEL = re.compile(r"^【?(?:投票对象|投票對象|改票对象|改票對象)", re.M)
_PROXY = re.compile(r"^代投：(\S+)$", re.M)


@dataclass(frozen=True)
class ScriptPost:
    """One post of a script; `text` is what it said when somebody first saw it."""

    tid: int
    pid: int
    author: str
    at: datetime
    text: str
    quote: int

    @property
    def own(self) -> str:
        """Its words without quotes and code made by hand, and without the marks of style."""
        return _MARKUP.sub("", _OUTSIDE.sub("", self.text))

    @property
    def labelled(self) -> bool:
        """Whether a line of its own words opens with the label of a target."""
        return _LABEL.search(self.own) is not None

    @property
    def proxy_for(self) -> str | None:
        """The seat that a proxy names."""
        match = _PROXY.search(self.own)
        return match[1] if match else None


class Case:
    """One folder of fixtures/m29 by its name, or any folder by its path."""

    def __init__(self, name: str | Path) -> None:
        self.folder = FIXTURES / name
        self.game = self._read("game.toml")
        self.script = self._read("script.toml")
        self.expected = self._read("expected.toml")
        self.directors = set(self.game["game"]["directors"])
        self.accounts = {player.get("account", player["name"]): player["name"] for player in self.game["player"]}
        self.seats = list(self.accounts.values())
        self.days = {day["number"]: dict(day) for day in self.game["day"]}
        # Requests are judged by the close of the game file; these cases move none before it.
        self.written_closes = {number: day["closes"] for number, day in self.days.items()}
        for number, moment in re.findall(r"^日(\d+) 导演 关门 .*@(\S+)", self.ledger, re.M):
            self.days[int(number)]["closes"] = datetime.fromisoformat(moment)
        # A ruling may give a seat another account: 裁定 账号 A 为 SEAT.
        self.accounts |= dict(re.findall(r"裁定 账号 (\S+) 为 (\S+)", self.ledger))

    def _read(self, name: str) -> dict[str, Any]:
        return tomllib.loads((self.folder / name).read_text(encoding="utf-8"))

    @cached_property
    def ledger(self) -> str:
        path = self.folder / "ledger.txt"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    @cached_property
    def scapegoat(self) -> str | None:
        """The seat of the 替罪羊, where the case says who it is."""
        if not (self.folder / "secrets.toml").exists():
            return None
        roles: dict[str, str] = {player["role"]: player["name"] for player in self._read("secrets.toml")["player"]}
        return roles["替罪羊"]

    @cached_property
    def passes(self) -> list[dict[str, Any]]:
        return list(self.script["pass"])

    @cached_property
    def posts(self) -> dict[int, ScriptPost]:
        """The posts that somebody saw, by pid."""
        seen = ((post, self._first_look(post)) for post in self.script["post"])
        return {post["pid"]: self._as_seen(post, look) for post, look in seen if look is not None}

    def _as_seen(self, post: dict[str, Any], look: datetime) -> ScriptPost:
        text = [post["text"], *(edit["text"] for edit in post.get("edits", []) if edit["at"] <= look)][-1]
        return ScriptPost(post["tid"], post["pid"], post["author"], post["at"], text, post.get("quote", 0))

    def _first_look(self, post: dict[str, Any]) -> datetime | None:
        for look in self.passes:
            standing = [
                other["pid"]
                for other in sorted(self.script["post"], key=lambda other: (other["at"], other["pid"]))
                if other["tid"] == post["tid"]
                and other["at"] <= look["at"]
                and ("deleted" not in other or look["at"] < other["deleted"])
            ]
            if post["tid"] not in look["tids"] or post["pid"] not in standing:
                continue
            page = standing.index(post["pid"]) // self.script["board"]["per_page"] + 1
            if f"{post['tid']}-{page}" not in look.get("skip", []):
                moment: datetime = look["at"]
                return moment
        return None

    def rows(self, name: str, day: int) -> list[dict[str, Any]]:
        """The expected rows of one list on one day."""
        return [row for row in self.expected.get(name, []) if row["day"] == day]

    def thread(self, day: int) -> list[ScriptPost]:
        """The posts of the day's vote thread that somebody saw, in the board's order."""
        posts = [post for post in self.posts.values() if post.tid == self.days[day]["vote"]]
        return sorted(posts, key=lambda post: (post.at, post.pid))

    def window(self, day: int) -> list[ScriptPost]:
        """Those of them that were made while the door was open."""
        return [post for post in self.thread(day) if self.days[day]["opens"] <= post.at <= self.days[day]["closes"]]

    def voter(self, post: ScriptPost) -> str | None:
        """The seat in whose name a post would be a ballot; None for spectators and for a director's own words."""
        return post.proxy_for or self.accounts.get(post.author)

    def out(self, day: int) -> dict[str, datetime | None]:
        """Who is out on a day, and from when: None for before it opened."""
        outs = self.days[day].get("out", [])
        return {each if isinstance(each, str) else each["name"]: None if isinstance(each, str) else each["at"] for each in outs}

    def progress(self, day: int) -> list[ScriptPost]:
        """The posts of the day's progress thread that somebody saw, in the board's order."""
        posts = [post for post in self.posts.values() if post.tid == self.days[day].get("progress")]
        return sorted(posts, key=lambda post: (post.at, post.pid))

    def asking(self, day: int, what: str) -> set[str]:
        """The living seats that ask for something three hours before the close: their last word on it is that one."""
        cutoff = self.written_closes[day] - timedelta(hours=3)
        last: dict[str, str] = {}
        for post in self.progress(day):
            word = re.match(r"【?(申请加速|申請加速|申请延时|撤回申请)(?!\w)", post.own.strip())
            seat = self.accounts.get(post.author)
            if word is not None and seat is not None and post.at <= cutoff:
                last[seat] = word[1].replace("請", "请")
        return {seat for seat, word in last.items() if word == what} - set(self.out(day))

    def sped_up(self, day: int) -> bool:
        """Whether a speed-up holds at the close: as the game file says, else by requests and by how few live."""
        facts = self.days[day]
        living = len(self.seats) - len(self.out(day))
        if "accelerated" in facts or f"日{day} 导演 加速" in self.ledger:
            return bool(facts.get("accelerated"))
        few = living <= self.game.get("calendar", {}).get("accelerate_at", 0)
        enough = {what: 2 * len(self.asking(day, what)) >= living for what in ("申请加速", "申请延时")}
        return (few or enough["申请加速"]) and not enough["申请延时"]

    def excused(self, day: int) -> set[str]:
        """Who gets no card on a day: out before it closed, barred, or played by a substitute since after its middle."""
        facts = self.days[day]
        middle = facts["opens"] + (facts["closes"] - facts["opens"]) / 2
        joined = re.findall(rf"^日{day} 导演 替补 (\S+) @(\S+)", self.ledger, re.M)
        late = {seat for seat, moment in joined if datetime.fromisoformat(moment) > middle}
        return set(self.out(day)) | set(facts.get("barred", [])) | late

    def quiet(self, day: int) -> set[str]:
        """Who spoke too little on a day, by posts with own words or a smiley, and by characters without them."""
        rules, facts = self.game.get("cards", {}), self.days[day]
        threads = facts.get("discussion", [])
        threads = threads if isinstance(threads, list) else [threads]
        said: dict[str, list[str]] = {}
        for post in self.posts.values():
            seat = self.accounts.get(post.author)
            if post.tid in threads and seat is not None and facts["opens"] <= post.at <= facts["closes"] and post.own.strip():
                said.setdefault(seat, []).append("".join(re.sub(r":\w+:", "", post.own).split()))
        return {
            seat
            for seat in set(self.seats) - self.excused(day)
            if len(said.get(seat, [])) < rules.get("min_posts", 0) or len("".join(said.get(seat, []))) < rules.get("min_chars", 0)
        }

    def reddened(self, day: int) -> set[str]:
        """Who has had a second yellow card of the ledger on a day."""
        given = re.findall(r"^日(\d+) 导演 黄牌 (\S+)", self.ledger, re.M)
        seats = [seat for number, seat in given if int(number) <= day]
        today = {seat for number, seat in given if int(number) == day}
        return {seat for seat in today if seats.count(seat) == 2}

    def placed(self, day: int) -> list[int]:
        """The pids that the expectation names as void, replaced or waiting for a ruling."""
        return [row["pid"] for name in ("void", "replaced", "needs_ruling") for row in self.rows(name, day)]

    def standing(self, day: int) -> dict[str, str | None]:
        """What the expectation lets each voter's ballot stand on; None for an abstention."""
        stands: dict[str, str | None] = {row["voter"]: None for row in self.rows("abstained", day)}
        return stands | {voter: row["target"] for row in self.rows("tally", day) for voter in row["voters"]}

    def standing_posts(self, day: int) -> dict[str, list[ScriptPost]]:
        """The ballots that must stand for each voter, if the lists are whole: every labelled post that is named in none."""
        placed = set(self.placed(day))
        found: dict[str, list[ScriptPost]] = {}
        for post in self.thread(day):
            voter = self.voter(post)
            if voter is not None and post.labelled and post.pid not in placed:
                found.setdefault(voter, []).append(post)
        return found
