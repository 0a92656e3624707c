"""One readable line for an event."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.chimera.material import Material


def describe(
    material: Material, seat: int, move: Struct | None, facts: Sequence[Struct], *, names: Sequence[str], language: str
) -> str:
    """The facts of an event, one after the other."""
    del material, seat, move, facts, names, language
    return ""
