"""How bansha names itself to boards."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

# Where a board's administrator finds out who asks.
HOME = "https://bansha.example.org/"


def user_agent(release: str | None = None) -> str:
    """How bansha names itself to boards: no word in it turns on Discuz!'s robot or phone view."""
    if release is None:
        try:
            release = version("bansha")
        except PackageNotFoundError:
            release = "0"
    return f"bansha/{release} (+{HOME})"
