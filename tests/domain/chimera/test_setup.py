"""Setting up: workers, decks and the starting draft."""

from __future__ import annotations

import pytest

from domain.chimera.agenda import Draft
from domain.chimera.facts import (
    CardTaken,
)
from domain.chimera.moves import (
    Options,
    TakeCard,
    TakeComponent,
    TakePerk,
)
from domain.chimera.state import State
from domain.kernel.chance import Chance
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import KEY, RULES, Table


def begun(seats: int, version: int = 1) -> Table:
    """A game that has been set up."""
    state: State | None = None
    for fact in RULES.begin(Options(), seats, Chance(KEY, version)):
        state = RULES.evolve(state, fact)
    assert state is not None
    return Table(state)


@pytest.mark.parametrize("seats,workers,cards", [(2, 4, 3), (3, 3, 5), (4, 2, 6)])
@covers("pantry", "grant", "sample", "purse", "larder", "specimens")
def test_workers_and_starting_cards_are_by_the_number_of_players(seats: int, workers: int, cards: int) -> None:
    play = begun(seats)
    for player in play.state.players:
        assert [worker.place for worker in player.workers] == ["pool"] * workers + ["reserve"] * 2
        assert (player.score, player.research, player.coins, player.food) == (10, 1, 0, 0)
    assert play.asking.effect == Draft(tuple(RULES.material.cards)[:cards])
    assert len(play.state.display) == 3
    assert None not in play.state.reactor


@covers("R36")
@pytest.mark.parametrize("version", range(1, 7))
def test_the_draft_goes_anticlockwise_from_the_right_of_the_start_player_and_ends_with_the_start_player(
    version: int,
) -> None:
    play = begun(4, version)
    order: list[int] = []
    while play.state.phase == "draft":
        if play.asks == "draft":
            order.append(play.seat)
        play.make(play.moves[0])
    start = play.state.start
    assert order == [(start - step) % 4 for step in (1, 2, 3, 4)]
    assert play.seat == start
    assert play.state.phase == "placement"


@pytest.mark.parametrize("card,coins,food", [("pantry", 3, 2), ("purse", 5, 1), ("larder", 2, 4), ("grant", 1, 2)])
@covers("pantry", "purse", "larder", "grant")
def test_a_starting_card_gives_what_it_shows_at_once_and_stays_with_its_owner(card: str, coins: int, food: int) -> None:
    play = begun(3)
    seat = play.seat
    play.make(TakeCard(card))
    assert play.happened(CardTaken) == [CardTaken(seat, card)]
    assert (play.player(seat).coins, play.player(seat).food) == (coins, food)
    assert play.player(seat).card == card
    if card == "grant":
        # The research step gives its reward, before the next one takes a card.
        assert (play.asks, play.seat) == ("perk_choice", seat)
        play.make(TakePerk(play.state.display[0]))
        assert play.player(seat).research == 2
    assert (play.asks, play.seat) == ("draft", (seat - 1) % 3)
    assert card not in play.values("card")


@pytest.mark.parametrize("card,number,coins", [("sample", 1, 2), ("specimens", 2, 1)])
@covers("sample", "specimens")
def test_a_starting_card_lets_its_owner_pick_the_components_it_shows(card: str, number: int, coins: int) -> None:
    play = begun(4)
    seat = play.seat
    play.make(TakeCard(card))
    for _ in range(number):
        play.make(TakeComponent("leaf"))
    assert play.player(seat).storage == ("leaf",) * number
    assert (play.player(seat).coins, play.player(seat).food) == (coins, 1)
