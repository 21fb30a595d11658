"""The commands that a director types; each is thin, and imports what it needs when it runs."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the `bansha` command line and exit with the code of the contract."""
    from engine.cli.streams import find_loss, guard_streams

    guard_streams()
    code: object = 0
    try:
        _run()
    except SystemExit as end:
        code = end.code
    if loss := find_loss():
        sys.stderr.write(f"bansha: 结果没有写出去：标准输出写不了（{loss}）。改法：换一个去处，再来一次。\n")
        code = 2
    raise SystemExit(code)


def _run() -> None:
    from engine.cli.app import app
    from scraper.errors import BanshaError

    try:
        app(prog_name="bansha")
    except BanshaError as error:
        from engine.cli.common import say
        from scraper.phrases import phrase

        say(phrase("bansha: {error}", error=error))
        raise SystemExit(error.exit_code) from None
