"""What a board shows in place of a thread, by name."""

from __future__ import annotations

from enum import StrEnum


class Screen(StrEnum):
    """A page that is no thread; `recognise` gives None for one that is."""

    LOGIN_WALL = "login wall"
    NO_PERMISSION = "no permission"
    GONE = "gone"
    FLOOD = "flood"
    CLOSED = "closed board"
    UNKNOWN_AUTHOR = "unknown author"
    REFUSED = "refused"
    DATABASE_DOWN = "database down"
    CHALLENGE = "challenge"
    FIREWALL = "firewall"
    EMPTY = "empty body"
    API_REFUSED = "API refuses"
    NO_SUCH_PAGE = "no such page"
    UNKNOWN = "unknown layout"
