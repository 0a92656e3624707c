"""Examples of bodies, made by the titles themselves, so that they would go through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.kernel import proof
from domain.kernel.chance import Chance
from domain.kernel.legal import example
from domain.kernel.rules import Title
from service.play.built_in import built_in


def new_account(_titles: Mapping[str, Title]) -> Any:
    """An account."""
    return {"name": "Ada"}


def new_game(titles: Mapping[str, Title]) -> Any:
    """A table of the first title for as few as can play it."""
    return next(({"title": title.id, "seats": title.seats[0]} for title in titles.values()), None)


def take_seat(_titles: Mapping[str, Title]) -> Any:
    """The first seat, with something that nobody can foresee."""
    return {"seat": 0, "entropy": "dice: 3 1 6 2"}


def commitment(_titles: Mapping[str, Title]) -> Any:
    """What binds an account to the entropy of the next example."""
    return {"entropy_commitment": proof.entropy_commitment("a2c09a2ae0deb1396000b", reveal({})["entropy"])}


def reveal(_titles: Mapping[str, Title]) -> Any:
    """Entropy with 128 bits."""
    return {"entropy": "mhDbAfOeDvLTqDQLcgvrRA"}


def new_move(titles: Mapping[str, Title]) -> Any:
    """The first legal move of a game of the first title that has just begun."""
    for title in titles.values():
        (_, text), *_ = built_in(title)
        rules = title.load(text)
        state = rules.fold(None, rules.begin(title.options(), title.seats[0], Chance(bytes(32), 3)))
        legal = rules.legal_moves(state, rules.to_move(state)[0])
        return {"expected_version": title.seats[0] + 1, "move": example(legal.offers[0])}
    return None


def undo(_titles: Mapping[str, Title]) -> Any:
    """The version that a move has just made."""
    return {"expected_version": 12}


def fork(_titles: Mapping[str, Title]) -> Any:
    """Some version of a game that has ended."""
    return {"version": 12}
