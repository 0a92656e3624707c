"""What a seat still has to do about its entropy before a game can start."""

from __future__ import annotations

from typing import Literal, TypeAlias

from domain.kernel.game import Game, Status
from domain.kernel.seats import Seated
from domain.kernel.terms import Seat

EntropyStage: TypeAlias = Literal["committed", "revealed", "owed"]
"""`owed`: the commitment was voided, and the game waits for the seat to commit again."""


def entropy_stage(who: Seated) -> EntropyStage | None:
    """Where an account that is seated stands; None if it has never committed."""
    if who.void:
        return "owed"
    if who.commitment is None:
        return None
    return "committed" if who.owes_reveal else "revealed"


def commitments_due(game: Game) -> frozenset[Seat]:
    """The seats that must commit again."""
    return _at(game, "owed")


def reveals_due(game: Game) -> frozenset[Seat]:
    """The seats that a starting game waits for."""
    return _at(game, "committed") if game.status is Status.starting else frozenset()


def _at(game: Game, stage: EntropyStage) -> frozenset[Seat]:
    return frozenset(seat for seat, who in enumerate(game.seats) if who is not None and entropy_stage(who) == stage)
