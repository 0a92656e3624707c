"""What must hold after every fault: the log is whole, everyone is served what it says, and no process complains.

The log is read and folded here by the kernel alone, event by event. So this says of a process whether it serves the
truth, whatever it has kept in memory while the fault went on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import httpx
import msgspec

from domain.catalogue import TITLES
from domain.kernel import game as kernel
from domain.kernel import proof
from domain.kernel.events import Event, GameCreated, GameEnded, GameStarted, MoveMade, MoveUndone, logged_type
from domain.kernel.game import Game, Status
from domain.kernel.ids import GameId
from domain.kernel.rules import AnyRules
from service.answers import encode, event_info, game_info, legal_info
from service.database.pool import open_pool
from service.database.types import Pool
from service.log import component_sets, events
from service.log.events import Row
from service.play import game_cache
from tests.harness.server import Client, Service, Table, expect, http_client
from tests.toy import TITLE as TOY

_COMPLAINTS = re.compile(
    r"Traceback|\b(?:ERROR|CRITICAL)\b|was never (?:retrieved|awaited)|[Ee]xception in (?:callback|ASGI)"
)
_ANSWERS = re.compile(r'^tablelog_requests_total\{operation="(\w+)",status="(5\d\d)"\} (\d+)$', re.MULTILINE)


@dataclass(frozen=True)
class Truth:
    """A game as the log tells it: its rows, what is in them, and where that leads."""

    rows: tuple[Row, ...]
    events: tuple[Event, ...]
    table: game_cache.LoadedGame
    states: list[list[Any]]
    """By version: the title's states that its event passed through, after each of its facts; none before the start."""


async def require_order(
    database: str,
    services: Iterable[Service],
    seated: Iterable[Table] = (),
    *,
    since: int = 0,
    broken: Collection[str] = (),
    outage: bool = False,
) -> list[Truth]:
    """Hold a database and the processes on it to what is true after any fault; gives every game that was held.

    `seated` are games with the clients at them: they are looked at from every seat, all others as the public. Games
    without an event after the position `since` and those that are `broken` on purpose are left out. With `outage` the
    database was away for a time, so that 503 was a fit answer.
    """
    truths = await read_truths(database, since=since, broken=broken)
    clients = {table.id: table.seats for table in seated}
    for service in services:
        async with http_client(service.url) as http:
            for truth in truths:
                for viewer in (Client(http), *clients.get(truth.table.id, ())):
                    await _require_served(truth, replace(viewer, http=http))
            await require_no_5xx(http, outage=outage)
        require_quiet(service)
    return truths


async def read_truths(database: str, *, since: int = 0, broken: Collection[str] = ()) -> list[Truth]:
    """Every game that has an event after a position, read and verified from the log alone."""
    async with open_pool(database, 2) as pool:
        query = "select game_id from events where position > $1 group by game_id order by min(position)"
        games = [row["game_id"] for row in await pool.fetch(query, since) if row["game_id"] not in broken]
        return [await _read_truth(pool, game) for game in games]


async def _read_truth(pool: Pool, game_id: str) -> Truth:
    rows = await events.read(pool, game_id)
    assert [row.version for row in rows] == list(range(1, len(rows) + 1)), f"{game_id}: the log has a hole"
    seed = await pool.fetchval("select seed from seeds where game_id = $1", game_id)
    assert seed is not None, f"{game_id}: the seed is missing"
    created = msgspec.json.decode(rows[0].data)
    title = {**TITLES, "toy": TOY}[created["title"]]
    stored = await component_sets.by_hash(pool, created["component_hash"])
    assert stored is not None, f"{game_id}: the component set is missing"
    rules = _rules(title.id, stored.text)
    decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(logged_type(title))
    found = tuple(decoder.decode(row.data) for row in rows)
    game: Game | None = None
    last = proof.NO_HASH
    states: list[list[Any]] = []
    for row, event in zip(rows, found, strict=True):
        states.append(_states_within(game, rules, event))
        game = kernel.evolve(game, rules, event)
        last = events.chain(last, seed, row)
        assert row.hash == last, f"{game_id}: the hash of version {row.version} does not follow"
        if game.state is not None:
            rules.check(game.state)
    assert game is not None
    assert isinstance(found[0], GameCreated)
    assert found[0].commitment == proof.commitment(game_id, seed), f"{game_id}: the seed is not the one committed to"
    _require_one_start_and_end(game_id, found, game, seed)
    archived = await pool.fetchval("select exists (select from imports where game_id = $1)", game_id)
    return Truth(
        tuple(rows), found, game_cache.LoadedGame(GameId(game_id), game, title, rules, seed, last, archived), states
    )


def _states_within(game: Game | None, rules: AnyRules, event: Event) -> list[Any]:
    if game is not None and isinstance(event, MoveUndone):
        return [kernel.evolve(game, rules, event).state]
    state, states = game.state if game is not None else None, list[Any]()
    for fact in getattr(event, "facts", ()):
        if not isinstance(fact, GameStarted | GameEnded):
            state = rules.evolve(state, fact)
            states.append(state)
    return states


@cache
def _rules(title: str, text: str) -> AnyRules:
    return {**TITLES, "toy": TOY}[title].load(text)


def _require_one_start_and_end(game_id: str, found: tuple[Event, ...], game: Game, seed: bytes) -> None:
    facts = [fact for event in found for fact in getattr(event, "facts", ())]
    starts = sum(isinstance(fact, GameStarted) for fact in facts)
    assert starts == (game.status not in {Status.waiting, Status.starting}), f"{game_id}: it was started {starts} times"
    ends = [fact for fact in facts if isinstance(fact, GameEnded)]
    assert len(ends) == (game.status is Status.finished), f"{game_id}: it ended {len(ends)} times"
    if ends:
        assert isinstance(found[-1], MoveMade), f"{game_id}: something came after the end"
        assert bytes.fromhex(ends[0].seed) == seed, f"{game_id}: another seed was told than the one committed to"


async def _require_served(truth: Truth, viewer: Client) -> None:
    """Hold what one process tells one viewer of a game to the log."""
    table, path = truth.table, f"/v1/games/{truth.table.id}"
    seat = table.game.seat_of(viewer.id)
    game = expect(await viewer.get(path), 200)
    assert game == _plain(game_info(table, viewer.id)), "the state is not the one that the log folds to"
    due = [event_info(table, row, event, seat) for row, event in zip(truth.rows, truth.events, strict=True)]
    page = expect(await viewer.get(f"{path}/events?limit=1000"), 200)
    assert page["events"] == [_plain(each) for each in due[:1000]], "the events are not those of the log"
    stream = await viewer.get(f"{path}/events", {"Accept": "application/x-ndjson"})
    assert stream.content == b"".join(encode(each) + b"\n" for each in due), "the stream is not the log"
    if seat is not None:
        legal = expect(await viewer.get(f"{path}/moves"), 200)
        assert legal == _plain(legal_info(table, kernel.legal_moves(table.game, table.rules, seat)))


def _plain(told: msgspec.Struct) -> Any:
    return json.loads(encode(told))


async def require_no_5xx(http: httpx.AsyncClient, *, outage: bool = False) -> None:
    """Fail if a process has ever answered with a 5xx; 503 passes if its database was away."""
    counts = _ANSWERS.findall((await http.get("/metrics")).text)
    wrong = [(operation, status, count) for operation, status, count in counts if not (outage and status == "503")]
    assert not wrong, f"answers that nobody may get: {wrong}"


def require_quiet(service: Service) -> None:
    """Fail if a process has written of an error: whatever clients and databases do is no reason for one."""
    lines = [line for line in service.log.splitlines() if _COMPLAINTS.search(line)]
    assert not lines, "the process complained:\n" + "\n".join(line[:2_000] for line in lines[:5])
