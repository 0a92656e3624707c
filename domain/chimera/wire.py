"""What every value of Chimera Station that is stored or sent has in common."""

from __future__ import annotations

from msgspec import Struct


class Wire(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A value on the wire: immutable, strict, and named in schemas with the title in front.

    Schemas take a struct's name from its class. In here a class is called by the game's own word, `WorkerPlaced`;
    outside, where another title may know the same word, it is `ChimeraWorkerPlaced`. None of these values can form a
    cycle, so the garbage collector need not look at them.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.__name__ = f"Chimera{cls.__name__}"
