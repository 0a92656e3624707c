"""The toy, as the laws must know it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import UnsetType

from domain.kernel.terms import Viewer
from tests import toy
from tests.conformance.subjects import Subject
from tests.toy.moves import ToyOptions
from tests.toy.state import ToyState


def _options(_seats: int) -> SearchStrategy[ToyOptions]:
    return st.builds(ToyOptions, rounds=st.integers(1, 6))


def _pieces(state: ToyState) -> Iterator[str]:
    laid = (card for card in state.laid if card is not None)
    return chain(state.deck, state.discards, laid, *state.hands, *state.trophies)


def _hidden(state: ToyState, viewer: Viewer) -> Iterator[str]:
    yield from state.deck
    known = () if viewer is None or isinstance(state.known, UnsetType) else state.known[viewer]
    for seat, (hand, laid) in enumerate(zip(state.hands, state.laid, strict=True)):
        if seat == viewer:
            continue
        if not state.finished:
            yield from (card for card in hand if card not in known)
        if laid is not None and not state.turned_up and laid not in known:
            yield laid


SUBJECT = Subject(
    title=toy.TITLE,
    components=Path(toy.__file__).parent / "components",
    options=_options,
    most_decisions=100,
    pieces=_pieces,
    hidden=_hidden,
    games=60,
    partial=frozenset({"toy.answered", "toy.duel_fought"}),
)
