"""The ids of games and accounts: what they look like, and the types that keep them from being taken for one another.

A text that comes from outside becomes an id by `game_id` or `account_id`. What the log has is one already: it was
checked, or made by the service, before it was written.
"""

from __future__ import annotations

import re
from typing import NewType

GameId = NewType("GameId", str)
AccountId = NewType("AccountId", str)

GAME_ID = "g[0-9a-f]{20}"
ACCOUNT_ID = "a[0-9a-f]{20}"
"""Patterns of the whole text. No game has the id of an account: lists of ids of both can be distinguished."""

_GAME = re.compile(GAME_ID)
_ACCOUNT = re.compile(ACCOUNT_ID)


def game_id(text: str) -> GameId | None:
    """The id of a game that a text is, or None."""
    return GameId(text) if _GAME.fullmatch(text) else None


def account_id(text: str) -> AccountId | None:
    """The id of an account that a text is, or None."""
    return AccountId(text) if _ACCOUNT.fullmatch(text) else None
