"""Space Lab, as the laws must know it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import Struct

from domain import spacelab
from domain.kernel.terms import Viewer
from domain.spacelab.state import Player, State
from tests.conformance.subjects import Subject


def _options(_seats: int) -> SearchStrategy[Struct]:
    return st.builds(spacelab.TITLE.options)


def _pieces(state: State) -> Iterator[str]:
    boosts = (pile.boosts for pile in state.piles)
    decks = chain(state.lab_deck, state.project_deck, state.spare, *boosts)
    table = chain(state.center, state.discards, state.revealed, state.drawn)
    return chain(decks, table, *map(_pieces_of, state.players))


def _pieces_of(player: Player) -> Iterator[str]:
    labs = (lab.card for lab in player.labs)
    tiles = (objective.tile for objective in player.objectives)
    boosts = (objective.boost for objective in player.objectives if objective.boost is not None)
    return chain(player.known, player.unseen, player.projects, player.dealt, labs, tiles, boosts)


def _hidden(state: State, viewer: Viewer) -> Iterator[str]:
    """The decks and the tiles left in the box always; what others drew unseen, and their projects, until the end."""
    yield from chain(state.lab_deck, state.project_deck, state.spare)
    if viewer != state.active:
        yield from state.drawn
    for seat, player in enumerate(state.players):
        if seat != viewer and not state.over:
            yield from chain(player.unseen, player.projects)


SUBJECT = Subject(
    title=spacelab.TITLE,
    components=Path(spacelab.__file__).parent / "components",
    options=_options,
    most_decisions=1000,
    pieces=_pieces,
    hidden=_hidden,
    games=15,
    # A seat passes only when all sixty cards lie in stations and hands.
    rare=frozenset({"spacelab.pass", "spacelab.passed"}),
)
