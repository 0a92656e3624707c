"""Chimera Station: workers, their components and a growing station; two to four players. `RULES.md` has the rules."""

from domain.chimera.rules import TITLE

__all__ = ["TITLE"]
