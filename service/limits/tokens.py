"""Limits attempts with unknown tokens."""

from __future__ import annotations

from service.limits.limiter import Limiter


class TokenLimit:
    """The limit on unknown tokens from one address."""

    __slots__ = ("_address", "_limits")

    def __init__(self, limits: Limiter, address: str) -> None:
        self._limits = limits
        self._address = address

    def before(self) -> None:
        """To be called before a lookup; raises `rate-limited` after too many unknown tokens."""
        if (refused := self._limits.too_many_bad_tokens(self._address)) is not None:
            raise refused

    def missed(self) -> None:
        """Count an unknown token; raises `rate-limited`."""
        self._limits.bad_token(self._address)
