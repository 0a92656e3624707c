"""Whether the process lives, whether it can serve, and what it has counted."""

from __future__ import annotations

import asyncio
from typing import Literal

from msgspec import Struct

from service.auth.guards import Access
from service.contract.operation import Answer, Call, Operation
from service.contract.serving import handlers
from service.node import Node
from service.store.appender import Unavailable, is_lost

METRICS = "text/plain"
_SECONDS = 3


class Health(Struct, frozen=True):
    """All is well: what is not answers with a problem."""

    status: Literal["ok"] = "ok"


async def get_health(call: Call) -> Answer:
    """Whether the process lives. It does not look at the database."""
    del call
    return Answer(Health())


async def get_readiness(call: Call) -> Answer:
    """Whether requests can be served: `unavailable` while the database does not answer."""
    try:
        async with asyncio.timeout(_SECONDS):
            await call.node.pool.fetchval("select 1")
    except Exception as error:
        if is_lost(error):
            raise Unavailable from error
        raise
    return Answer(Health())


async def get_metrics(call: Call) -> Answer:
    """Counts since the start of the process, in the text format of Prometheus."""
    return Answer("".join(f"{line}\n" for line in _metrics(call.node)).encode())


def _metrics(node: Node) -> list[str]:
    answers = sorted(node.counters.answers.items())
    return [
        "# HELP tablelog_requests_total Answers to requests, by operation and status.",
        "# TYPE tablelog_requests_total counter",
        *(f'tablelog_requests_total{{operation="{name}",status="{status}"}} {n}' for (name, status), n in answers),
        "# HELP tablelog_start_time_seconds When the process began, in seconds since 1970.",
        "# TYPE tablelog_start_time_seconds gauge",
        f"tablelog_start_time_seconds {node.counters.started_at:.3f}",
        "# HELP tablelog_database_connections Connections to the database, by state.",
        "# TYPE tablelog_database_connections gauge",
        f'tablelog_database_connections{{state="idle"}} {node.pool.get_idle_size()}',
        f'tablelog_database_connections{{state="open"}} {node.pool.get_size()}',
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


OPERATIONS = (
    Operation(
        method="GET",
        path="/healthz",
        name="get_health",
        tag="health",
        summary="Does the process live?",
        run=get_health,
        access=Access.anyone,
        answer=Health,
    ),
    Operation(
        method="GET",
        path="/readyz",
        name="get_readiness",
        tag="health",
        summary="Can it serve?",
        run=get_readiness,
        access=Access.anyone,
        answer=Health,
        problems=("unavailable",),
    ),
    Operation(
        method="GET",
        path="/metrics",
        name="get_metrics",
        tag="health",
        summary="What has been counted",
        run=get_metrics,
        access=Access.anyone,
        media=(METRICS,),
        answer=None,
    ),
)
HANDLERS = handlers(OPERATIONS)
