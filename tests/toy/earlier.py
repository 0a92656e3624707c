"""The forms that events had under earlier rules of the toy, and how they come into today's.

toy/0 wrote drawn cards in one text under other names, and called the laying of a card otherwise. toy/1 did not keep
what seats know of each other's cards; its events are in today's form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.kernel.rules import Upcast


def from_toy_0(event: dict[str, Any]) -> dict[str, Any]:
    """An event of toy/0 in today's form."""
    if "facts" in event:
        event = {**event, "facts": [_fact(fact) for fact in event["facts"]]}
    if "move" in event and event["move"]["type"] == "toy.lay":
        event = {**event, "move": {**event["move"], "type": "toy.lay_card"}}
    return event


def _fact(fact: dict[str, Any]) -> dict[str, Any]:
    if fact["type"] != "toy.drawn":
        return fact
    return {"type": "toy.cards_drawn", "seat": fact["who"], "cards": fact["what"].split()}


EARLIER: Mapping[str, Upcast | None] = {"toy/0": from_toy_0, "toy/1": None}
