"""Problems: every code has its place in the table, and every error becomes one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import msgspec
import pytest
from litestar.exceptions import ClientException, MethodNotAllowedException, NotFoundException

from domain.kernel.rejected import Rejected
from service.database.errors import Unavailable
from service.play.game_cache import Unreadable
from service.problems import CODES, Problem, Refusal, refusal

PROJECT = Path(__file__).resolve().parents[2]


def texts() -> list[str]:
    """The sources of everything that may refuse."""
    return [path.read_text() for part in ("domain", "service") for path in (PROJECT / part).rglob("*.py")]


def refusals() -> Iterator[ast.Call]:
    """Every place where a refusal is made."""
    for text in texts():
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Call(func=ast.Name(id="Rejected" | "_refusal")):
                    yield node
                case _:
                    pass


def raised() -> set[str]:
    """Every code that a refusal is made with; for one that is put together, all codes that begin like it."""
    found: set[str] = set()
    for call in refusals():
        match call.args[:1]:
            case [ast.Constant(value=str(code))]:
                found.add(code)
            case [ast.JoinedStr(values=[ast.Constant(value=str(beginning)), *_])]:
                found |= {code for code in CODES if code.startswith(beginning)}
            case _:
                pass
    return found


def told(what: Refusal) -> dict[str, object]:
    """The problem in a refusal."""
    return msgspec.json.decode(what.body)


def test_every_code_that_is_raised_stands_in_the_table() -> None:
    assert raised() - set(CODES) == set()


def test_every_code_of_the_table_can_be_met() -> None:
    text = "".join(texts())
    elsewhere = {code for code in CODES if text.count(f'"{code}"') > 1}
    assert set(CODES) - raised() - elsewhere == set()


def test_every_fact_of_a_refusal_is_told_in_the_document() -> None:
    facts = {keyword.arg for call in refusals() for keyword in call.keywords if keyword.arg is not None}
    assert facts - set(Problem.__struct_fields__) == set()


@pytest.mark.parametrize("code", CODES)
def test_a_refusal_is_a_problem_with_its_code_and_facts(code: str) -> None:
    made = refusal(Rejected(code, "in words", field="seat", current_version=7))
    assert (made.code, made.status) == (code, CODES[code].status)
    assert told(made) == {
        "type": f"/docs#{code}",
        "title": CODES[code].title,
        "status": CODES[code].status,
        "detail": "in words",
        "code": code,
        "field": "seat",
        "current_version": 7,
    }


@pytest.mark.parametrize(
    "error,code,status",
    [
        (NotFoundException(), "not-found", 404),
        (MethodNotAllowedException(headers={"allow": "GET, HEAD"}), "method-not-allowed", 405),
        (ClientException("Invalid host header"), "invalid-request", 400),
        (Unavailable(), "unavailable", 503),
        (ConnectionRefusedError(), "unavailable", 503),
        (TimeoutError(), "unavailable", 503),
        (asyncpg.ConnectionDoesNotExistError(), "unavailable", 503),
        (asyncpg.AdminShutdownError(), "unavailable", 503),
        (Unreadable("g1", 3), "game-unreadable", 409),
        (RuntimeError("secret"), "internal-error", 500),
        (asyncpg.DataError("secret"), "internal-error", 500),
    ],
)
def test_every_error_becomes_a_problem(error: Exception, code: str, status: int) -> None:
    made = refusal(error)
    assert (made.code, made.status) == (code, status)


def test_an_error_that_nobody_foresaw_is_logged_and_not_told(caplog: pytest.LogCaptureFixture) -> None:
    made = refusal(RuntimeError("secret"))
    assert b"secret" not in made.body
    assert caplog.records[0].exc_info is not None
    assert "secret" in caplog.text


def test_a_game_that_cannot_be_read_is_named_and_so_is_the_place() -> None:
    problem = told(refusal(Unreadable("g1", 3)))
    assert (problem["game"], problem["unreadable_version"]) == ("g1", 3)


def test_headers_tell_what_to_do_next() -> None:
    assert dict(refusal(Unavailable()).headers)["Retry-After"].isdecimal()
    assert dict(refusal(MethodNotAllowedException(headers={"allow": "GET, HEAD"})).headers) == {"Allow": "GET, HEAD"}
    assert dict(refusal(Rejected("token-required", "")).headers) == {"WWW-Authenticate": 'Bearer realm="tablelog"'}
