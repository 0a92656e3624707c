"""Chimera Station, as the laws must know it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import Struct

from domain import chimera
from domain.chimera.moves import FACTIONS, Options
from domain.chimera.state import State
from domain.kernel.terms import Viewer
from tests.conformance.subjects import Subject


def _options(seats: int) -> SearchStrategy[Struct]:
    listed = st.permutations(FACTIONS).map(lambda order: Options("factions", tuple(order[:seats])))
    return st.just(Options()) | st.just(Options("factions")) | listed


def _pieces(state: State) -> Iterator[str]:
    """The modules, perks and starting cards. Components and workers are counted by the title's own tests."""
    reactor = (module for module in state.reactor if module is not None)
    drawn = () if state.drawn is None else (state.drawn,)
    built = (each.module for each in state.built)
    perks = chain(state.perk_deck, state.perk_discards, state.display, *(player.perks for player in state.players))
    return chain(state.deck, state.discards, reactor, drawn, built, perks)


def _hidden(state: State, _viewer: Viewer) -> Iterator[str]:
    """The two decks, for everyone alike."""
    return chain(state.deck, state.perk_deck)


SUBJECT = Subject(
    title=chimera.TITLE,
    components=Path(chimera.__file__).parent / "components",
    options=_options,
    most_decisions=2000,
    pieces=_pieces,
    hidden=_hidden,
    games=8,
    rare=frozenset(
        {
            "chimera.worker_protected",
            "chimera.deck_shuffled",
            "chimera.deck_shuffled_unseen",
            "chimera.perk_deck_shuffled",
            "chimera.perk_deck_shuffled_unseen",
        }
    ),
)
