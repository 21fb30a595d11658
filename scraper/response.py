"""One HTTP response as a value: what a board sent, and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Response:
    """What one request got: the final address, status, headers in order, body bytes, and when it was seen (aware)."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    seen_at: datetime

    def header(self, name: str) -> str:
        """The first header of that name, in any case; an empty string where there is none."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), "")
