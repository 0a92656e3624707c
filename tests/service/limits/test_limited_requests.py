"""Limits as clients meet them: 429 with when to try again, and sockets that are refused or warned."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from service.limits.limiter import WIDER
from service.limits.weights import RESUME
from tests.harness.server import account, expect, http_client, serving


@asynccontextmanager
async def narrow(database: str, **limits: int) -> AsyncGenerator[tuple[httpx.AsyncClient, str]]:
    """A client of a service with a few narrow limits."""
    environment: Mapping[str, str] = {f"TABLELOG_{name.upper()}": str(value) for name, value in limits.items()}
    with serving(database, {**environment, "TABLELOG_TRUSTED_PROXIES": "127.0.0.1"}) as service:
        async with http_client(service.url) as http:
            yield http, service.url


def of(address: str) -> dict[str, str]:
    """The headers by which a trusted proxy names a client."""
    return {"X-Forwarded-For": address}


async def test_a_request_over_the_limit_is_429_with_the_fields_and_other_addresses_are_served(database: str) -> None:
    async with narrow(database, requests_per_address=3) as (http, _):
        for _ in range(3):
            assert (await http.get("/v1/titles", headers=of("192.0.2.1"))).status_code == 200
        refused = await http.get("/v1/titles", headers={**of("192.0.2.1"), "Origin": "https://a.example"})
        told = expect(refused, 429)
        assert (told["code"], told["limit"], told["most"], told["seconds"]) == (
            "rate-limited",
            "requests-per-address",
            3,
            60,
        )
        wait = told["retry_after"]
        assert refused.headers["retry-after"] == str(wait)
        assert refused.headers["ratelimit-policy"] == '"requests-per-address";q=3;w=60'
        assert refused.headers["ratelimit"] == f'"requests-per-address";r=0;t={wait}'
        assert refused.headers["access-control-allow-origin"] == "*"
        assert "RateLimit-Policy" in refused.headers["access-control-expose-headers"]
        assert (await http.get("/v1/titles", headers=of("192.0.2.2"))).status_code == 200
        for _ in range(10):
            assert (await http.get("/healthz", headers=of("192.0.2.1"))).status_code == 200
        metrics = (await http.get("/metrics")).text
        assert 'tablelog_limited_total{limit="requests-per-address"} 1' in metrics


UNANSWERED: Mapping[str, tuple[str, str, Mapping[str, str], int]] = {
    "no such path": ("GET", "/nowhere", {}, 404),
    "an escaped slash": ("GET", "/v1/games/a%2Fb", {}, 404),
    "no such method": ("PUT", "/v1/titles", {}, 405),
    "options": ("OPTIONS", "/v1/titles", {}, 204),
    "not acceptable": ("GET", "/v1/titles", {"Accept": "image/png"}, 406),
    "a precondition": ("GET", "/v1/games", {"If-Match": '"1"'}, 400),
    "a socket without an upgrade": ("GET", "/v1/live", {}, 426),
}


@pytest.mark.parametrize("method,path,headers,status", UNANSWERED.values(), ids=UNANSWERED)
async def test_a_request_that_no_operation_answers_counts_like_any_other(
    database: str, method: str, path: str, headers: Mapping[str, str], status: int
) -> None:
    async with narrow(database, requests_per_address=3) as (http, _):
        for _ in range(3):
            answer = await http.request(method, path, headers={**of("192.0.2.1"), **headers})
            assert answer.status_code == status
        refused = await http.request(method, path, headers={**of("192.0.2.1"), **headers})
        assert expect(refused, 429)["limit"] == "requests-per-address"
        assert expect(await http.get("/v1/titles", headers=of("192.0.2.1")), 429)
        assert (await http.request(method, path, headers={**of("192.0.2.2"), **headers})).status_code == status
        metrics = (await http.get("/metrics")).text
        assert 'tablelog_limited_total{limit="requests-per-address"} 2' in metrics


async def test_preflights_have_the_limit_of_requests_with_tokens_and_leave_the_other_alone(database: str) -> None:
    ask = {**of("192.0.2.1"), "Origin": "https://a.example", "Access-Control-Request-Method": "POST"}
    async with narrow(database, requests_per_address=2) as (http, _):
        for _ in range(2 * WIDER):
            assert (await http.options("/v1/games", headers=ask)).status_code == 204
        refused = await http.options("/v1/games", headers=ask)
        assert expect(refused, 429)["limit"] == "requests-per-address-with-token"
        assert refused.headers["access-control-allow-origin"] == "*"
        assert (await http.get("/v1/titles", headers=of("192.0.2.1"))).status_code == 200


async def test_a_handshake_at_a_path_without_a_socket_counts_as_a_request(database: str) -> None:
    async with narrow(database, requests_per_address=2) as (_, url):
        statuses: list[int] = []
        for _ in range(3):
            with pytest.raises(InvalidStatus) as refused:
                await connect(f"ws{url.removeprefix('http')}/nowhere", proxy=None)
            statuses.append(refused.value.response.status_code)
        assert statuses == [404, 404, 429]


async def test_with_a_token_the_account_is_limited_wherever_it_comes_from(database: str) -> None:
    async with narrow(database, requests_per_address=3, requests_per_account=5) as (http, _):
        ada, bob = [await account(http) for _ in range(2)]
        for number in range(5):
            assert (await ada.get("/v1/accounts/me", of(f"192.0.2.{number}"))).status_code == 200
        assert expect(await ada.get("/v1/accounts/me", of("192.0.2.9")), 429)["limit"] == "requests-per-account"
        assert (await bob.get("/v1/accounts/me")).status_code == 200


async def test_accounts_and_bad_tokens_of_an_address_are_limited(database: str) -> None:
    async with narrow(database, accounts_per_address=2, bad_tokens_per_address=2) as (http, _):
        ada = await account(http)
        expect(await ada.get("/v1/accounts/me"), 200)  # its token is in memory from now on
        await account(http)
        refused = expect(await http.post("/v1/accounts", json={"name": "one too many"}), 429)
        assert (refused["limit"], refused["seconds"]) == ("accounts-per-address", 3_600)
        for token in ("nobodys", "noones"):
            expect(await http.get("/v1/accounts/me", headers={"Authorization": f"Bearer {token}"}), 401)
        answer = await http.get("/v1/accounts/me", headers={"Authorization": "Bearer third"})
        assert expect(answer, 429)["limit"] == "bad-tokens-per-address"
        assert (await ada.get("/v1/accounts/me")).status_code == 200


async def test_a_socket_too_many_is_refused_at_the_upgrade_and_one_that_closes_makes_room(database: str) -> None:
    async with narrow(database, sockets_per_address=2) as (_, url):
        address = f"ws{url.removeprefix('http')}/v1/live"
        first = await connect(address, proxy=None)
        async with connect(address, proxy=None):
            with pytest.raises(InvalidStatus) as refused:
                await connect(address, proxy=None)
            answer = refused.value.response
            assert (answer.status_code, answer.headers["Retry-After"]) == (429, "10")
            assert json.loads(answer.body or b"")["limit"] == "sockets-per-address"
            await first.close()
            async with asyncio.timeout(20):
                while True:  # the service hears of the close in a moment
                    try:
                        async with connect(address, proxy=None):
                            break
                    except InvalidStatus:
                        await asyncio.sleep(0.05)


async def test_a_frame_over_the_limit_is_not_done_and_one_who_goes_on_is_closed_with_4005(database: str) -> None:
    async with (
        narrow(database, frames_per_address=3) as (_, url),
        connect(f"ws{url.removeprefix('http')}/v1/live", proxy=None) as socket,
    ):
        for _ in range(4):
            await socket.send('{"type":"unfollow","feed":"lobby"}')
        codes = [json.loads(await socket.recv())["code"] for _ in range(4)]
        assert codes == ["not-following"] * 3 + ["rate-limited"]
        with pytest.raises(ConnectionClosed) as closed:
            await _go_on(socket)
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4005, "rate-limited")


async def test_catching_up_counts_alike_by_the_address_of_a_socket_and_by_a_frame(database: str) -> None:
    async with narrow(database, requests_per_address=3 * (1 + RESUME) - 1) as (http, url):
        ada = await account(http)
        game = expect(await ada.post("/v1/games", json={"title": "toy", "seats": 2}), 201)["id"]
        address = f"ws{url.removeprefix('http')}/v1/games/{game}/live"
        for ask, there in (("?after=0", "192.0.2.1"), ("", "192.0.2.2")):
            for done in (True, True, False):
                async with connect(address + ask, proxy=None, additional_headers=of(there)) as socket:
                    await socket.send('{"type":"auth"}')
                    if not ask:
                        assert json.loads(await socket.recv())["type"] == "hello"
                        await socket.send(f'{{"type":"unsubscribe","game":"{game}"}}')
                        assert json.loads(await socket.recv())["type"] == "unsubscribed"
                        await socket.send(f'{{"type":"subscribe","game":"{game}","after":0}}')
                    frame = json.loads(await socket.recv())
                    assert frame["type"] == ("resumed" if done else "error")
                    if not done:
                        assert (frame["code"], frame["game"]) == ("rate-limited", game)
                        assert frame["retry_after"] > 0
                        if ask:
                            with pytest.raises(ConnectionClosed) as closed:
                                await socket.recv()
                            assert closed.value.rcvd is not None
                            assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4005, "rate-limited")


async def _go_on(socket: ClientConnection) -> None:
    """Send without end what is refused."""
    while True:
        await socket.send("junk")
        assert json.loads(await socket.recv())["retry_after"] > 0
