"""The final score: coins, food, components and perks on top of what was scored in the game, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from domain.chimera.material import Material
from domain.chimera.pieces.index import BOARDS, PERKS
from domain.chimera.pieces.records import owned
from domain.chimera.state import State
from domain.kernel.results import Result, ScoreLine, ranked
from domain.kernel.terms import Seat


def result(material: Material, state: State) -> Result | None:
    """How the game ended, or None while it runs: most points, then most components; then victory is shared (R23)."""
    if state.phase != "over":
        return None
    lines = [score_lines(material, state, seat) for seat in range(len(state.players))]
    return ranked(lines, [owned(player) for player in state.players])


def points(material: Material, state: State) -> tuple[int, ...]:
    """Each seat's score so far, which all can see; at the end as in the result."""
    ended = result(material, state)
    if ended is None:
        return tuple(player.score for player in state.players)
    return tuple(score.points for score in ended.scores)


def score_lines(material: Material, state: State, seat: Seat) -> Iterator[ScoreLine]:
    """Where each point of a seat came from: what it scored in the game by source and piece, then the end."""
    player = state.players[seat]
    for tally in player.tallies:
        yield ScoreLine(tally.source, tally.points, tally.piece)
    ends = [
        ScoreLine("coins", _points(player.coins, BOARDS[player.board].coins)),
        ScoreLine("food", _points(player.food, BOARDS[player.board].food)),
        ScoreLine("components", 2 * owned(player)),
        *(ScoreLine("perk_end", PERKS[perk].end.points(material, state, seat), perk) for perk in player.perks),
    ]
    yield from (line for line in ends if line.points)


def _points(number: int, per: tuple[int, int]) -> int:
    """Points for each full set; a board's rule replaces the general one (R29)."""
    points, every = per
    return number // every * points
