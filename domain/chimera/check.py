"""Whether a state could have come about in a game: the guard for positions from outside.

Pieces are counted, places and numbers compared with the rules; `check_agenda.py` does the same for what is owed. What
is refused names the part of the state that is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from domain.chimera.check_agenda import check_agenda
from domain.chimera.effects import Copy
from domain.chimera.impossible import refuse, require
from domain.chimera.material import KINDS, SEATS, Material
from domain.chimera.moves import FACTIONS
from domain.chimera.passives import has, may_carry
from domain.chimera.state import LOUNGE, POOL, RESERVE, SLOT_PREFIX, Kinds, Player, State, Worker
from domain.chimera.station import is_usable
from domain.kernel.terms import Seat


def check(material: Material, state: State) -> None:
    """Refuse a state that no game could be in."""
    _table(material, state)
    _modules(material, state)
    _perks(material, state)
    for seat, player in enumerate(state.players):
        _player(material, state, seat, player)
    _cards(material, state)
    _components(material, state)
    _standing(state)
    check_agenda(material, state)


def _table(material: Material, state: State) -> None:
    seats = len(state.players)
    require(SEATS[0] <= seats <= SEATS[1], "players", f"{SEATS[0]} to {SEATS[1]} play, not {seats}")
    boards = [player.board for player in state.players]
    mixed = set(boards) <= set(FACTIONS) and len(set(boards)) == seats
    require(mixed or set(boards) == {"standard"}, "players", "all standard boards, or each another faction (R35)")
    require(state.start in range(seats), "start", "no seat has the start player marker")
    require(1 <= state.round <= material.rounds, "round", f"rounds are 1 to {material.rounds}")
    require(state.phase != "draft" or state.round == 1, "phase", "the draft is before round 1")
    require(state.phase != "over" or state.round == material.rounds, "phase", "the game ends after the last round")


def _modules(material: Material, state: State) -> None:
    require(len(state.reactor) == len(material.reactor), "reactor", f"has {len(material.reactor)} spaces")
    found = [
        ("deck", state.deck),
        ("discards", state.discards),
        ("reactor", [module for module in state.reactor if module is not None]),
        ("built", [each.module for each in state.built]),
        ("drawn", () if state.drawn is None else (state.drawn,)),
    ]
    _all_once(found, material.tiles)
    standing = set(material.hubs)
    for each in state.built:
        require(each.space in material.spaces, "built", f"{each.space} is no build space")
        require(each.space not in standing, "built", f"two modules on {each.space}")
        near = any(other in standing for other in material.neighbours[each.space])
        require(near, "built", f"{each.module} is next to no hub and no module built before it")
        standing.add(each.space)


def _perks(material: Material, state: State) -> None:
    found = [(name, getattr(state, name)) for name in ("perk_deck", "perk_discards", "display")]
    found += [(f"players[{seat}].perks", player.perks) for seat, player in enumerate(state.players)]
    _all_once(found, material.perks)


def _all_once(found: Sequence[tuple[str, Sequence[str]]], wanted: Collection[str]) -> None:
    """Each piece is in exactly one member of the state; a missing one is reported for the first member."""
    seen: dict[str, str] = {}
    for field, pieces in found:
        for piece in pieces:
            if piece not in wanted:
                refuse(field, f"there is no {piece!r}")
            if piece in seen:
                refuse(field, f"{piece} is there already, in {seen[piece]}")
            seen[piece] = field
    for piece in wanted:
        if piece not in seen:
            refuse(found[0][0], f"{piece} is nowhere")


def _player(material: Material, state: State, seat: Seat, player: Player) -> None:
    field = f"players[{seat}]"
    board = material.boards[player.board]
    require(board.start_research <= player.research <= board.top, field, "research is not on the track")
    workers = material.workers[len(state.players)] + material.reserve
    require(len(player.workers) == workers, field, f"has {len(player.workers)} workers of {workers}")
    reserve = sum(worker.place == RESERVE for worker in player.workers)
    require(reserve <= material.reserve, field, f"{reserve} workers in a reserve of {material.reserve}")
    _sorted(f"{field}.storage", player.storage)
    tallied = [(tally.source, tally.piece) for tally in player.tallies]
    require(len(set(tallied)) == len(tallied), f"{field}.tallies", "one source twice")
    for tally in player.tallies:
        require(tally.points < 0 if tally.source == "hunger" else tally.points > 0, f"{field}.tallies", "wrong sign")
        named = tally.piece is None or (_is_piece(material, tally.piece) and tally.piece not in state.perk_deck)
        require(named, f"{field}.tallies", f"{tally.piece} cannot be named")
    require(
        player.score == sum(tally.points for tally in player.tallies), field, "the score is not that of its tallies"
    )
    large = [number for number, worker in enumerate(player.workers) if len(worker.components) > 2]
    most = 3 if has(player, "third_component") else 2
    # The question which component comes off stands first as soon as Geneticist is lost (R20).
    require(len(large) <= 1, field, "one worker at a time may carry three components")
    overloaded = bool(state.agenda) and state.agenda[0].worker in {f"{seat}-{number}" for number in large}
    for number, worker in enumerate(player.workers):
        _worker(material, state, f"{field}.workers[{number}]", player, worker)
        require(
            may_carry(3 if overloaded else most, worker.components),
            f"{field}.workers[{number}]",
            f"carries {len(worker.components)} components",
        )


def _worker(material: Material, state: State, field: str, player: Player, worker: Worker) -> None:
    place = worker.place
    _sorted(field, worker.components)
    if place == RESERVE:
        require(not worker.components and not worker.recalled, field, "has never been in play")
    elif place in material.modules:
        stands = material.modules[place].base or any(each.module == place for each in state.built)
        require(stands and is_usable(material, state, place), field, f"cannot stand on {place}")
    elif place not in {POOL, LOUNGE}:
        slot = place.startswith(SLOT_PREFIX) and place.removeprefix(SLOT_PREFIX) in material.slots
        own = place in player.perks and material.perks[place].is_module
        require(slot or own, field, f"cannot stand on {place}")
    idle = state.phase in {"draft", "start", "feeding", "over"}
    require(not idle or place in {POOL, RESERVE}, field, f"stands on {place} outside of placing")
    copies = place in material.modules and any(isinstance(each, Copy) for each in material.modules[place].effects)
    require(not worker.protected or copies, field, "has copied nothing that protects it (R15)")


def _cards(material: Material, state: State) -> None:
    held = [player.card for player in state.players if player.card is not None]
    require(len(set(held)) == len(held), "players", "two seats have the same starting card")
    for card in held:
        fits = card in material.cards and material.cards[card].min_players <= len(state.players)
        require(fits, "players", f"{card} is no starting card of this game")


def _components(material: Material, state: State) -> None:
    held = [kind for player in state.players for kind in player.storage]
    held += [kind for player in state.players for worker in player.workers for kind in worker.components]
    for kind in KINDS:
        total = getattr(state.supply, kind) + held.count(kind)
        require(total == material.components_per_kind, "supply", f"{kind} is there {total} times")


def _standing(state: State) -> None:
    places = Counter(worker.place for player in state.players for worker in player.workers)
    for place, number in places.items():
        alone = place not in {POOL, RESERVE, LOUNGE}
        require(not alone or number == 1, "players", f"{number} workers on {place}")


def _sorted(field: str, kinds: Kinds) -> None:
    require(tuple(sorted(kinds)) == kinds, field, "components are not in the order of their names")


def _is_piece(material: Material, piece: str) -> bool:
    pieces = (material.modules, material.perks, material.cards, material.spaces, material.boards)
    return piece == LOUNGE or any(piece in each for each in pieces)
