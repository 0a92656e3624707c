"""What runs out: decks, the display, components, the reserve."""

from __future__ import annotations

from domain.chimera.facts import (
    DeckShuffled,
    PerkDeckShuffled,
    ReactorFilled,
)
from domain.chimera.moves import (
    ChooseOption,
    DiscardPerk,
    Flush,
    TakeCoinsAndFood,
    TakePerk,
)
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import HUB_SIDE, RULES, Has, Map, placed, table


@covers("R46")
def test_the_module_deck_is_shuffled_anew_only_when_a_module_must_be_drawn_and_it_is_empty() -> None:
    names = list(RULES.material.tiles)
    reactor, deck, discards = names[:5], names[5:6], names[6:]
    station = Map(reactor=reactor, deck=deck, discards=discards)
    play = table(Has(card="pantry"), Has(), station=station)
    play.make(Flush(()))
    assert not play.happened(DeckShuffled)
    assert play.state.deck == ()
    again = table(Has(card="pantry"), Has(), station=station).make(Flush((reactor[0],)))
    (shuffled,) = again.happened(DeckShuffled)
    # What was flushed is shuffled in as well.
    assert sorted(shuffled.deck) == sorted((*discards, reactor[0]))
    assert [len(fact.drawn) for fact in again.happened(ReactorFilled)] == [1, 1]


@covers("R46")
def test_the_perk_deck_is_shuffled_anew_when_a_perk_must_be_drawn_and_its_tallies_keep_no_names() -> None:
    perks = list(RULES.material.perks)
    mine, theirs = ("vendor", "overseer"), tuple(perk for perk in perks if perk not in {"vendor", "overseer"})
    display, discards = theirs[:2], ("zoning_board",)
    owned = tuple(perk for perk in theirs[2:] if perk != "zoning_board")
    station = Map(built={HUB_SIDE: "union_hall"}, display=display, perk_discards=discards, perk_deck=())
    play = placed("union_hall", Has(perks=mine), Has(perks=owned), station=station)
    play.make(DiscardPerk("vendor"))
    play.make(TakePerk(display[0]))
    (shuffled,) = play.happened(PerkDeckShuffled)
    assert sorted(shuffled.deck) == ["vendor", "zoning_board"]
    assert len(play.state.display) == 3
    told = {(tally.source, tally.piece): tally.points for tally in play.player().tallies}
    assert told["union_hall", None] == 9


def test_taking_a_perk_with_an_empty_display_gives_nothing() -> None:
    perks = tuple(RULES.material.perks)
    station = Map(built={HUB_SIDE: "advanced_laboratory"}, display=(), perk_deck=())
    play = placed("advanced_laboratory", Has(perks=perks[:11]), Has(perks=perks[11:]), station=station)
    assert play.player().perks == perks[:11]
    assert (play.asks, play.seat) == ("turn", 1)


@covers("specimens", "leaf")
def test_a_named_component_of_which_none_is_left_is_two_points_also_where_it_was_paid_for() -> None:
    play = placed("seed_repository", Has(coins=5), Has(storage="leaf " * 6)).make(ChooseOption("buy_two"))
    assert play.player().storage == ("leaf",)
    assert play.wealth() == (2, 0, 0)


def test_a_worker_gained_comes_from_the_reserve_to_the_pool_and_may_be_placed_in_the_same_phase() -> None:
    station = Map(built={HUB_SIDE: "advanced_laboratory"})
    play = placed("advanced_laboratory", Has(["", *["@worker_lounge"] * 3], research=2), Has(), station=station)
    play.place("worker_lounge", "1-0").make(TakeCoinsAndFood(1, 0))
    assert (play.asks, play.seat) == ("turn", 0)
    assert play.targets("0-4")


def test_a_worker_gained_with_an_empty_reserve_is_nothing() -> None:
    everyone = ["", *["@worker_lounge"] * 5]
    station = Map(built={HUB_SIDE: "advanced_laboratory"})
    play = placed("advanced_laboratory", Has(everyone, research=2), Has(), station=station)
    assert play.player().research == 3
    assert play.seat == 1
