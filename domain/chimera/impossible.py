"""Refusing positions that no game could have come to."""

from __future__ import annotations

from typing import NoReturn

from domain.kernel.rejected import Rejected


def refuse(field: str, wrong: str) -> NoReturn:
    """Say which part of a position is impossible, and why."""
    raise Rejected("impossible-position", f"{field}: {wrong}", field=field)


def require(condition: object, field: str, wrong: str) -> None:
    """Refuse the position unless the condition holds."""
    if not condition:
        refuse(field, wrong)
