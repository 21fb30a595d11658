"""Random draws that a vote needs: each follows from the game's secret seed and from what it is for, so that anyone with the seed
finds the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def draw(seed: str, what: str, names: Iterable[str]) -> str:
    """One of some names, put in order first, by the SHA-256 of seed and purpose: the game's engine draws in the same way.

    `what` is the vote, such as 日2 撕咬. ValueError where there is no name.
    """
    among = sorted(names)
    if not among:
        raise ValueError("nothing to draw from")
    digest = hashlib.sha256(f"{seed}\n{what}".encode()).digest()
    return among[int.from_bytes(digest) % len(among)]
