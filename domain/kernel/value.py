"""The base of every value of a title that is stored or sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from msgspec import Struct


class Hides(NamedTuple):
    """What others do not see of a fact or a move; `kernel/redaction.py` has an example.

    Without a `form` they see nothing of it at all.
    """

    form: str | None = None
    """What they see instead, as the docstring of that."""
    counts: Mapping[str, str] | tuple[str, ...] = ()
    """Fields whose length they see: by the name of that number, or the names of fields that keep it."""
    drops: tuple[str, ...] = ()
    """Fields that they do not see."""
    unless: tuple[str, ...] = ()
    """Fields with a seat that sees all of it. A move is always seen by the seat that makes it."""


class Value(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Immutable, strict, and never part of a cycle, so the garbage collector need not track it.

    Tags are global and carry the title: `tag="spacelab.lab_placed"`. Class names are the title's own words, and two
    titles may share one: the OpenAPI document puts the title in front.
    """

    hides: ClassVar[Hides | None] = None
    """What others may not see, by default nothing."""
