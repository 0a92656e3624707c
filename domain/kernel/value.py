"""The base of every value of a title that is stored or sent."""

from __future__ import annotations

from msgspec import Struct


class Value(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Immutable, strict, and never part of a cycle, so the garbage collector need not track it.

    Tags are global and carry the title: `tag="spacelab.lab_placed"`. Class names are the title's own words, and two
    titles may share one: the OpenAPI document puts the title in front.
    """
