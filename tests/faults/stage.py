"""What a refusal is shown on: a game that has begun, and scenes of somebody who does something wrong there.

A scene is refused, and takes from the body of the refusal what it needs to do it right.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import httpx

from tests.harness.play import random_wire_move
from tests.harness.processes import Processes
from tests.harness.server import Client, Table, expect


@dataclass
class Stage:
    """What a scene is played on: a game that has begun, the two who play it, and a stranger."""

    processes: Processes
    table: Table
    stranger: Client

    @property
    def ada(self) -> Client:
        """Who sits at seat 0."""
        return self.table.seats[0]

    @property
    def path(self) -> str:
        """The path of the game."""
        return self.table.path

    @property
    def moves(self) -> str:
        """The path of its moves."""
        return f"{self.table.path}/moves"


Scene: TypeAlias = Callable[[Stage], AsyncGenerator[Awaitable[httpx.Response], httpx.Response]]
"""Gives a request that is refused, takes the answer, and gives one that is not."""

SCENES: dict[str, Scene] = {}


def scene(code: str) -> Callable[[Scene], Scene]:
    """Note what a code is shown by."""

    def note(of: Scene) -> Scene:
        SCENES[code] = of
        return of

    return note


def lay(card: str) -> dict[str, Any]:
    """A move of the toy."""
    return {"type": "toy.lay_card", "card": card}


async def legal_body(player: Client, stage: Stage, version: int | None = None) -> dict[str, Any]:
    """A legal move, for the version that a refusal told (None: that of the list)."""
    legal = expect(await player.get(stage.moves), 200)
    return {"expected_version": version or legal["version"], "move": random_wire_move(legal, Random(0))}
