"""robots.txt decides on the mobile API, and on nothing else."""

from __future__ import annotations

import pytest

from scraper.address import api_url, page_url
from scraper.agent import user_agent
from scraper.robots import allowed, robots_url

API = api_url("https://bbs.example.net/", 1235)
STOCK = "User-agent: *\nDisallow: /api/\nDisallow: /data/\nDisallow: /*?mod=misc*\n"


@pytest.mark.parametrize(
    ("text", "may"),
    [
        (STOCK, False),
        ("\ufeff" + STOCK, False),
        (STOCK.replace("\n", "\r\n"), False),
        ("", True),
        ("# nothing\n", True),
        ("User-agent: *\nDisallow:\n", True),
        ("User-agent: *\nDisallow: /\n", False),
        ("User-agent: *\nDisallow: /data/\n", True),
        ("User-agent: bansha\nDisallow:\n\nUser-agent: *\nDisallow: /\n", True),
        ("User-agent: bansha\nDisallow: /api/\n\nUser-agent: *\nDisallow:\n", False),
        ("User-agent: *\nAllow: /api/mobile/\nDisallow: /api/\n", True),
        ("User-agent: other\nDisallow: /\n", True),
    ],
)
def test_the_api_is_read_where_the_file_lets_bansha(text: str, may: bool) -> None:
    assert allowed(text, API, user_agent()) is may


def test_the_stock_file_keeps_nobody_from_threads() -> None:
    assert allowed(STOCK, page_url("https://bbs.example.net/", 1235), user_agent())


def test_the_file_lies_at_the_hosts_root() -> None:
    assert robots_url("https://example.net/bbs/api/mobile/index.php?x=1") == "https://example.net/robots.txt"
    assert robots_url("http://127.0.0.1:8080/") == "http://127.0.0.1:8080/robots.txt"
