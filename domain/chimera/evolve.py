"""The fold: a state and a fact give the next state. No card, rule or chance is asked, so no fix changes the past."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from domain.chimera import facts as f
from domain.chimera.effects import Kind
from domain.chimera.state import LOUNGE, POOL, RESERVE, Built, Kinds, Player, State, Supply, Tally, Worker
from domain.kernel.terms import Seat

Item = TypeVar("Item")


def evolve(state: State | None, fact: f.Fact) -> State:
    """The state after a fact."""
    if state is None:
        if isinstance(fact, f.GameSetUp):
            return _set_up(fact)
        raise TypeError(f"the first fact sets the game up, not {fact}")
    return _FOLDS[type(fact)](state, fact)


def without(kinds: Kinds, taken: Kinds) -> Kinds:
    """A set of components less some of them."""
    left = list(kinds)
    for kind in taken:
        left.remove(kind)
    return tuple(left)


def _set_up(fact: f.GameSetUp) -> State:
    pool, reserve = Worker(POOL), Worker(RESERVE)
    players = tuple(
        Player(
            board=each.board,
            score=0,
            coins=0,
            food=0,
            research=each.research,
            storage=(),
            workers=(pool,) * each.pool + (reserve,) * each.reserve,
        )
        for each in fact.beginnings
    )
    return State(
        round=1,
        phase="draft",
        start=fact.order[0],
        supply=fact.supply,
        players=players,
        reactor=(None,) * fact.spaces,
        deck=fact.deck,
        perk_deck=fact.perk_deck,
    )


def _agenda_set(state: State, fact: f.AgendaSet) -> State:
    return replace(state, agenda=fact.agenda, actions=fact.actions, specimen=fact.specimen)


def _round_begun(state: State, fact: f.RoundBegun) -> State:
    players = tuple(
        replace(player, workers=tuple(replace(each, recalled=False) for each in player.workers))
        for player in state.players
    )
    return replace(state, round=fact.round, players=players, marker_moved=False)


def _phase_begun(state: State, fact: f.PhaseBegun) -> State:
    return replace(state, phase=fact.phase)


def _card_taken(state: State, fact: f.CardTaken) -> State:
    return _with_player(state, fact.seat, replace(state.players[fact.seat], card=fact.card))


def _card_spent(state: State, fact: f.CardSpent) -> State:
    return _with_player(state, fact.seat, replace(state.players[fact.seat], card=None))


def _points_scored(state: State, fact: f.PointsScored) -> State:
    player = state.players[fact.seat]
    tallies = _tallied(player.tallies, Tally(fact.source, fact.piece, fact.points))
    return _with_player(state, fact.seat, replace(player, score=player.score + fact.points, tallies=tallies))


def _tallied(tallies: tuple[Tally, ...], new: Tally) -> tuple[Tally, ...]:
    for index, tally in enumerate(tallies):
        if tally.piece == new.piece and tally.source == new.source:
            merged = Tally(new.source, new.piece, tally.points + new.points)
            return _put(tallies, index, merged)
    return (*tallies, new)


def _resources_changed(state: State, fact: f.ResourcesChanged) -> State:
    player = state.players[fact.seat]
    changed = replace(player, coins=player.coins + fact.coins, food=player.food + fact.food)
    return _with_player(state, fact.seat, changed)


def _component_gained(state: State, fact: f.ComponentGained) -> State:
    player = state.players[fact.seat]
    changed = replace(player, storage=_sorted((*player.storage, fact.component)))
    players = _put(state.players, fact.seat, changed)
    return replace(state, supply=_supply(state.supply, (fact.component,), -1), players=players)


def _components_returned(state: State, fact: f.ComponentsReturned) -> State:
    player = state.players[fact.seat]
    players = _put(state.players, fact.seat, replace(player, storage=without(player.storage, fact.components)))
    return replace(state, supply=_supply(state.supply, fact.components, 1), players=players)


def _component_implanted(state: State, fact: f.ComponentImplanted) -> State:
    worker = _worker(state, fact.worker)
    state = _with_worker(state, fact.worker, replace(worker, components=_sorted((*worker.components, fact.component))))
    return replace(state, supply=_supply(state.supply, (fact.component,), -1))


def _components_removed(state: State, fact: f.ComponentsRemoved) -> State:
    worker = _worker(state, fact.worker)
    state = _with_worker(state, fact.worker, replace(worker, components=without(worker.components, fact.components)))
    return replace(state, supply=_supply(state.supply, fact.components, 1))


def _worker_spliced(state: State, fact: f.WorkerSpliced) -> State:
    seat, number = int(fact.worker[0]), int(fact.worker[2:])
    player = state.players[seat]
    worker = replace(player.workers[number], components=fact.components)
    changed = replace(player, storage=fact.storage, workers=_put(player.workers, number, worker))
    return _with_player(state, seat, changed)


def _worker_placed(state: State, fact: f.WorkerPlaced | f.WorkerMoved) -> State:
    return _moved(state, fact.worker, fact.to)


def _worker_ejected(state: State, fact: f.WorkerEjected) -> State:
    return _moved(state, fact.worker, LOUNGE)


def _worker_recalled(state: State, fact: f.WorkerRecalled) -> State:
    worker = Worker(POOL, _worker(state, fact.worker).components, recalled=True)
    return _with_worker(state, fact.worker, worker)


def _workers_swapped(state: State, fact: f.WorkersSwapped) -> State:
    return _moved(_moved(state, fact.own, fact.own_to), fact.other, fact.other_to)


def _worker_protected(state: State, fact: f.WorkerProtected) -> State:
    return _with_worker(state, fact.worker, replace(_worker(state, fact.worker), protected=True))


def _worker_joined(state: State, fact: f.WorkerJoined) -> State:
    return _moved(state, fact.worker, POOL)


def _workers_returned(state: State, fact: f.WorkersReturned) -> State:
    del fact
    players = tuple(
        replace(
            player,
            workers=tuple(
                each if each.place in {POOL, RESERVE} else replace(each, place=POOL, protected=False)
                for each in player.workers
            ),
        )
        for player in state.players
    )
    return replace(state, players=players)


def _commanded(state: State, fact: f.Commanded) -> State:
    del fact
    return state


def _marker_taken(state: State, fact: f.MarkerTaken) -> State:
    return replace(state, start=fact.seat, marker_moved=True)


def _research_advanced(state: State, fact: f.ResearchAdvanced) -> State:
    return _with_player(state, fact.seat, replace(state.players[fact.seat], research=fact.tier))


def _module_built(state: State, fact: f.ModuleBuilt) -> State:
    built = (*state.built, Built(fact.space, fact.module))
    if fact.source == "reactor":
        reactor = tuple(None if each == fact.module else each for each in state.reactor)
        return replace(state, built=built, reactor=reactor)
    if fact.source == "discards":
        return replace(state, built=built, discards=tuple(each for each in state.discards if each != fact.module))
    return replace(state, built=built, drawn=None)


def _module_drawn(state: State, fact: f.ModuleDrawn) -> State:
    return replace(state, drawn=fact.module, deck=state.deck[1:])


def _modules_discarded(state: State, fact: f.ModulesDiscarded) -> State:
    reactor = tuple(None if each in fact.modules else each for each in state.reactor)
    return replace(state, reactor=reactor, discards=state.discards + fact.modules)


def _reactor_slid(state: State, fact: f.ReactorSlid) -> State:
    return replace(state, reactor=fact.reactor)


def _reactor_filled(state: State, fact: f.ReactorFilled) -> State:
    return replace(state, reactor=fact.reactor, deck=state.deck[len(fact.drawn) :])


def _deck_shuffled(state: State, fact: f.DeckShuffled) -> State:
    return replace(state, deck=fact.deck, discards=())


def _perks_shown(state: State, fact: f.PerksShown) -> State:
    return replace(state, display=state.display + fact.perks, perk_deck=state.perk_deck[len(fact.perks) :])


def _perk_taken(state: State, fact: f.PerkTaken) -> State:
    player = state.players[fact.seat]
    state = _with_player(state, fact.seat, replace(player, perks=(*player.perks, fact.perk)))
    if fact.drawn:
        return replace(state, perk_deck=state.perk_deck[1:])
    return replace(state, display=tuple(each for each in state.display if each != fact.perk))


def _perk_discarded(state: State, fact: f.PerkDiscarded) -> State:
    player = state.players[fact.seat]
    kept = tuple(each for each in player.perks if each != fact.perk)
    state = _with_player(state, fact.seat, replace(player, perks=kept))
    return replace(state, perk_discards=(*state.perk_discards, fact.perk))


def _perk_deck_shuffled(state: State, fact: f.PerkDeckShuffled) -> State:
    """Nobody knows any longer where these perks are, so the tallies keep their points without their names."""
    players = tuple(replace(each, tallies=_nameless(each.tallies, fact.deck)) for each in state.players)
    return replace(state, players=players, perk_deck=fact.deck, perk_discards=())


def _nameless(tallies: tuple[Tally, ...], pieces: tuple[str, ...]) -> tuple[Tally, ...]:
    kept: tuple[Tally, ...] = ()
    for tally in tallies:
        kept = _tallied(kept, replace(tally, piece=None) if tally.piece in pieces else tally)
    return kept


def _worker(state: State, worker: str) -> Worker:
    return state.players[int(worker[0])].workers[int(worker[2:])]


def _moved(state: State, worker: str, place: str) -> State:
    """A worker that leaves a place loses its protection (R15)."""
    old = _worker(state, worker)
    return _with_worker(state, worker, Worker(place, old.components, old.recalled))


def _with_worker(state: State, worker: str, changed: Worker) -> State:
    seat = int(worker[0])
    player = state.players[seat]
    return _with_player(state, seat, replace(player, workers=_put(player.workers, int(worker[2:]), changed)))


def _with_player(state: State, seat: Seat, player: Player) -> State:
    return replace(state, players=_put(state.players, seat, player))


def _put(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    changed = list(items)
    changed[index] = item
    return tuple(changed)


def _sorted(kinds: Kinds) -> Kinds:
    return tuple(sorted(kinds))


def _supply(supply: Supply, kinds: tuple[Kind, ...], sign: int) -> Supply:
    if len(kinds) == 1:
        kind = kinds[0]
        return replace(supply, **{kind: getattr(supply, kind) + sign})
    brain, claw = kinds.count("brain"), kinds.count("claw")
    leaf, tentacle = kinds.count("leaf"), kinds.count("tentacle")
    return Supply(
        supply.brain + sign * brain,
        supply.claw + sign * claw,
        supply.leaf + sign * leaf,
        supply.tentacle + sign * tentacle,
    )


# A dictionary and not a match: a game has a thousand facts of forty types, and a match asks for one type after another.
_FOLDS: Mapping[type, Callable[[State, Any], State]] = {
    f.AgendaSet: _agenda_set,
    f.RoundBegun: _round_begun,
    f.PhaseBegun: _phase_begun,
    f.CardTaken: _card_taken,
    f.CardSpent: _card_spent,
    f.PointsScored: _points_scored,
    f.ResourcesChanged: _resources_changed,
    f.ComponentGained: _component_gained,
    f.ComponentsReturned: _components_returned,
    f.ComponentImplanted: _component_implanted,
    f.ComponentsRemoved: _components_removed,
    f.WorkerSpliced: _worker_spliced,
    f.WorkerPlaced: _worker_placed,
    f.WorkerMoved: _worker_placed,
    f.WorkerEjected: _worker_ejected,
    f.WorkerRecalled: _worker_recalled,
    f.WorkersSwapped: _workers_swapped,
    f.WorkerProtected: _worker_protected,
    f.WorkerJoined: _worker_joined,
    f.WorkersReturned: _workers_returned,
    f.Commanded: _commanded,
    f.MarkerTaken: _marker_taken,
    f.ResearchAdvanced: _research_advanced,
    f.ModuleBuilt: _module_built,
    f.ModuleDrawn: _module_drawn,
    f.ModulesDiscarded: _modules_discarded,
    f.ReactorSlid: _reactor_slid,
    f.ReactorFilled: _reactor_filled,
    f.DeckShuffled: _deck_shuffled,
    f.PerksShown: _perks_shown,
    f.PerkTaken: _perk_taken,
    f.PerkDiscarded: _perk_discarded,
    f.PerkDeckShuffled: _perk_deck_shuffled,
}
