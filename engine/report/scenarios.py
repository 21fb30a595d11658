"""What `replay` prints of scenarios: each case on a line, and where it is not as expected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.report.lines import write_lines
from engine.report.values import Json
from scraper.phrases import phrase

if TYPE_CHECKING:
    from engine.scenario_run import CaseRun


def print_runs(runs: tuple[CaseRun, ...]) -> None:
    """Every case of a scenario: one line, and its differences below it."""
    lines: list[str] = []
    for run in runs:
        wrong = phrase("有 {count} 处出入", count=len(run.differences)) if run.differences else phrase("一致")
        lines.append(phrase("{name} {title}：{wrong}", name=run.case.name, title=run.case.title, wrong=wrong))
        for difference in run.differences:
            lines.append(f"  {difference.key}")
            lines.append(phrase("    - 应为 {row}", row=difference.expected))
            lines.append(phrase("    + 实为 {row}", row=difference.found))
    write_lines(lines)


def run_value(run: CaseRun) -> Json:
    """A case as JSON."""
    return {
        "scenario": run.case.name,
        "title": run.case.title,
        "differences": [
            {"key": difference.key, "expected": difference.expected, "found": difference.found} for difference in run.differences
        ],
    }
