"""Runs `bansha` inside the test's own process, as a shell would see it."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

from engine.cli import main


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


def run(*arguments: str) -> Ran:
    """Run one command."""
    return run_on("utf-8", *arguments)


def run_on(encoding: str, *arguments: str) -> Ran:
    """Run one command on a console of an encoding."""
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="")
    err = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="")
    code: object = 0
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "argv", ["bansha", *arguments]):
        try:
            main()
        except SystemExit as end:
            code = end.code
    assert code is None or isinstance(code, int)
    return Ran(code or 0, _read(out), _read(err))


def _read(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()
