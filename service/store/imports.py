"""Whole games that are put into the log at once, as they were recorded elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg

from service.store.component_sets import StoredSet
from service.store.events import Entry, Pool

# One statement, so that it is all or nothing: an id that is taken, by whatever history, breaks it off. There is no
# wake-up, since nobody can be watching a game that was not there; readers of the whole log come to it by themselves.
_TAKE_IN = """
with component_set as (
    insert into component_sets (hash, title, id, text) values ($1, $2, $3, $4) on conflict (hash) do nothing
), noted as (
    insert into imports (game_id, account) values ($5, $6)
), secret as (
    insert into seeds (game_id, seed) values ($5, $7)
)
insert into events (game_id, version, type, actor, data, rules_version, hash, recorded_at, attempt)
select $5, version, type, actor, data::json, rules_version, hash, recorded_at, attempt
from unnest($8::bigint[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bytea[], $14::timestamptz[],
            $15::uuid[]) as t (version, type, actor, data, rules_version, hash, recorded_at, attempt)
order by version
"""


async def take_in(pool: Pool, entries: Sequence[Entry], seed: bytes, stored: StoredSet, account: str) -> bool:
    """Put a game's events into the log, with its seed and its component set; False when its id is taken."""
    try:
        await pool.execute(
            _TAKE_IN,
            stored.hash,
            stored.title,
            stored.id,
            stored.text,
            entries[0].game_id,
            account,
            seed,
            [entry.version for entry in entries],
            [entry.type for entry in entries],
            [entry.actor for entry in entries],
            [entry.data.decode() for entry in entries],
            [entry.rules_version for entry in entries],
            [entry.hash for entry in entries],
            [entry.recorded_at for entry in entries],
            [entry.attempt for entry in entries],
        )
    except asyncpg.UniqueViolationError:
        return False
    return True
