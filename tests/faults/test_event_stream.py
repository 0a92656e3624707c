"""Who watches by server-sent events misses nothing and sees nothing twice, whatever breaks; the same as on a socket.

A follower (`tests/harness/server_sent.py`) goes on as an EventSource does: by the id of the last event that it had.
"""

from __future__ import annotations

import asyncio
import random
import signal
from typing import Any

import asyncpg
import pytest

from service.log.listener import APPLICATION_NAME
from service.transport.close_codes import GOING_AWAY
from tests.faults.test_delay import delayed
from tests.faults.test_live import fidget, joined_in_a_storm, own_processes, require_agreement
from tests.faults.test_live_delay import moves as made_moves
from tests.harness.following import Follower
from tests.harness.processes import Processes
from tests.harness.server import Client, Service, Table, expect, http_client
from tests.harness.server_sent import EventFollower, listening


def follower(processes: Processes, table: Table, number: int = 0, **position: Any) -> EventFollower:
    """A spectator who begins at one of the processes, and may go to the others."""
    urls = [service.url for service in processes.services]
    first = number % len(urls)
    return EventFollower(urls[first:] + urls[:first], table.id, **position)


# Who joins while moves are made misses one or sees one twice.


@pytest.mark.parametrize("joins,moves", [(40, 60), pytest.param(1_000, 200, marks=pytest.mark.fuzz)])
async def test_who_joins_in_a_storm_of_moves_gets_every_version_once(
    processes: Processes, joins: int, moves: int
) -> None:
    table = await processes.new_game(2, seated=0)
    followers = await joined_in_a_storm(processes, table, follower, joins, moves)
    late = follower(processes, table, after=0)
    assert await late.through(moves + 1) == list(range(1, moves + 2))
    await require_agreement(processes, table, [each for each in (*followers, late) if each.versions])
    assert [each.closes for each in followers] == [[]] * joins


# The stream dies silently.


async def test_processes_that_stop_or_are_killed_cost_their_watchers_nothing(database: str) -> None:
    async with own_processes(database, 2) as processes:
        table = await processes.new_game(2, seated=0)
        stopped, other = processes.services
        through_other = Processes(processes.database, [other], processes.https[1:], 0)
        followers = [follower(processes, table, after=0) for _ in range(10)]
        following = [asyncio.create_task(each.through(101)) for each in followers]
        await asyncio.gather(*(each.begun.wait() for each in followers))
        port = int(stopped.url.rpartition(":")[2])
        _, deaf = await asyncio.open_connection("127.0.0.1", port, limit=4_096)
        deaf.write(f"GET {table.path}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode())
        storm = asyncio.create_task(fidget(through_other, table, 100, pause=0.005))
        while await processes.versions(table.id) < 30:  # noqa: ASYNC110 - the log tells nobody but listeners
            await asyncio.sleep(0.01)
        assert await asyncio.to_thread(stopped.interrupt, signal.SIGTERM) == 0
        await storm
        assert await asyncio.gather(*following) == [list(range(1, 102))] * 10
        assert [each.closes for each in followers] == [[GOING_AWAY.code]] * 10
        deaf.close()
        assert "Traceback" not in stopped.log
        stopped.start()

        # All are at the other process now. It is killed, and comes back when more has happened.
        following = [asyncio.create_task(each.through(105)) for each in followers]
        await fidget(processes, table, 2)
        await asyncio.to_thread(other.kill)
        through_first = Processes(processes.database, [stopped], processes.https[:1], 0)
        await fidget(through_first, table, 2)
        await asyncio.to_thread(other.start)
        assert await asyncio.gather(*following) == [list(range(1, 106))] * 10
        await require_agreement(processes, table, followers)
        await processes.require_order()


# After a restart the server takes any claimed position for current.


async def test_a_restarted_process_gives_what_came_after_the_last_event_that_a_client_had(database: str) -> None:
    async with own_processes(database, 1) as processes:
        table = await processes.new_game(2, seated=0)
        (service,) = processes.services
        each = follower(processes, table)
        assert await asyncio.gather(each.through(5), begun_then(each, fidget(processes, table, 4))) == [
            [2, 3, 4, 5],
            None,
        ]
        await fidget(processes, table, 2)
        service.kill()
        service.start()
        assert await each.through(7) == [2, 3, 4, 5, 6, 7]
        epoch = each.epoch
        for position, first in ((f"{epoch}:7", "resumed"), (f"{epoch}:8", "resync"), (f"{epoch}x:7", "resync")):
            async with listening(f"{service.url}{table.path}/events", headers={"Last-Event-ID": position}) as events:
                assert (await events.next()).event == first
        await processes.require_order()


async def begun_then(each: EventFollower, following: Any) -> None:
    """Do something once a follower has begun."""
    await each.begun.wait()
    await following


# The LISTEN connection dies and nobody notices.


async def test_terminated_backends_cost_watchers_neither_a_frame_nor_the_connection(processes: Processes) -> None:
    table = await processes.new_game(2, seated=0)
    followers = [follower(processes, table, number) for number in range(6)]
    following = [asyncio.create_task(each.through(31)) for each in followers]
    await asyncio.gather(*(each.begun.wait() for each in followers))
    storm = asyncio.create_task(fidget(processes, table, 30))
    connection = await asyncpg.connect(processes.database)
    killed = 0
    while not storm.done():
        killed += await connection.fetchval(
            "select count(pg_terminate_backend(pid)) from pg_stat_activity"
            " where datname = current_database() and application_name = $1",
            APPLICATION_NAME,
        )
        await asyncio.sleep(0.05)
    await connection.close()
    assert await asyncio.gather(*following) == [list(range(2, 32))] * 6
    assert [each.closes for each in followers] == [[]] * 6
    assert killed >= 2
    await require_agreement(processes, table, followers)


# The spectator delay holds on one channel only.


async def test_a_spectator_is_sent_no_event_early_and_all_of_them_in_order_at_the_end(service: Service) -> None:
    """On a stream and on a socket at once: what is held back is handed out to both."""
    async with http_client(service.url) as http:
        table = await delayed(http, "toy", versions=3)
        spectators = (EventFollower([service.url], table.id), Follower([service.url], table.id))
        seated = EventFollower([service.url], table.id, token=table.seats[1].token)
        following = [asyncio.create_task(each.through(10**6)) for each in (*spectators, seated)]
        await asyncio.gather(*(each.begun.wait() for each in (*spectators, seated)))
        start, picks = expect(await Client(http).get(table.path), 200)["version"], random.Random(1)
        for _ in range(6):
            head = await made_moves(table, 1, picks)
            await reached(seated, head)
            seen = [each.after or 0 for each in spectators]
            assert max(seen) <= expect(await Client(http).get(table.path), 200)["version"] < head
        end = await made_moves(table, 1_000, picks)
        for each in spectators:
            await reached(each, end)
            assert each.versions == list(range(start + 1, end + 1))
        for each in following:
            each.cancel()


async def reached(each: Follower, version: int) -> None:
    """Wait until a follower has come so far."""
    async with asyncio.timeout(60):
        while (each.after or 0) < version:  # noqa: ASYNC110 - a follower has no event for it
            await asyncio.sleep(0.01)
