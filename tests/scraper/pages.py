"""Small thread pages in X3's structure, written by hand for the tests of reading: every post its own function call."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from scraper.page import read_page
from scraper.post import Page

BOARD = ZoneInfo("Asia/Shanghai")
SEEN = datetime(2018, 6, 5, 4, 0, 30, tzinfo=UTC)  # 12:00:30 on the board
LINK = "https://bbs.example.net/forum.php?mod=redirect&amp;goto=findpost&amp;pid={pid}&amp;ptid=1235"


def author_cell(author: str = "饺子", uid: int | None = 1001) -> str:
    """The left cell; without uid the words stand where the link to the member would."""
    if uid is None:
        return f'<td class="pls"><div class="pi">\r\n{author}\r\n</div></td>'
    name = f'<a href="home.php?mod=space&amp;uid={uid}" target="_blank" class="xw1">{author}</a>'
    card = f'<div class="p_pop blk bui" style="display: none"><strong>{name}</strong><em>当前在线</em></div>'
    return (
        f'<td class="pls"><div class="favatar"><div class="pi">\r\n<div class="authi">{name}\r\n</div>\r\n</div>{card}</div></td>'
    )


def post(
    pid: int,
    message: str | None = "路过",
    *,
    author: str = "饺子",
    uid: int | None = 1001,
    floor: str = "<em>5</em><sup>#</sup>",
    time: str = '发表于 <span title="2018-6-4 20:01:02">昨天&nbsp;20:01</span>',
    lock: str = "",
    title: str = "",
    after: str = "",
    tail: str = "",
    cell: str | None = None,
) -> str:
    """One post; `after` stands behind the message's cell, `tail` behind the comments. No `message`: none is shown."""
    number = f'<strong><a href="#" id="postnum{pid}">\r\n{floor}</a></strong>' if floor else ""
    head = f"<h2>{title}</h2>" if title else ""
    box = f'<div class="locked">{lock}</div>' if lock else ""
    body = ""
    if message is not None:
        body = (
            f'<div class="t_fsz"><table cellspacing="0" cellpadding="0"><tr><td class="t_f" id="postmessage_{pid}">\r\n'
            f'{message}</td></tr></table>\r\n{after}</div>\r\n<div id="comment_{pid}" class="cm">\r\n'
        )
    return (
        f'<div id="post_{pid}" ><table id="pid{pid}" class="plhin"><tr>{cell or author_cell(author, uid)}'
        f'<td class="plc"><div class="pi">{number}<div class="pti"><div class="authi">'
        f'<em id="authorposton{pid}">{time}</em></div></div></div><div class="pct"><div class="pcb">\r\n{head}{box}{body}</div>'
        f'<div id="post_rate_div_{pid}"></div></div></div>{tail}</td></tr><tr><td class="plc plm"></td></tr></table>\r\n</div>'
    )


def page(*posts: str, pager: str = "", title: str = "第二天 投票帖", head: str = "", end: str = "</body>\r\n</html>") -> str:
    """A page of posts; `pager` is the inside of `div.pg`, `head` goes before the posts."""
    links = f'<div class="pg">{pager}</div>' if pager else ""
    return (
        f'<!DOCTYPE html>\r\n<html><head><title>{title} - 版杀游戏区</title></head><body>{head}<div class="pgt">{links}</div>'
        f'<div id="postlist" class="pl bm"><h1><span id="thread_subject">{title}</span></h1>{"".join(posts)}'
        f'<div id="postlistreply"></div></div><div id="ft"><p>GMT+8, 2018-6-5 12:00</p></div>{end}'
    )


def read(body: str | bytes, *, content_type: str = "text/html; charset=utf-8", zone: ZoneInfo = BOARD) -> Page:
    data = body.encode() if isinstance(body, str) else body
    return read_page(data, tid=1235, seen_at=SEEN, zone=zone, content_type=content_type)
