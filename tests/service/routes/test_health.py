"""What whoever runs the service asks."""

from __future__ import annotations

import httpx

from tests.harness.postgres import OwnServer
from tests.harness.server import expect, public, serving


async def test_a_service_that_runs_says_so(http: httpx.AsyncClient) -> None:
    for path in ("/healthz", "/readyz"):
        assert expect(await http.get(path), 200) == {"status": "ok"}


async def test_answers_are_counted_by_operation_and_status(http: httpx.AsyncClient) -> None:
    await http.get("/v1/titles")
    await http.get("/nowhere")
    counts = (await http.get("/metrics")).text
    assert 'tablelog_requests_total{operation="list_titles",status="200"}' in counts
    assert 'tablelog_requests_total{operation="none",status="404"}' in counts


async def test_without_its_database_the_service_lives_and_says_that_it_is_not_ready(own_postgres: OwnServer) -> None:
    with serving(own_postgres.dsn()) as running:
        async with public(running.url) as anyone:
            own_postgres.go_down()
            try:
                expect(await anyone.get("/healthz"), 200)
                for path in ("/readyz", "/v1/games", f"/v1/games/g{'0' * 20}"):
                    refused = await anyone.get(path)
                    assert expect(refused, 503)["code"] == "unavailable"
                    assert int(refused.headers["retry-after"]) >= 1
            finally:
                own_postgres.come_back()
            expect(await anyone.get("/readyz"), 200)
            expect(await anyone.get("/v1/games"), 200)
