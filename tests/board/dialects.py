"""The surfaces that the test board can show, by the name that a script gives: one module each."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Protocol

from tests.board.api import API1, API4
from tests.board.living import Living
from tests.board.old import V60, V61, V72
from tests.board.script import Script
from tests.board.table import ScriptError
from tests.board.touch import TOUCH34, TOUCH35
from tests.board.view import PageView
from tests.board.x2 import X2
from tests.board.x3 import X34, X35


class Dialect(Protocol):
    """One surface of a Discuz! board. `base` is the board's address with a slash at its end.

    `wire` is the charset that it is sent in whatever the board's is, empty where it is the board's; `kind` the type of content.
    """

    @property
    def wire(self) -> str: ...
    @property
    def kind(self) -> str: ...

    def address(self, tid: int, number: int) -> str:
        """The address of a page of a thread, under the board's."""
        ...

    def render_thread(self, view: PageView, base: str, living: Living) -> str:
        """A page of a thread."""
        ...

    def render_box(self, script: Script, moment: datetime, text: str, base: str, living: Living) -> str:
        """The box with which the board answers in place of a thread."""
        ...


DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {
        "x35": X35,
        "x34": X34,
        "x2": X2,
        "v72": V72,
        "v60": V60,
        "v61": V61,
        "touch35": TOUCH35,
        "touch34": TOUCH34,
        "api1": API1,
        "api4": API4,
    }
)


def find_dialect(name: str) -> Dialect:
    """The dialect of that name. Raises ScriptError with the names there are."""
    if name not in DIALECTS:
        raise ScriptError(f"[board]: dialect {name!r} is none of {', '.join(DIALECTS)}")
    return DIALECTS[name]
