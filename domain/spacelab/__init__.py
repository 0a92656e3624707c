"""Space Lab: labs of four agencies around three capsules; two to four players. `RULES.md` has the rules."""

from domain.spacelab.rules import TITLE

__all__ = ["TITLE"]
