"""Records whose verification is meant to cost more than the upload."""

from __future__ import annotations

import asyncio
import hashlib
from functools import cache

import msgspec

from domain.kernel.events import GameCreated
from tests.conformance.titles import ENTRIES
from tests.harness.recording import Recorded, logged, recorded, write
from tests.soak.stranger import Stranger, request

_SLOTS = 1_750
_KEY_PARTS = 32_760
_PARALLEL = 8


@cache
def _honest() -> Recorded:
    entry = next(each for each in ENTRIES if each.title.id == "spacelab")
    return recorded(entry.title, entry.text, seats=2, number=1)


@cache
def _with_components(text: str) -> bytes:
    """The record of a game, with another component set and hashes that follow."""
    game = _honest()
    created = game.events[0]
    assert isinstance(created, GameCreated)
    digest = hashlib.sha256(text.encode()).hexdigest()
    changed = logged(msgspec.structs.replace(created, component_hash=digest), game.title.rules_version)
    opening = msgspec.structs.replace(game.opening, components=text, component_hash=digest)
    return write(opening, game.seed, (changed, *game.log[1:]))


async def _upload(stranger: Stranger, record: bytes) -> None:
    connection = await stranger.connect()
    try:
        token = await stranger.account(connection)
        if token is not None:
            connection.writer.write(request("POST", "/v1/records", token, record, media="x-ndjson"))
            await stranger.answer(connection)
    finally:
        connection.close()


async def dotted_keys(stranger: Stranger) -> None:
    """A component set with one key of tens of thousands of parts, which a TOML parser takes half a minute for."""
    await _upload(stranger, _with_components(".".join(["a"] * _KEY_PARTS) + " = 1\n" + _honest().text[:100]))


async def large_sets(stranger: Stranger) -> None:
    """A component set with hundreds of slots around one capsule, whose neighbors are a quadratic number."""
    start = _honest().text
    slots = "".join(f'[[slots]]\nid = "s{n}"\nrow = "top"\ncapsules = ["left"]\n' for n in range(_SLOTS))
    head, _, tail = start.partition("[[slots]]")
    await _upload(stranger, _with_components(f"{head}{slots}[[slots]]{tail}"[:65_536]))


async def repeated_uploads(stranger: Stranger) -> None:
    """The same honest record again and again, several at once."""
    await asyncio.gather(*(_upload(stranger, _honest().record) for _ in range(_PARALLEL)))
