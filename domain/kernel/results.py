"""How a game ends: points line by line, ranks, and who wins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from domain.kernel.terms import Seat


class ScoreLine(Struct, frozen=True):
    """Where some of a seat's points came from: the kind of source, and the piece by its id where there is one."""

    source: str
    points: int
    piece: str | None = None


class SeatScore(Struct, frozen=True):
    """A seat's points at the end and the lines they are the sum of; rank 1 is the best, shared ranks are equal."""

    seat: Seat
    points: int
    rank: int
    lines: tuple[ScoreLine, ...]


class Result(Struct, frozen=True):
    """How a game ended. Several winners share the victory."""

    winners: tuple[Seat, ...]
    scores: tuple[SeatScore, ...]


TieBreak: TypeAlias = int | tuple[int, ...]
"""What decides between equal points: the greater one wins."""


def ranked(lines: Iterable[Iterable[ScoreLine]], tie_breaks: Sequence[TieBreak] = ()) -> Result:
    """The result of a game by the score lines of each seat, in the order of seats.

    Most points win, then the greater of `tie_breaks` (one for each seat); seats that are equal in both share a rank,
    and those of rank 1 the victory.
    """
    by_seat = [tuple(each) for each in lines]
    points = [sum(line.points for line in each) for each in by_seat]
    standing = list(zip(points, tie_breaks or [0] * len(points), strict=True))
    ranks = [1 + sum(other > own for other in standing) for own in standing]
    scores = tuple(SeatScore(seat, points[seat], ranks[seat], each) for seat, each in enumerate(by_seat))
    return Result(winners=tuple(score.seat for score in scores if score.rank == 1), scores=scores)
