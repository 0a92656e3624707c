"""What an application can say to the connection of its request, beyond ASGI: by an extension in the scope."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

EXTENSION = "tablelog.connection"


def cut(scope: Mapping[str, Any]) -> None:
    """End the connection of a request whose answer has begun and cannot be ended."""
    _extension(scope)["cut"]()


def endless(scope: Mapping[str, Any], end: Callable[[], None], unsent: Callable[[], int] = int) -> None:
    """Say what ends the answer to a request, which does not end by itself, when the server stops.

    `unsent` gives how many of its bytes wait to be sent.
    """
    _extension(scope)["endless"](end, unsent)


def _extension(scope: Mapping[str, Any]) -> Mapping[str, Callable[..., None]]:
    extensions: Mapping[str, Mapping[str, Callable[..., None]]] = scope.get("extensions") or {}
    if EXTENSION not in extensions:
        message = "start uvicorn with http=RequestProtocol"
        raise RuntimeError(message)
    return extensions[EXTENSION]
