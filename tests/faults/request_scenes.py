"""Scenes of refusals of a request as such: keys, names, tokens, bodies, queries, headers, paths and media types."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable
from typing import Any

import httpx

from tests.faults.stage import Stage, scene
from tests.harness.server import Client, expect


@scene("idempotency-key-reused")
async def _idempotency_key_reused(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    key = {"Idempotency-Key": '"open"'}
    expect(await stage.ada.post("/v1/games", {"title": "toy", "seats": 2}, key), 201)
    refused = (yield stage.ada.post("/v1/games", {"title": "toy", "seats": 3}, key)).json()
    yield stage.ada.post("/v1/games", {"title": "toy", "seats": 3}, {refused["field"]: '"another"'})


@scene("idempotency-key-refused")
async def _idempotency_key_refused(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    body, headers = {"name": f"kept {stage.ada.name}"}, {"Idempotency-Key": '"mine"'}
    refused = (yield stage.ada.post("/v1/accounts", body, headers)).json()
    yield stage.ada.post("/v1/accounts", body, {n: v for n, v in headers.items() if n != refused["field"]})


@scene("precondition-refused")
async def _precondition_refused(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    body, headers = {"title": "toy", "seats": 2}, {"If-Match": "*", "Idempotency-Key": '"matched"'}
    refused = (yield stage.ada.post("/v1/games", body, headers)).json()
    yield stage.ada.post("/v1/games", body, {n: v for n, v in headers.items() if n != refused["field"]})


@scene("invalid-name")
async def _invalid_name(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    refused = (yield stage.ada.post("/v1/accounts", {"name": "x" * 41})).json()
    yield stage.ada.post("/v1/accounts", {refused["field"]: f"short {stage.ada.id}"})


@scene("name-taken")
async def _name_taken(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    refused = (yield stage.ada.post("/v1/accounts", {"name": stage.ada.name})).json()
    yield stage.ada.post("/v1/accounts", {refused["field"]: f"not {stage.ada.id}"})


@scene("token-required")
async def _token_required(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    answer = yield Client(stage.processes.http).get(stage.moves)
    (scheme, _) = answer.headers["www-authenticate"].split(" ", 1)
    yield stage.ada.http.get(stage.moves, headers={"Authorization": f"{scheme} {stage.ada.token}"})


@scene("invalid-token")
async def _invalid_token(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    yield stage.ada.http.get(stage.path, headers={"Authorization": "Bearer nobodys"})
    yield stage.ada.http.get(stage.path)


@scene("invalid-body")
async def _invalid_body(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    body: dict[str, Any] = {"title": "toy", "seats": "2", "options": {"rounds": 2}}
    refused = (yield stage.ada.post("/v1/games", body)).json()
    yield stage.ada.post("/v1/games", {**body, refused["field"]: 2})


@scene("invalid-query")
async def _invalid_query(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    query = {"after": "0", "limit": "ten"}
    refused = (yield stage.ada.get(f"{stage.path}/events", params=query)).json()
    yield stage.ada.get(f"{stage.path}/events", params={**query, refused["field"]: "10"})


@scene("invalid-header")
async def _invalid_header(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    refused = (yield stage.ada.post("/v1/games", {"title": "toy", "seats": 2}, {"Idempotency-Key": '"open'})).json()
    yield stage.ada.post("/v1/games", {"title": "toy", "seats": 2}, {refused["field"]: '"open"'})


@scene("invalid-cursor")
async def _invalid_cursor(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    query = {"account": "me", "cursor": "AAAA"}
    refused = (yield stage.ada.get("/v1/games", params=query)).json()
    yield stage.ada.get("/v1/games", params={n: v for n, v in query.items() if n != refused["field"]})


@scene("not-found")
async def _not_found(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    yield stage.ada.get("/v1/tables")
    yield stage.ada.get("/openapi.json")


@scene("method-not-allowed")
async def _method_not_allowed(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    answer = yield stage.ada.http.put(stage.path, json={}, headers=stage.ada.headers)
    assert answer.json()["allowed"] == answer.headers["allow"].split(", ")
    yield stage.ada.http.request(answer.json()["allowed"][0], stage.path, headers=stage.ada.headers)


@scene("not-acceptable")
async def _not_acceptable(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    refused = (yield stage.ada.get(stage.path, {"Accept": "text/html"})).json()
    yield stage.ada.get(stage.path, {refused["field"]: refused["allowed"][0]})


@scene("body-too-large")
async def _body_too_large(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    name = f"large {stage.ada.id}"
    refused = (yield stage.ada.post("/v1/accounts", {"name": name, "more": "x" * 65_536})).json()
    body = b'{"name": "%s"}' % name.encode()
    padded = body + b" " * (refused["most"] - len(body))
    yield stage.ada.post("/v1/accounts", content=padded, headers={"Content-Type": "application/json"})


@scene("unsupported-media-type")
async def _unsupported_media_type(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    body = b'{"title": "toy", "seats": 2}'
    refused = (yield stage.ada.post("/v1/games", content=body, headers={"Content-Type": "text/plain"})).json()
    yield stage.ada.post("/v1/games", content=body, headers={refused["field"]: refused["allowed"][0]})
