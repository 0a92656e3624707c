"""A process of the service with its live feed alone, in the test's own loop and on a real socket, and clients of it."""

from __future__ import annotations

import asyncio
import random
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from secrets import token_hex
from types import TracebackType
from typing import Any, Self

import msgspec
import uvicorn
from litestar import Litestar
from litestar.datastructures import State
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from domain.catalogue import TITLES
from domain.kernel import game as kernel
from domain.kernel.game import Status
from domain.kernel.ids import AccountId
from service.auth import accounts
from service.auth.accounts import Account
from service.auth.tokens import token_hash
from service.http.handler import handler
from service.limits.limit_settings import MOST, LimitSettings
from service.node import Node
from service.play.game_cache import LoadedGame
from service.play.writer import CommandResult
from service.process import Process, running
from service.routes import live
from service.routes.events import list_events
from service.settings import Settings
from service.transport.http_protocol import RequestProtocol
from service.transport.websocket_protocol import uvicorn_options
from tests.harness.play import random_move
from tests.toy import TITLE as TOY

Frame = dict[str, Any]

WIDE_NUMBERS = LimitSettings(**dict.fromkeys(LimitSettings.__struct_fields__, MOST))
"""Limits that no test meets."""


@dataclass(frozen=True)
class Player:
    """An account and its token."""

    account: Account
    token: str


@dataclass(frozen=True)
class Living:
    """A process of the service: its parts, and where it listens."""

    process: Process
    server: uvicorn.Server
    port: int

    @property
    def node(self) -> Node:
        """The node that serves, another one after each restart."""
        return self.process.node

    async def restarted(self, before: str) -> None:
        """Wait until it serves on another epoch of the log."""
        while self.node.epoch == before:  # noqa: ASYNC110 - it hears of it in a moment
            await asyncio.sleep(0.01)

    async def player(self, name: str) -> Player:
        """A new account."""
        token = f"tl_{token_hex(16)}"
        account = Account(id=AccountId(f"a{token_hex(10)}"), name=name, created_at=datetime.now(UTC))
        assert await accounts.add(self.node.pool, account, name.casefold(), token_hash(token))
        return Player(account, token)

    async def started(self, *players: Player) -> LoadedGame:
        """A toy game that has just begun, the players sitting in order."""
        table = (await self.node.commands.create(players[0].account, "toy", len(players))).table
        for player in players:
            table = (await self.node.commands.take_seat(player.account, table.id)).table
        return table

    async def moved(self, table: LoadedGame, players: tuple[Player, ...], picks: random.Random) -> CommandResult:
        """One random legal move of the first seat that the game waits for."""
        seat = kernel.to_move(table.game, table.rules)[0]
        move = random_move(kernel.legal_moves(table.game, table.rules, seat), picks)
        return await self.node.commands.move(players[seat].account, table.id, table.version, move)

    async def played(
        self, table: LoadedGame, players: tuple[Player, ...], moves: int, picks: random.Random | None = None
    ) -> LoadedGame:
        """The table after so many random moves, or at the end of the game."""
        picks = picks or random.Random(0)
        for _ in range(moves):
            if table.game.status is not Status.running:
                break
            table = (await self.moved(table, players, picks)).table
        return table

    @property
    def connections(self) -> int:
        """How many connections of clients there are."""
        return len(self.server.server_state.connections)

    async def without_connections(self) -> None:
        """Wait until every client has gone."""
        while self.connections:  # noqa: ASYNC110 - uvicorn tells nobody
            await asyncio.sleep(0.01)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def watching(self, path: str, *first: Frame, **options: Any) -> AbstractAsyncContextManager[Feed]:
        """A client on a socket, which has sent these frames."""
        return watching(f"ws://127.0.0.1:{self.port}{path}", *first, **options)


class ListeningServer(uvicorn.Server):
    """Serves inside `async with`, from when it listens until it has stopped."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    @property
    def port(self) -> int:
        """Where it listens."""
        return self.servers[0].sockets[0].getsockname()[1]

    async def __aenter__(self) -> Self:
        self._serving = asyncio.create_task(self.serve())
        await self.listening.wait()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def stop(self) -> None:
        """Stop, and wait for that."""
        self.should_exit = True
        await self._serving

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        self.listening.set()


class Feed:
    """A client of the live feed."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, **frame: Any) -> None:
        """Send a frame."""
        await self.connection.send(msgspec.json.encode(frame).decode())

    async def next(self) -> Frame:
        """The next frame that is no heartbeat."""
        while True:
            text = await self.connection.recv()
            assert isinstance(text, str)
            frame: Frame = msgspec.json.decode(text)
            if frame["type"] != "heartbeat":
                return frame

    async def until(self, last: Callable[[Frame], bool]) -> list[Frame]:
        """The frames up to the first one that is wanted last."""
        frames = [await self.next()]
        while not last(frames[-1]):
            frames.append(await self.next())
        return frames

    async def close_code(self) -> int | None:
        """The code that the socket is closed with."""
        await self.connection.wait_closed()
        return self.connection.close_code

    async def through(self, version: int) -> list[Frame]:
        """The frames up to the event of a version."""
        return await self.until(lambda frame: frame["type"] == "event" and frame["version"] == version)


@asynccontextmanager
async def watching(url: str, *first: Frame, **options: Any) -> AsyncGenerator[Feed]:
    """A client on the socket of an address, which has sent these frames."""
    async with connect(url, compression=None, proxy=None, **options) as connection:
        feed = Feed(connection)
        with suppress(ConnectionClosed):  # the service may have closed it already, and the test will see why
            for frame in first:
                await feed.send(**frame)
        yield feed


@asynccontextmanager
async def living(dsn: str, **settings: Any) -> AsyncGenerator[Living]:
    """A process of the service on a database."""
    settings = {"limits": WIDE_NUMBERS, **settings}
    async with running(Settings(database_url=dsn, port=0, **settings), {**TITLES, "toy": TOY}) as process:
        handlers = [*live.HANDLERS, handler(list_events)]
        state = State({"node": process.node, "document": b""})
        app = Litestar(handlers, state=state, openapi_config=None, logging_config=None)
        process.on_restart(lambda node: app.state.update({"node": node}))
        config = uvicorn.Config(app, http=RequestProtocol, port=0, lifespan="off", log_config=None, **uvicorn_options())
        async with ListeningServer(config) as server:
            yield Living(process, server, server.port)
