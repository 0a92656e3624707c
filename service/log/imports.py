"""Whole games that are put into the log at once, as they were recorded elsewhere."""

from __future__ import annotations

import asyncpg

from service.database.types import Pool
from service.log.component_sets import StoredSet
from service.log.events import IMPORT_ATTEMPT
from service.log.imported import ImportedEvents

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
select $5, version, type, actor, data::json, rules_version, hash, recorded_at, $14::uuid
from unnest($8::text[], $9::text[], $10::text[], $11::text[], $12::bytea[], $13::timestamptz[])
     with ordinality as t (type, actor, data, rules_version, hash, recorded_at, version)
order by version
"""


async def take_in(
    pool: Pool, game_id: str, events: ImportedEvents, *, seed: bytes, stored: StoredSet, account: str
) -> bool:
    """Put a game's events into the log, with its seed and its component set; False when its id is taken."""
    try:
        await pool.execute(
            _TAKE_IN,
            stored.hash,
            stored.title,
            stored.id,
            stored.text,
            game_id,
            account,
            seed,
            events.types,
            events.actors,
            events.data,
            events.rules_versions,
            events.hashes,
            events.recorded_at,
            IMPORT_ATTEMPT,
        )
    except asyncpg.UniqueViolationError:
        return False
    return True
