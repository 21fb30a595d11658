"""A game's database as a folder for Datasette: the views as tables, and what each of them and its columns is.

The copy stands by itself: the game's own file is only read. Its public version holds what the rules publish, and no events
before the end.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from types import MappingProxyType

from engine.report.page.gather import GameReport, find_day
from engine.store import list_rows
from scraper.archive import Archive
from scraper.errors import UsageError
from scraper.phrases import phrase
from scraper.post import History

DATABASE, METADATA = "game.db", "metadata.json"

# What each view is, in a sentence, and what its columns are; times are ISO 8601 with offset, in the board's zone.
TABLES: Mapping[str, tuple[str, Mapping[str, str]]] = MappingProxyType(
    {
        "posts": (
            "每一帖最后看到的样子，被屏蔽和删除的也在",
            {
                "tid": "帖子（主题）的编号",
                "pid": "这一帖的编号",
                "floor": "楼层上印的字",
                "author": "发帖的账号",
                "uid": "账号的编号",
                "posted_at": "发帖时间",
                "edited_at": "编辑标记上的时间",
                "state": "normal 正常，blocked 被屏蔽，locked 看不到内容，deleted 已删除",
                "text": "作者自己的话，不含引用；表情写作 [:名字:]",
                "revisions": "看到过几版",
                "first_seen": "第一次看到的时间",
                "last_seen": "最后一次看到的时间",
            },
        ),
        "post_revisions": (
            "每一帖看到过的每一版",
            {
                "tid": "帖子（主题）的编号",
                "pid": "这一帖的编号",
                "revision": "第几版，从 1 起，按看到的先后",
                "seen_at": "第一次看到这一版的时间",
                "text": "作者自己的话",
                "html": "论坛送来的原文",
                "digest": "这一版说了什么的摘要",
            },
        ),
        "ballots": (
            "每一张票，有效的和无效的",
            {
                "day": "第几天",
                "tid": "帖子（主题）的编号",
                "pid": "这一帖的编号",
                "revision": "按哪一版算的",
                "voter": "投票人",
                "act": "vote 投票，change 改票，abstain 弃权，proxy 代投",
                "target": "投给谁，弃权是空的",
                "raw": "写的是什么",
                "standing": "1 有效，0 无效",
                "reason": "无效的原因",
                "poll": "这一天的哪一次投票，空的是每天都有的那次",
            },
        ),
        "tallies": (
            "每一天每个对象的票数",
            {
                "day": "第几天",
                "as_of": "截至什么时候",
                "target": "投票对象",
                "votes": "票数（票）",
                "voters": "投票人（JSON）",
                "complete": "1 证据完整，0 缺页",
                "digest": "结果的摘要",
                "poll": "这一天的哪一次投票",
            },
        ),
        "findings": (
            "导演须留意的地方",
            {
                "day": "第几天",
                "code": "编码，见 docs/findings.md",
                "severity": "error 错误，warning 警告，note 提示",
                "seat": "玩家",
                "tid": "帖子（主题）的编号",
                "pid": "这一帖的编号",
                "revision": "第几版",
                "line": "第几行，从 1 起",
                "column": "第几个字，从 1 起",
                "parameters": "参数（JSON）",
                "sentence": "说的是什么",
            },
        ),
        "events": (
            "账本的每一行",
            {
                "seq": "第几行",
                "phase": "什么时候",
                "actor": "谁",
                "act": "做什么",
                "targets": "对象（JSON）",
                "at": "这一行写的时间",
                "entered_at": "录入的时间",
                "operator": "谁录入的",
                "source": "从哪里来",
                "remark": "备注",
            },
        ),
    }
)

# What a query is asked with comes as text, and is compared as a number where the column is one.
_NUMBERS = frozenset(
    {"tid", "pid", "uid", "revision", "revisions", "day", "standing", "votes", "complete", "line", "column", "seq"}
)

# Where the rows of each table come from.
_SOURCES: Mapping[str, str] = MappingProxyType(
    {
        "posts": "论坛的页面，看到的时候存下的",
        "post_revisions": "论坛的页面，看到的时候存下的",
        "ballots": "bansha 从 post_revisions 和账本读出的票",
        "tallies": "bansha 按规则数的票",
        "findings": "bansha 数票和检查发言时发现的",
        "events": "导演写的账本",
    }
)

# In what a number is counted. Datasette reads them by its registry of units, which is told of these.
UNITS: Mapping[str, Mapping[str, str]] = MappingProxyType({"posts": {"revisions": "版"}, "tallies": {"votes": "票"}})

FACETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "posts": ("author", "state", "tid"),
        "ballots": ("day", "voter", "standing", "reason"),
        "tallies": ("day", "target"),
        "findings": ("day", "severity", "code"),
        "events": ("phase", "actor", "act"),
    }
)

QUERIES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "every_revision_of_one_post": (
            "一帖的每一版",
            "SELECT revision, seen_at, text FROM post_revisions WHERE pid = :pid ORDER BY tid, revision",
        ),
        "who_changed_in_the_last_hour": (
            "关门前一小时里谁改了票（关门写 tallies 里的 as_of）",
            "SELECT b.day, b.voter, b.target, b.raw, b.standing, b.reason, p.posted_at, p.floor FROM ballots b"
            " JOIN posts p ON p.tid = b.tid AND p.pid = b.pid"
            " JOIN (SELECT day, poll, max(as_of) AS closed FROM tallies GROUP BY day, poll) t"
            " ON t.day = b.day AND t.poll = b.poll"
            # Older SQLite has no unixepoch().
            " WHERE b.act = 'change' AND (julianday(t.closed) - julianday(p.posted_at)) * 86400 BETWEEN -0.5 AND 3600.5"
            " ORDER BY p.posted_at",
        ),
        "posts_that_are_gone": (
            "看到过、后来被屏蔽或删除的帖",
            "SELECT tid, pid, floor, author, posted_at, state, text FROM posts WHERE state IN ('blocked', 'deleted')"
            " ORDER BY posted_at",
        ),
        "edited_ballots": (
            "编辑过的票",
            "SELECT b.day, b.voter, b.target, b.standing, b.reason, r.revision, r.seen_at, r.text FROM ballots b"
            " JOIN post_revisions r ON r.tid = b.tid AND r.pid = b.pid"
            " WHERE (SELECT count(*) FROM post_revisions o WHERE o.tid = b.tid AND o.pid = b.pid) > 1"
            " ORDER BY b.day, b.voter, r.revision",
        ),
        "one_voter": (
            "一名玩家的每一张票",
            "SELECT day, act, target, raw, standing, reason, pid FROM ballots WHERE voter = :voter ORDER BY day, pid",
        ),
    }
)


def save_datasette(report: GameReport, archive: Archive, folder: Path) -> None:
    """Write the copy and its metadata; UsageError where the folder is in the way or cannot be written."""
    path = folder / DATABASE
    if path.resolve() == archive.path.resolve():
        raise UsageError(phrase("{path}: 这是原来的数据库，不覆盖。改法：换一个文件夹。", path=path))
    tables = list_tables(report)
    _refuse_to_lose(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        _copy(report, archive, path)
        text = json.dumps(describe(report, tables), ensure_ascii=False, indent=2)
        (folder / METADATA).write_text(f"{text}\n", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(
            phrase("{folder}: 这里写不了文件（{strerror}）。改法：换一个能写的位置。", folder=folder, strerror=error.strerror)
        ) from None


def _refuse_to_lose(folder: Path) -> None:
    """UsageError where the folder holds a database or a description that is no earlier copy: another game's evidence, perhaps."""
    path, told = folder / DATABASE, folder / METADATA
    if path.exists() and not _is_copy(path):
        raise UsageError(phrase("{path}: 这不是以前写的副本，不覆盖。改法：换一个文件夹。", path=path))
    if told.exists() and not path.exists():
        raise UsageError(phrase("{path}: 这不是以前写的副本，不覆盖。改法：换一个文件夹。", path=told))


def _is_copy(path: Path) -> bool:
    """Whether a file is a copy: in it the posts are a table, in an archive a view."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as copy:
            found = copy.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'post_revisions'").fetchone()
    except sqlite3.Error:
        return False
    return found is not None


def list_tables(report: GameReport) -> list[str]:
    """The views that this version of a report may hold: the public one has no findings and no events before the end."""
    return [name for name in TABLES if not report.public or report.ended or name not in ("findings", "events")]


def select_rows(report: GameReport, archive: Archive) -> Iterator[tuple[str, tuple[str, ...], Iterable[tuple[object, ...]]]]:
    """Each view that may be shown: its name, its columns, and its rows as far as the rules publish them."""
    derived = list_rows(report.game, [day.tally for day in report.days], report.events, report.speech)
    for name in list_tables(report):
        columns = tuple(TABLES[name][1])
        yield name, columns, derived[name] if name in derived else _list_posts(report, archive, name, columns)


def _copy(report: GameReport, archive: Archive, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as copy:
        copy.execute("BEGIN")
        for name, columns, rows in select_rows(report, archive):
            typed = (f"{_quote(column)} {'INTEGER' if column in _NUMBERS else 'TEXT'}" for column in columns)
            copy.execute(f"CREATE TABLE {name} ({', '.join(typed)})")
            copy.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", rows)
        copy.execute("CREATE INDEX revisions_of_a_post ON post_revisions (pid)")
        copy.execute("COMMIT")


def _list_posts(report: GameReport, archive: Archive, view: str, columns: tuple[str, ...]) -> Iterator[tuple[object, ...]]:
    """The rows of a view of the archive, without the threads of votes that are not published."""
    hidden = {find_day(report.game, day.tally).vote for day in report.days if day.hidden}
    place = columns.index("tid")
    rows = archive.fetch_view(view, columns)
    if report.known_at is not None:
        threads = sorted({row[0] for row in archive.fetch_view("posts", ("tid",))})
        known = (history for tid in threads for history in archive.fetch_histories(tid, known_at=report.known_at, html=True))
        rows = (
            row for history in known for row in (_list_revisions(history) if view == "post_revisions" else [_row_of(history)])
        )
    yield from (row for row in rows if row[place] not in hidden)


def _row_of(history: History) -> tuple[object, ...]:
    """A post as the view of posts has it."""
    post, edited = history.latest, history.latest.edited
    return (
        *(history.tid, history.pid, post.floor, post.author, post.uid, _iso(post.posted_at)),
        *(_iso(edited.at) if edited is not None else None, history.state.value, post.message.text, len(history.revisions)),
        *(_iso(history.revisions[0].seen_at), _iso(history.last_seen)),
    )


def _list_revisions(history: History) -> Iterator[tuple[object, ...]]:
    """The rows of a post in the view of revisions."""
    for one in history.revisions:
        post = one.post
        yield history.tid, history.pid, one.number, _iso(one.seen_at), post.message.text, post.html, post.digest


def _iso(at: datetime) -> str:
    return at.isoformat(timespec="seconds")


def _quote(name: str) -> str:
    return f'"{name}"'


def describe(report: GameReport, tables: list[str]) -> dict[str, object]:
    """The metadata that Datasette reads: titles, sources, what every column is, facets, and ready queries."""
    game = report.game
    return {
        "title": game.title,
        "description": "公开版" if report.public else "导演版：不要外传",
        "source": game.forum.url or game.title,
        **({"source_url": game.forum.url} if game.forum.url else {}),
        "custom_units": [f"{unit} = []" for units in UNITS.values() for unit in units.values()],
        "databases": {
            Path(DATABASE).stem: {
                "tables": {
                    name: {
                        "title": TABLES[name][0],
                        "source": _SOURCES[name],
                        "columns": dict(TABLES[name][1]),
                        "units": dict(UNITS.get(name, {})),
                        "facets": list(FACETS.get(name, ())),
                    }
                    for name in tables
                },
                "queries": {name: {"title": title, "sql": query} for name, (title, query) in QUERIES.items()},
            }
        },
    }
