"""Positions that no game could be in, each kind beside one that could."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.chimera import agenda as a
from domain.chimera import effects as e
from domain.chimera.agenda import Owed
from domain.chimera.moves import Options, TakeCard
from domain.chimera.state import Action, Built, State, Tally
from domain.kernel.chance import Chance
from domain.kernel.rejected import Rejected
from tests.domain.chimera.table import HUB_SIDE, RULES, Has, Map, Table, at_slot, placed, position, table

BASE = position(
    Has(["claw", "leaf@refinery"], coins=3, storage="brain", perks=("vendor",), card="pantry"),
    Has(perks=("geneticist",)),
    station=Map(built={HUB_SIDE: "gardens"}, discards=("newsroom",)),
)
WORKSHOP = placed("workshop", Has(coins=5, perks=("workshop",)), Has(), station=Map(discards=("gardens", "vineyard")))
"""In the middle of an action: a module is to be built."""


def refused(state: State) -> Rejected:
    """Why a position is refused."""
    with pytest.raises(Rejected) as refusal:
        RULES.check(state)
    assert refusal.value.code == "impossible-position"
    assert str(refusal.value.facts["field"]) in str(refusal.value)
    return refusal.value


def player(state: State, seat: int, **changes: Any) -> State:
    """A state in which a seat has something else."""
    players = list(state.players)
    players[seat] = replace(players[seat], **changes)
    return replace(state, players=tuple(players))


def worker(state: State, seat: int, number: int, **changes: Any) -> State:
    """A state in which a worker is another."""
    workers = list(state.players[seat].workers)
    workers[number] = replace(workers[number], **changes)
    return player(state, seat, workers=tuple(workers))


def owing(state: State, *first: Owed, rest: int = 0) -> State:
    """A state in which this is owed before what was owed from some place on."""
    return replace(state, agenda=(*first, *state.agenda[rest:]))


def tallies(*tally: Tally) -> Callable[[State], State]:
    """Other tallies for the first seat, and the score that they come to."""
    return lambda state: player(state, 0, tallies=tally, score=max(0, sum(each.points for each in tally)))


START = Tally("start", None, 10)
WRONG: dict[str, Callable[[State], State]] = {
    "one player": lambda state: replace(state, players=state.players[:1]),
    "a standard board beside a B side": lambda state: player(state, 0, board="weirdos"),
    "a board that is none": lambda state: player(player(state, 0, board="x"), 1, board="x"),
    "one B side twice": lambda state: player(player(state, 0, board="weirdos"), 1, board="weirdos"),
    "nobody has the marker": lambda state: replace(state, start=2),
    "a round too many": lambda state: replace(state, round=6),
    "round 0": lambda state: replace(state, round=0),
    "a draft in round 2": lambda state: replace(state, round=2, phase="draft"),
    "an end in round 2": lambda state: replace(state, round=2, phase="over", agenda=()),
    "eight claws": lambda state: worker(state, 0, 2, components=("claw",)),
    "a component too few in the supply": lambda state: replace(state, supply=replace(state.supply, leaf=5)),
    "a reactor space too few": lambda state: replace(state, reactor=state.reactor[1:]),
    "a module twice": lambda state: replace(state, deck=(*state.deck, "gardens")),
    "a module missing": lambda state: replace(state, deck=state.deck[1:]),
    "forty-one modules": lambda state: replace(state, discards=(*state.discards, "annex")),
    "a module on a hub": lambda state: replace(state, built=(Built("0,0", "gardens"),)),
    "a module off the map": lambda state: replace(state, built=(Built("9,9", "gardens"),)),
    "a module next to nothing": lambda state: replace(state, built=(Built("-2,2", "gardens"),)),
    "two modules on one space": lambda state: replace(
        state, built=(*state.built, Built(HUB_SIDE, state.deck[0])), deck=state.deck[1:]
    ),
    "a gap in the reactor": lambda state: replace(
        state, reactor=(*state.reactor[:5], None), discards=(*state.discards, str(state.reactor[5]))
    ),
    "a perk twice": lambda state: player(state, 1, perks=("geneticist", "vendor")),
    "a perk missing": lambda state: replace(state, display=state.display[1:]),
    "a perk that is none": lambda state: replace(state, perk_deck=(*state.perk_deck, "wizard")),
    "research past the track": lambda state: player(state, 0, research=9),
    "research before the track": lambda state: player(state, 0, research=0),
    "a worker too few": lambda state: player(state, 0, workers=state.players[0].workers[:-1]),
    "three workers in reserve": lambda state: worker(state, 0, 3, place="reserve"),
    "components in disorder": lambda state: worker(
        worker(state, 0, 0, components=("leaf", "claw")), 0, 1, components=()
    ),
    "storage in disorder": lambda state: worker(player(state, 0, storage=("leaf", "brain")), 0, 1, components=()),
    "a score that is not tallied": lambda state: player(state, 0, score=11),
    "a source tallied twice": tallies(START, START),
    "negative points from a command": tallies(START, Tally("command", None, -2)),
    "points for hunger": tallies(START, Tally("hunger", None, 2)),
    "a tally of what is no piece": tallies(START, Tally("perk", "wizard", 2)),
    "a tally that names a perk of the deck": lambda state: tallies(START, Tally("perk", state.perk_deck[0], 2))(state),
    "three components without the geneticist": lambda state: _three(state, 0),
    "three of a kind": lambda state: _three(state, 1, ("leaf", "leaf", "leaf")),
    "two workers with three": lambda state: _three(_three(state, 1), 1, number=1),
    "components in the reserve": lambda state: _three(state, 1, ("leaf",), number=5),
    "recalled from the reserve": lambda state: worker(state, 1, 5, recalled=True),
    "a worker nowhere": lambda state: worker(state, 0, 0, place="moon"),
    "a worker on a module that does not stand": lambda state: worker(state, 0, 0, place="vineyard"),
    "a worker on hub B in round 1": lambda state: worker(state, 0, 0, place="command_hub_b"),
    "a worker in a slot that is none": lambda state: worker(state, 0, 0, place="splicing_lab.Z"),
    "a worker on another's perk module": lambda state: worker(state, 1, 0, place="vendor"),
    "a worker on a passive perk": lambda state: worker(state, 1, 0, place="geneticist"),
    "two workers on a module": lambda state: worker(state, 1, 0, place="refinery"),
    "two workers in a slot": lambda state: worker(
        worker(state, 1, 0, place="splicing_lab.A"), 0, 0, place="splicing_lab.A"
    ),
    "a worker placed before the round": lambda state: owing(
        replace(state, phase="start"), Owed(0, a.RoundOpening()), rest=9
    ),
    "protected by nothing": lambda state: worker(state, 0, 1, protected=True),
    "a starting card twice": lambda state: player(state, 1, card="pantry"),
    "a starting card of four players": lambda state: player(state, 1, card="specimens"),
    "a starting card that is none": lambda state: player(state, 1, card="ace"),
    "nothing owed": lambda state: replace(state, agenda=()),
    "owed by no seat": lambda state: owing(state, Owed(7, a.Turn()), rest=1),
    "a drawn module and no question": lambda state: replace(state, drawn=state.deck[0], deck=state.deck[1:]),
    "an action without an end": lambda state: replace(state, actions=(Action(0, "0-1"),)),
    "a point for Prime Specimen without a turn": lambda state: replace(state, specimen=True),
    "an end of a turn before its placing": lambda state: owing(state, Owed(0, a.TurnClose())),
    "two turns at once": lambda state: owing(state, state.agenda[0]),
    "no end of the placement phase": lambda state: replace(state, agenda=state.agenda[:1]),
    "a turn of a seat that does not play": lambda state: replace(state, agenda=(state.agenda[0], Owed(0, a.Turns(5)))),
    "a gain before a turn": lambda state: owing(state, Owed(0, e.Gain("coins", 1))),
    "a gain after a turn": lambda state: replace(state, agenda=(*state.agenda, Owed(0, e.Gain("coins", 1)))),
    "a round that begins in the placement phase": lambda state: replace(
        state, agenda=(*state.agenda, Owed(0, a.RoundStart(1)))
    ),
    "a re-placing in the placement phase": lambda state: owing(state, Owed(0, a.Turn("0-1")), rest=1),
    "a turn without a worker to place": lambda state: player(
        state, 0, workers=tuple(replace(each, place="worker_lounge") for each in state.players[0].workers)
    ),
}


def _three(state: State, seat: int, kinds: tuple[str, ...] = ("brain", "claw", "leaf"), number: int = 0) -> State:
    """A worker with these components, taken from the supply; what it had goes there."""
    old = state.players[seat].workers[number].components
    supply = {
        kind: getattr(state.supply, kind) + old.count(kind) - kinds.count(kind)  # type: ignore[arg-type]
        for kind in ("brain", "claw", "leaf", "tentacle")
    }
    return worker(replace(state, supply=replace(state.supply, **supply)), seat, number, components=kinds)


def test_the_position_that_the_others_are_bent_from_is_possible() -> None:
    RULES.check(BASE)
    RULES.check(WORKSHOP.state)
    RULES.check(_three(BASE, 1))


@pytest.mark.parametrize("wrong", WRONG)
def test_an_impossible_position_is_refused(wrong: str) -> None:
    refused(WRONG[wrong](BASE))


IN_ACTION: dict[str, Callable[[State], State]] = {
    "of a worker in the reserve": lambda state: _first(state, worker="0-4", acting="0-4"),
    "of no worker": lambda state: _first(state, worker="9-9", acting="9-9"),
    "of another seat's worker": lambda state: _first(state, worker="1-0", acting="1-0"),
    "of a worker without an action": lambda state: _first(state, acting=None),
    "on a place that is none": lambda state: _first(state, place="moon"),
    "on a module that does not stand": lambda state: _first(state, place="vineyard"),
    "in a chain of what does not stand": lambda state: _first(state, chain=("vineyard",)),
    "asked by what is no piece": lambda state: _first(state, piece="moon"),
    "asked by a perk of the deck": lambda state: _first(state, piece=state.perk_deck[0]),
    "splicing nobody": lambda state: owing(state, Owed(0, a.Splice(), acting="0-0")),
    "a gain without a count": lambda state: _owed(state, e.Gain("coins", 0, 1)),
    "a gain too large": lambda state: _owed(state, e.Gain("coins", 900)),
    "a payment of nobody's module": lambda state: _owed(state, e.Payment(4)),
    "a payment too high": lambda state: _owed(player(state, 0, coins=1), e.Payment(2)),
    "a choice of no module": lambda state: _owed(state, e.Choice(())),
    "three ejections": lambda state: _owed(state, e.Ejection(3)),
    "no food to exchange": lambda state: _owed(state, a.FoodExchange(0)),
    "extra kinds twice": lambda state: _owed(state, a.ExtraComponent(("leaf", "leaf"))),
    "an arrival on what is no module": lambda state: _owed(state, a.Arrival("moon")),
    "a use of what is not built": lambda state: _owed(state, a.Use("vineyard")),
    "a bonus of no space": lambda state: _owed(state, a.Bonus("9,9", built=True)),
    "a gift to oneself": lambda state: _owed(state, a.Gift(0)),
    "what asks nothing comes first": lambda state: _owed(state, e.Command()),
    "what has one answer comes first": lambda state: _owed(state, e.Mix(0)),
    "an action of another worker": lambda state: replace(state, actions=(Action(0, "0-1"),)),
    "an action of another seat": lambda state: replace(state, actions=(Action(1, "0-0"),)),
    "an action too many": lambda state: replace(state, actions=state.actions * 2),
    "an action with kinds in disorder": lambda state: replace(
        state, actions=(Action(0, "0-0", kinds=("leaf", "claw")),)
    ),
    "a turn that ends for another seat": lambda state: replace(
        state,
        agenda=tuple(Owed(1, owed.effect) if isinstance(owed.effect, a.TurnEnd) else owed for owed in state.agenda),
    ),
    "a slot that is none": lambda state: replace(state, agenda=(*state.agenda, Owed(0, a.SlotTurn("Z")))),
    "too hungry": lambda state: replace(state, agenda=(*state.agenda, Owed(0, a.Hunger(60)))),
}


def _first(state: State, **changes: Any) -> State:
    return replace(state, agenda=(replace(state.agenda[0], **changes), *state.agenda[1:]))


def _owed(state: State, effect: Any) -> State:
    """A state in which an effect is owed first, in the action under way."""
    return owing(state, replace(state.agenda[0], effect=effect))


@pytest.mark.parametrize("wrong", IN_ACTION)
def test_an_impossible_agenda_is_refused(wrong: str) -> None:
    refused(IN_ACTION[wrong](WORKSHOP.state))


LOUNGE = ["@worker_lounge"] * 3
SLOT = position(Has(["@splicing_lab.A", *LOUNGE]), Has(["", *LOUNGE]), phase="splicing_lab", agenda=at_slot(0, "0-0"))
LAB: dict[str, Callable[[State], State]] = {
    "a worker re-placed from a module": lambda state: worker(state, 0, 0, place="refinery"),
    "another seat's worker re-placed": lambda state: owing(state, Owed(1, a.Turn("0-0")), rest=1),
    "a slot left out": lambda state: replace(state, agenda=(*state.agenda[:4], *state.agenda[6:])),
    "no turn": lambda state: replace(state, agenda=state.agenda[1:]),
    "no feeding": lambda state: replace(state, agenda=state.agenda[:-1]),
    "a pass without its end": lambda state: owing(state, Owed(1, a.Turn()), rest=2),
}


@pytest.mark.parametrize("wrong", LAB)
def test_an_impossible_splicing_lab_phase_is_refused(wrong: str) -> None:
    RULES.check(SLOT)
    refused(LAB[wrong](SLOT))


def test_an_impossible_meal_is_refused() -> None:
    mine = Has(["", "claw leaf@refinery", "claw@academy", "@hydroponics"])
    play = table(mine, Has(["@worker_lounge"] * 4, food=9)).place("boiler_room")
    assert play.asks == "hunger"
    RULES.check(play.state)
    refused(replace(play.state, agenda=play.state.agenda[:-1]))
    refused(replace(play.state, agenda=(*play.state.agenda[:2], *play.state.agenda[1:])))
    refused(owing(play.state, Owed(0, e.Gain("coins", 1))))


def test_an_impossible_draft_is_refused() -> None:
    begun = _begun()
    RULES.check(begun.state)
    state = begun.state
    refused(replace(state, agenda=(Owed(state.agenda[0].seat, a.Draft(("pantry",))),)))
    refused(replace(state, agenda=(Owed(state.start, state.agenda[0].effect),)))
    refused(replace(state, agenda=(Owed(0, a.RoundStart(1)),)))
    refused(replace(state, agenda=(*state.agenda, *state.agenda)))
    refused(player(state, state.start, card="pantry"))


def test_the_draft_is_over_when_all_have_a_card() -> None:
    play = _begun()
    while play.asks == "draft":
        play.make(next((move for move in play.moves if move == TakeCard("grant")), play.moves[-1]))
    RULES.check(play.state)
    refused(replace(play.state, agenda=(play.state.agenda[0], Owed(0, a.Draft(("larder",))))))


def _begun() -> Table:
    state: State | None = None
    for fact in RULES.begin(Options(), 3, Chance(b"key", 1)):
        state = RULES.evolve(state, fact)
    assert state is not None
    return Table(state)


def test_a_finished_game_owes_nothing() -> None:
    over = position(Has(), Has(), number=5, phase="over", agenda=())
    RULES.check(over)
    refused(replace(over, agenda=(Owed(0, a.RoundEnd()),)))
    refused(replace(over, specimen=True))


def test_a_round_begins_with_its_opening() -> None:
    opening = (Owed(0, a.PerkChoice()), Owed(0, a.RoundOpening()))
    start = position(Has(), Has(), phase="start", number=3, agenda=opening)
    RULES.check(start)
    refused(replace(start, agenda=(opening[0], Owed(0, a.RoundEnd()))))


def test_a_position_is_told_what_is_wrong_with_it() -> None:
    eight = refused(worker(BASE, 0, 2, components=("claw",)))
    assert eight.facts == {"field": "supply"}
    assert "claw is there 8 times" in str(eight)
    two = refused(worker(BASE, 1, 0, place="refinery"))
    assert "2 workers on refinery" in str(two)
    perk = refused(player(BASE, 1, perks=("geneticist", "vendor")))
    assert perk.facts == {"field": "players[1].perks"}
    assert "vendor is there already, in players[0].perks" in str(perk)


def test_a_piece_is_told_with_the_member_that_holds_it_or_should() -> None:
    unknown = refused(replace(BASE, discards=("palace", *BASE.discards)))
    assert unknown.facts == {"field": "discards"}
    doubled = refused(replace(BASE, reactor=(BASE.deck[0], *BASE.reactor[1:])))
    assert doubled.facts == {"field": "reactor"}
    lost = refused(replace(BASE, deck=BASE.deck[1:]))
    assert lost.facts == {"field": "deck"}
    assert f"{BASE.deck[0]} is nowhere" in str(lost)
