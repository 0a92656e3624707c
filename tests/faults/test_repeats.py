"""A request is sent again: because of a second click, or because its answer was lost on the way.

The Idempotency-Key makes a repeat safe. It stands in the event's own row, so it is spent if and only if the command
went in. Every operation that takes a key is tried here; which ones do is read from the contract.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import httpx
import pytest

from tests.harness.aftermath import require_order
from tests.harness.contract import contract
from tests.harness.entropy import seated
from tests.harness.faults import wire_to
from tests.harness.processes import Processes, due_move, spoken_to, started
from tests.harness.server import Client, account, expect, one_move, play


@dataclass
class Command:
    """A request that changes something: what is sent, and what would be wrong in it."""

    who: Client
    method: str
    path: str
    body: dict[str, Any] | None = None
    wrong: tuple[dict[str, Any], ...] = ()
    """Bodies with which the operation refuses, for reasons of each kind."""
    other: dict[str, Any] | None = None
    """A body that is right as well, and another."""

    async def send(
        self, key: str, http: httpx.AsyncClient | None = None, body: dict[str, Any] | None = None
    ) -> httpx.Response:
        """Send it, by way of another process if one is given, or with another body."""
        headers = {**self.who.headers, "Idempotency-Key": f'"{key}"'}
        sent = self.body if body is None else body
        return await (http or self.who.http).request(self.method, self.path, headers=headers, json=sent)


async def opening(processes: Processes, title: str) -> Command:
    ada = await account(processes.http)
    right = {"title": title, "seats": 2}
    wrong = ({"title": title}, {**right, "seats": "2"}, {**right, "seats": 99}, {**right, "title": "chess"})
    return Command(ada, "POST", "/v1/games", right, wrong, {**right, "seats": 3})


async def sitting_down(processes: Processes, title: str) -> Command:
    table = await processes.new_game(2, title, seated=1)
    wrong = ({"seat": 0}, {"seat": 2}, {"seat": -1}, {"seat": True}, {"chair": 1})
    return Command(table.seats[1], "POST", f"{table.path}/seats", {"seat": 1}, wrong, {})


async def getting_up(processes: Processes, title: str) -> Command:
    table = await processes.new_game(2, title, seated=1)
    return Command(table.seats[0], "DELETE", f"{table.path}/seats/me")


async def moving(processes: Processes, title: str) -> Command:
    table = await processes.new_game(2, title)
    who, right = await due_move(table)
    illegal = {"toy": "spacelab.draw_labs", "spacelab": "toy.decline"}[title]
    wrong = (
        {"move": right["move"]},
        {**right, "expected_version": 1},
        {**right, "expected_version": 2**53},
        {**right, "move": {"type": illegal}},
        {**right, "move": {**right["move"], "type": 5}},
    )
    return Command(who, "POST", f"{table.path}/moves", right, wrong, {**right, "expected_version": 4})


async def taking_back(processes: Processes, _title: str) -> Command:
    table = await processes.new_game(2, "toy")
    moved = await one_move(table, 0, Random(0))
    right: dict[str, Any] = {"expected_version": moved["version"]}
    wrong: tuple[dict[str, Any], ...] = ({}, {"expected_version": 1}, {"expected_version": "4"}, {**right, "moves": 2})
    return Command(table.seats[0], "POST", f"{table.path}/undo", right, wrong, {"expected_version": 5})


async def forking(processes: Processes, _title: str) -> Command:
    table = await processes.new_game(2, "toy", options={"rounds": 1})
    await play(table)
    wrong: tuple[dict[str, Any], ...] = ({}, {"version": 1}, {"version": 99}, {"version": "3"})
    return Command(table.seats[0], "POST", f"{table.path}/forks", {"version": 3}, wrong, {"version": 4})


async def committing(processes: Processes, title: str) -> Command:
    table = await processes.new_game(2, title, seated=1)
    wrong: tuple[dict[str, Any], ...] = ({}, {"entropy_commitment": "0" * 63}, {"entropy_commitment": 0})
    right, other = ({"entropy_commitment": each * 64} for each in "01")
    return Command(table.seats[0], "POST", f"{table.path}/commitments", right, wrong, other)


async def revealing(processes: Processes, title: str) -> Command:
    committed = await seated(await processes.new_game(2, title, seated=0))
    right = {"entropy": committed.secrets[0]}
    wrong: tuple[dict[str, Any], ...] = ({}, {"entropy": "too short"}, {"entropy": committed.secrets[1]})
    return Command(committed.table.seats[0], "POST", f"{committed.path}/reveals", right, wrong, {"entropy": "e" * 22})


async def freeing(processes: Processes, title: str) -> Command:
    committed = await seated(await processes.new_game(2, title, seated=0, reveal_seconds=1))
    await committed.reveal(0)
    due = datetime.fromisoformat((await committed.game())["reveal_by"])
    while await _now(processes) <= due:  # noqa: ASYNC110 - the deadline is one of the database's clock
        await asyncio.sleep(0.05)
    return Command(committed.table.seats[0], "DELETE", f"{committed.path}/seats/1")


async def _now(processes: Processes) -> datetime:
    """A little less than the time of the database, which the processes know as well as their connections are quick."""
    connection = await asyncpg.connect(processes.database)
    try:
        return await connection.fetchval("select clock_timestamp() - interval '0.2 seconds'")
    finally:
        await connection.close()


COMMANDS: Mapping[str, Callable[[Processes, str], Awaitable[Command]]] = {
    "create_game": opening,
    "take_seat": sitting_down,
    "leave_seat": getting_up,
    "commit_entropy": committing,
    "reveal_entropy": revealing,
    "free_seat": freeing,
    "make_move": moving,
    "undo_move": taking_back,
    "fork_game": forking,
}
ALL = pytest.mark.parametrize("operation", COMMANDS)
TITLES = pytest.mark.parametrize("title", ["toy", "spacelab"])


KINDS = {
    "create_game": "game_created",
    "take_seat": "seat_taken",
    "leave_seat": "seat_left",
    "commit_entropy": "entropy_committed",
    "reveal_entropy": "entropy_revealed",
    "free_seat": "seat_freed",
    "make_move": "move_made",
    "undo_move": "move_undone",
    "fork_game": "game_created",
}
"""The events that they write."""


def test_every_operation_that_takes_a_key_is_tried_here() -> None:
    keyed = {
        operation["operationId"]
        for methods in contract()["paths"].values()
        for operation in methods.values()
        if any(each["name"] == "Idempotency-Key" for each in operation["parameters"])
    }
    assert keyed == COMMANDS.keys() == KINDS.keys()


async def made(processes: Processes, operation: str, title: str = "toy") -> tuple[Command, int]:
    """A command that is ready to be sent, and how many events the log has before it."""
    command = await COMMANDS[operation](processes, title)
    return command, await events(processes)


async def events(processes: Processes) -> int:
    """How many events the log has."""
    connection = await asyncpg.connect(processes.database)
    try:
        return await connection.fetchval("select count(*) from events")
    finally:
        await connection.close()


# Lag and a second click draw twice.


@TITLES
@ALL
async def test_a_second_click_is_answered_as_the_first_and_told_that_it_was(
    processes: Processes, operation: str, title: str
) -> None:
    command, before = await made(processes, operation, title)
    first = await command.send("click")
    assert first.is_success, first.text
    assert "idempotency-replayed" not in first.headers
    for http in processes.https:
        again = await command.send("click", http)
        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert again.headers["idempotency-replayed"] == "true"
        assert again.headers.get("location") == first.headers.get("location")
    assert await events(processes) == before + 1


@ALL
async def test_many_clicks_at_once_are_one_and_all_hear_the_same(processes: Processes, operation: str) -> None:
    command, before = await made(processes, operation)
    answers = await asyncio.gather(*(command.send("click", processes.https[number % 2]) for number in range(10)))
    assert {(answer.is_success, answer.content) for answer in answers} == {(True, answers[0].content)}
    assert sum("idempotency-replayed" not in answer.headers for answer in answers) == 1
    assert await events(processes) == before + 1


async def test_a_repeat_is_answered_as_the_first_when_much_has_happened_since(processes: Processes) -> None:
    command = await opening(processes, "toy")
    table = await processes.new_game(2, "toy", seated=1)
    sat = Command(table.seats[1], "POST", f"{table.path}/seats", {"seat": 1})
    first = [await command.send("k"), await sat.send("k")]
    who, body = await due_move(table)
    moved = Command(who, "POST", f"{table.path}/moves", body)
    first.append(await moved.send("k"))
    await play(table)
    for http in processes.https:
        again = [await each.send("k", http) for each in (command, sat, moved)]
        assert [each.content for each in again] == [each.content for each in first]
        assert {each.headers["idempotency-replayed"] for each in again} == {"true"}


# A validation failure burns the key.


@TITLES
@ALL
async def test_a_refusal_leaves_the_key_for_the_right_request_and_another_body_under_it_is_refused(
    processes: Processes, operation: str, title: str
) -> None:
    command, before = await made(processes, operation, title)
    for number, wrong in enumerate(command.wrong):
        refused = await command.send("once", processes.https[number % 2], wrong)
        assert 400 <= refused.status_code < 500, refused.text
        assert refused.json()["code"] != "idempotency-key-reused"
    assert await events(processes) == before
    first = await command.send("once", processes.https[1])
    assert first.is_success, first.text
    assert "idempotency-replayed" not in first.headers
    for http in processes.https if command.other is not None else ():
        reused = expect(await command.send("once", http, command.other), 422)
        assert (reused["code"], reused["field"]) == ("idempotency-key-reused", "Idempotency-Key")
    assert await events(processes) == before + 1
    assert (await command.send("once")).content == first.content


async def test_a_seat_that_was_not_there_to_leave_leaves_the_key_unspent(processes: Processes) -> None:
    table = await processes.new_game(2, "toy", seated=0)
    up = Command(table.seats[0], "DELETE", f"{table.path}/seats/me")
    for http in processes.https:
        assert expect(await up.send("up", http), 403)["code"] == "not-seated"
    expect(await table.seats[0].post(f"{table.path}/seats"), 201)
    left = await up.send("up")
    assert expect(left, 200)["version"] == 3
    assert "idempotency-replayed" not in left.headers


@ALL
async def test_a_key_of_somebody_else_opens_nothing(processes: Processes, operation: str) -> None:
    """Who learns another's key and body gets neither the other's answer nor its effect."""
    command, _ = await made(processes, operation)
    first = await command.send("guessed")
    head = await events(processes)
    thief = await account(processes.http)
    taken = await Command(thief, command.method, command.path, command.body).send("guessed", processes.https[1])
    assert "idempotency-replayed" not in taken.headers
    assert taken.content != first.content
    if KINDS[operation] == "game_created":
        assert expect(taken, 201)["id"] != first.json()["id"]
    else:
        assert taken.status_code in {403, 409}
        assert await events(processes) == head


async def test_a_key_is_the_same_key_quoted_or_bare_and_no_other(processes: Processes) -> None:
    ada = await account(processes.http)

    async def opened(key: str) -> str:
        body = {"title": "toy", "seats": 2}
        return expect(await ada.post("/v1/games", body, {"Idempotency-Key": key}), 201)["id"]

    assert len({await opened(key) for key in ("a-b", '"a-b"')}) == 1
    assert (
        len({await opened(key) for key in ("a", "A", '"a "', '" a"', r'"\"a\""', r'"a\\"', "a'", "a/*", '"a;b"')}) == 9
    )


# The server committed, the answer was lost, the retry fails or acts again.


async def test_an_answer_that_postgres_could_not_deliver_is_found_in_the_log(database: str) -> None:
    """The wire to Postgres is cut after the commit: once, and the service answers as if nothing had been."""
    async with wire_to(database) as (wire, dsn), spoken_to_one(dsn) as processes:
        for operation, kind in KINDS.items():
            command, before = await made(processes, operation)
            lost = wire.lost
            wire.lose_answer_to(f'"type":"{kind}"'.encode())
            first = await command.send("lost")
            assert first.is_success, first.text
            assert wire.lost == lost + 1
            assert await events(processes) == before + 1
            # And with the answer to the retry lost as well, nobody knows: the client is told to come again.
            command, before = await made(processes, operation)
            wire.lose_answer_to(f'"type":"{kind}"'.encode(), times=2)
            away = await command.send("lost")
            assert expect(away, 503)["code"] == "unavailable"
            assert int(away.headers["retry-after"]) >= 1
            assert wire.lost == lost + 3
            again = await command.send("lost")
            assert again.is_success, again.text
            assert again.headers["idempotency-replayed"] == "true"
            assert await events(processes) == before + 1
        await require_order(database, processes.services, processes.tables, outage=True)


@asynccontextmanager
async def spoken_to_one(dsn: str) -> AsyncGenerator[Processes]:
    """A process of its own, started and stopped while the loop goes on: the relay is in it."""
    stack = ExitStack()
    services = await asyncio.to_thread(stack.enter_context, started(dsn, 1))
    try:
        async with spoken_to(dsn, services) as processes:
            yield processes
    finally:
        await asyncio.to_thread(stack.close)


@ALL
async def test_a_client_that_is_cut_off_before_its_answer_gets_it_by_the_key(
    processes: Processes, operation: str
) -> None:
    """The connection is reset right after the request, or a moment later: it went in or not, and in the end once."""
    for number in range(6):
        command, before = await made(processes, operation)
        send_and_hang_up(processes, command, after=number * 0.001)
        again = await command.send("cut", processes.https[1])
        assert again.is_success, again.text
        late = await command.send("cut")
        assert late.content == again.content
        assert await events(processes) == before + 1


def send_and_hang_up(processes: Processes, command: Command, after: float) -> None:
    """Send a request as bytes, and reset the connection without waiting for the answer."""
    place = urlsplit(processes.services[0].url)
    body = b"" if command.body is None else command.who.http.build_request("POST", "/", json=command.body).content
    head = f"{command.method} {command.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {command.who.token}\r\n"
    head += 'Idempotency-Key: "cut"\r\n'
    if body:
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    with socket.create_connection((place.hostname, place.port)) as sock:
        sock.sendall(head.encode() + b"\r\n" + body)
        time.sleep(after)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing resets
