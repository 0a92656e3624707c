"""Component sets by the hash of their text."""

from __future__ import annotations

from msgspec import Struct

from service.database.types import Connection, Pool


class StoredSet(Struct, frozen=True):
    """A component set's text and what it is called."""

    hash: str
    title: str
    id: str
    text: str


async def add(pool: Pool | Connection, stored: StoredSet) -> None:
    """Keep a set; one that is there already stays as it is."""
    await pool.execute(
        "insert into component_sets (hash, title, id, text) values ($1, $2, $3, $4) on conflict (hash) do nothing",
        stored.hash,
        stored.title,
        stored.id,
        stored.text,
    )


async def by_hash(pool: Pool, digest: str) -> StoredSet | None:
    """A set by its hash, or None."""
    record = await pool.fetchrow("select hash, title, id, text from component_sets where hash = $1", digest)
    return None if record is None else StoredSet(**dict(record))


async def is_stored(pool: Pool, title: str, digest: str) -> bool:
    """Whether there is a set of a title by its hash."""
    found: bool = await pool.fetchval(
        "select exists (select from component_sets where hash = $1 and title = $2)", digest, title
    )
    return found
