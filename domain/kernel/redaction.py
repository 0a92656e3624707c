"""What of a fact or a move others may not see, declared in its class.

    class CardsDrawn(Value, frozen=True, tag="go.cards_drawn"):
        seat: Seat
        cards: tuple[str, ...]

        hides = Hides("Another seat drew cards.", counts={"cards": "count"}, unless=("seat",))

Its own seat sees the fact as it is. Everyone else sees `unseen(CardsDrawn)`, which has the tag `go.cards_drawn_unseen`
and the fields `seat` and `count`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, Union

import msgspec
from msgspec import Struct

from domain.kernel.tagged_unions import members
from domain.kernel.terms import Seat, Viewer
from domain.kernel.value import Value


class _Form(NamedTuple):
    """What others see: a struct, and the fields that its own are made of in their order, counted or as they are."""

    struct: type[Struct]
    fields: tuple[tuple[str, bool], ...]


def redacted(value: Value, viewer: Viewer, owner: Seat | None = None) -> Struct | None:
    """A fact or a move as a viewer may see it, or None for nothing of it; a move has its seat for an `owner`."""
    hides = value.hides
    if hides is None:
        return value
    if viewer is not None and (viewer == owner or any(getattr(value, seat) == viewer for seat in hides.unless)):
        return value
    form = _form(type(value))
    if form is None:
        return None
    return form.struct(
        *[len(getattr(value, name)) if counted else getattr(value, name) for name, counted in form.fields]
    )


def unseen(struct: type[Value]) -> Any:
    """The struct that those see who may not see one of these.

    It is made at run time, so to a type checker it is Any, and its fields are read by name.
    """
    form = _form(struct)
    if form is None:
        raise TypeError(f"nothing of {struct.__name__} is seen")
    return form.struct


@cache
def seen(move: Any, fact: Any) -> Any:
    """The union of what `redacted` can give of these unions of moves and facts."""
    moves, facts = members(move), members(fact)
    whole = [each for each in facts if each.hides is None or each.hides.unless]
    forms = [form.struct for each in (*moves, *facts) if (form := _form(each)) is not None]
    return Union[(*moves, *whole, *forms)]


@cache
def _form(struct: type[Value]) -> _Form | None:
    hides = struct.hides
    if hides is None:
        return None
    own = {field.name: field for field in msgspec.structs.fields(struct)}
    counts = _counts(hides.counts)
    unknown = {*counts, *hides.drops, *hides.unless} - own.keys()
    if unknown:
        raise TypeError(f"{struct.__name__} hides {', '.join(sorted(unknown))}, and has no such field")
    if hides.form is None:
        if counts or hides.drops:
            raise TypeError(f"{struct.__name__} hides some of its fields, and does not say what others see")
        return None
    kept = [name for name in own if name not in hides.drops]
    made = msgspec.defstruct(
        f"{struct.__name__}Unseen",
        [(counts[name], int) if name in counts else (name, own[name].type) for name in kept],
        bases=(Value,),
        namespace={"__doc__": hides.form},
        module=struct.__module__,
        tag=f"{struct.__struct_config__.tag}_unseen",
        frozen=True,
    )
    return _Form(made, tuple((name, name in counts) for name in kept))


def _counts(names: Mapping[str, str] | tuple[str, ...]) -> Mapping[str, str]:
    return {name: name for name in names} if isinstance(names, tuple) else names
