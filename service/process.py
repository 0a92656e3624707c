"""A process of the service: one node after the other, each on an epoch of the log, and what outlives them.

When the log has another epoch, the node is stopped, which closes sockets and event streams with `going-away`, and the
next one is started, however long the database may be away meanwhile. Until then the stopped node stays in place, whose
parts refuse all that needs the log; the port, the limits and the counts of the process are not concerned.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext

from domain.catalogue import TITLES
from domain.kernel.rules import Title
from service.counters import Counters
from service.database.connect import UnfitDatabase
from service.database.errors import EpochChanged, is_lost
from service.database.migrate import migrate
from service.deadlines import Deadlines
from service.limits.address import TrustedProxies
from service.limits.limiter import Limiter
from service.limits.windows import Shared
from service.log.epoch import LogEpoch, enter_epoch
from service.loop_lag import measuring_lag
from service.node import Node, Resources, node_on
from service.play.verifier import Verifier
from service.settings import Settings
from service.transport.body_budget import BodyBudget
from service.transport.connections import Peers

_FIRST_DELAY = 0.05
_LONGEST_DELAY = 2.0

_log = logging.getLogger(__name__)


class Process:
    """Runs nodes from `start` to `stop`."""

    def __init__(self, resources: Resources) -> None:
        self.resources = resources
        self.node: Node
        """The node that serves, or the last one while the next one starts."""
        self._url = resources.settings.database_url
        self._running = AsyncExitStack()
        self._on_restart: list[Callable[[Node], None]] = []
        self._woken = asyncio.Event()
        self._stopping = False
        self._supervising: asyncio.Task[None] | None = None
        self._starting: asyncio.Task[None] | None = None

    def on_restart(self, callback: Callable[[Node], None]) -> None:
        """Call this with each further node before it is asked for anything."""
        self._on_restart.append(callback)

    async def start(self) -> None:
        """Start the first node; raises what keeps it from that."""
        await migrate(self._url)
        await self._start_node(await enter_epoch(self._url))
        self._supervising = asyncio.create_task(self._supervise(), name="supervisor")

    async def stop(self) -> None:
        """Stop the node."""
        self._stopping = True
        self._woken.set()
        if self._starting is not None:
            self._starting.cancel()
        if self._supervising is not None:
            await asyncio.wait([self._supervising])

    async def _supervise(self) -> None:
        while not self._stopping:
            await self._woken.wait()
            await self._stop_node()
            if not self._stopping:
                self._starting = asyncio.create_task(self._start_again(), name="restart")
                await asyncio.wait([self._starting])
        await self._stop_node()

    async def _start_node(self, epoch: LogEpoch) -> None:
        self._woken.clear()
        epoch.on_change(self._woken.set)
        self.node = await self._running.enter_async_context(node_on(epoch, self.resources))

    async def _stop_node(self) -> None:
        try:
            await self._running.aclose()
        except Exception:  # noqa: BLE001 - it ends, and the next one has other parts
            _log.exception("a part of the node failed when it was stopped")

    async def _start_again(self) -> None:
        begun, delay, reported = time.monotonic(), _FIRST_DELAY, ""
        while True:
            try:
                # Not to be migrated before it is known to be whole: a restore may be under way.
                epoch = await enter_epoch(self._url, settle=False)
                await migrate(self._url)
                await self._start_node(epoch)
                break
            except Exception as error:  # noqa: BLE001 - whatever it is, the service comes back once it is over
                reported = _report(error, reported)
                await asyncio.sleep(delay)
                delay = min(delay * 2, _LONGEST_DELAY)
        for callback in self._on_restart:
            callback(self.node)
        _log.info("back in service on epoch %s after %.1f s", self.node.epoch, time.monotonic() - begun)


def _report(error: Exception, reported: str) -> str:
    """Log what keeps a node from starting unless that was reported last; returns what is reported now."""
    found = str(error) or type(error).__name__
    if found != reported and not isinstance(error, EpochChanged):
        level = logging.WARNING if is_lost(error) or isinstance(error, UnfitDatabase) else logging.ERROR
        trace = error if level == logging.ERROR else None
        _log.log(level, "cannot restart, trying again: %s", found, exc_info=trace)
    return found


@asynccontextmanager
async def running(settings: Settings, titles: Mapping[str, Title] = TITLES) -> AsyncGenerator[Process]:
    """A process that serves from here on, stopped at the end."""
    async with _shared_counts(settings.redis_url) as shared:
        resources = Resources(
            settings=settings,
            titles=titles,
            counters=Counters(),
            bodies=BodyBudget(settings.body_bytes),
            deadlines=Deadlines(),
            peers=Peers(settings.connections, settings.unread_bytes, settings.allowed_origins),
            limits=Limiter(settings.limits, TrustedProxies(settings.trusted_proxies), shared),
            verifier=Verifier(titles, settings.game_events, settings.record_seconds),
        )
        resources.peers.watch = resources.limits.watch
        process = Process(resources)
        await resources.limits.start()
        try:
            with measuring_lag():
                await process.start()
                yield process
        finally:
            await resources.verifier.close()
            await process.stop()
            await resources.limits.stop()


def _shared_counts(redis_url: str | None) -> AbstractAsyncContextManager[Shared | None]:
    """What processes count together, if they do."""
    if redis_url is None:
        return nullcontext()
    from service.limits.shared import shared_counts  # noqa: PLC0415 - its client of Redis is an extra

    return shared_counts(redis_url)
