"""The component set as it is served."""

from __future__ import annotations

from domain.chimera.material import Material
from domain.kernel.rules import ComponentSet


def component_set(material: Material) -> ComponentSet:
    """Every piece, in the order of the set."""
    return ComponentSet(id=material.id, title="chimera", pieces=())
