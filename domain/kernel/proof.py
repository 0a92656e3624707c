"""What pins a game's history and its draws without telling them: commitment, salted hash chain, key of the draws.

seed         256 secret bits, drawn when the game is created and kept outside the events until the game has ended
commitment   SHA-256("tablelog/commitment/1", game id, seed): published in the first event
salt(v)      HMAC-SHA256(seed, "tablelog/salt/1", v): so that a hash cannot be guessed from a short list of events
hash(v)      SHA-256(hash(v-1), SHA-256(salt(v), header, event bytes)), hash(0) being 32 zero bytes
header       the JSON array [game id, version, type, actor, rules version, 2026-01-31T12:00:00.000000+00:00]
key          HMAC-SHA256(seed, "tablelog/draws/1" or 2, the entropy of seat 0, of seat 1, ...): draws derive from both
entropy      SHA-256("tablelog/entropy/1", account id, entropy): what a seat commits to before it reveals its entropy;
             the account is part of it, so that nobody can commit to what somebody else will reveal

Parts are joined with their lengths, so that no two different lists of parts give the same bytes.

A draw is keyed by an ordinal (`kernel/chance.py`). A game keeps the scheme of its first event for life:

scheme 1     the ordinal is the version of the event. Undo, and sitting down and leaving before the start, raise the
             version and change nothing else, so a player who knew the seed could go on until the next draw suited him
scheme 2     the start has ordinal 0, drawing or not; a move has 1 plus the number of earlier moves that are final
             because they drew. A move that drew is never taken back, so nothing but a draw leads to the next ordinal:
             whatever is made and undone, the same seed and entropies give the same draws
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from domain.kernel.terms import Version

Scheme: TypeAlias = Literal[1, 2]
"""How draws follow from the seed."""

SEED_BYTES = 32
NO_HASH = bytes(32)
"""hash(0): what the first event's hash stands on."""


def commitment(game_id: str, seed: bytes) -> str:
    """The commitment to a seed, as 64 hex digits."""
    return hashlib.sha256(_joined([b"tablelog/commitment/1", game_id.encode(), seed])).hexdigest()


def salt(seed: bytes, version: Version) -> bytes:
    """The salt of one event."""
    return hmac.digest(seed, _joined([b"tablelog/salt/1", str(version).encode()]), "sha256")


def header(
    game_id: str, version: Version, *, event_type: str, actor: str | None, rules_version: str, recorded_at: str
) -> bytes:
    """What is hashed beside an event's data: everything that the log says of it, the time to the microsecond in UTC."""
    return msgspec.json.encode((game_id, version, event_type, actor, rules_version, recorded_at))


def link(previous: bytes, salted: bytes, header: bytes, data: bytes) -> bytes:
    """The hash of an event: `header` and `data` are its stored bytes, `salted` its salt."""
    leaf = hashlib.sha256(_joined([salted, header, data])).digest()
    return hashlib.sha256(previous + leaf).digest()


def draw_key(seed: bytes, entropy: Iterable[str], scheme: Scheme) -> bytes:
    """The key of a game's draws, from the server's seed and what each seat added (empty where it added nothing)."""
    label = f"tablelog/draws/{scheme}".encode()
    return hmac.digest(seed, _joined([label, *(each.encode() for each in entropy)]), "sha256")


def entropy_commitment(account: str, entropy: str) -> str:
    """What an account commits to when it sits down, as 64 hex digits."""
    return hashlib.sha256(_joined([b"tablelog/entropy/1", account.encode(), entropy.encode()])).hexdigest()


def _joined(parts: Iterable[bytes]) -> bytes:
    return b"".join([len(part).to_bytes(8, "big") + part for part in parts])
