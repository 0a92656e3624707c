"""More of what anyone may do than anyone needs."""

from __future__ import annotations

import asyncio
import contextlib

import msgspec

from tests.harness.raw import RawSocket
from tests.soak.stranger import Connection, Stranger, random_token, request

_ROUND = 200
"""Requests in a round."""

_MANY_SOCKETS = 300


@contextlib.asynccontextmanager
async def _connection(stranger: Stranger):  # noqa: ANN202 - a context manager of a connection
    connection = await stranger.connect()
    try:
        yield connection
    finally:
        connection.close()


async def sockets(stranger: Stranger) -> None:
    """Hundreds of sockets that are held open."""
    held: list[RawSocket] = []
    try:
        for _ in range(_MANY_SOCKETS):
            socket = await stranger.websocket("/v1/live")
            if socket is not None:
                held.append(socket)
        await stranger.pause(5.0)
    finally:
        for each in held:
            each.cut()


async def accounts(stranger: Stranger) -> None:
    """Accounts without end."""
    async with _connection(stranger) as connection:
        for _ in range(_ROUND):
            await stranger.account(connection)


async def tables(stranger: Stranger) -> None:
    """Tables without end, by one account."""
    async with _connection(stranger) as connection:
        token = await stranger.account(connection)
        for _ in range(_ROUND):
            await stranger.ask(connection, "POST", "/v1/games", token, {"title": "spacelab", "seats": 4})


async def _own_game(stranger: Stranger, connection: Connection) -> tuple[str, list[str]] | None:
    """A running game whose both seats are the stranger's."""
    tokens = [token for _ in range(2) if (token := await stranger.account(connection)) is not None]
    if len(tokens) < 2:
        return None
    made = await stranger.ask(connection, "POST", "/v1/games", tokens[0], {"title": "toy", "seats": 2})
    if made.status != 201:
        return None
    for token in tokens:
        await stranger.ask(connection, "POST", f"/v1/games/{made.json['id']}/seats", token, {})
    return made.json["id"], tokens


async def moves_and_undos(stranger: Stranger) -> None:
    """A move, taken back, made again: a log without end."""
    async with _connection(stranger) as connection:
        own = await _own_game(stranger, connection)
        if own is None:
            return
        game, tokens = own
        for _ in range(_ROUND):
            for token in tokens:
                legal = await stranger.ask(connection, "GET", f"/v1/games/{game}/moves", token)
                if legal.status != 200 or not legal.json["moves"]:
                    continue
                version = legal.json["version"]
                body = {"expected_version": version, "move": legal.json["moves"][0]["example"]}
                made = await stranger.ask(connection, "POST", f"/v1/games/{game}/moves", token, body)
                if made.status == 201:
                    back = {"expected_version": version + 1}
                    await stranger.ask(connection, "POST", f"/v1/games/{game}/undo", token, back)


async def past_versions(stranger: Stranger) -> None:
    """Past versions of the newest games, timelines and records, many at once."""
    async with _connection(stranger) as connection:
        answer = await stranger.ask(connection, "GET", "/v1/games?limit=20")
        games = [each["id"] for each in answer.json["games"]] if answer.status == 200 else []
        for game in games:
            paths = [f"?version={version}" for version in range(1, 30)] + ["/timeline", "/record", "/events?limit=1000"]
            connection.writer.write(b"".join(request("GET", f"/v1/games/{game}{path}") for path in paths[:29]))
            for _ in paths[:29]:
                await stranger.answer(connection)


async def follows(stranger: Stranger) -> None:
    """The feed of an account with many tables, followed from the beginning over and over."""
    async with _connection(stranger) as connection:
        token = await stranger.account(connection)
        for _ in range(30):
            made = await stranger.ask(connection, "POST", "/v1/games", token, {"title": "toy", "seats": 2})
            if made.status == 201:
                await stranger.ask(connection, "POST", f"/v1/games/{made.json['id']}/seats", token, {})
    socket = await stranger.websocket("/v1/live")
    if socket is None:
        return
    try:
        await socket.send(msgspec.json.encode({"type": "auth", "token": token}))
        for _ in range(_ROUND):
            for feed in ("account", "lobby"):
                await socket.send(msgspec.json.encode({"type": "follow", "feed": feed, "after": "0"}))
                await socket.send(msgspec.json.encode({"type": "unfollow", "feed": feed}))
            await asyncio.sleep(0.01)
    finally:
        socket.cut()


async def delayed_lists(stranger: Stranger) -> None:
    """A page full of delayed games, asked for over and over."""
    async with _connection(stranger) as connection:
        token = await stranger.account(connection)
        delay = {"title": "toy", "seats": 2, "spectator_delay": {"versions": 1, "seconds": 1}}
        for _ in range(10):
            await stranger.ask(connection, "POST", "/v1/games", token, delay)
        for _ in range(_ROUND):
            await stranger.ask(connection, "GET", "/v1/games?limit=200", token)


async def guessed_tokens(stranger: Stranger) -> None:
    """Tokens at random."""
    async with _connection(stranger) as connection:
        for _ in range(_ROUND):
            await stranger.ask(connection, "GET", "/v1/accounts/me", random_token())
