"""What several tests of commands need around them."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture
def heard_signals() -> Iterator[None]:
    """A shell lets what it starts in the background ignore SIGINT, and a process hands that on to those it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
