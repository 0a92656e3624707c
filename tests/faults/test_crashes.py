"""A process is killed with kill -9: at each point of a command, and at many moments of a stream of them.

Whatever was answered is in the log; whatever was not is executed or replayed by its key, in the end exactly once; and
the other process, or the same one started again, goes on where the log is.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncGenerator, Awaitable, Mapping
from contextlib import suppress
from os import kill
from random import Random
from typing import Any

import asyncpg
import httpx
import pytest

from tests.harness.held import Held, held_commits
from tests.harness.play import random_wire_move
from tests.harness.processes import Processes, due_move, spoken_to, started
from tests.harness.server import Client, account, expect


@pytest.fixture
async def doomed(database: str) -> AsyncGenerator[Processes]:
    """Two processes of the test's own: the first one is killed, the second one is there for those who come again."""
    with started(database, 2) as services:
        async with spoken_to(database, services) as processes:
            yield processes
            for service in services:
                with suppress(httpx.TransportError):
                    await processes.https[services.index(service)].get("/healthz")
            await processes.require_order()


# The server committed, the answer was lost, the retry fails or acts again.
# Key and effect in separate transactions: a crash between leaves a key that swallows the move.


async def lost(sent: Awaitable[httpx.Response]) -> None:
    """A request whose process dies before it answers."""
    with pytest.raises(httpx.TransportError):
        await sent


async def test_a_command_whose_process_dies_at_any_point_is_executed_or_replayed_by_its_key(doomed: Processes) -> None:
    table = await doomed.new_game(2)
    who = table.seats[0]
    dying, http = doomed.services[0], doomed.https[1]
    assert who.id is not None

    async def request(via: httpx.AsyncClient, body: dict[str, Any], key: str) -> httpx.Response:
        headers = {**who.headers, "Idempotency-Key": f'"{key}"'}
        return await via.post("/v1/games", json=body, headers=headers)

    async with held_commits(doomed.database, who.id) as held:
        for number, (die, replayed) in enumerate(
            ((before_the_commit, False), (while_it_commits, True), (after_the_commit, True))
        ):
            body = {"title": "toy", "seats": 2 + number}
            before = await count(doomed)
            sent = asyncio.create_task(request(doomed.https[0], body, die.__name__))
            await held.arrived()
            await die(doomed, held, before)
            await lost(sent)
            again = await request(http, body, die.__name__)
            assert expect(again, 201)["options"] == {"rounds": 4}
            assert ("idempotency-replayed" in again.headers) is replayed, die.__name__
            assert await count(doomed) == before + 1
            await asyncio.to_thread(dying.start)
            back = await request(doomed.https[0], body, die.__name__)
            assert back.content == again.content
            await held.hold()
        await held.let_go()


async def before_the_commit(doomed: Processes, held: Held, before: int) -> None:
    """The process dies, and its transaction is rolled back."""
    doomed.services[0].kill()
    await held.kill()
    await held.let_go()
    assert await count(doomed) == before


async def while_it_commits(doomed: Processes, held: Held, before: int) -> None:
    """The process dies, and Postgres, which has not noticed, commits."""
    doomed.services[0].kill()
    assert await count(doomed) == before
    await held.let_go()


async def after_the_commit(doomed: Processes, held: Held, before: int) -> None:
    """The commit is done, and the process dies before it reads of it."""
    kill(doomed.services[0].pid, signal.SIGSTOP)
    await held.let_go()
    while await count(doomed) == before:
        pass
    doomed.services[0].kill()


async def test_who_comes_again_while_the_dead_process_s_commit_is_on_its_way_hears_of_that(doomed: Processes) -> None:
    table = await doomed.new_game(2)
    who, body = await due_move(table)
    assert who.id is not None
    headers = {"Idempotency-Key": '"late"'}
    async with held_commits(doomed.database, who.id) as held:
        sent = asyncio.create_task(who.post(f"{table.path}/moves", body, headers))
        await held.arrived()
        doomed.services[0].kill()
        await lost(sent)
        waiting = [
            asyncio.create_task(doomed.through(who, 1).post(f"{table.path}/moves", body, headers)) for _ in range(3)
        ]
        while not await waits_for_another(doomed):
            pass
        await held.let_go()
        answers = await asyncio.gather(*waiting)
    assert len({expect(answer, 201)["version"] for answer in answers}) == 1
    assert {answer.headers["idempotency-replayed"] for answer in answers} == {"true"}
    assert await doomed.versions(table.id) == 4
    await asyncio.to_thread(doomed.services[0].start)


async def count(processes: Processes) -> int:
    """How many events can be seen."""
    return await asked(processes, "select count(*) from events")


async def waits_for_another(processes: Processes) -> bool:
    """Whether a transaction waits for another one to end."""
    return await asked(processes, "select count(*) > 0 from pg_locks where locktype = 'transactionid' and not granted")


async def asked(processes: Processes, query: str) -> Any:
    connection = await asyncpg.connect(processes.database)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


class Stubborn:
    """Sends each command by its key until somebody answers, and counts them."""

    def __init__(self, processes: Processes, picks: Random) -> None:
        self._processes = processes
        self._picks = picks
        self.done = 0
        self.repeated = 0

    async def command(self, who: Client, path: str, body: Mapping[str, object]) -> dict[str, Any]:
        """Send it until it is answered; the answer must say that it is done."""
        self.done += 1
        headers = {**who.headers, "Idempotency-Key": f'"{self.done}"'}
        answer = await self._insist("POST", path, headers=headers, json=body)
        return expect(answer, 201)

    async def ask(self, who: Client, path: str) -> dict[str, Any]:
        """Read until it is answered."""
        return expect(await self._insist("GET", path, headers=who.headers), 200)

    async def _insist(self, method: str, path: str, **sent: Any) -> httpx.Response:
        while True:
            http = self._picks.choice(self._processes.https)
            try:
                answer = await http.request(method, path, **sent)
            except httpx.TransportError:
                self.repeated += 1
                await asyncio.sleep(0.02)
                continue
            return answer


async def play_for_ever(processes: Processes, number: int, seated: list[Client], over: asyncio.Event) -> Stubborn:
    """Open games and play them, one after the other, until it is over."""
    picks = Random(number)
    stubborn = Stubborn(processes, picks)
    while not over.is_set():
        title = picks.choice(["toy", "spacelab"])
        game = (await stubborn.command(seated[0], "/v1/games", {"title": title, "seats": 2}))["id"]
        told: dict[str, Any] = {}
        for seat, who in enumerate(seated):
            told = await stubborn.command(who, f"/v1/games/{game}/seats", {"seat": seat})
        while told["status"] == "running" and not over.is_set():
            waiting: list[int] = told["to_move"]
            who = seated[picks.choice(waiting)]
            legal = await stubborn.ask(who, f"/v1/games/{game}/moves")
            # Whatever was answered is there, whichever process is asked, and nothing else is.
            assert legal["version"] == told["version"]
            body = {"expected_version": told["version"], "move": random_wire_move(legal, picks)}
            told = await stubborn.command(who, f"/v1/games/{game}/moves", body)
    return stubborn


async def kill_often(processes: Processes, times: int, picks: Random) -> None:
    """Kill one process and then the other at moments that nobody foresees, starting each again."""
    for number in range(times):
        service = processes.services[number % 2]
        await asyncio.sleep(picks.uniform(0.05, 0.5))
        service.kill()
        await asyncio.to_thread(service.start)


async def stream_of_commands(doomed: Processes, kills: int, tables: int) -> None:
    seated = [[await account(doomed.http) for _ in range(2)] for _ in range(tables)]
    over = asyncio.Event()
    playing = [asyncio.create_task(play_for_ever(doomed, number, each, over)) for number, each in enumerate(seated)]
    await kill_often(doomed, kills, Random(kills))
    over.set()
    stubborn = await asyncio.gather(*playing)
    assert await count(doomed) == sum(each.done for each in stubborn)
    assert sum(each.repeated for each in stubborn) >= kills // 2, "the kills met nothing"


async def test_a_stream_of_keyed_commands_through_processes_that_are_killed_is_carried_out_once_each(
    doomed: Processes,
) -> None:
    await stream_of_commands(doomed, kills=4, tables=3)


@pytest.mark.soak
@pytest.mark.timeout(1_200)
async def test_a_long_stream_of_keyed_commands_through_processes_that_are_killed_is_carried_out_once_each(
    doomed: Processes,
) -> None:
    await stream_of_commands(doomed, kills=80, tables=12)


async def test_a_process_that_was_killed_is_replaced_by_any_other_at_the_same_versions(
    doomed: Processes,
) -> None:
    tables = [await doomed.new_game(2, title) for title in ("toy", "spacelab", "chimera")]
    for number, table in enumerate(tables):
        for _ in range(number * 3):
            player, body = await due_move(table)
            expect(await player.post(f"{table.path}/moves", body), 201)
    seen = [[(await player.get(table.path)).content for player in table.seats] for table in tables]
    doomed.services[0].kill()
    for table, views in zip(tables, seen, strict=True):
        others = [doomed.through(player, 1) for player in table.seats]
        assert [(await player.get(table.path)).content for player in others] == views
        table.seats[:] = others
        player, body = await due_move(table)
        expect(await player.post(f"{table.path}/moves", body), 201)
    await asyncio.to_thread(doomed.services[0].start)
