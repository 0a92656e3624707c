"""The list of faults in this folder's docstring holds: each has its tests, which stand, and run with `make test`."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import httpx
import pytest

import tests
from tests import faults
from tests.harness.contract import ContractBrokenError, check

_TESTS = Path(tests.__file__).parent
_KIND = re.compile(r"^(\d+)\. (\S.+)$")
_TEST = re.compile(r"^    (\S+\.py)::(test_\w+)$")

_LEFT_OUT = re.compile(r"pytest\.mark\.(fuzz|soak|bench|skip|skipif|xfail)\b")


def index() -> dict[int, list[tuple[str, str]]]:
    """The tests of each kind, by its number."""
    found: dict[int, list[tuple[str, str]]] = {}
    tests_of: list[tuple[str, str]] = []
    for line in (faults.__doc__ or "").splitlines():
        if (kind := _KIND.match(line)) is not None:
            tests_of = found.setdefault(int(kind[1]), [])
        elif (test := _TEST.match(line)) is not None:
            tests_of.append((test[1], test[2]))
        else:
            assert "::" not in line, f"this line is no test: {line}"
    return found


@cache
def functions_of(path: str) -> dict[str, set[str]]:
    """The tests of a file, with the markers that each carries."""
    module = ast.parse((_TESTS / path).read_text(encoding="utf-8"))
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {each.name: {ast.unparse(marker) for marker in each.decorator_list} for each in functions}


def test_every_kind_has_tests() -> None:
    found = index()
    assert found.keys() == set(range(1, len(found) + 1))
    assert [number for number, of in found.items() if not of] == []


@pytest.mark.parametrize("path,name", sorted({each for of in index().values() for each in of}))
def test_a_test_that_holds_off_a_fault_stands_and_runs(path: str, name: str) -> None:
    assert name in functions_of(path)
    assert not [marker for marker in functions_of(path)[name] if _LEFT_OUT.match(marker)]


def test_no_file_of_this_folder_is_forgotten() -> None:
    named = {Path(path).name for of in index().values() for path, _ in of if path.startswith("faults/")}
    assert {path.name for path in Path(__file__).parent.glob("test_*.py")} == named


@pytest.mark.parametrize(
    "status,body",
    [
        (200, b'{"status":"ok","more":1}'),
        (200, b'{"status":1}'),
        (204, b""),
        (500, b'{"type":"/docs#internal-error","title":"x","status":500,"detail":"x","code":"internal-error"}'),
    ],
)
def test_an_answer_that_the_contract_does_not_know_is_found(status: int, body: bytes) -> None:
    """Nothing in the tests of this folder would tell if the check of their clients passed everything."""
    request = httpx.Request("GET", "http://here/healthz")
    check(
        httpx.Response(200, content=b'{"status":"ok"}', request=request, headers={"Content-Type": "application/json"})
    )
    with pytest.raises(ContractBrokenError):
        check(httpx.Response(status, content=body, request=request, headers={"Content-Type": "application/json"}))
