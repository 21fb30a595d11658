"""`demo` and `replay`: recorded games, counted without a network."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.common import AsJson, finish, print_json, say, tally_code
from engine.cli.words import _
from scraper.phrases import phrase

if TYPE_CHECKING:
    from engine.replay import Replay
    from engine.report.values import Json


def demo(
    folder: Annotated[
        Path | None, typer.Option("--dir", metavar="FOLDER", help=_("把示例放进这个新文件夹，可以随意改着玩。"))
    ] = None,
    as_json: AsJson = False,
) -> None:
    """数一局录好的示例：不用论坛，不用网络。"""
    from engine.replay import replay_case
    from engine.report.cases import print_demo, replay_value

    case = find_demo()
    if folder is not None:
        copy_case(case, folder)
        case = folder
    result = replay_case(case, folder / "game.db" if folder is not None else None)
    if as_json:
        print_json(replay_value(result))
    else:
        print_demo(result, folder)


def replay(
    cases: Annotated[
        list[Path], typer.Argument(metavar="CASE...", help=_("案例的文件夹，或装着许多案例的文件夹；也可以是规则推演的 .toml。"))
    ],
    as_json: AsJson = False,
    db: Annotated[
        Path | None, typer.Option("--db", metavar="FILE", help=_("把重建的数据库留在这里（每次重建；只能有一个案例）。"))
    ] = None,
) -> None:
    """从录下的页面重新计票，与 expected.toml 对照；有出入就退出 1。"""
    from engine.replay import find_cases, replay_case
    from engine.report.cases import print_replay, replay_value
    from engine.scenario_files import split_paths
    from scraper.errors import UsageError

    scenarios, folders = split_paths(cases)
    codes, values = _run_scenarios(scenarios, as_json=as_json)
    found = find_cases(folders)
    if db is not None and len(found) > 1:
        raise UsageError(phrase("--db 只能用于一个案例，这里有 {found} 个。改法：去掉 --db，或只写一个案例。", found=len(found)))
    results = []
    for case in found:
        result = replay_case(case, db)
        results.append(result)
        # A case that expects what is wrong with its pages need not hear of it.
        for error in result.errors if result.expected is None or result.differences else ():
            say(phrase("bansha: {case}: {error}", case=case.name, error=error))
        if not as_json:
            print_replay(result, whole=len(found) == 1)
    if as_json:
        print_json([*values, *(replay_value(result) for result in results)])
    finish([*codes, *(code for result in results for code in _codes(result))])


def _run_scenarios(paths: tuple[Path, ...], *, as_json: bool) -> tuple[list[int], list[Json]]:
    """Run scenarios of the engine; the exit codes and the JSON values of their cases."""
    from engine.report.scenarios import print_runs, run_value
    from engine.scenario_files import run_file

    codes: list[int] = []
    values: list[Json] = []
    for path in paths:
        runs = run_file(path)
        codes += [int(bool(run.differences)) for run in runs]
        values += [run_value(run) for run in runs]
        if not as_json:
            print_runs(runs)
    return codes, values


def _codes(result: Replay) -> list[int]:
    """A case that expects what was wrong with its pages is clean; without expectations every error is one."""
    from tally.finding import Severity

    if result.expected is not None and not result.differences:
        return [0]
    codes = [outcome.exit_code for outcome in result.outcomes]
    if result.expected is None:
        breaches = result.speech.count(Severity.ERROR) if result.speech is not None else 0
        return [*codes, *(tally_code(tally) for tally in result.tallies), int(breaches > 0)]
    return [*codes, 1]


def find_demo() -> Path:
    """The demo's case: package data where bansha was installed from a wheel, else the checkout's fixture."""
    import engine

    package = Path(engine.__file__).parent
    packed, checkout = package / "demo_case", package.parent / "fixtures" / "m29" / "three_days"
    return packed if packed.is_dir() else checkout


def copy_case(case: Path, folder: Path) -> None:
    """Copy a case to a new folder; UsageError where something is there already."""
    from scraper.errors import UsageError

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(phrase("{folder}: 已经有东西了，不覆盖。改法：换一个新文件夹的名字。", folder=folder))
    try:
        shutil.copytree(case, folder, dirs_exist_ok=True)
    except (OSError, shutil.Error) as error:
        why = getattr(error, "strerror", None) or error
        raise UsageError(phrase("{folder}: 这里写不了文件（{why}）。改法：换一个能写的位置。", folder=folder, why=why)) from None
    secrets = folder / "secrets.toml"
    if secrets.exists():
        secrets.chmod(0o600)
