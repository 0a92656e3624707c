"""Refusals as values: what a player asked for cannot be done, and why.

Anything else that the domain raises is a bug, but for `ComponentError`, which tells what is wrong in a component set.
"""

from __future__ import annotations

from typing import TypeAlias

Fact: TypeAlias = str | int | bool | list[str] | list[int] | None


class Rejected(Exception):
    """A refusal with a stable code and the facts that a client needs to recover."""

    def __init__(self, code: str, detail: str, **facts: Fact) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.facts = facts


class ComponentError(Exception):
    """A component set that cannot be used: `entry` names the place in it, as in `labs[3] gp_04.cost`."""

    def __init__(self, entry: str, wrong: str) -> None:
        super().__init__(f"{entry}: {wrong}")
        self.entry = entry
        self.wrong = wrong
