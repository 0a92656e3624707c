"""A program that has read the OpenAPI document and nothing else: it finds operations there and plays by legal moves."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from tests.harness.contract import check_async
from tests.harness.play import Picks, random_wire_move

METHODS = ("get", "post", "delete")


@dataclass(frozen=True)
class Stranger:
    """An account of such a program."""

    http: httpx.AsyncClient
    document: dict[str, Any]
    token: str = ""

    async def call(self, operation: str, *, body: object = None, **path: str) -> dict[str, Any]:
        """Call an operation by its id; anything but the success that the document tells of is an error."""
        method, where, told = self._operation(operation)
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        answer = await self.http.request(method, where.format(**path), json=body, headers=headers)
        expected = [int(status) for status in told["responses"] if status.startswith("2")]
        assert answer.status_code in expected, f"{operation}: {answer.status_code} {answer.text}"
        return answer.json()

    async def joined(self, name: str) -> Stranger:
        """An account of its own."""
        made = await self.call("create_account", body={"name": name})
        return Stranger(self.http, self.document, made["token"])

    def _operation(self, operation: str) -> tuple[str, str, dict[str, Any]]:
        for where, methods in self.document["paths"].items():
            for method, told in methods.items():
                if method in METHODS and told["operationId"] == operation:
                    return method.upper(), where, told
        message = f"the document has no operation {operation}"
        raise LookupError(message)


@asynccontextmanager
async def stranger(url: str) -> AsyncGenerator[Stranger]:
    """One who has read the document of a service. Every answer is held to it."""
    async with httpx.AsyncClient(base_url=url, timeout=30, event_hooks={"response": [check_async]}) as http:
        yield Stranger(http, (await http.get("/openapi.json")).json())


async def play_game(players: list[Stranger], title: str, picks: Picks, **more: object) -> dict[str, Any]:
    """One random game to its end, over all values of all fields; gives the game as the public sees it then."""
    made = await players[0].call("create_game", body={"title": title, "seats": len(players), **more})
    game, version, waiting = made["id"], made["version"], list[int]()
    for player in players:
        answer = await player.call("take_seat", body={}, game=game)
        version, waiting = answer["version"], answer["to_move"]
    while waiting:
        player = players[waiting[picks.randrange(len(waiting))]]
        legal = await player.call("get_legal_moves", game=game)
        assert legal["version"] == version
        move = random_wire_move(legal, picks)
        answer = await player.call("make_move", body={"expected_version": version, "move": move}, game=game)
        assert answer["version"] == version + 1
        version, waiting = answer["version"], answer["to_move"]
    public = Stranger(players[0].http, players[0].document)
    return await public.call("get_game", game=game)
