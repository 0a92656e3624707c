"""A node: all parts that work on one epoch of the log, put together for the routes and the live feed.

A process runs one node after the other (process.py); what outlives them is in `Resources`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from domain.kernel.rules import Title
from service.auth.tokens import Tokens
from service.clock import Clock
from service.counters import Counters
from service.database.pool import CHECKOUT_SECONDS, impatient, open_pool
from service.database.types import Connection, Pool
from service.deadlines import Deadlines
from service.limits.limiter import Limiter
from service.live.hub import Hub
from service.log import events
from service.log.epoch import LogEpoch
from service.log.listener import Listener, Wake
from service.play.archive import Archive
from service.play.commands import Commands
from service.play.component_sets import ComponentSets
from service.play.game_cache import GameCache
from service.play.quotas import CountedAppender, Quotas
from service.play.verifier import Verifier
from service.projections.projector import Projector
from service.settings import Settings
from service.transport.body_budget import BodyBudget
from service.transport.connections import Peers


@dataclass(frozen=True)
class Resources:
    """What lives as long as the process, whatever happens to the database."""

    settings: Settings
    titles: Mapping[str, Title]
    counters: Counters
    bodies: BodyBudget
    deadlines: Deadlines
    peers: Peers
    limits: Limiter
    verifier: Verifier


@dataclass(frozen=True)
class Node(Resources):
    """The parts of a running node. Any node serves any game: nothing here is needed to take over.

    Once the log has another epoch, whatever still holds this node gets `Unavailable` from its parts.
    """

    epoch: str
    pool: Pool
    clock: Clock
    service_key: bytes
    sets: ComponentSets
    tables: GameCache
    commands: Commands
    archive: Archive
    tokens: Tokens
    hub: Hub
    projector: Projector


@asynccontextmanager
async def node_on(epoch: LogEpoch, resources: Resources) -> AsyncGenerator[Node]:
    """Start every part on an epoch of the log, and stop them at the end."""
    settings, titles = resources.settings, resources.titles
    url, connections = settings.database_url, settings.database_connections
    async with open_pool(url, connections, epoch, checkout_seconds=CHECKOUT_SECONDS) as pool:
        sets = ComponentSets(pool, titles)
        await sets.load(settings.components)
        tables = GameCache(pool, sets, settings.hot_games, epoch)
        tokens = Tokens(pool)
        epoch.on_change(tables.close)
        epoch.on_change(tokens.close)
        appender = CountedAppender(pool, tables, Quotas(pool, tables, settings.limits))
        service_key = await events.service_key(pool)
        clock = Clock()
        async with pool.acquire() as connection:
            await clock.measure(connection)
        commands = Commands(
            pool, sets, tables, appender, service_key=service_key, clock=clock, most_events=settings.game_events
        )
        hub = Hub(pool, tables, epoch.name, settings)
        projector = Projector(pool, tables)

        def wake(what: Wake) -> None:
            hub.wake(what)
            projector.wake(what)

        async def connected(connection: Connection) -> None:
            await epoch.check(connection)
            await clock.measure(connection)

        listener = Listener(url, wake, on_connect=connected, ping=clock.measure)
        archive = Archive(
            pool, sets, tables, resources.verifier, foreign_sets=settings.foreign_component_sets == "allow"
        )
        try:
            await listener.start()
            await hub.start()
            await projector.start()
            yield Node(
                **vars(resources),
                epoch=epoch.name,
                pool=pool,
                clock=clock,
                service_key=service_key,
                sets=sets,
                tables=tables,
                commands=commands,
                archive=archive,
                tokens=tokens,
                hub=hub,
                projector=projector,
            )
        finally:
            async with impatient(pool):
                stopping = asyncio.gather(hub.stop(), projector.stop(), listener.stop())
                if epoch.changed:
                    # What is under way is of no use. The readers know by then that they stop, and do not complain.
                    await asyncio.sleep(0)
                    pool.terminate()
                await stopping
                await appender.close()
