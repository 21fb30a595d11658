"""secrets.toml: what is wrong in it is told by file, line and key, and never with the secret itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.engine.command import run

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.mark.parametrize(
    ("line", "key"), [("seed = 48151623", "seed"), ('[[player]]\nname = "饺子"\npassword = 48151623', "password")]
)
def test_a_secret_without_quotes_is_not_shown_in_the_error(tmp_path: Path, line: str, key: str) -> None:
    folder = tmp_path / "game"
    shutil.copytree(FIXTURES / "m29/three_days", folder)
    (folder / "secrets.toml").write_text(f"{line}\n", encoding="utf-8")
    ran = run("status", str(folder))
    assert ran.code == 2
    assert "secrets.toml" in ran.err
    assert f"{key}: 应该是文字" in ran.err
    assert "48151623" not in ran.err + ran.out
