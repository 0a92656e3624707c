"""One socket or event stream, as counted for its address and its account."""

from __future__ import annotations

from collections.abc import Sized

from service.limits.concurrency import RETRY_SECONDS
from service.limits.limiter import Limiter
from service.limits.tokens import TokenLimit
from service.limits.windows import rate_limited


class Slot:
    """Held while the socket is open; the constructor raises `rate-limited`."""

    def __init__(self, limits: Limiter, address: str, account: str | None = None, *, upgrade: bool = True) -> None:
        self._limits = limits
        self._address = address
        self._account: str | None = None
        self._subscriptions: Sized = ()
        self._open = True
        self.lookups = TokenLimit(limits, address)
        if upgrade:
            limits.request(address, None)
        limits.sockets.enter(address)
        if account is not None:
            try:
                self.identify(account, ())
            except BaseException:
                self.leave()
                raise

    def frame(self, cost: int = 1) -> None:
        """Count a frame of the client; raises `rate-limited`."""
        self._limits.frame(self._address, self._account, cost)

    def deliver(self, cost: int) -> None:
        """Count catching up as requests; raises `rate-limited`."""
        self._limits.request(self._address, self._account, cost)

    def identify(self, account: str | None, subscriptions: Sized) -> None:
        """Count the socket for another account or, with None, the public; raises `rate-limited`, changing nothing."""
        self._subscriptions = subscriptions
        if account == self._account:
            return
        if account is not None:
            held = self._limits.sockets_of.get(account, {})
            most = self._limits.numbers.sockets_per_account
            if len(held) >= most:
                raise rate_limited("sockets-per-account", most, RETRY_SECONDS)
        (self._limits.sockets if account is None else self._limits.token_sockets).enter(self._address)
        self._leave_count()
        self._account = account
        if account is not None:
            self._limits.sockets_of.setdefault(account, {})[self] = None

    def require_subscription(self) -> None:
        """Raise `rate-limited` if the account may not have another subscription on any of its sockets."""
        if self._account is None:
            return
        most = self._limits.numbers.subscriptions_per_account
        held: dict[Slot, None] = self._limits.sockets_of[self._account]
        if sum(slot.subscriptions for slot in held) >= most:
            raise rate_limited("subscriptions-per-account", most, RETRY_SECONDS)

    @property
    def subscriptions(self) -> int:
        return len(self._subscriptions)

    def leave(self) -> None:
        if self._open:
            self._open = False
            self._leave_count()

    def _leave_count(self) -> None:
        if self._account is None:
            self._limits.sockets.leave(self._address)
            return
        self._limits.token_sockets.leave(self._address)
        held: dict[Slot, None] = self._limits.sockets_of[self._account]
        del held[self]
        if not held:
            del self._limits.sockets_of[self._account]
