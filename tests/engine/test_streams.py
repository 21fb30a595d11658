"""Where results go may be full, closed, or a reader that leaves: no command ends in the middle, and what is lost is told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CASE = Path(__file__).parents[2] / "fixtures" / "m29" / "three_days"
COMMAND = [sys.executable, "-c", "from engine.cli import main; main()", "replay", str(CASE)]
POSIX = pytest.mark.skipif(os.name != "posix", reason="file descriptors of POSIX")


def environment(unbuffered: bool) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    return {**kept, "PYTHONIOENCODING": "utf-8", **({"PYTHONUNBUFFERED": "1"} if unbuffered else {})}


@pytest.mark.parametrize("unbuffered", [True, False])
def test_a_reader_that_has_read_enough_leaves_the_games_own_code(unbuffered: bool) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(COMMAND, stdout=writing, stderr=subprocess.PIPE, env=environment(unbuffered), check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("unbuffered", [True, False])
def test_a_full_disk_is_told_at_the_end(unbuffered: bool) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(COMMAND, stdout=full, stderr=subprocess.PIPE, env=environment(unbuffered), check=False)
    lines = done.stderr.decode().splitlines()
    assert (done.returncode, len(lines)) == (2, 1)
    assert lines[0].startswith("bansha: 结果没有写出去")


@POSIX
@pytest.mark.parametrize(("closed", "code"), [(1, 2), (2, 0)])
def test_a_closed_stream_is_told_where_results_are_lost(closed: int, code: int) -> None:
    script = f"import os, sys; os.close({closed}); os.execv(sys.executable, sys.argv[1:])"
    command = [sys.executable, "-c", script, *COMMAND]
    done = subprocess.run(command, capture_output=True, env=environment(False), check=False)
    assert done.returncode == code
    assert ("结果没有写出去" in done.stderr.decode()) == (closed == 1)
    assert b"Traceback" not in done.stderr + done.stdout
