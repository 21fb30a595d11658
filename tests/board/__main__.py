"""`python -m tests.board`: the test board on loopback, to try the commands on by hand; Ctrl-C ends it.

Without a script it is the game that README.zh-CN.md leads through: put the printed address in place of https://bbs.example.net/.
"""

from __future__ import annotations

import argparse
import errno
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from tests.board.members import Members
from tests.board.script import read_script
from tests.board.server import Asked, Board, Reply, serve
from tests.board.walk import DIRECTOR, make_script

PORT = 8000


class RunningBoard(Board):
    """A board whose clock is the computer's."""

    def answer(self, asked: Asked) -> Reply | None:
        """The response to a request, at this moment."""
        self.clock = datetime.now(UTC)
        return super().answer(asked)


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m tests.board", description=__doc__)
    parser.add_argument("script", nargs="?", type=Path, help="a script.toml (tests/board/README.md); else the game of the README")
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument(
        "--at", metavar="MOMENT", help="the board stands at this moment (2018-06-05T21:30), and not at the computer's"
    )
    parser.add_argument("--password", default="daoyan", help=f"of the account {DIRECTOR}, which may log in and reply")
    parser.add_argument("--members-only", action="store_true", help="guests see no thread")
    given = parser.parse_args()
    script = (
        read_script(given.script.read_text(encoding="utf-8"), str(given.script)) if given.script is not None else make_script()
    )
    board = Board(script, datetime.fromisoformat(given.at)) if given.at else RunningBoard(script, datetime.now(UTC))
    board.faults = (Members(board, {DIRECTOR: given.password}, only=given.members_only),)
    try:
        with serve(board, given.port) as served:
            threads = ", ".join(str(tid) for tid in script.threads)
            sys.stdout.write(
                f"{served.base}\nThreads {threads}. Account {DIRECTOR}, password {given.password}. Ctrl-C ends it.\n"
            )
            sys.stdout.flush()
            try:
                while True:
                    time.sleep(3600)
            except KeyboardInterrupt:
                return
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        parser.exit(2, f"Port {given.port} cannot be had ({error.strerror}): choose another with --port.\n")


if __name__ == "__main__":
    main()
