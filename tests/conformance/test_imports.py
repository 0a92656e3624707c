"""The domain is pure: it can reach neither the outside nor a clock nor a generator, for it imports none."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import domain

ROOT = Path(domain.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

# Modules that only compute. What is not listed here may not be imported: random, time, os, pathlib, service ...
PURE = {
    "__future__",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "hashlib",
    "hmac",
    "itertools",
    "math",
    "msgspec",
    "operator",
    "re",
    "string",
    "tomllib",
    "types",
    "typing",
    "unicodedata",
}
# Of an impure module the names that only compute; `CLOCKS` are what is impure about them.
PURE_NAMES = {"datetime.datetime", "datetime.timedelta"}
CLOCKS = {"now", "utcnow", "today", "fromtimestamp", "utcfromtimestamp", "astimezone"}
IMPURE_BUILTINS = {
    "open",
    "input",
    "print",
    "exec",
    "eval",
    "compile",
    "__import__",
    "breakpoint",
    "globals",
    "id",
    "hash",
}

each_module = pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(ROOT)))


def test_the_domain_is_found() -> None:
    assert {"catalogue.py", "kernel/game.py"} <= {module.relative_to(ROOT).as_posix() for module in MODULES}


@each_module
def test_a_module_of_the_domain_imports_only_what_computes(module: Path) -> None:
    imported = {name for name in _imported(module) if name.split(".")[0] not in PURE | {"domain"}}
    assert imported - PURE_NAMES == set()


@each_module
def test_a_module_of_the_domain_reads_no_clock(module: Path) -> None:
    attributes = {node.attr for node in ast.walk(_tree(module)) if isinstance(node, ast.Attribute)}
    assert attributes & CLOCKS == set()


@each_module
def test_a_module_of_the_domain_calls_nothing_that_reaches_outside(module: Path) -> None:
    calls = [node.func for node in ast.walk(_tree(module)) if isinstance(node, ast.Call)]
    assert {call.id for call in calls if isinstance(call, ast.Name)} & IMPURE_BUILTINS == set()


@each_module
def test_a_title_knows_the_kernel_and_itself_and_the_kernel_knows_no_title(module: Path) -> None:
    package = module.relative_to(ROOT).parts[0]
    allowed = {f"domain.{part}" for part in ("kernel", package)} if package != "catalogue.py" else None
    for name in _imported(module):
        if name.startswith("domain.") and allowed is not None:
            assert ".".join(name.split(".")[:2]) in allowed


def _tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def _imported(module: Path) -> Iterator[str]:
    """The full names of what a module imports; relative imports are not in use here."""
    for node in ast.walk(_tree(module)):
        match node:
            case ast.Import(names):
                yield from (name.name for name in names)
            case ast.ImportFrom(source, names, level):
                assert level == 0
                yield from (f"{source}.{name.name}" for name in names)
            case _:
                pass
