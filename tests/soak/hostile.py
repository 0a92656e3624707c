"""Somebody hostile, at work from several addresses: `python -m tests.soak.hostile URL SECONDS`.

Each attack is what a stranger with an account could do to hold up everybody else. They go on side by side until the
time is up, in a process of their own with the lowest priority: the attackers stand for machines elsewhere, and must
not take the processor that the service runs on. What they met is printed at the end as JSON: by attack, how often each
status or end of a connection was seen.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable

from tests.soak.attacks import connections, flood, records
from tests.soak.stranger import Stranger

Attack = Callable[[Stranger], Awaitable[None]]

ATTACKS: tuple[Attack, ...] = (
    records.dotted_keys,
    records.large_sets,
    records.repeated_uploads,
    connections.withheld_bodies,
    connections.unread_pongs,
    connections.unread_answers,
    connections.unread_streams,
    connections.slow_heads,
    connections.endless_fragments,
    flood.sockets,
    flood.accounts,
    flood.tables,
    flood.moves_and_undos,
    flood.past_versions,
    flood.follows,
    flood.delayed_lists,
    flood.guessed_tokens,
)


async def attack(url: str, seconds: float) -> dict[str, dict[str, int]]:
    """Run all attacks until the time is up; gives what each one met."""
    met: dict[str, Counter[str]] = defaultdict(Counter)
    end = time.monotonic() + seconds
    strangers = [Stranger(url, f"127.2.{number + 1}", end, met[each.__name__]) for number, each in enumerate(ATTACKS)]
    await asyncio.gather(*(_keep_on(each, stranger) for each, stranger in zip(ATTACKS, strangers, strict=True)))
    return {name: dict(sorted(counts.items())) for name, counts in met.items()}


async def _keep_on(what: Attack, stranger: Stranger) -> None:
    while stranger.has_time:
        try:
            async with asyncio.timeout(stranger.seconds_left):
                await what(stranger)
        except (OSError, EOFError, TimeoutError, asyncio.IncompleteReadError) as error:
            stranger.met[type(error).__name__] += 1
        await asyncio.sleep(0.2)


if __name__ == "__main__":
    os.nice(15)
    print(json.dumps(asyncio.run(attack(sys.argv[1], float(sys.argv[2])))))  # noqa: T201 - read by the test
