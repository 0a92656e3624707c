"""Template, as the laws must know it: written from its rules, and not from its code, which it judges."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from domain import template
from domain.kernel.terms import Viewer
from domain.template.game import Options, State
from tests.conformance.subjects import Subject


def _options(_seats: int) -> SearchStrategy[Options]:
    return st.just(Options())


def _pieces(state: State) -> Iterator[str]:
    return chain(state.deck, state.row, *state.taken)


def _hidden(state: State, _viewer: Viewer) -> Iterator[str]:
    """The deck, for everyone alike."""
    return iter(state.deck)


SUBJECT = Subject(
    title=template.TITLE,
    components=Path(template.__file__).parent / "components",
    options=_options,
    most_decisions=100,
    pieces=_pieces,
    hidden=_hidden,
    games=20,
)
