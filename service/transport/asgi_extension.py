"""What an application can do with its connection beyond ASGI, by an extension in the scope."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

EXTENSION = "tablelog.connection"


def cut(scope: Mapping[str, Any]) -> None:
    """Abort the connection of a request whose answer cannot be completed."""
    _extension(scope)["cut"]()


def endless(scope: Mapping[str, Any], end: Callable[[], None], unsent: Callable[[], int] = int) -> None:
    """Announce an endless answer: `end` is called when the server stops, `unsent` returns its bytes not sent yet."""
    _extension(scope)["endless"](end, unsent)


def _extension(scope: Mapping[str, Any]) -> Mapping[str, Callable[..., None]]:
    extensions: Mapping[str, Mapping[str, Callable[..., None]]] = scope.get("extensions") or {}
    if EXTENSION not in extensions:
        message = "start uvicorn with http=RequestProtocol"
        raise RuntimeError(message)
    return extensions[EXTENSION]
