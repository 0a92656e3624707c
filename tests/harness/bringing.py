"""Records of the toy that were made elsewhere, and what a service answers to those who bring them."""

from __future__ import annotations

from typing import Any

import httpx
from msgspec.structs import replace

from domain.catalogue import TITLES
from domain.kernel import proof
from service.settings import Settings
from tests.conformance.titles import ENTRIES
from tests.harness.recording import Recorded, logged, recorded, write
from tests.harness.server import Client, expect
from tests.toy import TITLE as TOY

KNOWN = {**TITLES, "toy": TOY}
MOST_EVENTS = Settings(database_url="").game_events
NDJSON = {"Content-Type": "application/x-ndjson"}
ENTRY = next(entry for entry in ENTRIES if entry.title.id == "toy")


def foreign(number: int, seats: int = 2) -> Recorded:
    """A game of the toy that was played elsewhere."""
    return recorded(ENTRY.title, ENTRY.text, seats, number, undo=0.3)


async def record_of(viewer: Client, game: str) -> bytes:
    answer = await viewer.get(f"/v1/games/{game}/record")
    assert answer.status_code == 200, answer.text
    return answer.content


async def post(client: Client, data: bytes) -> httpx.Response:
    return await client.post("/v1/records", content=data, headers=NDJSON)


async def refused(client: Client, data: bytes) -> dict[str, Any]:
    answer = expect(await post(client, data), 422)
    assert answer["code"] == "bad-record"
    assert answer["line"] >= 1
    return answer


def retold(of: Recorded, game_id: str, title: str = "toy") -> bytes:
    """The same game under another id, by someone who has made up all of it."""
    created = replace(of.games[0].created, commitment=proof.commitment(game_id, of.seed), title=title)
    log = (logged(created, of.log[0].rules_version), *of.log[1:])
    return write(replace(of.opening, game=game_id, title=title), of.seed, log)
