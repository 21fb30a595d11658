"""Which keys a [[day]] of game.toml has in a rule system, by how it votes."""

from __future__ import annotations

from typing import assert_never

from tally.policy import SECOND, OffBoard, TargetKind, VotePolicy


def day_keys(policy: VotePolicy) -> tuple[str, ...]:
    """The keys besides those that a day has in every system."""
    keys: list[str] = []
    match policy.target:
        case TargetKind.NUMBER:
            keys.append("out_numbers")
        case TargetKind.VEST:
            keys.append("out_vests")
        case TargetKind.CHARACTER | TargetKind.SEAT:
            pass
        case _:
            assert_never(policy.target)
    keys += ["feigned"] if policy.feigned is not None else []
    keys += ["cursed"] if policy.curse else []
    keys += ["souls", "published"] if any(poll.role for poll in policy.polls) else []
    keys += ["poll"] if SECOND in policy.polls else []
    keys += ["result"] if not any(poll.role for poll in policy.polls) else []
    return tuple(keys)


def entry_keys(policy: VotePolicy) -> tuple[str, ...]:
    """What an entry of `out` or `feigned` may tell of a seat besides its name."""
    match policy.target:
        case TargetKind.NUMBER:
            return ("number",)
        case TargetKind.VEST:
            return ("vest",)
        case TargetKind.CHARACTER | TargetKind.SEAT:
            return ()
        case _:
            assert_never(policy.target)


def needs_thread(policy: VotePolicy) -> bool:
    """Whether a day must name its vote thread: not where votes are shown at a table, or told in private."""
    match policy.off_board:
        case OffBoard.PROXY:
            return True
        case OffBoard.TABLE | OffBoard.PRIVATE:
            return False
        case _:
            assert_never(policy.off_board)
