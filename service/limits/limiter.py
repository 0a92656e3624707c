"""All rate and concurrency limits of a process."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

from domain.kernel.rejected import Rejected
from service.limits.address import TrustedProxies, key
from service.limits.concurrency import Open
from service.limits.limit_settings import LimitSettings
from service.limits.windows import Shared, Window

MINUTE = 60
HOUR = 3_600

WIDER = 10
"""Factor for an address with valid tokens, which are limited by their accounts."""

SWEEP_SECONDS = 5.0

Scope: TypeAlias = Mapping[str, Any]


class Connected(Protocol):
    """A connection, with the address and port of its peer."""

    client: tuple[str, int] | None


class Limiter:
    def __init__(self, numbers: LimitSettings, proxies: TrustedProxies, shared: Shared | None = None) -> None:
        self._proxies = proxies

        def window(name: str, amount: int, seconds: int = MINUTE) -> Window:
            made = Window(name, amount, seconds, shared)
            self._windows.append(made)
            return made

        self._windows: list[Window] = []
        self._requests = window("requests-per-account", numbers.requests_per_account)
        self._public = window("requests-per-address", numbers.requests_per_address)
        self._address = window("requests-per-address-with-token", numbers.requests_per_address * WIDER)
        self._commands = window("commands-per-account", numbers.commands_per_account)
        self._accounts = window("accounts-per-address", numbers.accounts_per_address, HOUR)
        self._bad_tokens = window("bad-tokens-per-address", numbers.bad_tokens_per_address)
        self._frames = window("frames-per-account", numbers.frames_per_account)
        self._public_frames = window("frames-per-address", numbers.frames_per_address)
        self.connections = Open("connections-per-address", numbers.connections_per_address)
        self.sockets = Open("sockets-per-address", numbers.sockets_per_address)
        self.token_sockets = Open("sockets-per-address-with-token", numbers.sockets_per_address * WIDER)
        self.numbers = numbers
        self.sockets_of: dict[str, dict[Any, None]] = {}
        """The sockets of each account."""
        self._sweeping: asyncio.Task[None] | None = None

    def address(self, scope: Scope) -> str:
        """The address that a request or a socket is limited by."""
        client = scope.get("client")
        peer = client[0] if client else None
        return self._proxies.client(peer, scope["headers"])

    def watch(self, peer: Connected) -> Rejected | Callable[[], None] | None:
        """Count a connection that is not a proxy's; returns what uncounts it, or why its requests are refused."""
        host = peer.client[0] if peer.client else None
        if self._proxies.is_proxy(host):
            return None
        address = key(host)
        try:
            self.connections.enter(address)
        except Rejected as refused:
            return refused
        return lambda: self.connections.leave(address)

    def request(self, address: str, account: str | None, cost: int = 1, *, command: bool = False) -> None:
        """Count a request; raises `rate-limited`."""
        if account is None:
            self._public.take(address, cost)
            return
        self._address.take(address, cost)
        self._requests.take(account, cost)
        if command:
            self._commands.take(account)

    def preflight(self, address: str) -> None:
        """Count a CORS preflight; raises `rate-limited`.

        It never has a token, though the request behind it mostly has one: counted as a request without, it would be
        refused to players whenever a stranger behind the same address uses up that limit.
        """
        self._address.take(address)

    def frame(self, address: str, account: str | None, cost: int = 1) -> None:
        """Count a frame of a client, and as requests the `cost` of one that costs more; raises `rate-limited`."""
        if account is None:
            self._public_frames.take(address)
        else:
            self._frames.take(account)
        if cost > 1:
            self.request(address, account, cost)

    def new_account(self, address: str) -> None:
        """Count an account before it is created; raises `rate-limited`."""
        self._accounts.take(address)

    def bad_token(self, address: str) -> None:
        """Count an unknown token and its request; raises `rate-limited`."""
        self._bad_tokens.take(address)
        self._public.take(address)

    def too_many_bad_tokens(self, address: str) -> Rejected | None:
        """The refusal to look up another unknown token."""
        return self._bad_tokens.refuse(address) if self._bad_tokens.is_used_up(address) else None

    async def start(self) -> None:
        """Begin to free expired counts."""
        self._sweeping = asyncio.create_task(self._sweep(), name="limits")

    async def stop(self) -> None:
        if self._sweeping is not None:
            self._sweeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sweeping

    async def _sweep(self) -> None:
        while True:
            for window in self._windows:
                window.sweep()
                await asyncio.sleep(0)
            await asyncio.sleep(SWEEP_SECONDS)
