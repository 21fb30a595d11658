"""One tree of errors for work that cannot go on, each with the exit code of the command that meets it.

What a person posted is never an error: that is a finding. An error names the file and key, or the board, thread and page,
and what to do next.
"""

from __future__ import annotations

from typing import ClassVar


class BanshaError(Exception):
    """Work cannot go on; the message says where and what to do."""

    exit_code: ClassVar[int] = 1


class UsageError(BanshaError):
    """The command line or a file that the director wrote cannot be used."""

    exit_code = 2


class GameFileError(UsageError):
    """A game file is wrong: the message names file, line, key and the fix."""


class BoardError(BanshaError):
    """The board is out of reach, or refuses: the message names the address and what to do."""

    exit_code = 4


class LayoutError(BanshaError):
    """A page of unknown layout: the message holds its title and where a copy was saved."""

    exit_code = 8
