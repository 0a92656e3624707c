"""The titles that are served, by id. To serve another one, add it to `TITLES`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from domain import chimera, spacelab
from domain.kernel.rules import Title


def catalogue(*titles: Title) -> Mapping[str, Title]:
    """Titles by their ids, in this order; raises `ValueError` where two have the same."""
    found: dict[str, Title] = {}
    for title in titles:
        if title.id in found:
            raise ValueError(f"two titles have the id {title.id}: {found[title.id].package} and {title.package}")
        found[title.id] = title
    return MappingProxyType(found)


TITLES = catalogue(spacelab.TITLE, chimera.TITLE)
