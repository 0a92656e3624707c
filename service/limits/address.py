"""The address that a client is limited by.

It is the peer's, unless the peer is a trusted proxy: then it is the right-most untrusted hop of `Forwarded`
(RFC 7239) or `X-Forwarded-For`; the client can write anything left of that hop. A hop that is not an address
(`unknown`, `_hidden`, junk) ends the search at the proxy that reported it. Most proxies set one of the two headers and
pass the other on as the client sent it: if both are present and disagree, neither is believed.

An IPv6 address counts by its /64, the share of one subscriber; one that maps an IPv4 address counts as that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

Network: TypeAlias = str
Headers: TypeAlias = Iterable[tuple[bytes, bytes]]

UNIX = "unix"
"""The peer of a unix socket, as a peer and among the trusted proxies."""

_HOPS = 32
"""Hops that are read, from the right."""

_FOR = re.compile(r'(?:^|;)\s*for=(?:"((?:[^"\\]|\\.)*)"|([^;",\s]*))\s*(?:;|$)', re.IGNORECASE)
_QUOTED = r'"(?:[^"\\]|\\.)*+"'
_CLOSED = re.compile(rf'(?:[^"]|{_QUOTED})*+')
"""The part before a quote that is never closed."""

_ELEMENT = re.compile(rf'(?:[^",]|{_QUOTED})++')
_WITH_PORT = re.compile(r"\[([^\]]*)\](?::[0-9]{1,5})?|([0-9.]+):[0-9]{1,5}")


class BadNetwork(ValueError):
    """Neither an address, nor a network in CIDR notation, nor `unix`."""


class TrustedProxies:
    """The peers that may report the address of a client."""

    def __init__(self, networks: Sequence[Network] = ()) -> None:
        self._unix = UNIX in networks
        try:
            self._networks = tuple(ip_network(each) for each in networks if each != UNIX)
        except ValueError as error:
            raise BadNetwork(str(error)) from error

    def __bool__(self) -> bool:
        return self._unix or bool(self._networks)

    def __contains__(self, address: IPv4Address | IPv6Address | None) -> bool:
        """Whether an address is trusted; None is the peer of a unix socket."""
        if address is None:
            return self._unix
        return any(address in network for network in self._networks)

    def client(self, peer: str | None, headers: Headers) -> str:
        """The key of the client of a request with these headers from a peer."""
        if not self:
            return key(peer)
        address = None if peer is None else parsed(peer)
        if (peer is not None and address is None) or address not in self:
            return key(peer)
        hops = [
            found
            for name, read in ((b"forwarded", _forwarded), (b"x-forwarded-for", _x_forwarded_for))
            if (found := self._hop([value for each, value in headers if each == name], read)) is not None
        ]
        return key(str(hops[0])) if len({*hops}) == 1 else key(peer)

    def is_proxy(self, peer: str | None) -> bool:
        return bool(self) and (None if peer is None else parsed(peer)) in self

    def _hop(self, values: list[bytes], read: Callable[[str], list[str]]) -> IPv4Address | IPv6Address | None:
        """The right-most untrusted hop, or the last trusted one before a hop that is not an address."""
        found = None
        hops = [hop for value in values for hop in read(value.decode("latin-1"))]
        for hop in reversed(hops[-_HOPS:]):
            address = _address(hop)
            if address is None:
                return found
            found = address
            if address not in self:
                return found
        return found


def parsed(text: str) -> IPv4Address | IPv6Address | None:
    """An address, or None; one that maps an IPv4 address as that."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


@lru_cache(maxsize=4_096)
def key(peer: str | None) -> str:
    """The key that an address is counted under."""
    if peer is None:
        return UNIX
    address = parsed(peer)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((int(address) >> 64 << 64, 64)))
    return peer if address is None else str(address)


def _address(hop: str) -> IPv4Address | IPv6Address | None:
    hop = hop.strip()
    if (found := _WITH_PORT.fullmatch(hop)) is not None:
        hop = found[1] or found[2] or ""
    return parsed(hop)


def _forwarded(value: str) -> list[str]:
    """The `for` of each element; empty, which is not an address, where it has none."""
    found: list[str] = []
    for element in _elements(value):
        pair = _FOR.search(element)
        found.append("" if pair is None else re.sub(r"\\(.)", r"\1", pair[1]) if pair[1] is not None else pair[2])
    return found


def _elements(value: str) -> list[str]:
    """The elements of a list, split at unquoted commas, in linear time. A quote that is never closed quotes nothing."""
    closed = _CLOSED.match(value)
    end = 0 if closed is None else closed.end()
    return _ELEMENT.findall(value[:end]) + [each for each in value[end:].split(",") if each]


def _x_forwarded_for(value: str) -> list[str]:
    return value.split(",")
