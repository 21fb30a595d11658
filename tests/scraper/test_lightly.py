"""Opening a database loads no library that only sqlite-utils' optional types are for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scraper.lightly import without_optional

SCRIPT = """
import sys
from pathlib import Path
from zoneinfo import ZoneInfo
from scraper.archive import Archive
with Archive.open(Path(sys.argv[1]), board="https://bbs.example.net/", zone=ZoneInfo("Asia/Shanghai")) as archive:
    assert archive.database.table_names()
assert "sqlite_utils" in sys.modules
print([name for name in ("numpy", "pandas") if name in sys.modules])
import numpy
print(numpy.int8(7))
"""


def test_an_archive_opens_without_numpy_and_leaves_it_to_be_imported(tmp_path: Path) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed: there is nothing to leave out")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "game.db")], capture_output=True, encoding="utf-8", check=True, timeout=60
    )
    assert done.stdout.split("\n")[:2] == ["[]", "7"]


def test_what_is_imported_already_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", sys)
    with without_optional(("numpy", "no_such_library")):
        assert sys.modules["numpy"] is sys
        with pytest.raises(ImportError):
            __import__("no_such_library")
    assert "no_such_library" not in sys.modules
