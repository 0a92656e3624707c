"""How often tokens that nobody has may be tried from one address."""

from __future__ import annotations

from service.limits.limiter import Limiter


class TokenLimit:
    """The limit on bad tokens, for the requests of one address."""

    __slots__ = ("_address", "_limits")

    def __init__(self, limits: Limiter, address: str) -> None:
        self._limits = limits
        self._address = address

    def before(self) -> None:
        """Raise `rate-limited` when too many bad tokens came from the address: no other is looked up for it."""
        if (refused := self._limits.too_many_bad_tokens(self._address)) is not None:
            raise refused

    def missed(self) -> None:
        """Count a bad token."""
        self._limits.bad_token(self._address)
