"""Tables whose seats commit to entropy, over HTTP: the games that start by reveals."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from domain.kernel import proof
from tests.harness.server import Client, Table, expect


@dataclass
class Committed:
    """A table and the secret of each seat that has committed."""

    table: Table
    secrets: dict[int, str] = field(default_factory=dict[int, str])

    @property
    def path(self) -> str:
        """The game's path."""
        return self.table.path

    async def sit(self, seat: int, client: Client | None = None) -> dict[str, Any]:
        """Take a seat with a commitment to fresh entropy."""
        client = client or self.table.seats[seat]
        body = {"seat": seat, "entropy_commitment": self.commitment(seat, client)}
        return expect(await client.post(f"{self.path}/seats", body), 201)

    async def commit(self, seat: int) -> dict[str, Any]:
        """Commit to fresh entropy at a seat that is taken."""
        client = self.table.seats[seat]
        body = {"entropy_commitment": self.commitment(seat, client)}
        return expect(await client.post(f"{self.path}/commitments", body), 201)

    async def reveal(self, seat: int) -> dict[str, Any]:
        """Reveal what a seat has committed to."""
        body = {"entropy": self.secrets[seat]}
        return expect(await self.table.seats[seat].post(f"{self.path}/reveals", body), 201)

    async def game(self) -> dict[str, Any]:
        """The game as the public sees it."""
        return expect(await Client(self.table.seats[0].http).get(self.path), 200)

    async def overdue(self) -> None:
        """Wait until the time to reveal has run out."""
        by = datetime.fromisoformat((await self.game())["reveal_by"])
        await asyncio.sleep(max(0.0, (by - datetime.now(UTC)).total_seconds()))

    async def free(self, seat: int, by: int) -> dict[str, Any]:
        """Have one seat free another as soon as that may be."""
        while True:
            answer = await self.table.seats[by].delete(f"{self.path}/seats/{seat}")
            if answer.status_code == 200:
                return answer.json()
            assert answer.json()["code"] == "reveal-not-over", answer.text
            await asyncio.sleep(0.02)

    def commitment(self, seat: int, client: Client) -> str:
        """A commitment to fresh entropy, which is kept."""
        self.secrets[seat] = secrets.token_urlsafe(16)
        return proof.entropy_commitment(str(client.id), self.secrets[seat])


async def seated(table: Table, seats: int | None = None) -> Committed:
    """A table at which so many accounts, by default all, have sat down with commitments."""
    made = Committed(table)
    for seat in range(len(table.seats) if seats is None else seats):
        await made.sit(seat)
    return made
