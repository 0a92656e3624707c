"""The titles that are served, by id."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from domain import chimera, spacelab
from domain.kernel.rules import Title

TITLES: Mapping[str, Title] = MappingProxyType({"spacelab": spacelab.TITLE, "chimera": chimera.TITLE})
