"""What can be set from outside: one frozen struct, read from the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

from service.limits.address import BadNetwork, TrustedProxies
from service.limits.limit_settings import MOST, LimitSettings, numbers

_ORIGIN = re.compile(r"([a-z][a-z0-9+.-]*)://([a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?", re.ASCII)
_REDIS = re.compile(
    r"rediss?://([^@/?#\s]*@)?([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?(/[0-9]*)?", re.ASCII | re.IGNORECASE
)
_DEFAULT_PORTS = frozenset({("http", "80"), ("https", "443")})
"""Browsers leave these out of an origin."""


class BadSetting(Exception):
    """A setting that cannot be used: the message names it and what is wrong."""


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of a process; the README's table tells each one's variable."""

    database_url: str
    host: str = "127.0.0.1"
    port: int = 8000
    components: Path | None = None
    allowed_origins: tuple[str, ...] = ()
    """Origins that may open a socket from a browser; empty allows every origin, since no cookie is ever read."""
    database_connections: int = 10
    hot_games: int = 2_000
    heartbeat_seconds: float = 15.0
    outbox_frames: int = 1_000
    """Frames that may wait for one slow reader before it is closed."""
    outbox_bytes: int = 1_048_576
    game_events: int = 2_500
    """Events that a game may have, and a record that is taken in."""
    foreign_component_sets: str = "refuse"
    """`allow` takes in records with component sets that this service does not know."""
    record_seconds: int = 1
    """CPU time that the verification of one record may take."""
    connections: int = 10_000
    """Connections that clients may hold open; fewer where the process may not open that many descriptors."""
    body_bytes: int = 67_108_864
    """Bytes of request bodies that may be in flight at once."""
    unread_bytes: int = 67_108_864
    """Bytes that may be held for clients which do not read, or send faster than they are served."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses, networks and `unix` whose `Forwarded` or `X-Forwarded-For` names the client."""
    limits: LimitSettings = LimitSettings()
    redis_url: str | None = None
    """The Redis through which processes share rate limits; None limits in each process alone."""


def from_environment(environment: Mapping[str, str] = os.environ, *, database_url: str | None = None) -> Settings:
    """Read the settings; `database_url` overrides the variable (the embedded server's address)."""
    url = database_url or environment.get("DATABASE_URL", "")
    if not url:
        raise BadSetting("DATABASE_URL: not set")
    if not url.startswith(("postgresql://", "postgres://")):
        raise BadSetting("DATABASE_URL: expected an address that begins with postgresql://")
    components = environment.get("TABLELOG_COMPONENTS")
    return Settings(
        database_url=url,
        host=environment.get("HOST") or "127.0.0.1",
        port=_whole(environment, "PORT", 8000, 0, 65_535),
        components=Path(components) if components else None,
        allowed_origins=_origins(environment.get("TABLELOG_ALLOWED_ORIGINS", "")),
        database_connections=_whole(environment, "TABLELOG_DATABASE_CONNECTIONS", 10, 2, 1_000),
        hot_games=_whole(environment, "TABLELOG_HOT_GAMES", 2_000, 1, 1_000_000),
        heartbeat_seconds=_whole(environment, "TABLELOG_HEARTBEAT_SECONDS", 15, 1, 3_600),
        outbox_frames=_whole(environment, "TABLELOG_OUTBOX_FRAMES", 1_000, 1, 1_000_000),
        outbox_bytes=_whole(environment, "TABLELOG_OUTBOX_BYTES", 1_048_576, 65_536, 1_073_741_824),
        game_events=_whole(environment, "TABLELOG_GAME_EVENTS", 2_500, 100, 100_000),
        foreign_component_sets=_one_of(environment, "TABLELOG_FOREIGN_COMPONENT_SETS", ("refuse", "allow")),
        record_seconds=_whole(environment, "TABLELOG_RECORD_SECONDS", 1, 1, 600),
        connections=_whole(environment, "TABLELOG_CONNECTIONS", 10_000, 1, 1_000_000),
        body_bytes=_whole(environment, "TABLELOG_BODY_BYTES", 67_108_864, 50_331_648, 1_099_511_627_776),
        unread_bytes=_whole(environment, "TABLELOG_UNREAD_BYTES", 67_108_864, 4_194_304, 1_099_511_627_776),
        trusted_proxies=_proxies(environment.get("TABLELOG_TRUSTED_PROXIES", "")),
        limits=numbers(lambda name, default: _whole(environment, name, default, 1, MOST)),
        redis_url=_redis(environment.get("TABLELOG_REDIS_URL", "")),
    )


def _origins(text: str) -> tuple[str, ...]:
    """The allowed origins as browsers write them; what is none would match no page, and nobody would know why."""
    found: list[str] = []
    for origin in filter(None, (each.strip() for each in text.split(","))):
        parts = _ORIGIN.fullmatch(origin.lower())
        if parts is None:
            wanted = "scheme://host or scheme://host:port, as in https://example.org, with nothing after it"
            message = f"TABLELOG_ALLOWED_ORIGINS: {origin!r} is not an origin, which is {wanted}"
            raise BadSetting(message)
        scheme, host, port = parts.groups()
        left_out = port is None or (scheme, port) in _DEFAULT_PORTS
        found.append(f"{scheme}://{host}" if left_out else f"{scheme}://{host}:{port}")
    return tuple(dict.fromkeys(found))


def _proxies(text: str) -> tuple[str, ...]:
    found = tuple(filter(None, (each.strip() for each in text.split(","))))
    try:
        TrustedProxies(found)
    except BadNetwork as error:
        message = f"TABLELOG_TRUSTED_PROXIES: expected addresses, networks such as 10.0.0.0/8, or unix: {error}"
        raise BadSetting(message) from error
    return found


def _redis(url: str) -> str | None:
    """The URL of a Redis; messages leave it out, since it may contain a password."""
    if not url:
        return None
    found = _REDIS.fullmatch(url)
    if found is None or int((found[3] or ":0")[1:]) > 65_535:
        raise BadSetting("TABLELOG_REDIS_URL: expected redis://HOST:PORT/DATABASE, or rediss:// for TLS")
    if find_spec("redis") is None:
        raise BadSetting("TABLELOG_REDIS_URL: needs the package redis; install it with: pip install 'tablelog[redis]'")
    return url


def _whole(environment: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    text = environment.get(name)
    if text is None or text == "":
        return default
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        message = f"{name}: {text!r} is not a whole number from {least} to {most}"
        raise BadSetting(message)
    return int(text)


def _one_of(environment: Mapping[str, str], name: str, allowed: tuple[str, ...]) -> str:
    """A word, the first one by default."""
    text = environment.get(name) or allowed[0]
    if text not in allowed:
        message = f"{name}: {text!r} is not {' or '.join(allowed)}"
        raise BadSetting(message)
    return text
