"""The folder for Datasette, opened with Datasette's own client: what the tables hold, what is told of them, the ready queries."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.report.datasette import FACETS, QUERIES, TABLES
from engine.store import VIEWS
from tests.engine.command import run

FIXTURES = Path(__file__).parents[2] / "fixtures"


def export(case: str, folder: Path, *options: str) -> Path:
    here = folder / "case"
    if not here.is_dir():
        shutil.copytree(FIXTURES / case, here)
        run("replay", str(here), "--db", str(here / "game.db"))
    ran = run("report", str(here), "--datasette", str(folder / "out"), *options)
    assert (folder / "out/game.db").is_file(), ran.err
    return folder / "out"


def ask(folder: Path, *paths: str) -> list[Any]:
    """The JSON that Datasette answers to each path."""
    from datasette.app import Datasette

    async def get() -> list[Any]:
        board = Datasette([str(folder / "game.db")], metadata=json.loads((folder / "metadata.json").read_text(encoding="utf-8")))
        answers = [await board.client.get(path) for path in paths]
        for answer, path in zip(answers, paths, strict=True):
            assert answer.status_code == 200, path
        return [answer.json() for answer in answers]

    return asyncio.run(get())


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export("m29/edited_after_it_was_seen", tmp_path_factory.mktemp("edited"))


def test_every_view_of_the_database_is_a_table_with_its_columns_explained(edited: Path) -> None:
    (told,) = ask(edited, "/-/metadata.json")
    tables = told["databases"]["game"]["tables"]
    assert set(tables) == {"posts", "post_revisions", *VIEWS}
    for view, columns in VIEWS.items():
        assert tuple(tables[view]["columns"]) == columns


def test_facets_name_columns_that_are_there() -> None:
    assert all(set(columns) <= set(TABLES[table][1]) for table, columns in FACETS.items())


def test_every_revision_of_one_post_is_a_ready_query(edited: Path) -> None:
    (found,) = ask(edited, "/game/edited_ballots.json?_shape=objects")
    texts = [row["text"] for row in found["rows"] if row["voter"] == "豆沙"]
    assert [text.split("\n")[0] for text in texts] == ["投票对象：老汪", "投票对象：老王"]
    (posts,) = ask(edited, "/game/posts.json?_shape=objects&revisions__gt=1")
    pid = next(row["pid"] for row in posts["rows"] if "老王" in row["text"])
    (versions,) = ask(edited, f"/game/every_revision_of_one_post.json?_shape=objects&pid={pid}")
    assert [row["revision"] for row in versions["rows"]] == [1, 2]


def test_who_changed_in_the_last_hour_is_a_ready_query(tmp_path: Path) -> None:
    folder = export("m29/change_in_the_last_hour", tmp_path)
    (found,) = ask(folder, "/game/who_changed_in_the_last_hour.json?_shape=objects")
    late = [row["voter"] for row in found["rows"] if row["reason"] == "change_too_late"]
    assert late
    assert all(row["standing"] in (0, 1) for row in found["rows"])


@pytest.mark.parametrize("query", [name for name, (_, sql) in QUERIES.items() if ":" not in sql])
def test_every_ready_query_runs(edited: Path, query: str) -> None:
    (found,) = ask(edited, f"/game/{query}.json")
    assert found["ok"]


def test_a_public_export_holds_neither_findings_nor_events_before_the_end(tmp_path: Path) -> None:
    folder = export("m29/rulings_of_the_director", tmp_path, "--public")
    (found,) = ask(folder, "/game.json")
    names = {table["name"] for table in found["tables"]}
    assert "ballots" in names
    assert not names & {"events", "findings"}
    assert "裁定".encode() not in (folder / "game.db").read_bytes()


def test_the_directors_export_holds_the_ledger(tmp_path: Path) -> None:
    folder = export("m29/rulings_of_the_director", tmp_path)
    (found,) = ask(folder, "/game/events.json?_shape=objects")
    assert {row["act"] for row in found["rows"]} == {"裁定", "撤销"}


def test_a_public_export_leaves_out_the_thread_of_a_vote_that_is_not_published(tmp_path: Path) -> None:
    here = tmp_path / "case"
    shutil.copytree(FIXTURES / "vest/the_first_to_reach_is_sheriff", here)
    text = (here / "game.toml").read_text(encoding="utf-8")
    (here / "game.toml").write_text(text.replace('"votes.publicity" = "H"', '"votes.publicity" = "F"'), encoding="utf-8")
    run("replay", str(here), "--db", str(here / "game.db"))
    (ballots, posts) = ask(export("", tmp_path, "--public"), "/game/ballots.json", "/game/posts.json")
    assert ballots["rows"] == []
    assert posts["rows"] == []


def test_the_games_own_database_is_never_overwritten(tmp_path: Path) -> None:
    export("m29/nobody_votes", tmp_path)
    before = (tmp_path / "case/game.db").read_bytes()
    ran = run("report", str(tmp_path / "case"), "--datasette", str(tmp_path / "case"))
    assert ran.code == 2
    assert "不覆盖" in ran.err
    assert (tmp_path / "case/game.db").read_bytes() == before


GAMES = {
    "m29": "m29/whole_game",
    "secret-number": "secret-number/the_idiot_feigns",
    "vest": "vest/the_idiots_ballot_weighs_nothing",
    "assertion": "assertion/manipulations",
    "table": "table/hands_at_the_table",
}


@pytest.mark.parametrize("public", [(), ("--public",)], ids=["director", "public"])
@pytest.mark.parametrize("case", GAMES.values(), ids=GAMES)
def test_every_page_opens(case: str, public: tuple[str, ...], tmp_path: Path) -> None:
    """Every table, facet and query, with what it asks for, with nothing and with odd things, as a page and as JSON."""
    folder = export(case, tmp_path, *public)
    told = json.loads((folder / "metadata.json").read_text(encoding="utf-8"))["databases"]["game"]
    paths = ["/", "/game"]
    for table, about in told["tables"].items():
        assert about["title"]
        assert about["source"]
        paths += [f"/game/{table}", *(f"/game/{table}?_facet={column}&_sort_desc={column}" for column in about["facets"])]
    for query in told["queries"]:
        paths += [f"/game/{query}{asked}" for asked in ("", "?pid=&voter=", "?pid=abc'%22;--&voter=%E5%8C%85%E5%AD%90%00")]
    for path, page in zip(paths, open_pages(folder, paths), strict=True):
        assert page[0] == 200, path
        assert "no such" not in page[1], path
    assert ("events" in told["tables"]) == (not public or case == "m29/whole_game")


def open_pages(folder: Path, paths: list[str]) -> list[tuple[int, str]]:
    """Status and words of each page."""
    from datasette.app import Datasette

    async def get() -> list[tuple[int, str]]:
        metadata = json.loads((folder / "metadata.json").read_text(encoding="utf-8"))
        board = Datasette([str(folder / "game.db")], metadata=metadata)
        answers = [await board.client.get(path) for path in paths]
        return [(answer.status_code, answer.text) for answer in answers]

    return asyncio.run(get())


def test_numbers_have_their_units(edited: Path) -> None:
    ((_, tallies), (_, posts)) = open_pages(edited, ["/game/tallies", "/game/posts"])
    assert "&nbsp;票</td>" in tallies
    assert "2&nbsp;版</td>" in posts


def test_the_last_hour_is_each_votes_own(tmp_path: Path) -> None:
    """A day of 面杀 has two votes: a change in the last hour of the first is none of the second's, and is told once."""
    (found,) = ask(export("table/how_a_ballot_is_cast", tmp_path), "/game/who_changed_in_the_last_hour.json?_shape=objects")
    assert found["rows"]
    posts = [(row["day"], row["voter"], row["posted_at"]) for row in found["rows"]]
    assert len(posts) == len(set(posts))


def test_the_database_of_another_game_is_never_overwritten(tmp_path: Path) -> None:
    export("m29/nobody_votes", tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    for name, data in (("game.db", (tmp_path / "case/game.db").read_bytes()), ("metadata.json", b"{}")):
        (other / name).write_bytes(data)
        ran = run("report", str(tmp_path / "case"), "--datasette", str(other))
        assert (ran.code, "不覆盖" in ran.err) == (2, True)
        assert (other / name).read_bytes() == data
        (other / name).unlink()
    for _ in range(2):  # an earlier copy is
        assert run("report", str(tmp_path / "case"), "--datasette", str(other)).code == 0


def test_the_line_to_type_holds_a_path_with_spaces(tmp_path: Path) -> None:
    export("m29/nobody_votes", tmp_path)
    ran = run("report", str(tmp_path / "case"), "--datasette", str(tmp_path / "有 空格"))
    assert f'datasette "{tmp_path / "有 空格" / "game.db"}" -m "' in ran.err
    assert ask(tmp_path / "有 空格", "/game.json")


@pytest.mark.parametrize("name", ["game.db", "game.toml"])
def test_a_report_is_never_written_over_a_games_own_file(name: str, tmp_path: Path) -> None:
    export("m29/nobody_votes", tmp_path)
    before = (tmp_path / "case" / name).read_bytes()
    for command in (("report",), ("tally", "--json"), ("check", "--html")):
        ran = run(command[0], str(tmp_path / "case"), *command[1:], "-o", str(tmp_path / "case" / name))
        if "No such option" not in ran.err:
            assert (ran.code, (tmp_path / "case" / name).read_bytes()) == (2, before)
    assert run("report", str(tmp_path / "case"), "-o", str(tmp_path / "case" / name)).err.count("不覆盖") == 1


def test_a_copy_of_an_earlier_moment_holds_what_was_known_then(tmp_path: Path) -> None:
    """豆沙 edited his post after the first look: a copy of that moment has the first words alone, in every table."""
    now = export("m29/edited_after_it_was_seen", tmp_path)
    rows = sqlite_rows(now)
    first = min(row["seen_at"] for row in rows["post_revisions"])
    then = sqlite_rows(export("", tmp_path, "--known-at", first))
    assert {row["seen_at"] for row in then["post_revisions"]} <= {first}
    assert all(row["revisions"] == 1 and row["first_seen"] <= first for row in then["posts"])
    assert 0 < len(then["posts"]) < len(rows["posts"])
    later = sqlite_rows(export("", tmp_path, "--known-at", "2030-01-01T00:00:00+08:00"))
    for name, told in rows.items():
        assert sorted(map(str, later[name])) == sorted(map(str, told))


def sqlite_rows(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Every row of the tables of posts."""
    with closing(sqlite3.connect(folder / "game.db")) as copy:
        copy.row_factory = sqlite3.Row
        return {name: [dict(row) for row in copy.execute(f"SELECT * FROM {name}")] for name in ("posts", "post_revisions")}
