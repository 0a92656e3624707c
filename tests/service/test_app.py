"""The application around the operations: routing, methods, other origins, and what no operation answers."""

from __future__ import annotations

import asyncpg
import httpx
import pytest

from service.app import OPERATIONS
from service.http.operation import Operation
from tests.harness.server import Service, expect, http_client, new_game, serving


async def target(http: httpx.AsyncClient, operation: Operation) -> str:
    table = await new_game(http, seated=0)
    return operation.path.replace("{game}", table.id).replace("{title}", "toy").replace("{set}", "toy-1")


@pytest.mark.parametrize(
    "path", ["/nowhere", "/v1", "/v1/games/x/y/z", "/v1/titles/toy", "/openapi", "/v1/accounts/you"]
)
async def test_a_path_that_is_not_here_is_a_problem(http: httpx.AsyncClient, path: str) -> None:
    refused = await http.get(path)
    assert expect(refused, 404)["code"] == "not-found"
    assert refused.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", sorted({operation.path for operation in OPERATIONS}))
async def test_a_method_that_is_not_here_is_a_problem_that_names_those_that_are(
    http: httpx.AsyncClient, path: str
) -> None:
    methods = {operation.method for operation in OPERATIONS if operation.path == path}
    expected: set[str] = {*methods, "OPTIONS", *(["HEAD"] if "GET" in methods else [])}
    there = await target(http, next(operation for operation in OPERATIONS if operation.path == path))
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"} - expected:
        refused = await http.request(method, there)
        problem = expect(refused, 405)
        assert problem["code"] == "method-not-allowed"
        assert set(refused.headers["allow"].split(", ")) == set(problem["allowed"]) == expected
    told = await http.options(there)
    assert (told.status_code, set(told.headers["allow"].split(", "))) == (204, expected)


@pytest.mark.parametrize("path", ["/v1/live", "/v1/games/x/live"])
async def test_a_socket_that_is_asked_for_without_an_upgrade_says_that_it_is_one(
    http: httpx.AsyncClient, path: str
) -> None:
    for method in ("GET", "POST"):
        refused = await http.request(method, path)
        assert expect(refused, 426)["code"] == "upgrade-required"
        assert (refused.headers["upgrade"], refused.headers["connection"]) == ("websocket", "Upgrade")
        assert "allow" not in refused.headers


@pytest.mark.parametrize("operation", [each for each in OPERATIONS if each.method == "GET"], ids=lambda each: each.name)
async def test_what_answers_get_answers_head_alike_and_without_a_body(
    http: httpx.AsyncClient, operation: Operation
) -> None:
    there = await target(http, operation)
    got, asked = await http.get(there), await http.head(there)
    assert (asked.status_code, asked.content) == (got.status_code, b"")
    assert asked.headers["content-type"] == got.headers["content-type"]
    if operation.name not in {"get_metrics", "list_games"}:  # which change from one request to the next
        assert asked.headers.get("content-length") == got.headers.get("content-length")


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "image/*", "application/json;q=0", "junk"])
async def test_what_cannot_be_served_as_accepted_is_a_problem_before_anything_is_done(
    http: httpx.AsyncClient, accept: str
) -> None:
    table = await new_game(http, seated=0)
    refused = await table.seats[0].post(f"{table.path}/seats", headers={"Accept": accept})
    problem = expect(refused, 406)
    assert (problem["code"], problem["field"]) == ("not-acceptable", "Accept")
    assert expect(await http.get(table.path), 200)["version"] == 1


async def test_a_page_of_any_origin_may_call_since_no_cookie_is_read(http: httpx.AsyncClient) -> None:
    asked = {
        "Origin": "https://frontend.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type, idempotency-key",
    }
    allowed = await http.options("/v1/games", headers=asked)
    assert allowed.status_code == 204
    assert allowed.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in allowed.headers
    names = {each.strip().lower() for each in allowed.headers["access-control-allow-headers"].split(",")}
    assert {"authorization", "content-type", "idempotency-key"} <= names
    answer = await http.get("/v1/titles", headers={"Origin": "https://frontend.example"})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "ETag" in answer.headers["access-control-expose-headers"]


async def test_origins_can_be_listed(database: str) -> None:
    with serving(database, {"TABLELOG_ALLOWED_ORIGINS": "https://a.example"}) as service:
        async with http_client(service.url) as http:
            known = await http.get("/v1/titles", headers={"Origin": "https://a.example"})
            other = await http.get("/v1/titles", headers={"Origin": "https://b.example"})
    assert known.headers["access-control-allow-origin"] == "https://a.example"
    assert "access-control-allow-origin" not in other.headers


async def test_every_answer_is_the_callers_own(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    for answer in (await http.get(table.path), await http.get("/v1/nowhere"), await http.get(f"/v1/games/g{'0' * 20}")):
        assert answer.headers["cache-control"] == "private, no-cache"


async def test_a_game_that_cannot_be_read_is_a_problem_of_that_game_alone(service: Service, database: str) -> None:
    """Faults 27 and 30, over HTTP."""
    async with http_client(service.url) as http:
        broken, whole = await new_game(http), await new_game(http)
        connection = await asyncpg.connect(database)
        await connection.execute(
            "insert into events (game_id, version, type, actor, data, rules_version, hash, recorded_at, attempt)"
            ' select game_id, 4, type, actor, \'{"type": "no_such_event"}\', rules_version, hash, recorded_at,'
            " gen_random_uuid() from events where game_id = $1 and version = 3",
            broken.id,
        )
        await connection.close()
        move = {"expected_version": 4, "move": {"type": "toy.lay_card", "card": "ant_1"}}
        for answer in (
            await broken.seats[0].get(broken.path),
            await broken.seats[0].get(f"{broken.path}/moves"),
            await broken.seats[0].get(f"{broken.path}/events"),
            await broken.seats[0].post(f"{broken.path}/moves", move),
        ):
            problem = expect(answer, 409)
            assert (problem["code"], problem["game"], problem["unreadable_version"]) == (
                "game-unreadable",
                broken.id,
                4,
            )
        expect(await whole.seats[0].get(whole.path), 200)
        assert whole.id in [game["id"] for game in expect(await whole.seats[0].get("/v1/games"), 200)["games"]]
