"""Games of the toy as its rules before today's wrote them: the inverse of `tests/toy/earlier.py`."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec

from tests.harness.recording import Logged, Recorded

VERSION = "toy/0"


def as_toy_0(recorded: Recorded, upto: int | None = None) -> Recorded:
    """The same game with its events up to a version (by default all) in the form of toy/0."""
    last = len(recorded.log) if upto is None else upto
    log = tuple(
        Logged(each.event, each.actor, VERSION, _older(each.data)) if version <= last else each
        for version, each in enumerate(recorded.log, 1)
    )
    return dataclasses.replace(recorded, log=log)


def _older(data: bytes) -> bytes:
    event: dict[str, Any] = msgspec.json.decode(data)
    if "facts" in event:
        event["facts"] = [_fact(fact) for fact in event["facts"]]
    if "move" in event and event["move"]["type"] == "toy.lay_card":
        event["move"]["type"] = "toy.lay"
    return msgspec.json.encode(event)


def _fact(fact: dict[str, Any]) -> dict[str, Any]:
    if fact["type"] != "toy.cards_drawn":
        return fact
    return {"type": "toy.drawn", "what": " ".join(fact["cards"]), "who": fact["seat"]}
