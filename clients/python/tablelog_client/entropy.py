"""Entropy that nobody can foresee or choose last: a client commits to it when it sits down, and reveals it in time.

A game whose seats have committed starts when all of them have revealed. Until then this side watches its games: it
reveals when every seat is taken, and commits to fresh entropy when its commitment was voided because another seat did
not reveal. Entropy is kept in memory alone, so what a client has committed to only this client can reveal.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import secrets
from typing import Literal, Protocol

import httpx
from websockets.exceptions import InvalidHandshake

from tablelog_client.connection import FeedClosed
from tablelog_client.feed import Feed
from tablelog_client.models import Game, Played
from tablelog_client.problems import Problem

_POLL_SECONDS = 5.0
"""How often waiting games are looked at if no notice comes: the feed makes it quick, and this makes it certain."""

_AGAIN_SECONDS = 0.5

_FOR_NOW = frozenset({408, 409, 429})
"""Statuses of refusals that say nothing about the next attempt: the game may have moved on since it was looked at."""


def fresh() -> str:
    """Entropy for one game: 128 bits, as 22 characters."""
    return secrets.token_urlsafe(16)


def commitment(account: str, entropy: str) -> str:
    """The hash that binds an account to its entropy, as 64 hex digits: the service computes the same."""
    parts = (b"tablelog/entropy/1", account.encode(), entropy.encode())
    return hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).hexdigest()


class Requests(Protocol):
    """What is asked of the service."""

    async def game(self, game: str) -> Game:
        """A game as the account sees it."""
        ...

    async def commit(self, game: str, commitment: str) -> Played:
        """Commit to entropy before the start."""
        ...

    async def reveal(self, game: str, entropy: str) -> Played:
        """Reveal the entropy that the account committed to."""
        ...

    def follow(self, feed: Literal["account"]) -> Feed:
        """The feed of the account."""
        ...


class Keeper:
    """Keeps the entropy of an account's games, and reveals it when the time has come."""

    def __init__(self, requests: Requests, account: str) -> None:
        """`account` is the id of the account that makes the requests."""
        self._requests = requests
        self._account = account
        self._entropy: dict[str, str] = {}
        self._committing: set[str] = set()
        """Games for which the entropy is fresh, and the answer to its commitment has yet to come."""
        self._woken = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def keep(self, game: str, entropy: str) -> None:
        """Reveal this entropy when the game waits for it."""
        self._entropy[game] = entropy
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._work())]
        self._woken.set()

    async def close(self) -> None:
        """Stop. What was not revealed by now will not be."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _work(self) -> None:
        while True:
            self._woken.clear()
            for game in list(self._entropy):
                await self._advance(game)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_POLL_SECONDS if self._entropy else None):
                    await self._woken.wait()

    async def _advance(self, game: str) -> None:
        """Do what a game waits for this account to do, if anything; what fails is done again a little later."""
        try:
            now = await self._requests.game(game)
            if now.status not in {"waiting", "starting"} or now.seat is None:
                self._forget(game)
                return
            match now.seats[now.seat].entropy:
                case "owed":
                    # Once for each void: an attempt whose answer was lost may still count.
                    if game not in self._committing:
                        self._committing.add(game)
                        self._entropy[game] = fresh()
                    await self._requests.commit(game, commitment(self._account, self._entropy[game]))
                case "committed" if now.status == "starting":
                    await self._requests.reveal(game, self._entropy[game])
                case _:
                    pass
            self._committing.discard(game)
        except Problem as problem:
            if problem.status in _FOR_NOW or problem.status >= 500:
                self._soon()
            else:
                self._forget(game)
        except httpx.TransportError:
            self._soon()

    def _forget(self, game: str) -> None:
        self._entropy.pop(game, None)
        self._committing.discard(game)

    def _soon(self) -> None:
        asyncio.get_running_loop().call_later(_AGAIN_SECONDS, self._woken.set)

    async def _listen(self) -> None:
        """Wake up at every notice of the account."""
        while True:
            with contextlib.suppress(OSError, TimeoutError, InvalidHandshake, FeedClosed, Problem):
                async with self._requests.follow("account") as feed:
                    async for _ in feed:
                        self._woken.set()
            await asyncio.sleep(_POLL_SECONDS)
