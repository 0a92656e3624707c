"""Scenes of refusals before the start: commitments, reveals and seats that were freed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable

import httpx

from tests.faults.stage import Stage, legal_body, scene
from tests.harness.entropy import Committed, seated
from tests.harness.server import expect


async def _starting(stage: Stage, seconds: int = 3_600) -> Committed:
    """A table that waits for the reveals of two seats; the third one has added nothing."""
    table = await seated(await stage.processes.new_game(3, seated=0, reveal_seconds=seconds), 2)
    expect(await table.table.seats[2].post(f"{table.path}/seats"), 201)
    return table


@scene("bad-entropy")
async def _bad_entropy(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    table = await stage.processes.new_game(2, seated=0)
    body = {"entropy": "dice: 3 1 6 2", "entropy_commitment": "0" * 64}
    refused = (yield table.seats[0].post(f"{table.path}/seats", body)).json()
    yield table.seats[0].post(f"{table.path}/seats", {key: body[key] for key in body if key != refused["field"]})


@scene("commitment-reused")
async def _commitment_reused(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    table = await stage.processes.new_game(2, seated=1)
    body = {"entropy_commitment": "0" * 64}
    expect(await table.seats[0].post(f"{table.path}/commitments", body), 201)
    refused = (yield table.seats[0].post(f"{table.path}/commitments", body)).json()
    yield table.seats[0].post(f"{table.path}/commitments", {refused["field"]: "1" * 64})


@scene("game-starting")
async def _game_starting(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    table = await _starting(stage)
    yield table.table.seats[0].delete(f"{table.path}/seats/me")
    yield table.table.seats[0].post(f"{table.path}/reveals", {"entropy": table.secrets[0]})


@scene("reveal-not-due")
async def _reveal_not_due(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    table = await seated(await stage.processes.new_game(2, seated=0), 1)
    yield table.table.seats[0].post(f"{table.path}/reveals", {"entropy": table.secrets[0]})
    expect(await table.table.seats[1].post(f"{table.path}/seats"), 201)
    yield table.table.seats[0].post(f"{table.path}/reveals", {"entropy": table.secrets[0]})


@scene("reveal-not-over")
async def _reveal_not_over(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    table = await _starting(stage, seconds=2)
    refused = (yield table.table.seats[2].delete(f"{table.path}/seats/0")).json()
    assert refused["reveal_by"]
    await table.overdue()
    yield table.table.seats[2].delete(f"{table.path}/seats/0")


@scene("nothing-to-reveal")
async def _nothing_to_reveal(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    table = await _starting(stage)
    yield table.table.seats[2].post(f"{table.path}/reveals", {"entropy": "x" * 22})
    yield table.table.seats[1].post(f"{table.path}/reveals", {"entropy": table.secrets[1]})


@scene("already-revealed")
async def _already_revealed(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    table = await _starting(stage)
    await table.reveal(0)
    yield table.table.seats[0].post(f"{table.path}/reveals", {"entropy": table.secrets[0]})
    yield table.table.seats[1].post(f"{table.path}/reveals", {"entropy": table.secrets[1]})


@scene("wrong-entropy")
async def _wrong_entropy(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    table = await _starting(stage)
    refused = (yield table.table.seats[0].post(f"{table.path}/reveals", {"entropy": "x" * 22})).json()
    yield table.table.seats[0].post(f"{table.path}/reveals", {refused["field"]: table.secrets[0]})


@scene("barred")
async def _barred(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    table = await _starting(stage, seconds=1)
    await table.free(0, by=2)
    yield table.table.seats[0].post(f"{table.path}/seats")
    yield stage.ada.post(stage.moves, await legal_body(stage.ada, stage))
