"""Bearer tokens: random, shown once, kept as a hash, and never changed; so what was looked up once stays true.

When a backup is restored, accounts that are younger than it are gone: what is remembered is of one epoch.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict

from service.auth import accounts
from service.auth.accounts import Account
from service.database.types import Pool

PREFIX = "tl_"
"""Lets a scanner of leaked secrets tell what it has found."""


class Tokens:
    """Accounts by token; those asked for last are remembered, by the hash of their token."""

    def __init__(self, pool: Pool, limit: int = 10_000) -> None:
        self._pool = pool
        self._limit = limit
        self._known: OrderedDict[bytes, Account] = OrderedDict()

    def remembered(self, token: str) -> Account | None:
        """The account of a token that was looked up before and is still in memory."""
        return self._known.get(token_hash(token))

    async def account(self, token: str) -> Account | None:
        """The account that a token belongs to, or None. A token that nobody has is looked up each time."""
        digest = token_hash(token)
        account = self._known.get(digest)
        if account is not None:
            self._known.move_to_end(digest)
            return account
        account = await accounts.by_token(self._pool, digest)
        if account is not None:
            self._known[digest] = account
            while len(self._known) > self._limit:
                self._known.popitem(last=False)
        return account

    def close(self) -> None:
        """Remember nobody from now on."""
        self._limit = 0
        self._known.clear()


def new_token() -> str:
    """A fresh token of 256 random bits."""
    return PREFIX + secrets.token_urlsafe(32)


def token_hash(token: str) -> bytes:
    """What is kept of a token. It is random, so a plain hash hides it; junk of a client's has a hash too."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
