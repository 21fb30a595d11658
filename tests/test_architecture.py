"""The house has one direction: scraper ← tally ← engine, and no two modules import each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("scraper", "tally", "engine")


def modules() -> dict[str, Path]:
    """Every module of the project by its dotted name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def find_imports(path: Path, known: dict[str, Path], *, only_at_runtime: bool = False) -> Iterator[str]:
    """The modules of the project that a file imports, also inside functions; those under TYPE_CHECKING where wanted."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped: set[ast.AST] = set()
    if only_at_runtime:
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
                skipped.update(inner for statement in node.body for inner in ast.walk(statement))
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports in full"
            if node.module is None:
                continue
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name for name in inner if name in known)
            if node.module in known and not all(name in known for name in inner):
                yield node.module


def test_imports_go_one_way() -> None:
    known = modules()
    allowed = {package: PACKAGES[: place + 1] for place, package in enumerate(PACKAGES)}
    wrong = [
        f"{name} imports {imported}"
        for name, path in known.items()
        for imported in find_imports(path, known)
        if imported.split(".")[0] not in allowed[name.split(".")[0]]
    ]
    assert wrong == []


def test_the_walk_sees_the_imports_that_there_are() -> None:
    known = modules()
    seen = {imported.split(".")[0] for imported in find_imports(known["engine.counting"], known)}
    assert seen == {"scraper", "tally", "engine"}


def test_no_module_imports_itself_by_a_detour() -> None:
    known = modules()
    graph = {name: set(find_imports(path, known, only_at_runtime=True)) - {name} for name, path in known.items()}
    # What nobody left imports, or what imports nothing left, is in no circle; what cannot be taken away so is.
    left = dict(graph)
    while free := [name for name, imported in left.items() if not imported & left.keys()]:
        for name in free:
            del left[name]
    assert left == {}
