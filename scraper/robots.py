"""robots.txt, where it governs: unattended reading of the mobile API, which the stock file of X disallows (`/api/`).

It does not govern the director's own login, nor posting, nor the threads that he names in game.toml: those are one person's
reading of pages that the board shows to him. So only the API dialect asks here, and it is opt-in for that reason.
"""

from __future__ import annotations

from urllib.parse import urljoin
from urllib.robotparser import RobotFileParser


def robots_url(url: str) -> str:
    """Where the robots.txt that governs an address lies: at the root of its host, whatever folder the board is in."""
    return urljoin(url, "/robots.txt")


def allowed(robots_text: str, url: str, agent: str) -> bool:
    """Whether a robots.txt lets `agent` read `url`: an empty one (or none: 404) allows, the first rule that fits decides.

    Plain prefixes only, as the file's first standard has them: `*` inside a path is not understood, and matches nothing.
    """
    parser = RobotFileParser()
    parser.parse(robots_text.removeprefix("\ufeff").splitlines())
    return parser.can_fetch(agent, url)
