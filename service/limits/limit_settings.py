"""The limits as numbers, with their defaults and their variables.

By default 60 players with two tabs each can register and play behind one address; a flood is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from msgspec import Struct

MOST = 1_000_000_000


class LimitSettings(Struct, frozen=True, kw_only=True):
    """Limits of one account or address, per minute where nothing else is said."""

    requests_per_account: int = 1_500
    requests_per_address: int = 3_000
    """Without a token; ten times as much with valid tokens."""
    commands_per_account: int = 600
    accounts_per_address: int = 300
    """An hour."""
    bad_tokens_per_address: int = 100
    frames_per_account: int = 1_200
    frames_per_address: int = 3_000
    connections_per_address: int = 1_000
    """At once, as the next three."""
    sockets_per_address: int = 500
    sockets_per_account: int = 20
    subscriptions_per_account: int = 500
    open_tables_per_account: int = 20
    """Tables of the account that wait for players."""
    seats_per_account: int = 50
    """Seats at tables that wait for players."""


VARIABLES: Mapping[str, str] = MappingProxyType({
    name: f"TABLELOG_{name.upper()}" for name in LimitSettings.__struct_fields__
})  # fmt: skip


def numbers(read: Callable[[str, int], int]) -> LimitSettings:
    """The numbers as set; `read` takes a variable and a default, and returns the value."""
    defaults = LimitSettings()
    return LimitSettings(**{name: read(variable, getattr(defaults, name)) for name, variable in VARIABLES.items()})
