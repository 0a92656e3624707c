"""Clients of the one service that tests share: they talk to it as anybody would."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator

import pytest

from tablelog_client import Client
from tests.harness.server import Service


@pytest.fixture
async def visitor(shared_service: Service) -> AsyncGenerator[Client]:
    """Give a client of it without an account."""
    async with Client(shared_service.url) as made:
        yield made


async def joined(visitor: Client) -> Client:
    """An account of a name that nobody has."""
    return await visitor.join(secrets.token_hex(8))


async def opened(visitor: Client) -> tuple[str, Client, Client]:
    """A toy game that has begun, and its players in order."""
    ann, bob = await joined(visitor), await joined(visitor)
    game = (await ann.create_game("toy", 2)).id
    await ann.take_seat(game)
    await bob.take_seat(game)
    return game, ann, bob
