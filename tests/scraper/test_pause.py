"""Pausing the collector of cycles."""

from __future__ import annotations

import gc

import pytest

from scraper.pause import without_collecting


@pytest.mark.parametrize("collects", [True, False])
def test_the_collector_is_as_it_was_after_work_that_ends_or_fails(collects: bool) -> None:
    was = gc.isenabled()
    try:
        (gc.enable if collects else gc.disable)()
        with without_collecting():
            assert not gc.isenabled()
            with without_collecting():
                pass
            assert not gc.isenabled()
        assert gc.isenabled() is collects
        with pytest.raises(ZeroDivisionError), without_collecting():
            _ = 1 // 0
        assert gc.isenabled() is collects
    finally:
        (gc.enable if was else gc.disable)()
