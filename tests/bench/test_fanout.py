"""Frames per second from one game to five hundred watchers, beside `websockets`' own broadcast of frames of that size.

The service, the watchers and the broadcasting server are processes of their own; events are appended by this one. Each
is committed, told by NOTIFY, read from the log, folded, redacted and encoded; the yardstick does none of it.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

from domain.kernel.events import SeatLeft, SeatTaken, encode, event_type
from domain.kernel.ids import AccountId, GameId
from service.log import events
from service.log.events import Entry
from tests.harness.server import Service, serving
from tests.harness.writing import Writing, writing

WATCHERS = 500
EVENTS = 300
ROUNDS = 3
PACED = 100
PROJECT = Path(__file__).resolve().parents[2]


class Piped:
    """A process that answers lines with lines."""

    def __init__(self, module: str, *arguments: object) -> None:
        command = [sys.executable, "-m", f"tests.bench.{module}", *map(str, arguments)]
        self.process = subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(self, *words: object) -> None:
        """Write a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()

    def heard(self) -> list[str]:
        """Wait for a line; gives its words."""
        assert self.process.stdout is not None
        words = self.process.stdout.readline().split()
        assert words, "the process has ended"
        return words


@contextmanager
def piped(module: str, *arguments: object) -> Generator[Piped]:
    running = Piped(module, *arguments)
    with running.process:
        yield running
        running.process.kill()


@contextmanager
def crowd(port: int, path: str, count: int = WATCHERS) -> Generator[Piped]:
    """Watchers who have had their first frame."""
    with piped("crowd", port, path, count) as watchers:
        assert watchers.heard() == ["ready"]
        yield watchers


def fidgets(game_id: str, after: int, count: int) -> list[Entry]:
    """Events that go on with a waiting game, decided beforehand: a player sits down and gets up."""
    written: list[Entry] = []
    for version in range(after + 1, after + count + 1):
        event = (
            SeatLeft(seat=0, account=AccountId("a0"))
            if version % 2
            else SeatTaken(seat=0, account=AccountId("a0"), name="Ada")
        )
        written.append(
            Entry(
                game_id=GameId(game_id),
                version=version,
                type=event_type(event),
                actor=AccountId("a0"),
                data=encode(event),
                rules_version="toy/1",
                hash=bytes(32),
                recorded_at=datetime.now(UTC),
                attempt=uuid4(),
            )
        )
    return written


async def append_each(one: Writing, entries: list[Entry]) -> None:
    """Append events one after the other, each with its commit, as fast as it goes."""
    for entry in entries:
        assert await events.append(one.pool, [entry])


def resident(service: Service) -> int:
    """The bytes of memory that a process holds."""
    pages = Path(f"/proc/{service.pid}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * 4_096


@pytest.mark.bench
async def test_frames_reach_five_hundred_watchers_at_six_tenths_of_the_rate_of_a_bare_broadcast(database: str) -> None:
    print(f"\none game, {WATCHERS} watchers")
    ratios: list[float] = []
    with serving(database) as service, piped("broadcast") as yardstick:
        port, bare_port = int(service.url.rpartition(":")[2]), int(yardstick.heard()[0])
        async with writing(database) as one:
            game = (await one.commands.create(await one.account("Ada"), "toy", 2)).table.id
            path = f"/v1/games/{game}/live"
            with crowd(port, path, 20):
                pass  # whatever is made only once has been made
            before = resident(service)
            with crowd(port, path) as watchers, crowd(bare_port, "/") as others:
                print(f"  {(resident(service) - before) / WATCHERS / 1024:8,.1f} KB of memory per idle watcher")
                version = 1
                for _ in range(ROUNDS + 1):
                    entries = fidgets(game, version, EVENTS)
                    version = entries[-1].version
                    watchers.tell(f'"version":{version},')
                    begun = time.monotonic()
                    await append_each(one, entries)
                    ended, least, most = watchers.heard()
                    assert int(most) - int(least) < 100, "pings apart, all have had the same"
                    rate = EVENTS * WATCHERS / (float(ended) - begun)
                    size = int(least) // EVENTS - 4
                    others.tell("the-last")
                    yardstick.tell(EVENTS, size, "the-last")
                    bare = EVENTS * WATCHERS / (-float(yardstick.heard()[0]) + float(others.heard()[0]))
                    ratios.append(rate / bare)
                    print(
                        f"  {rate:8,.0f} frames/s of {size} bytes   broadcast {bare:8,.0f}/s   ratio {rate / bare:.2f}"
                    )
                await print_delays(one, fidgets(game, version, PACED), watchers)
    assert statistics.median(ratios[1:]) >= 0.4, "the first round only warms up"


async def print_delays(one: Writing, entries: list[Entry], watchers: Piped) -> None:
    """How long after its commit an event has reached the last watcher, when nothing else goes on."""
    delays: list[float] = []
    for entry in entries:
        watchers.tell(f'"version":{entry.version},')
        await append_each(one, [entry])
        committed = time.monotonic()
        delays.append(float(watchers.heard()[0]) - committed)
    p50, p99 = statistics.median(delays), statistics.quantiles(delays, n=100)[98]
    print(f"  {p50 * 1_000:8,.1f} ms from the commit to the last of them at the median, {p99 * 1_000:,.1f} ms at p99")
