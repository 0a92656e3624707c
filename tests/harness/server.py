"""A real process of the service on a free port, and clients of it: accounts, games, seats and moves over HTTP."""

from __future__ import annotations

import os
import re
import secrets
import signal
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx

from domain.kernel.ids import AccountId
from service.limits.limit_settings import MOST, VARIABLES
from tests.harness.contract import check_async
from tests.harness.play import Picks, random_wire_move

_PROJECT = Path(__file__).resolve().parents[2]
_READY = re.compile(r"^ *API +(http://\S+)$", re.MULTILINE)
_START_SECONDS = 30
_STOP_SECONDS = 20
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Nothing here is TLS, and by itself each client would load all certificates of the system: 24 ms."""


WIDE = {variable: str(MOST) for variable in VARIABLES.values()}
"""Limits that no test meets: hundreds of accounts share one address here. Tests of limits set their own."""

DEFAULT_LIMITS = dict.fromkeys(VARIABLES.values(), "")
"""The limits that a service has where nothing is set."""


class Service:
    """A running process; `log` is what it has written."""

    def __init__(
        self,
        database: str,
        environment: Mapping[str, str] | None = None,
        module: str = "tests.harness.serve",
        *,
        descriptors: int | None = None,
    ) -> None:
        self._module = module
        self._limit = [] if descriptors is None else ["sh", "-c", f'ulimit -n {descriptors} && exec "$@"', "sh"]
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("TABLELOG_")},
            "DATABASE_URL": database,
            "PORT": "0",
            **WIDE,
            **(environment or {}),
        }
        self._written = tempfile.TemporaryFile(mode="w+b")  # noqa: SIM115 - closed in `stop`
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""

    def start(self) -> None:
        """Start it and wait until it serves; a second start serves on the same port."""
        self._process = subprocess.Popen(
            [*self._limit, sys.executable, "-m", self._module, "serve"],
            cwd=_PROJECT,
            env=self._environment,
            stdout=self._written,
            stderr=subprocess.STDOUT,
        )
        already = len(self.log)
        end = time.monotonic() + _START_SECONDS
        while not (found := _READY.search(self.log, already)):
            if self._process.poll() is not None or time.monotonic() > end:
                message = f"the service did not start:\n{self.log}"
                raise RuntimeError(message)
            time.sleep(0.05)
        self.url = found[1]
        self._environment["PORT"] = self.url.rpartition(":")[2]

    @property
    def log(self) -> str:
        """What it has written so far."""
        return os.pread(self._written.fileno(), 10_000_000, 0).decode(errors="replace")

    def send(self, sent: signal.Signals) -> None:
        """Send it a signal."""
        self._running.send_signal(sent)

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._running.pid

    def kill(self) -> None:
        """Kill it, without a chance to do anything."""
        self._running.kill()
        self._running.wait()

    def interrupt(self, sent: signal.Signals = signal.SIGTERM) -> int:
        """Stop it by a signal; gives its exit code."""
        self._running.send_signal(sent)
        return self._running.wait(_STOP_SECONDS)

    def stop(self) -> None:
        """Stop it if it runs, and let go of what it has written."""
        if self._process is not None and self._process.poll() is None:
            self.interrupt()
        self._written.close()

    @property
    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            message = "the service was never started"
            raise RuntimeError(message)
        return self._process


@contextmanager
def serving(
    database: str, environment: Mapping[str, str] | None = None, *, descriptors: int | None = None
) -> Generator[Service]:
    """Run the service on a database; `descriptors` is how many files and sockets it may have open."""
    service = Service(database, environment, descriptors=descriptors)
    try:
        service.start()
        yield service
    finally:
        service.stop()


@dataclass
class Client:
    """Somebody who talks to the service: an account, or the public without a token."""

    http: httpx.AsyncClient
    token: str | None = None
    id: AccountId | None = None
    name: str | None = None
    headers: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def get(self, path: str, headers: Mapping[str, str] | None = None, **more: Any) -> httpx.Response:
        """GET as this account."""
        return await self.http.get(path, headers={**self.headers, **(headers or {})}, **more)

    async def post(
        self, path: str, json: object = None, headers: Mapping[str, str] | None = None, **more: Any
    ) -> httpx.Response:
        """POST as this account."""
        if json is not None:
            more["json"] = json
        return await self.http.post(path, headers={**self.headers, **(headers or {})}, **more)

    async def delete(self, path: str, headers: Mapping[str, str] | None = None) -> httpx.Response:
        """DELETE as this account."""
        return await self.http.delete(path, headers={**self.headers, **(headers or {})})


def http_client(url: str) -> httpx.AsyncClient:
    """A client of a running service that holds every answer to the contract."""
    return httpx.AsyncClient(base_url=url, timeout=30, verify=_NO_TLS, event_hooks={"response": [check_async]})


@asynccontextmanager
async def public(url: str) -> AsyncGenerator[Client]:
    """Someone without a token."""
    async with http_client(url) as http:
        yield Client(http)


async def account(http: httpx.AsyncClient, name: str = "") -> Client:
    """A new account; by default with a name that nobody has."""
    answer = expect(await http.post("/v1/accounts", json={"name": name or f"player {secrets.token_hex(6)}"}), 201)
    return Client(http, answer["token"], answer["id"], answer["name"])


@dataclass
class Table:
    """A game in the service with those who sit at it, by seat."""

    id: str
    seats: list[Client]

    @property
    def path(self) -> str:
        """The game's path."""
        return f"/v1/games/{self.id}"


async def new_game(
    http: httpx.AsyncClient, seats: int = 2, title: str = "toy", *, seated: int | None = None, **more: object
) -> Table:
    """A game with so many seats, all of them taken (or the first `seated`) by accounts of their own."""
    players = [await account(http) for _ in range(seats)]
    made = expect(await players[0].post("/v1/games", {"title": title, "seats": seats, **more}), 201)
    table = Table(made["id"], players)
    for seat in range(seats if seated is None else seated):
        expect(await players[seat].post(f"{table.path}/seats", {"seat": seat}), 201)
    return table


async def play(table: Table, moves: int | None = None, picks: Picks | None = None) -> dict[str, Any]:
    """Play random moves, at most so many, or to the end; gives the game as the public sees it then."""
    picks = picks or Random(0)
    made = 0
    public_eye = Client(table.seats[0].http)
    while True:
        game = expect(await public_eye.get(table.path), 200)
        if game["status"] == "finished" or made == moves:
            return game
        await one_move(table, game["to_move"][picks.randrange(len(game["to_move"]))], picks)
        made += 1


async def one_move(table: Table, seat: int, picks: Picks) -> dict[str, Any]:
    """A random move of a seat that the game waits for; gives the answer."""
    player = table.seats[seat]
    legal = expect(await player.get(f"{table.path}/moves"), 200)
    body = {"expected_version": legal["version"], "move": random_wire_move(legal, picks)}
    return expect(await player.post(f"{table.path}/moves", body), 201)


def expect(answer: httpx.Response, status: int) -> dict[str, Any]:
    """The JSON of an answer, which must have this status."""
    asked = f"{answer.request.method} {answer.request.url}"
    assert answer.status_code == status, f"{asked}: {answer.status_code} {answer.text}"
    return answer.json()
