"""Whether the process lives, whether it can serve, and what it has counted."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from typing import Literal

from msgspec import Struct

from service.auth.guards import Access
from service.database.errors import EpochChanged, NotPrepared, Unavailable, is_lost
from service.http.operation import Answer, Call, operation
from service.loop_lag import held_up
from service.node import Node

READY_SECONDS = 2.0

_TABLES = "select exists (select from events), exists (select from accounts), exists (select from migrations)"
"""Waits for a lock that another process holds."""


class Health(Struct, frozen=True):
    """All is well: what is not answers with a problem."""

    status: Literal["ok"] = "ok"


_get = partial(operation, "GET", tag="health", access=Access.anyone)


@_get("/healthz", summary="Liveness probe")
async def get_health(call: Call) -> Answer[Health]:
    """Whether the process lives. It does not look at the database."""
    del call
    return Answer(Health())


@_get("/readyz", summary="Readiness probe", problems=("unavailable",))
async def get_readiness(call: Call) -> Answer[Health]:
    """Whether requests can be served: `unavailable`, with what is wrong, while the database does not do its work."""
    pool = call.node.pool
    missing = "no connection to the database gets ready: it does not answer, or a table is locked"
    try:
        async with asyncio.timeout(READY_SECONDS), pool.acquire() as connection:
            missing = "the database does not answer"
            await connection.execute("select 1")
            missing = "the database answers, but a table is locked"
            await connection.execute(_TABLES)
    except TimeoutError as error:
        if pool.get_size() == pool.get_max_size() and not pool.get_idle_size():
            missing = f"{missing}; all {pool.get_max_size()} connections are in use"
        raise Unavailable(held_up() or missing) from error
    except EpochChanged:
        raise
    except Exception as error:
        if is_lost(error):
            raise Unavailable(f"the database cannot be used: {_reason(error)}") from error
        raise
    return Answer(Health())


def _reason(error: Exception) -> str:
    """What an error says to anyone: no addresses, names of users or databases."""
    match error:
        case NotPrepared():
            return str(error)
        case OSError(errno=int(number)) if number > 0:
            return os.strerror(number)
        case _:
            return type(error).__name__


@_get("/metrics", summary="Prometheus metrics", media=("text/plain",))
async def get_metrics(call: Call) -> Answer[bytes]:
    """Counts since the start of the process, in the text format of Prometheus."""
    lines = [*_metrics(call.node), *await _unreadable_games(call.node)]
    return Answer("".join(f"{line}\n" for line in lines).encode())


async def _unreadable_games(node: Node) -> list[str]:
    """The gauge of unreadable games: left out while the database does not answer, so that the others are served."""
    try:
        async with asyncio.timeout(READY_SECONDS):
            count = await node.pool.fetchval("select count(*) from unreadable_games")
    except Exception as error:
        if isinstance(error, TimeoutError) or is_lost(error):
            return []
        raise
    return [
        "# HELP tablelog_unreadable_games Games in this database whose log cannot be read (table unreadable_games).",
        "# TYPE tablelog_unreadable_games gauge",
        f"tablelog_unreadable_games {count}",
    ]


def _metrics(node: Node) -> list[str]:
    answers = sorted(node.counters.answers.items())
    return [
        "# HELP tablelog_requests_total Answers to requests, by operation and status.",
        "# TYPE tablelog_requests_total counter",
        *(f'tablelog_requests_total{{operation="{name}",status="{status}"}} {n}' for (name, status), n in answers),
        "# HELP tablelog_limited_total Requests, frames and connections refused by a limit.",
        "# TYPE tablelog_limited_total counter",
        *(f'tablelog_limited_total{{limit="{name}"}} {n}' for name, n in sorted(node.counters.limited.items())),
        "# HELP tablelog_start_time_seconds When the process began, in seconds since 1970.",
        "# TYPE tablelog_start_time_seconds gauge",
        f"tablelog_start_time_seconds {node.counters.started_at:.3f}",
        "# HELP tablelog_database_connections Connections to the database, by state.",
        "# TYPE tablelog_database_connections gauge",
        f'tablelog_database_connections{{state="idle"}} {node.pool.get_idle_size()}',
        f'tablelog_database_connections{{state="open"}} {node.pool.get_size()}',
        "# HELP tablelog_connections Connections of clients.",
        "# TYPE tablelog_connections gauge",
        f"tablelog_connections {len(node.peers)}",
        "# HELP tablelog_held_bytes Bytes held for clients: of request bodies, and sent or received but not taken.",
        "# TYPE tablelog_held_bytes gauge",
        f'tablelog_held_bytes{{kind="bodies"}} {node.bodies.used}',
        f'tablelog_held_bytes{{kind="peers"}} {node.peers.held}',
        "# HELP tablelog_live_watchers Clients of the live feed, by websocket or server-sent events.",
        "# TYPE tablelog_live_watchers gauge",
        f"tablelog_live_watchers {node.hub.watchers}",
        "# HELP tablelog_live_games Games that are watched here, or were a moment ago.",
        "# TYPE tablelog_live_games gauge",
        f"tablelog_live_games {node.hub.rooms}",
        "# HELP tablelog_live_follows Feeds that are followed here.",
        "# TYPE tablelog_live_follows gauge",
        f"tablelog_live_follows {node.hub.feeds.follows}",
    ]
