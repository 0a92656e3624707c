"""The title as others see it: tags, schemas, strictness, redaction, draws."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct

from domain.chimera import TITLE
from domain.chimera import effects as e
from domain.chimera.agenda import Flow, Owed, Resolving
from domain.chimera.evolve import evolve
from domain.chimera.facts import (
    AgendaSet,
    DeckShuffled,
    DeckShuffledUnseen,
    Fact,
    GameSetUp,
    GameSetUpUnseen,
    PerkDeckShuffled,
    PerkDeckShuffledUnseen,
    RoundBegun,
)
from domain.chimera.material import SEATS
from domain.chimera.moves import Move, Options, PlaceWorker
from domain.chimera.state import State
from domain.chimera.verbs.possible import can_resolve
from domain.kernel.chance import Chance, Draw, shuffled, words
from domain.kernel.legal import LegalMoves
from tests.domain.chimera.table import KEY, RULES, Has, Map, placed, position, table

WIRE: tuple[type[Struct], ...] = tuple(
    {*get_args(Fact), *get_args(TITLE.seen), *get_args(e.Effect), *get_args(Resolving), *get_args(Flow)}
)


def begun(seats: int, options: Options | None = None) -> tuple[State, tuple[Fact, ...]]:
    """A game that has been set up, and the facts that did it."""
    facts = RULES.begin(options or Options(), seats, Chance(KEY, 7))
    state: State | None = None
    for fact in facts:
        state = RULES.evolve(state, fact)
    assert state is not None
    return state, facts


def test_the_title_is_for_two_to_four_players() -> None:
    assert (TITLE.id, TITLE.seats, SEATS) == ("chimera", (2, 4), (2, 4))
    assert TITLE.names == {"en": "Chimera Station", "ja": "キメラステーション"}


def test_every_tag_on_the_wire_is_unique_and_carries_the_title() -> None:
    tags = [str(each.__struct_config__.tag) for each in (*WIRE, TITLE.view)]
    assert len(set(tags)) == len(tags)
    assert all(tag.startswith("chimera.") for tag in tags)


@pytest.mark.parametrize(
    "form,text",
    [
        (Move, b'{"type":"chimera.take_perk","perk":"vendor","fast":true}'),
        (Fact, b'{"type":"chimera.round_begun","round":2,"why":"it is time"}'),
        (Options, b'{"rounds":3}'),
        (State, b'{"cheat":1}'),
    ],
)
def test_unknown_fields_are_refused_in_everything_that_is_read(form: Any, text: bytes) -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.json.decode(text, type=form)


def test_a_state_tells_how_many_play() -> None:
    assert [RULES.seats(begun(seats)[0]) for seats in (2, 3, 4)] == [2, 3, 4]


def test_the_first_fact_sets_the_game_up_and_no_other_can() -> None:
    with pytest.raises(TypeError, match="sets the game up"):
        evolve(None, RoundBegun(1))


def test_everyone_sees_the_same_but_for_nothing_of_the_order_of_the_decks() -> None:
    state, facts = begun(3)
    views = {msgspec.json.encode(RULES.view(state, viewer)) for viewer in (None, 0, 1, 2)}
    assert len(views) == 1
    view = RULES.view(state, None)
    assert (view.deck, view.perk_deck) == (len(state.deck), len(state.perk_deck))
    assert not set(state.deck) & set(msgspec.json.encode(view).decode().split('"'))
    first = facts[0]
    assert isinstance(first, GameSetUp)
    unseen: Any = RULES.redact_fact(first, 0)
    assert isinstance(unseen, GameSetUpUnseen)
    assert (unseen.deck, unseen.perk_deck) == (40, 22)


def test_a_view_says_who_decides_what_is_asked_and_by_what() -> None:
    play = placed("laboratory", Has(["claw leaf"]), Has())
    pending = RULES.view(play.state, None).pending
    assert pending is not None
    assert (pending.seat, pending.asks, pending.piece) == (0, "chimera.detachment", "laboratory")
    assert pending.source == "effect"
    assert (pending.worker, pending.place) == ("0-0", "laboratory")
    over = position(Has(), Has(), number=5, phase="over", agenda=())
    assert RULES.view(over, None).pending is None
    assert RULES.to_move(over) == ()
    assert RULES.legal_moves(over, 0) == LegalMoves(0)


def test_only_the_seat_that_is_asked_has_moves() -> None:
    play = table(Has(), Has())
    assert RULES.legal_moves(play.state, 0)
    assert not RULES.legal_moves(play.state, 1)


def test_moves_are_seen_by_all_and_shuffles_and_agendas_are_not() -> None:
    move = PlaceWorker("0-0", "refinery")
    assert RULES.redact_move(move, 0, 1) == move
    assert RULES.redact_fact(DeckShuffled(("gardens", "aquarium"), 0), 0) == DeckShuffledUnseen(2)
    assert RULES.redact_fact(PerkDeckShuffled(("vendor",), 0), 0) == PerkDeckShuffledUnseen(1)
    assert RULES.redact_fact(AgendaSet((), (), specimen=False), 0) is None
    assert RULES.redact_fact(RoundBegun(2), None) == RoundBegun(2)


def test_the_score_of_each_seat_is_seen_by_all_and_at_the_end_it_is_that_of_the_result() -> None:
    assert RULES.points(table(Has(score=12, food=4), Has()).state, None) == (12, 10)
    assert RULES.points(position(Has(score=12, food=4), Has(), number=5, phase="over", agenda=()), 1) == (14, 10)


def test_draws_are_recorded_in_the_order_in_which_they_were_made() -> None:
    _, facts = begun(3, Options("factions"))
    draws = RULES.draws(facts[0])
    assert [draw.purpose for draw in draws] == ["factions", "start", "deck", "perk_deck"]
    for draw in draws:
        stream = words(KEY, 7, draw.purpose, draw.repeat)
        assert draw.outcome == tuple(draw.items[each] for each in shuffled(stream, range(len(draw.items))))
    assert [draw.purpose for draw in RULES.draws(begun(3)[1][0])] == ["start", "deck", "perk_deck"]
    assert RULES.draws(DeckShuffled(("b", "a"), 1)) == (Draw("reshuffle", ("a", "b"), ("b", "a"), 1),)
    assert RULES.draws(PerkDeckShuffled(("b", "a"), 0)) == (Draw("perk_reshuffle", ("a", "b"), ("b", "a"), 0),)
    assert RULES.draws(RoundBegun(2)) == ()


def test_the_places_that_are_taken_for_certain_can_be_resolved_by_the_poorest() -> None:
    built = dict(
        zip(_spaces(), [each for each in RULES.material.tiles if each in RULES.material.certain], strict=False)
    )
    perks = tuple(perk for perk in RULES.material.perks if perk in RULES.material.certain)
    state = position(Has(perks=perks), Has(), station=Map(built=built), number=3)
    owed = state.agenda[0]
    for place in RULES.material.certain:
        there = Owed(0, owed.effect, "0-0", "0-0", place, (place,), "effect", place)
        assert can_resolve(RULES.material, state, there, RULES.material.places[place].effects)


def _spaces() -> list[str]:
    spaces = list(RULES.material.spaces)
    return sorted(spaces, key=lambda space: space not in RULES.material.beside_hubs)


def test_what_the_top_of_a_deck_was_is_revealed_by_what_was_drawn() -> None:
    play = table(Has(["claw"]), Has(), station=Map(reactor=RULES.material.tiles[:5])).place("boiler_room")
    assert any(RULES.reveals(play.state, fact) for fact in play.facts)
    drawn = table(Has(coins=2), Has(), station=Map(built={"0,-1": "quantum_constructor"})).place("quantum_constructor")
    assert any(RULES.reveals(drawn.state, fact) for fact in drawn.facts)
    state, facts = begun(2, Options("factions", ("brainiacs", "weirdos")))
    assert sum(RULES.reveals(state, fact) for fact in facts) == 3  # the perk drawn, the reactor, the display
    quiet = table(Has(), Has()).place("refinery")
    assert not any(RULES.reveals(quiet.state, fact) for fact in quiet.facts)
