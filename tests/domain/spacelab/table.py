"""Positions to begin a test from, and moves made in them.

A position is named by what matters in it; every card and tile that is not named goes to where it does no harm, and the
whole is checked, so that no test stands on a position that no game could be in.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import Struct

from domain import spacelab
from domain.kernel.chance import Chance
from domain.kernel.component_text import parse
from domain.kernel.legal import LegalMoves
from domain.kernel.terms import Seat
from domain.spacelab.effects import Action, Owed
from domain.spacelab.facts import AgendaSet, Fact
from domain.spacelab.material import Material
from domain.spacelab.moves import Move, Options
from domain.spacelab.rules import SpaceLab, bind
from domain.spacelab.state import Objective, Pile, PlacedLab, Player, State

HOUSE = (Path(spacelab.__file__).parent / "components" / "house-1.toml").read_text(encoding="utf-8")
RULES = bind(parse(HOUSE))
NAMES = ("Ann", "Bob", "Cy", "Di")
KEY = bytes(range(32))

Cards = tuple[str, ...]


@dataclass(frozen=True)
class Has:
    """What a seat has. `labs` are by slot in the order placed, `completed` boosts by capsule."""

    known: Cards = ()
    unseen: Cards = ()
    labs: Mapping[str, str] = field(default_factory=dict[str, str])
    tiles: Cards = ()
    completed: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    projects: Cards = ()


def position(
    *seats: Has,
    rules: SpaceLab = RULES,
    active: Seat = 0,
    agenda: tuple[Owed, ...] = (Action(),),
    top: Cards = (),
    deck: Cards | None = None,
    project_top: Cards = (),
    project_deck: Cards | None = None,
    center: Cards = (),
    discards: Cards = (),
    revealed: Cards = (),
    drawn: Cards = (),
    trigger: Seat | None = None,
    passes: int = 0,
    over: bool = False,
) -> State:
    """A position. `top` lies on a deck of all other labs; `deck` is the whole of it, and the last seat holds the rest.

    The same goes for projects.
    """
    material = rules.material
    labs = _left(material.labs, top, deck, center, discards, revealed, *_each(seats, "known", "unseen"))
    labs = _left(labs, *(tuple(has.labs.values()) for has in seats))
    projects = _left(material.projects, project_top, project_deck, drawn, *_each(seats, "projects"))
    tiles = _left(material.objectives, *_each(seats, "tiles"))
    players: list[Player] = []
    for has in seats:
        own, tiles = (has.tiles, tiles) if has.tiles else _dealt(material, tiles)
        players.append(_player(material, has, own))
    if deck is not None:
        players[-1] = msgspec.structs.replace(players[-1], known=tuple(sorted(players[-1].known + labs)))
    if project_deck is not None:
        players[-1] = msgspec.structs.replace(players[-1], projects=tuple(sorted(players[-1].projects + projects)))
    taken = [boost for has in seats for boost in has.completed.values()]
    piles = [
        Pile(capsule, tuple(boost for boost in material.pile(capsule) if boost not in taken))
        for capsule in material.capsules
    ]
    state = State(
        players=tuple(players),
        lab_deck=(*top, *labs) if deck is None else deck,
        project_deck=(*project_top, *projects) if project_deck is None else project_deck,
        spare=tiles,
        piles=tuple(piles),
        center=center,
        discards=discards,
        revealed=revealed,
        drawn=drawn,
        active=active,
        agenda=agenda,
        passes=passes,
        trigger=trigger,
        over=over,
    )
    rules.check(state)
    return state


def answer(state: State, *moves: Move, rules: SpaceLab = RULES) -> tuple[State, tuple[Fact, ...]]:
    """Make legal moves one after the other; the state after them and the facts of the last, without the agenda."""
    facts: tuple[Fact, ...] = ()
    for version, move in enumerate(moves, 100):
        rules.legal_moves(state, state.active).require(move)
        facts = rules.decide(state, state.active, move, Chance(KEY, version))
        for fact in facts:
            state = rules.evolve(state, fact)
        rules.check(state)
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
    return state, tuple(fact for fact in facts if not isinstance(fact, AgendaSet))


def offered(state: State, rules: SpaceLab = RULES) -> LegalMoves:
    """What the active seat may do."""
    return rules.legal_moves(state, state.active)


def types(state: State, rules: SpaceLab = RULES) -> list[str]:
    """The types of move that the active seat may make, in the order offered."""
    return [offer.type.removeprefix("spacelab.") for offer in offered(state, rules).offers]


def begun(seats: int, rules: SpaceLab = RULES, key: bytes = KEY) -> tuple[State, tuple[Fact, ...]]:
    """A game that has been set up, and the facts of that."""
    facts = rules.begin(Options(), seats, Chance(key, seats + 1))
    state = rules.evolve(None, facts[0])
    for fact in facts[1:]:
        state = rules.evolve(state, fact)
    return state, facts


def tags(facts: Sequence[Struct]) -> list[str]:
    """What happened, by tag."""
    return [str(fact.__struct_config__.tag).removeprefix("spacelab.") for fact in facts]


def written() -> dict[str, Any]:
    """The house set as data, to be changed and loaded."""
    return tomllib.loads(HOUSE)


def entry(data: dict[str, Any], section: str, name: str) -> dict[str, Any]:
    """An entry of a set by its id."""
    return next(each for each in data[section] if each["id"] == name)


def toml(data: Mapping[str, Any]) -> str:
    """Data as TOML text, in inline tables."""
    return "".join(f"{key} = {_inline(value)}\n" for key, value in data.items())


def loaded(data: Mapping[str, Any]) -> SpaceLab:
    """The rules bound to a set that is given as data."""
    return bind(parse(toml(data)))


def _inline(value: object) -> str:
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        return "{" + ", ".join(f"{key} = {_inline(each)}" for key, each in fields.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, cast("list[object]", value))) + "]"
    return json.dumps(value)


def _each(seats: Sequence[Has], *names: str) -> list[Cards]:
    return [getattr(has, name) for has in seats for name in names]


def _left(pieces: Mapping[str, object] | Cards, *named: Cards | None) -> Cards:
    gone = set(chain.from_iterable(cards for cards in named if cards is not None))
    return tuple(piece for piece in pieces if piece not in gone)


def _dealt(material: Material, tiles: Cards) -> tuple[Cards, Cards]:
    number = len(material.capsules)
    return tiles[:number], tiles[number:]


def _player(material: Material, has: Has, tiles: Cards) -> Player:
    return Player(
        known=tuple(sorted(has.known)),
        unseen=tuple(sorted(has.unseen)),
        projects=tuple(sorted(has.projects)),
        objectives=tuple(
            Objective(capsule, tile, capsule in has.completed, has.completed.get(capsule))
            for capsule, tile in zip(material.capsules, tiles, strict=True)
        ),
        labs=tuple(PlacedLab(slot, card) for slot, card in has.labs.items()),
    )
