"""Players who read the secret seed from the database cannot choose how a game begins, over HTTP and for both titles."""

from __future__ import annotations

import secrets
from typing import Any

import asyncpg
import msgspec
import pytest

from domain.catalogue import TITLES
from domain.kernel import proof
from domain.kernel.chance import Chance
from service.database.pool import open_pool
from service.log import component_sets
from tests.harness.entropy import Committed, seated
from tests.harness.processes import Processes
from tests.harness.server import Table, account, expect

BOTH = pytest.mark.parametrize("title", sorted(TITLES))


async def read_seed(processes: Processes, table: Table) -> bytes:
    """What somebody knows who can read the database."""
    connection = await asyncpg.connect(processes.database)
    try:
        return await connection.fetchval("select seed from seeds where game_id = $1", table.id)
    finally:
        await connection.close()


async def opening(processes: Processes, table: Table, seed: bytes, entropies: tuple[str, ...]) -> list[Any]:
    """The facts by which a game begins, if these are the entropies of its seats: whatever its version is."""
    game = expect(await processes.http.get(table.path), 200)
    async with open_pool(processes.database, 1) as pool:
        stored = await component_sets.by_hash(pool, game["component_hash"])
    assert stored is not None
    title = TITLES[game["title"]]
    options = msgspec.convert(game["options"], title.options)
    chance = Chance(proof.draw_key(seed, entropies, 2), 0)
    facts = title.load(stored.text).begin(options, len(entropies), chance)
    return msgspec.json.decode(msgspec.json.encode(facts))


async def begun_with(processes: Processes, table: Table) -> list[Any]:
    """The facts by which a game has begun, from the log."""
    connection = await asyncpg.connect(processes.database)
    try:
        query = "select data from events where game_id = $1 and data::text like '%\"game.started\"%'"
        return msgspec.json.decode(await connection.fetchval(query, table.id))["facts"][:-1]
    finally:
        await connection.close()


async def mentions(processes: Processes, text: str) -> int:
    """In how many rows of the log and its secrets a text stands."""
    connection = await asyncpg.connect(processes.database)
    try:
        query = """
            select (select count(*) from events as t where t::text like $1)
                   + (select count(*) from seeds as t where t::text like $1)
        """
        return await connection.fetchval(query, f"%{text}%")
    finally:
        await connection.close()


@BOTH
@pytest.mark.parametrize("times", [0, 1, 3])
async def test_a_stranger_who_sits_down_and_leaves_changes_nothing_about_the_opening(
    processes: Processes, title: str, times: int
) -> None:
    table = await processes.new_game(2, title, seated=0)
    stranger = await account(processes.http)
    for _ in range(times):
        expect(await stranger.post(f"{table.path}/seats"), 201)
        expect(await stranger.delete(f"{table.path}/seats/me"), 200)
    entropies = ("honest and long enough", "honest as well, and long")
    for seat, player in enumerate(table.seats):
        expect(await player.post(f"{table.path}/seats", {"seat": seat, "entropy": entropies[seat]}), 201)
    seed = await read_seed(processes, table)
    assert await begun_with(processes, table) == await opening(processes, table, seed, entropies)


@BOTH
async def test_who_knows_the_seed_and_sits_last_chooses_before_he_can_know_what_he_chooses(
    processes: Processes, title: str
) -> None:
    table = await seated(await processes.new_game(2, title, seated=0), 1)
    seed, grinder = await read_seed(processes, table.table), table.table.seats[1]
    honest = table.secrets[0]
    assert await mentions(processes, honest) == 0
    tried = {text: await opening(processes, table.table, seed, ("", text)) for text in ("one", "two", "three")}
    expect(await grinder.post(f"{table.path}/seats", {"seat": 1, "entropy": "two"}), 201)
    assert await mentions(processes, honest) == 0
    # From here on nothing that he can send changes what he has added.
    for answer in (
        await grinder.delete(f"{table.path}/seats/me"),
        await grinder.post(f"{table.path}/commitments", {"entropy_commitment": "0" * 64}),
    ):
        assert expect(answer, 409)["code"] == "game-starting"
    assert (
        expect(await grinder.post(f"{table.path}/reveals", {"entropy": "x" * 22}), 409)["code"] == "nothing-to-reveal"
    )
    await table.reveal(0)
    found = await begun_with(processes, table.table)
    assert found == await opening(processes, table.table, seed, (honest, "two"))
    assert found not in tried.values()


@BOTH
async def test_who_aborts_a_start_that_he_does_not_like_is_barred_and_finds_nothing_that_he_has_seen(
    processes: Processes, title: str
) -> None:
    table = await seated(await processes.new_game(2, title, seated=0, reveal_seconds=1))
    seed, aborter = await read_seed(processes, table.table), table.table.seats[1]
    await table.reveal(0)
    seen, withheld = table.secrets[0], table.secrets[1]
    disliked = await opening(processes, table.table, seed, (seen, withheld))
    await table.free(1, by=0)
    assert expect(await aborter.post(f"{table.path}/seats"), 403)["code"] == "barred"
    await reseat(processes, table)
    # The table is full, and waits for the honest seat: the game does not start without its entropy.
    assert [(await table.game())[name] for name in ("status", "reveal_by")] == ["waiting", None]
    honest = table.table.seats[0]
    old = proof.entropy_commitment(str(honest.id), seen)
    refused = await honest.post(f"{table.path}/commitments", {"entropy_commitment": old})
    assert expect(refused, 422)["code"] == "commitment-reused"
    await table.commit(0)
    assert table.secrets[0] != seen
    await table.reveal(1)
    await table.reveal(0)
    found = await begun_with(processes, table.table)
    assert found == await opening(processes, table.table, seed, (table.secrets[0], table.secrets[1]))
    assert found != disliked
    kinds = [
        event["data"]["type"] for event in expect(await honest.get(f"{table.path}/events?limit=1000"), 200)["events"]
    ]
    assert kinds.count("seat_freed") == 1  # the abort stands in the log


async def reseat(processes: Processes, table: Committed) -> None:
    """Another account of the same person takes the seat that was freed."""
    table.table.seats[1] = await account(processes.http, f"again {secrets.token_hex(6)}")
    await table.sit(1)
