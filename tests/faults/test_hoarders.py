"""Clients that make the service hold bytes for them: its memory stays, and others play on."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import psutil
import pytest

from tests.harness.raw import PING, RawSocket, frame_head, raw_socket
from tests.harness.server import Service, account, http_client, new_game, play, serving

MEBIBYTE = 1024 * 1024
RECORD_BYTES = 8 * MEBIBYTE


@pytest.fixture
def service(database: str) -> Generator[Service]:
    with serving(database, {"TABLELOG_TRUSTED_PROXIES": "127.0.0.1"}) as running:
        yield running


def resident(service: Service) -> int:
    """The resident memory of a process in bytes."""
    return psutil.Process(service.pid).memory_info().rss


def port(service: Service) -> int:
    return int(service.url.rpartition(":")[2])


@asynccontextmanager
async def connected(service: Service) -> AsyncGenerator[socket.socket]:
    with socket.socket() as sock:
        sock.setblocking(False)  # noqa: FBT003 - as it is called
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port(service)))
        yield sock


async def answer_of(service: Service, sent: bytes, *, end: bool = False) -> bytes:
    """All that is answered until the service closes the connection."""
    async with connected(service) as sock:
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(sock, sent)
        if end:
            sock.shutdown(socket.SHUT_WR)
        received = b""
        while part := await loop.sock_recv(sock, 1_000_000):
            received += part
        return received


def upload_head(token: str | None, address: str, size: int) -> bytes:
    """The head of an upload of a record, as a proxy passes it on."""
    return (
        f"POST /v1/records HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nX-Forwarded-For: {address}\r\n"
        f"Content-Type: application/x-ndjson\r\nContent-Length: {size}\r\n\r\n"
    ).encode()


async def test_uploads_whose_last_byte_never_comes_are_bounded_and_moves_go_in_meanwhile(service: Service) -> None:
    loop = asyncio.get_running_loop()
    async with http_client(service.url) as http, AsyncExitStack() as stack:
        uploaders, table = [await account(http) for _ in range(30)], await new_game(http)
        before = resident(service)

        async def upload(number: int) -> bytes:
            sock = await stack.enter_async_context(connected(service))
            await loop.sock_sendall(sock, upload_head(uploaders[number].token, f"192.0.2.{number}", RECORD_BYTES))
            await loop.sock_sendall(sock, b"x" * (RECORD_BYTES - 1))
            return await loop.sock_recv(sock, 65_536)

        done, held = await first_refused([asyncio.create_task(upload(number)) for number in range(30)], 20)
        await play(table, 1)
        assert resident(service) - before < 100 * MEBIBYTE
        refused = [task.result() for task in done if task.result().startswith(b"HTTP/1.1 503 ")]
        assert len(refused) >= 20
        assert all(b"\r\nretry-after: " in each for each in refused)
        for task in held:
            task.cancel()


async def first_refused(
    uploads: Sequence[asyncio.Task[bytes]], number: int
) -> tuple[set[asyncio.Task[bytes]], set[asyncio.Task[bytes]]]:
    """The uploads that were answered, at least a number of them, and those that the service waits for."""
    done, held = await asyncio.wait(uploads, return_when=asyncio.FIRST_COMPLETED)
    while len(done) < number:
        done, held = await asyncio.wait(uploads, timeout=0.1)
    return done, held


@pytest.mark.parametrize("accounts", [1, 5], ids=["of one account", "of one address"])
async def test_uploads_that_one_client_withholds_keep_no_upload_of_others_out(service: Service, accounts: int) -> None:
    loop = asyncio.get_running_loop()
    async with http_client(service.url) as http, AsyncExitStack() as stack:
        withholders, other = [await account(http) for _ in range(accounts)], await account(http)

        async def withhold(number: int) -> bytes:
            sock = await stack.enter_async_context(connected(service))
            token = withholders[number % accounts].token
            address = f"192.0.2.{number if accounts == 1 else 1}"
            await loop.sock_sendall(sock, upload_head(token, address, RECORD_BYTES) + b"x")
            return await loop.sock_recv(sock, 65_536)

        held_by_one = {1: 1, 5: 2}[accounts]
        uploads = [asyncio.create_task(withhold(number)) for number in range(5)]
        done, held = await first_refused(uploads, 5 - held_by_one)
        limit = "body-bytes-per-account" if accounts == 1 else "body-bytes-per-address"
        for task in done:
            head, _, body = task.result().partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 429 ")
            assert (json.loads(body)["code"], json.loads(body)["limit"]) == ("rate-limited", limit)
        sock = await stack.enter_async_context(connected(service))
        await loop.sock_sendall(sock, upload_head(other.token, "192.0.2.99", RECORD_BYTES) + b"x" * RECORD_BYTES)
        head, _, body = (await loop.sock_recv(sock, 65_536)).partition(b"\r\n\r\n")
        assert (head[:13], json.loads(body)["code"]) == (b"HTTP/1.1 422 ", "bad-record"), "it was read to its end"
        assert len(held) == held_by_one
        for task in held:
            task.cancel()


async def test_peers_that_ping_and_never_read_are_answered_to_their_latest_ping_only(service: Service) -> None:
    payload = bytes(100)
    ping = frame_head(len(payload), PING, masked=True) + payload
    before = resident(service)
    async with AsyncExitStack() as stack:
        peers = [await stack.enter_async_context(raw_socket(port(service), "/v1/live")) for _ in range(3)]
        await asyncio.wait_for(asyncio.gather(*(flood(peer, ping) for peer in peers)), 120)
        assert resident(service) - before < 20 * MEBIBYTE


async def flood(peer: RawSocket, ping: bytes) -> None:
    """Send 8 MB of pings, or as many as are taken before the service cuts the connection."""
    try:
        for _ in range(80):
            await peer.send_bytes(ping * (100_000 // len(ping)))
    except ConnectionError:
        pass


async def test_a_client_that_closes_its_sending_side_is_answered_by_every_kind_of_operation(service: Service) -> None:
    async with http_client(service.url) as http:
        table = await new_game(http)
    token = table.seats[0].token
    for request, status in (
        (f"GET {table.path} HTTP/1.1\r\n", 200),
        (f"GET {table.path}/events HTTP/1.1\r\nAccept: application/x-ndjson\r\n", 200),
        (f"GET {table.path}/record HTTP/1.1\r\n", 200),
        (f"GET {table.path}/moves HTTP/1.1\r\n", 200),
        ("GET /v1/games HTTP/1.1\r\n", 200),
        ("GET /readyz HTTP/1.1\r\n", 200),
        (f"POST {table.path}/seats HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 10\r\n", 409),
        (f"DELETE {table.path}/seats/me HTTP/1.1\r\n", 409),
    ):
        sent = f"{request}Host: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
        sent += b'{"seat":0}' if request.startswith("POST") else b""
        received = await answer_of(service, sent, end=True)
        assert received.startswith(b"HTTP/1.1 %d " % status), request
        assert received.endswith((b"}", b"0\r\n\r\n"))
    watching = f"GET {table.path}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode()
    await asyncio.wait_for(answer_of(service, watching, end=True), 10)


async def test_streams_over_http_1_0_have_a_length(service: Service) -> None:
    async with http_client(service.url) as http:
        table = await new_game(http)
        await play(table, 1)
        lines = (await http.get(f"{table.path}/events", headers={"Accept": "application/x-ndjson"})).content
    for path, accept in ((f"{table.path}/events", "application/x-ndjson"), (f"{table.path}/record", "*/*")):
        received = await answer_of(service, f"GET {path} HTTP/1.0\r\nAccept: {accept}\r\n\r\n".encode())
        head, _, body = received.partition(b"\r\n\r\n")
        (length,) = re.findall(rb"\r\ncontent-length: (\d+)", head)
        assert int(length) == len(body)
        assert body == lines or path.endswith("/record")


async def test_when_descriptors_run_out_it_is_logged_and_health_is_still_told(database: str) -> None:
    with serving(database, descriptors=64) as service:
        async with AsyncExitStack() as stack:
            socks = [await stack.enter_async_context(connected(service)) for _ in range(200)]
            for path in ("/healthz", "/readyz"):
                received = await answer_of(service, f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                assert received.startswith(b"HTTP/1.1 200 "), received
            received = await answer_of(service, b"GET /v1/games HTTP/1.1\r\nHost: x\r\n\r\n")
            assert received.startswith(b"HTTP/1.1 503 ")
            assert json.loads(received.partition(b"\r\n\r\n")[2])["code"] == "overloaded"
            assert service.log.count("connections are in use") == 1
            used = psutil.Process(service.pid).cpu_times()
            await asyncio.sleep(1)
            now = psutil.Process(service.pid).cpu_times()
            assert now.user + now.system - used.user - used.system < 0.5, "it does not spin"
            for sock in socks:
                sock.close()
        async with http_client(service.url) as http:
            await play(await new_game(http), 1)
