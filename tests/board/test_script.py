"""A script is read strictly: what nobody knows or cannot be is an error that names the place and the fix."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.board.script import load_script, read_script
from tests.board.table import ScriptError

THREAD = '[[thread]]\ntid = 7\ntitle = "投票帖"\n'
POST = '[[post]]\ntid = 7\npid = 1\nauthor = "饺子"\nat = 2018-06-03T10:00:00\ntext = "投"\n'


def test_accounts_get_uids_in_the_order_in_which_they_appear() -> None:
    script = read_script(
        '[[account]]\nname = "包子"\nuid = 102\n[[account]]\nname = "豆沙"\nsignature = "[b]甜[/b]"\n'
        + THREAD
        + POST
        + 'comments = [ { author = "青岚", at = 2018-06-03T11:00:00, text = "哦" } ]\n'
        + POST.replace("pid = 1", "pid = 2").replace("饺子", "包子")
    )
    assert {name: account.uid for name, account in script.accounts.items()} == {
        "包子": 102,
        "豆沙": 101,
        "饺子": 103,
        "青岚": 104,
    }
    assert script.accounts["豆沙"].signature == "[b]甜[/b]"


def test_the_line_end_before_the_closing_quotes_is_not_the_authors() -> None:
    script = read_script(THREAD + POST.replace('"投"', '"""\n投票对象：包子\n投票理由：略\n"""'))
    assert script.posts[1].text == "投票对象：包子\n投票理由：略"


def test_times_are_the_boards() -> None:
    script = read_script('[board]\nzone = "Asia/Shanghai"\n' + THREAD + POST)
    at = script.posts[1].at
    assert script.universal(at) == datetime(2018, 6, 3, 2, 0, tzinfo=UTC)
    assert script.local(script.universal(at)) == at
    assert script.offset(at).total_seconds() == 8 * 3600


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[board]\ndialekt = 'x35'\n", "[board]: 'dialekt' is no key here; known: charset"),
        ("[board]\ncharset = 'latin-1'\n", "[board]: charset 'latin-1' is none of utf-8, gbk, big5"),
        ("[board]\nzone = 'Asia/Nowhere'\n", "zone 'Asia/Nowhere' is not known"),
        ("[boards]\n", "'boards' is no key here"),
        (POST, "post pid 1: tid 7 is no [[thread]] of the script"),
        (THREAD + POST + POST, "post pid 1: pid 1 is there twice"),
        (THREAD + POST + "quote = 9\n", "post 1 quotes 9, which is no [[post]]"),
        (THREAD + POST + "html = '<b>'\n", "post pid 1: has text and html; keep one"),
        (THREAD + POST.replace("10:00:00", "10:00:00+08:00"), "post pid 1: at is board-local and takes no offset"),
        (THREAD + POST.replace("pid = 1", "pid = '1'"), "post pid 1: pid must be a whole number, not '1'"),
        (THREAD + POST + "deleted = 2018-06-03T09:00:00\n", "deleted at 2018-06-03 09:00:00 comes before the post itself"),
        (THREAD + POST + "edits = [ { at = 2018-06-03T11:00:00 } ]\n", "post pid 1: edits number 1: text is missing"),
        ("[[pass]]\nat = 2018-06-03T11:00:00\n" * 2, "the [[pass]] at 2018-06-03 11:00:00 does not come after"),
        ("[[post]\n", "line 1"),
    ],
)
def test_what_cannot_be_is_an_error_with_its_place(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "script.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScriptError) as caught:
        load_script(path)
    assert str(path) in str(caught.value)
    assert said in str(caught.value)
