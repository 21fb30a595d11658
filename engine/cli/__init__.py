"""The commands that a director types; each is thin, and imports what it needs when it runs."""

from __future__ import annotations

import os
from contextvars import copy_context
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from typer.core import TyperGroup


def main() -> None:
    """Run the `bansha` command line and exit with the code of the contract."""
    from engine.cli.streams import find_loss, guard_streams

    guard_streams()
    code: object = 0
    try:
        _run()
    except SystemExit as end:
        code = end.code
    except KeyboardInterrupt:  # before the command itself had begun
        code = 130
    if loss := find_loss():
        from engine.cli.common import tell
        from scraper.phrases import phrase

        tell(phrase("bansha: 结果没有写出去：标准输出写不了（{loss}）。改法：换一个去处，再来一次。", loss=loss))
        code = 2
    raise SystemExit(code)


def _say(text: str) -> None:
    """A line of the log, where a command shows no progress of its own."""
    from engine.cli.common import say
    from scraper.phrases import phrase

    say(phrase("bansha: {error}", error=text))


def _run() -> None:
    from engine.cli.settings import apply_top, find_settings, has_variables, map_defaults, read_settings
    from scraper.errors import BanshaError

    try:
        path = find_settings()
        settings = read_settings(path)
        # As if the shell had set them: help is in the language in which the program was started.
        os.environ.update(apply_top(settings, path))
        from typer.main import get_command

        from engine.cli.app import UNASKED, app

        defaults: dict[str, object] = {**UNASKED}
        command = get_command(app)
        if settings or has_variables():
            defaults.update(map_defaults(settings, path, cast("TyperGroup", command)))
        from engine.cli.progress import tell_log

        with tell_log(_say):
            copy_context().run(command, prog_name="bansha", default_map=defaults)
    except BanshaError as error:
        from engine.cli.common import tell
        from scraper.phrases import phrase

        tell(phrase("bansha: {error}", error=error))
        raise SystemExit(error.exit_code) from None
