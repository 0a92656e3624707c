"""Games of the conformance suite, put into the log of running processes as if they had been played there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

import msgspec

from domain.kernel import proof
from domain.kernel.events import Event, GameCreated, SeatTaken, encode, event_type
from domain.kernel.ids import AccountId, GameId
from service.auth import accounts
from service.auth.accounts import Account
from service.auth.tokens import token_hash
from service.database.types import Pool
from service.log import events
from service.log.events import Entry
from tests.conformance.games import Played
from tests.harness.lists import eventually

GAME = "g0123456789abcdef0123"
AT = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Logged:
    """A game that is written into a log event by event. Accounts, ids and times are the same wherever it is written."""

    pool: Pool
    played: Played
    game: str = GAME
    first_account: int = 0
    version: int = 0
    _hash: bytes = field(default=proof.NO_HASH)

    @property
    def accounts(self) -> list[str]:
        """Who sits there, by seat, and last a stranger."""
        return [f"a{self.first_account + number:020x}" for number in range(self.played.seats + 1)]

    def token(self, number: int) -> str:
        """The token of an account."""
        return f"tl_{self.first_account + number:043d}"

    async def arrive(self) -> None:
        """Make the accounts."""
        for number, account in enumerate(self.accounts):
            made = Account(id=AccountId(account), name=f"{account} by name", created_at=AT)
            assert await accounts.add(self.pool, made, account, token_hash(self.token(number)))

    async def write(self, happened: Iterable[Event]) -> None:
        """Append what happened next."""
        for event in happened:
            self.version += 1
            entry = Entry(
                game_id=GameId(self.game),
                version=self.version,
                type=event_type(event),
                actor=AccountId(self.accounts[0]),
                data=encode(self._here(event)),
                rules_version=self.played.entry.title.rules_version,
                hash=bytes(32),
                recorded_at=AT + timedelta(seconds=self.version),
                attempt=UUID(int=self.version),
                seed=self.played.seed if self.version == 1 else None,
            )
            self._hash = events.chain(self._hash, self.played.seed, entry)
            assert await events.append(self.pool, [msgspec.structs.replace(entry, hash=self._hash)])

    async def listed(self) -> None:
        """Wait until the lists of whoever serves this log have come so far."""
        query = "select version from lobby join projection using (generation) where game_id = $1"
        await eventually(lambda: self._listed(query))

    async def _listed(self, query: str) -> bool:
        return await self.pool.fetchval(query, self.game) == self.version

    def _here(self, event: Event) -> Event:
        """The event with the ids of this place."""
        match event:
            case GameCreated():
                commitment = proof.commitment(self.game, self.played.seed)
                return msgspec.structs.replace(event, creator=self.accounts[0], commitment=commitment)
            case SeatTaken():
                return msgspec.structs.replace(event, account=self.accounts[event.seat])
            case _:
                return event


async def make_alike(pool: Pool, epoch: str, service_key: bytes) -> None:
    """Give a database the epoch and the key of another, so that tags and cursors tell nothing of which one it is."""
    await pool.execute("update epoch set epoch = $1", epoch)
    await pool.execute("update service_key set key = $1", service_key)


def secrets_of(seed: bytes, versions: Sequence[int]) -> set[str]:
    """What would give the draws or the salts of a game away, as words of hex digits."""
    salts = {proof.salt(seed, version).hex() for version in versions}
    return {seed.hex(), proof.draw_key(seed, (), 1).hex(), proof.draw_key(seed, (), 2).hex(), *salts}
