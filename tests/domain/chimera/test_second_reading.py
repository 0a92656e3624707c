"""The second reading of where workers may be placed, held against the rules at positions that chance has made."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from domain.chimera.material import KINDS
from domain.chimera.state import RESERVE, Player, State
from tests.domain.chimera.covering import covers
from tests.domain.chimera.second_reading import Reading
from tests.domain.chimera.table import RULES, Has, Map, Table, position


def scattered(picks: random.Random) -> State:
    """A position with modules, perks, components and workers all over the table."""
    seats, material = picks.choice([2, 2, 3, 4]), RULES.material
    factions = picks.sample(["brainiacs", "eco_friendlies", "toughies", "weirdos"], seats)
    boards = factions if picks.random() < 0.5 else ["standard"] * seats
    perks, tiles = picks.sample(tuple(material.perks), len(material.perks)), list(material.tiles)
    picks.shuffle(tiles)
    built: dict[str, str] = {}
    for _ in range(picks.randint(3, 14)):
        standing = {*material.hubs, *built}
        near = [each for each in material.spaces if each not in standing and standing & {*material.neighbours[each]}]
        built[picks.choice(near)] = tiles.pop()
    reactor = [tiles.pop() for _ in range(picks.randint(0, 6))]
    number = picks.randint(1, 5)
    station = [each for each in (*material.base, *built.values()) if material.modules[each].effects]
    free = [each for each in station if number >= material.modules[each].opens]
    picks.shuffle(free)
    bag: list[str] = [*KINDS] * material.components_per_kind
    picks.shuffle(bag)
    has: list[Has] = []
    for seat in range(seats):
        own = tuple(perks[seat * 5 : seat * 5 + 5])
        modules = [perk for perk in own if material.perks[perk].is_module]
        workers = [""]
        for _ in range(material.workers[seats] - 1 + picks.randint(0, 2)):
            place = picks.choice([["pool"], ["worker_lounge"], free, free, modules or free])
            where = place[0] if place[0] in {"pool", "worker_lounge"} else place.pop()
            workers.append(f"{_some(picks, bag)}@{where}")
        workers[0] = _some(picks, bag)
        storage, coins, food = _some(picks, bag), picks.randint(0, 9), picks.randint(0, 6)
        has.append(Has(workers, coins, food, 10, storage, own, picks.randint(2, 8), None, boards[seat]))
    table_map = Map(built=built, reactor=reactor, discards=tiles[: picks.randint(0, 9)], display=())
    state = position(*has, station=table_map, number=number, start=picks.randrange(seats))
    return replace(state, players=tuple(_partly_recalled(picks, player) for player in state.players))


def _partly_recalled(picks: random.Random, player: Player) -> Player:
    workers = [replace(each, recalled=each.place != RESERVE and picks.random() < 0.5) for each in player.workers]
    return replace(player, workers=tuple(workers))


def _some(picks: random.Random, bag: list[str]) -> str:
    return " ".join(bag.pop() for _ in range(min(picks.randint(0, 2), len(bag))))


@covers("R2")
@pytest.mark.parametrize("seed", range(60))
def test_a_second_reading_of_the_rules_lets_workers_stand_at_the_same_places(seed: int) -> None:
    picks = random.Random(seed)
    play, compared = Table(scattered(picks)), 0
    for _ in range(12):
        if play.asks in {"turn", "placement"}:
            for worker in play.values("worker"):
                assert play.targets(worker) == Reading(play.state, play.seat, worker).targets()
                compared += 1
        play.make(picks.choice(play.moves[:200]))
        if play.state.phase == "over":
            break
    assert compared
