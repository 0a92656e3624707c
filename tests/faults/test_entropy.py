"""Games that start by reveals, through two processes: races at the deadline, crashes, and who hears of what."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect

from tests.harness.entropy import Committed, seated
from tests.harness.processes import Processes, spoken_to, started
from tests.harness.server import Client, account, expect, play

TITLES = pytest.mark.parametrize("title", ["toy", "spacelab", "chimera"])


def codes(answers: Sequence[httpx.Response]) -> list[str]:
    return sorted(str(answer.json().get("code", answer.status_code)) for answer in answers)


async def full(processes: Processes, title: str = "toy", seats: int = 2, **more: object) -> Committed:
    """A table at which everyone has committed: it is starting."""
    return await seated(await processes.new_game(seats, title, seated=0, **more))


async def types_of(table: Committed) -> list[str]:
    events = expect(await table.table.seats[0].get(f"{table.path}/events?limit=1000"), 200)["events"]
    return [event["data"]["type"] for event in events]


@TITLES
async def test_the_last_reveal_starts_the_game_and_everyone_sees_on_the_way_what_it_waits_for(
    processes: Processes, title: str
) -> None:
    table = await seated(await processes.new_game(3, title, seated=0, reveal_seconds=3_600), 2)
    waiting = await table.game()
    assert [waiting["status"], waiting["reveal_seconds"], waiting["reveal_by"]] == ["waiting", 3_600, None]
    assert [seat["entropy"] for seat in waiting["seats"]] == ["committed", "committed", None]
    expect(await table.table.seats[2].post(f"{table.path}/seats"), 201)  # one seat need not add anything
    starting = await table.game()
    assert starting["status"] == "starting"
    filled = expect(await Client(processes.http).get(f"{table.path}/events?after=3"), 200)["events"][0]
    given = datetime.fromisoformat(starting["reveal_by"]) - datetime.fromisoformat(filled["recorded_at"])
    assert given == timedelta(seconds=3_600)
    assert (starting["to_move"], starting["view"]) == ([], None)
    await table.reveal(1)
    for http in processes.https:
        game = expect(await http.get(table.path), 200)
        assert [seat["entropy"] for seat in game["seats"]] == ["committed", "revealed", None]
    made = await table.reveal(0)
    assert (made["status"], made["event"]["data"]["facts"][-1]["type"]) == ("running", "game.started")
    game = await play(table.table)
    assert (game["status"], game["reveal_by"]) == ("finished", None)


async def test_lists_show_a_game_that_is_starting_to_everyone_with_its_deadline(processes: Processes) -> None:
    table = await full(processes)
    game = await table.game()
    async with asyncio.timeout(60):
        while True:
            found = expect(await processes.https[1].get("/v1/games?status=starting&limit=200"), 200)["games"]
            if listed := [each for each in found if each["id"] == table.table.id]:
                break
            await asyncio.sleep(0.05)
    assert listed[0]["reveal_by"] == game["reveal_by"]
    assert [seat["entropy"] for seat in listed[0]["seats"]] == ["committed", "committed"]
    await table.reveal(0)
    (own,) = [
        each
        for each in expect(await table.table.seats[0].get("/v1/games?account=me"), 200)["games"]
        if each["id"] == table.table.id
    ]
    assert [seat["entropy"] for seat in own["seats"]] == ["revealed", "committed"]
    assert own["version"] == 4


@pytest.mark.parametrize("repeat", range(5))
async def test_of_a_reveal_and_a_free_at_the_deadline_one_happens_and_the_other_hears_why_not(
    processes: Processes, repeat: int
) -> None:
    table = await full(processes, reveal_seconds=1)
    late, other = table.table.seats[0], table.table.seats[1]
    await table.reveal(1)
    await table.overdue()
    reveal = processes.through(late, repeat).post(f"{table.path}/reveals", {"entropy": table.secrets[0]})
    free = processes.through(other, repeat + 1).delete(f"{table.path}/seats/0")
    revealed, freed = await asyncio.gather(reveal, free)
    game = await table.game()
    if freed.status_code == 200:
        assert expect(revealed, 403)["code"] == "not-seated"
        assert (game["status"], game["seats"][0]["account"]) == ("waiting", None)
    else:
        assert expect(revealed, 201)["status"] == game["status"] == "running"
        assert expect(freed, 409)["code"] == "game-started"


async def test_a_seat_is_freed_once_however_many_free_it_at_once(processes: Processes) -> None:
    table = await full(processes, seats=4, reveal_seconds=1)
    for seat in (1, 2, 3):
        await table.reveal(seat)
    await table.overdue()
    frees = [processes.through(table.table.seats[1 + n % 3], n).delete(f"{table.path}/seats/0") for n in range(9)]
    answers = await asyncio.gather(*frees)
    assert codes(answers) == ["200"] + ["game-not-started"] * 8
    assert (await types_of(table)).count("seat_freed") == 1
    game = await table.game()
    assert [seat["entropy"] for seat in game["seats"]] == [None, "owed", "owed", "owed"]


@TITLES
async def test_two_last_reveals_at_once_start_the_game_once(processes: Processes, title: str) -> None:
    table = await full(processes, title)
    answers = await asyncio.gather(
        *(
            processes.through(player, seat).post(f"{table.path}/reveals", {"entropy": table.secrets[seat]})
            for seat, player in enumerate(table.table.seats)
        )
    )
    assert sorted(expect(answer, 201)["status"] for answer in answers) == ["running", "starting"]
    assert await types_of(table) == ["game_created", *["seat_taken"] * 2, *["entropy_revealed"] * 2]


async def test_who_sits_down_while_a_seat_is_freed_gets_it_or_hears_that_the_table_is_full(
    processes: Processes,
) -> None:
    table = await full(processes, reveal_seconds=1)
    stranger = await account(processes.http)
    await table.overdue()
    freed, sat = await asyncio.gather(
        processes.through(table.table.seats[1], 0).delete(f"{table.path}/seats/0"),
        processes.through(stranger, 1).post(f"{table.path}/seats"),
    )
    expect(freed, 200)
    assert sat.json().get("code", "") in {"", "game-full"}
    assert (await table.game())["seats"][0]["account"] == (stranger.id if sat.status_code == 201 else None)


async def test_who_was_freed_cannot_come_back_and_the_others_commit_again_before_the_game_starts(
    processes: Processes,
) -> None:
    table = await full(processes, seats=3, reveal_seconds=1)
    await table.reveal(1)
    await table.free(0, by=1)
    freed = table.table.seats[0]
    assert expect(await freed.post(f"{table.path}/seats"), 403)["code"] == "barred"
    assert expect(await freed.post(f"{table.path}/reveals", {"entropy": table.secrets[0]}), 403)["code"] == "not-seated"
    table.table.seats[0] = await account(processes.http)
    await table.sit(0)
    assert (await table.game())["status"] == "waiting"
    old = table.secrets[1]
    await table.commit(1)
    assert (await table.commit(2))["status"] == "starting"
    mismatch = await table.table.seats[1].post(f"{table.path}/reveals", {"entropy": old})
    assert expect(mismatch, 422)["code"] == "wrong-entropy"
    assert [(await table.reveal(seat))["status"] for seat in range(3)] == ["starting", "starting", "running"]


async def test_a_reveal_that_is_sent_again_is_answered_alike_by_its_key_and_refused_without(
    processes: Processes,
) -> None:
    table = await full(processes, reveal_seconds=3_600)
    player, body, key = table.table.seats[0], {"entropy": table.secrets[0]}, {"Idempotency-Key": '"reveal"'}
    answers = await asyncio.gather(
        *(processes.through(player, n).post(f"{table.path}/reveals", body, key) for n in range(6))
    )
    assert len({expect(answer, 201)["version"] for answer in answers}) == 1
    again = await player.post(f"{table.path}/reveals", body)
    assert expect(again, 409)["code"] == "already-revealed"
    other = {"entropy": table.secrets[1]}
    assert expect(await player.post(f"{table.path}/reveals", other, key), 422)["code"] == "idempotency-key-reused"
    assert (await types_of(table)).count("entropy_revealed") == 1


async def test_commitments_and_frees_with_one_key_at_once_are_done_once(processes: Processes) -> None:
    table = Committed(await processes.new_game(2, seated=1, reveal_seconds=1))
    player, key = table.table.seats[0], {"Idempotency-Key": '"commit"'}
    body = {"entropy_commitment": table.commitment(0, player)}
    answers = await asyncio.gather(
        *(processes.through(player, n).post(f"{table.path}/commitments", body, key) for n in range(6))
    )
    assert len({expect(answer, 201)["version"] for answer in answers}) == 1
    await table.sit(1)
    await table.reveal(1)
    await table.overdue()
    frees = [processes.through(table.table.seats[1], n).delete(f"{table.path}/seats/0", key) for n in range(6)]
    assert len({expect(answer, 200)["version"] for answer in await asyncio.gather(*frees)}) == 1


async def test_a_command_with_another_tag_than_the_games_is_refused_and_changes_nothing(processes: Processes) -> None:
    table = await full(processes, reveal_seconds=1)
    player, stale = table.table.seats[0], {"If-Match": '"1.x"'}
    before = await types_of(table)
    await table.overdue()
    for answer in (
        await player.post(f"{table.path}/reveals", {"entropy": table.secrets[0]}, stale),
        await player.post(f"{table.path}/commitments", {"entropy_commitment": "0" * 64}, stale),
        await player.delete(f"{table.path}/seats/1", stale),
    ):
        assert expect(answer, 412)["code"] == "precondition-failed"
    assert await types_of(table) == before


async def test_a_game_that_is_starting_outlives_the_process_that_it_was_opened_by(database: str) -> None:
    with started(database, 2) as services:
        async with spoken_to(database, services) as processes:
            table = await full(processes, reveal_seconds=3_600)
            await table.reveal(0)
            before = await table.game()
            services[0].kill()
            other = processes.through(table.table.seats[1], 1)
            assert expect(await other.get(table.path), 200)["reveal_by"] == before["reveal_by"]
            made = expect(await other.post(f"{table.path}/reveals", {"entropy": table.secrets[1]}), 201)
            assert made["status"] == "running"
            services[0].start()
            assert (await table.game())["status"] == "running"


async def test_whose_seat_is_freed_is_the_public_on_its_open_sockets_from_that_very_event(
    processes: Processes,
) -> None:
    table = await full(processes, reveal_seconds=1)
    freed = table.table.seats[0]
    url = f"ws{processes.services[1].url.removeprefix('http')}/v1/games/{table.table.id}/live"
    async with connect(url, proxy=None) as socket:
        await socket.send(msgspec.json.encode({"type": "auth", "token": freed.token}).decode())
        hello: dict[str, Any] = msgspec.json.decode(await socket.recv())
        assert (hello["seat"], hello["status"], bool(hello["reveal_by"])) == (0, "starting", True)
        await table.free(0, by=1)
        other = await account(processes.http)
        table.table.seats[0] = other
        await table.sit(0)
        await table.commit(1)
        for seat in (0, 1):
            await table.reveal(seat)
        frames: list[dict[str, Any]] = []
        while not frames or frames[-1]["status"] != "running":
            frame = msgspec.json.decode(await asyncio.wait_for(socket.recv(), 30))
            frames += [frame] if frame["type"] == "event" else []
    stranger = Client(processes.http)
    start = frames[-1]["version"]
    public = expect(await stranger.get(f"{table.path}/events?after={start - 1}"), 200)["events"][0]
    assert frames[-1]["event"] == public
    assert frames[0]["event"]["data"]["type"] == "seat_freed"
