"""Records that were damaged or forged are refused by their line, and others for their size or media type."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from random import Random
from typing import Any, TypeAlias

import asyncpg
import httpx
import pytest
from msgspec.structs import replace

from domain.kernel.events import Delay, Fork, encode
from domain.kernel.ids import GameId
from service.routes.records import LARGEST
from tests.harness.bringing import MOST_EVENTS, NDJSON, foreign, post, refused, retold
from tests.harness.recording import Logged, Recorded, with_event, write
from tests.harness.server import Service, account, expect, http_client

Spoilt: TypeAlias = tuple[str, bytes, int | None]
"""What is wrong, the record, and the line where it is (None: any)."""


def damaged() -> Iterator[Spoilt]:
    """Records that came to harm on their way."""
    data = foreign(20).record
    lines = data.splitlines(keepends=True)
    last = len(lines)
    yield "empty", b"", 1
    yield "cut between lines", b"".join(lines[:5]), 6
    yield "cut in a line", data[: len(data) // 2], None
    yield "cut at the last byte", data[:-1], last
    yield "reordered", b"".join([*lines[:4], lines[5], lines[4], *lines[6:]]), 5
    yield "doubled", b"".join([*lines[:5], *lines[4:]]), 6
    yield "left out", b"".join([*lines[:5], *lines[6:]]), 6
    yield "twice", data + data, last + 1
    yield "wrong hash", b"".join([*lines[:5], lines[5].replace(b'"hash":"', b'"hash":"0', 1)[:-1] + b"\n"]), 6
    yield "deep line", lines[0] + b"[" * 1_000_000, 2
    yield "another component set", data.replace(b"toy-1", b"toy-2", 1), 1
    yield "no time", b"".join([*lines[:2], lines[2].replace(b"2026-01-01T", b"2026-13-01T"), *lines[3:]]), 3
    yield "anything", bytes(range(256)) * 100, 1


DAY = "2026-01-01T00:00:00.000000+00:00"

TIMES = {
    "0001-01-01T00:00:00.000000+00:00": 3,
    "1999-12-31T23:59:59.999999+00:00": 3,
    "3000-01-01T00:00:00.000000+00:00": 3,
    "9999-12-31T23:59:59.999999+00:00": 3,
    "2026-02-30T00:00:00.000000+00:00": 3,
    "2025-12-31T23:59:59.999999+00:00": 3,
    "2026-01-01T00:00:00.000001+00:00": 4,
}
"""Times of version 2 that cannot be stored or go back, and the line of the event that is refused for them."""


def forged() -> Iterator[Spoilt]:
    """Records whose hashes all fit, by someone who has made up the seed."""
    one = foreign(20)

    def other(version: int, **changes: Any) -> bytes:
        """With another event at a version, hashed as if it had happened so."""
        log = [*one.log]
        values = {name: getattr(log[version - 1], name) for name in ("event", "actor", "rules_version", "data")}
        log[version - 1] = Logged(**{**values, **changes})
        return write(one.opening, one.seed, log)

    taken = one.events[1]
    yield "unknown type", other(2, event="seat_warmed", data=b'{"type":"seat_warmed","seat":0}'), 3
    yield "type and data differ", other(2, event="seat_left"), 3
    yield "no object", other(2, data=b"[1]"), 3
    yield "no type", other(2, data=b"{}"), 3
    yield "NUL in a name", other(2, data=encode(replace(taken, name="a\0b"))), 3
    yield "a name that turns the line", other(2, data=encode(replace(taken, name="a\u202eb"))), 3
    yield "a name in another form", other(2, data=encode(replace(taken, name="e\u0301"))), 3
    yield "a long name", other(2, data=encode(replace(taken, name="a" * 10_000))), 3
    yield "a lone surrogate", other(2, data=encode(taken).replace(b'"Ada"', b'"\\ud800"')), 3
    yield "no UTF-8", other(2, data=encode(taken).replace(b'"Ada"', b'"\xff"')), 3
    yield "entropy of any length", other(2, data=encode(replace(taken, entropy="x" * 65))), 3
    yield "NUL in an actor", other(2, actor="a\0"), 3
    yield "an actor that is no account", retold_by(one, "nobody"), 2
    yield "NUL in a rules version", other(2, rules_version="toy/1\0"), 3
    yield "another rules version", other(2, rules_version="toy/9"), 3
    yield "deep data", other(2, data=b'{"type":"seat_taken","a":' + b"[" * 100_000 + b"]" * 100_000 + b"}"), 3
    yield "huge number", other(2, data=encode(taken).replace(b'"seat":0', b'"seat":' + b"9" * 5_000)), 3
    yield "1e400", other(2, data=encode(taken).replace(b'"seat":0', b'"seat":1e400')), 3
    yield "many seats", other(1, data=encode(replace(one.games[0].created, seats=10**12))), 2
    yield "another game's id", retold(one, "g" + "0" * 19), 1
    yield "an id with a slash", retold(one, "g/../../etc"), 1
    yield "a title that is not here", retold(one, one.game_id, title="go"), 1
    yield "forked from nowhere", with_event(one, 1, replace(one.games[0].created, visibility="secret")), 2
    many = [one.log[0], *([one.log[1], one.log[2]] * 1_500)]
    yield "more events than are taken", write(one.opening, one.seed, many), MOST_EVENTS + 2
    created = one.games[0].created
    for version in (0, -1, 2**53, 2**63, 2**63 - 1):
        fork = replace(created, forked_from=Fork(GameId("g" + "0" * 20), version))
        yield f"forked from version {version}", other(1, data=encode(fork)), 2
    for delay in (Delay(-1, 0), Delay(1_001, 0), Delay(0, 86_401), Delay(0, 2**63)):
        yield f"{delay}", other(1, data=encode(replace(created, spectator_delay=delay))), 2
    for seconds in (-1, 604_801, 2**63):
        yield f"{seconds} seconds to reveal", other(1, data=encode(replace(created, reveal_seconds=seconds))), 2
    for at, line in TIMES.items():
        yield at, write(one.opening, one.seed, one.log, at=lambda version, at=at: at if version == 2 else DAY), line
    yield "no end", write(one.opening, one.seed, one.log[:-1]), None
    yield "redacted", write(one.opening, one.seed, one.log[:-1], complete=False), None


def retold_by(of: Recorded, creator: str) -> bytes:
    created = replace(of.games[0].created, creator=creator)
    log = (Logged("game_created", creator, of.log[0].rules_version, encode(created)), *of.log[1:])
    return write(of.opening, of.seed, log)


async def test_a_hostile_record_is_refused_by_the_line_and_nothing_is_stored(service: Service, database: str) -> None:
    """Fault 34."""
    async with http_client(service.url) as http:
        bringer = await account(http)
        for what, data, line in (*damaged(), *forged()):
            answer = await refused(bringer, data)
            assert line is None or answer["line"] == line, (what, answer)
            assert "version" not in answer or answer["version"] == max(answer["line"] - 1, 1), (what, answer)
        connection = await asyncpg.connect(database)
        for table in ("events", "seeds", "imports"):
            assert await connection.fetchval(f"select count(*) from {table}") == 0  # noqa: S608 - the names above
        await connection.close()
        assert expect(await post(bringer, foreign(20).record), 201)
    assert "Traceback" not in service.log


async def test_every_single_byte_counts(http: httpx.AsyncClient) -> None:
    data, bringer, picks = foreign(21).record, await account(http), Random(1)
    for place in picks.sample(range(len(data)), 40):
        changed = data[:place] + bytes([data[place] ^ picks.randrange(1, 256)]) + data[place + 1 :]
        await refused(bringer, changed)
    assert expect(await post(bringer, data), 201)


async def test_a_record_that_is_too_large_is_refused_while_it_comes(http: httpx.AsyncClient) -> None:
    bringer = await account(http)

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(200):
            yield b"x" * 65_536

    for content in (b"x" * (LARGEST + 1), chunks()):
        answer = await bringer.post("/v1/records", content=content, headers=NDJSON)
        assert (expect(answer, 413)["code"], answer.json()["most"]) == ("body-too-large", LARGEST)
    assert (await refused(bringer, b"x" * LARGEST))["line"] == 1


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "", "application/x-ndjson; charset=latin-1"])
async def test_a_record_comes_as_ndjson_and_as_nothing_else(http: httpx.AsyncClient, kind: str) -> None:
    bringer = await account(http)
    answer = await bringer.post("/v1/records", content=foreign(22).record, headers={"Content-Type": kind})
    assert expect(answer, 415)["allowed"] == ["application/x-ndjson"]
