"""What `replay` prints of scenarios: each case on a line, and where it is not as expected."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from engine.report.safe import show
from engine.report.values import Json

if TYPE_CHECKING:
    from engine.scenario_run import CaseRun


def print_runs(runs: tuple[CaseRun, ...]) -> None:
    """Every case of a scenario: one line, and its differences below it."""
    lines = []
    for run in runs:
        wrong = f"有 {len(run.differences)} 处出入" if run.differences else "一致"
        lines.append(f"{run.case.name} {run.case.title}：{wrong}")
        for difference in run.differences:
            lines.append(f"  {difference.key}")
            lines.append(f"    - 应为 {difference.expected}")
            lines.append(f"    + 实为 {difference.found}")
    sys.stdout.write("".join(f"{show(line)}\n" for line in lines))


def run_value(run: CaseRun) -> Json:
    """A case as JSON."""
    return {
        "scenario": run.case.name,
        "title": run.case.title,
        "differences": [
            {"key": difference.key, "expected": difference.expected, "found": difference.found} for difference in run.differences
        ],
    }
