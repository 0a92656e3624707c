"""The rooms of the service: each imports only what is below it, and so no two import each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SERVICE = PROJECT / "service"

ROOMS = (
    {"clock", "counters", "deadlines", "logs", "loop_lag", "media_types", "memory", "database", "embedded_postgres"},
    {"log"},
    {"auth", "limits"},
    {"settings"},
    {"play"},
    {"answers", "problems"},
    {"projections", "transport"},
    {"live"},
    {"node"},
    {"process"},
    {"http"},
    {"routes"},
    {"openapi"},
    {"app"},
    {"server"},
    {"demo", "titles", "verify"},
    {"main"},
    {"__main__"},
)
"""From the bottom up. Those on one line do not import each other, but for the first, which only share its packages."""

BENEATH = {"clock": {"database"}, "database": {"loop_lag", "logs"}, "embedded_postgres": {"database", "logs"}}
"""What imports what within the first line."""


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SERVICE.rglob("*.py")):
        yield path.relative_to(PROJECT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def room(name: str) -> str:
    """The room of a module by its dotted name below `service`, which has no room itself."""
    return name.split(".")[1]


def test_imports_go_downward_only() -> None:
    floor = {name: number for number, names in enumerate(ROOMS) for name in names}
    upward: list[str] = []
    seen: set[str] = set()
    for path, tree in modules():
        if path == "service/__init__.py":
            continue
        here = room(path.removesuffix(".py").replace("/", "."))
        seen.add(here)
        for name in imported(tree):
            if not name.startswith("service."):
                continue
            there = room(name)
            allowed = there == here or floor[there] < floor[here] or there in BENEATH.get(here, ())
            if not allowed:
                upward.append(f"{path} imports {name}")
    assert seen == set(floor), "every room has its place, and no place is empty"
    assert not upward


def test_the_rules_import_nothing_of_the_service() -> None:
    rules = [path for path in (PROJECT / "domain").rglob("*.py") if "template" not in path.parts]
    assert rules
    for path in rules:
        names = list(imported(ast.parse(path.read_text(encoding="utf-8"))))
        assert not [name for name in names if name.split(".")[0] in {"service", "tests"}], path
