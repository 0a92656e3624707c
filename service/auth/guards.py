"""What an operation requires of its caller, and how the Authorization header identifies the caller (RFC 6750)."""

from __future__ import annotations

import re
from enum import Enum
from typing import Protocol

from domain.kernel.rejected import Rejected
from service.auth.accounts import Account
from service.auth.tokens import Tokens

_BEARER = re.compile(r"bearer +([A-Za-z0-9\-._~+/]+=*) *", re.IGNORECASE)


class Access(Enum):
    """Who may call an operation."""

    anyone = "anyone"
    """A token makes no difference, and is not looked at."""
    viewer = "viewer"
    """Nobody needs a token; who sends one sees what its account may see, and a wrong one is refused."""
    account = "account"
    """A token is needed."""


class Lookups(Protocol):
    """What bounds how often tokens are looked up in the database."""

    def before(self) -> None:
        """Raise if no token that is not known in memory may be looked up."""
        ...

    def missed(self) -> None:
        """Count one that nobody has; may raise."""
        ...


async def caller(
    tokens: Tokens, access: Access, authorization: str | None, lookups: Lookups | None = None
) -> Account | None:
    """The account that calls, None for the public; `token-required` or `invalid-token`."""
    if access is Access.anyone:
        return None
    if authorization is None:
        if access is Access.account:
            raise Rejected("token-required", "send the header Authorization: Bearer and a token of POST /v1/accounts")
        return None
    found = _BEARER.fullmatch(authorization)
    account = await token_account(tokens, found[1], lookups) if found is not None else None
    if account is None:
        if found is None and lookups is not None:
            lookups.missed()
        raise Rejected("invalid-token", "the header Authorization holds no token of any account")
    return account


async def token_account(tokens: Tokens, token: str, lookups: Lookups | None) -> Account | None:
    """The account of a token, or None; raises what `lookups` raises."""
    if lookups is None:
        return await tokens.account(token)
    account = tokens.remembered(token)
    if account is None:
        lookups.before()
        account = await tokens.account(token)
        if account is None:
            lookups.missed()
    return account
