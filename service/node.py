"""One process of the service, put together: what the routes and the live feed work with."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass

from domain.catalogue import TITLES
from domain.kernel.rules import Title
from service.auth.tokens import Tokens
from service.clock import Clock
from service.counters import Counters
from service.database.migrate import migrate
from service.database.pool import CHECKOUT_SECONDS, impatient, open_pool
from service.database.types import Connection, Pool
from service.deadlines import Deadlines
from service.limits.address import TrustedProxies
from service.limits.limiter import Limiter
from service.limits.windows import Shared
from service.live.hub import Hub
from service.log import events
from service.log.epoch import History, entered
from service.log.listener import Listener, Wake
from service.loop_lag import measuring_lag
from service.play.archive import Archive
from service.play.commands import Commands
from service.play.component_sets import Sets
from service.play.game_cache import Tables
from service.play.quotas import CountedAppender, Quotas
from service.play.verifier import Verifier
from service.projections.projector import Projector
from service.settings import Settings
from service.transport.body_budget import BodyBudget
from service.transport.connections import Peers


@dataclass(frozen=True)
class Node:
    """The parts of a running process. Any node serves any game: nothing here is needed to take over."""

    settings: Settings
    pool: Pool
    history: History
    clock: Clock
    service_key: bytes
    sets: Sets
    tables: Tables
    commands: Commands
    archive: Archive
    tokens: Tokens
    counters: Counters
    hub: Hub
    projector: Projector
    bodies: BodyBudget
    deadlines: Deadlines
    peers: Peers
    limits: Limiter

    @property
    def epoch(self) -> str:
        """The epoch of the log as it is now."""
        return self.history.epoch or ""


@asynccontextmanager
async def running(settings: Settings, titles: Mapping[str, Title] = TITLES) -> AsyncGenerator[Node]:
    """Migrate the database, start every part, and stop them in the opposite order."""
    await migrate(settings.database_url)
    history = await entered(settings.database_url)
    url, connections = settings.database_url, settings.database_connections
    async with (
        open_pool(url, connections, history, checkout_seconds=CHECKOUT_SECONDS) as pool,
        _shared_counts(settings.redis_url) as shared,
    ):
        sets = Sets(pool, titles)
        await sets.load(settings.components)
        history.prepare(sets.store)
        tables = Tables(pool, sets, settings.hot_games, history)
        tokens = Tokens(pool, history=history)
        appender = CountedAppender(pool, tables, Quotas(pool, tables, settings.limits))
        service_key = await events.service_key(pool)
        clock = Clock()
        async with pool.acquire() as connection:
            await clock.measure(connection)
        history.prepare(clock.measure)
        commands = Commands(
            pool, sets, tables, appender, service_key=service_key, clock=clock, most_events=settings.game_events
        )
        limits = Limiter(settings.limits, TrustedProxies(settings.trusted_proxies), shared)
        hub = Hub(pool, tables, history, settings)
        projector = Projector(pool, tables)
        verifier = Verifier(titles, settings.game_events, settings.record_seconds)

        def wake(what: Wake) -> None:
            hub.wake(what)
            projector.wake(what)

        async def connected(connection: Connection) -> None:
            await history.reach(connection)
            await clock.measure(connection)

        listener = Listener(settings.database_url, wake, on_connect=connected, ping=clock.measure)
        for forget in (tokens.forget, projector.reconnect, listener.reconnect):
            history.follow(forget)
        node = Node(
            settings=settings,
            pool=pool,
            history=history,
            clock=clock,
            service_key=service_key,
            sets=sets,
            tables=tables,
            commands=commands,
            archive=Archive(pool, sets, tables, verifier, foreign_sets=settings.foreign_component_sets == "allow"),
            tokens=tokens,
            counters=Counters(),
            hub=hub,
            projector=projector,
            bodies=BodyBudget(settings.body_bytes),
            deadlines=Deadlines(),
            peers=Peers(settings.connections, settings.unread_bytes, settings.allowed_origins),
            limits=limits,
        )
        node.peers.watch = limits.watch
        await limits.start()
        await listener.start()
        await hub.start()
        await projector.start()
        try:
            with measuring_lag():
                yield node
        finally:
            await verifier.close()
            async with impatient(pool):
                await hub.stop()
                await projector.stop()
                await listener.stop()
                await limits.stop()
                await appender.close()


def _shared_counts(redis_url: str | None) -> AbstractAsyncContextManager[Shared | None]:
    """What processes count together, if they do."""
    if redis_url is None:
        return nullcontext()
    from service.limits.shared import shared_counts  # noqa: PLC0415 - its client of Redis is an extra

    return shared_counts(redis_url)
