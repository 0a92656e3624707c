"""What can be wrong with a component set, and how it is reported."""

from __future__ import annotations

import pytest

from domain.chimera.effects import Gain
from domain.chimera.reading import read
from domain.kernel.component_text import parse
from domain.kernel.rejected import ComponentError
from tests.domain.chimera.table import HOUSE


def refused(old: str, new: str) -> tuple[str, str]:
    """The entry that is named and what is said to be wrong, when the house set's text is another in one place."""
    assert old in HOUSE
    return refused_text(HOUSE.replace(old, new, 1))


def refused_text(text: str) -> tuple[str, str]:
    """The entry that is named and what is said to be wrong."""
    with pytest.raises(ComponentError) as error:
        read(parse(text))
    return error.value.entry, error.value.wrong


def test_the_house_set_is_read_whole() -> None:
    material = read(parse(HOUSE))
    assert (len(material.base), len(material.tiles), len(material.spaces)) == (11, 40, 22)
    assert (len(material.perks), len(material.cards), len(material.boards)) == (22, 6, 5)
    assert material.workers == {2: 4, 3: 3, 4: 2}
    assert material.modules["cargo_bay"].cost == 4
    assert material.modules["command_hub_a"].value is None
    assert material.hubs == {"0,0": "command_hub_a", "1,0": "command_hub_b"}
    assert material.boards["weirdos"].tiers[4] == (Gain("food", 1), Gain("workers", 1))
    assert set(material.neighbours["0,0"]) == {"1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1"}
    assert material.beside_hubs == {"0,-1", "1,-1", "2,-1", "-1,0", "2,0", "-1,1", "0,1", "1,1"}


def test_a_set_may_choose_other_figures() -> None:
    other = read(
        parse(HOUSE.replace("cost = 5\nvalue = 3", "cost = 9\nvalue = 0", 1).replace("rounds = 5", "rounds = 4"))
    )
    assert (other.modules["advanced_laboratory"].cost, other.modules["advanced_laboratory"].value) == (9, 0)
    assert other.rounds == 4


@pytest.mark.parametrize("text", ["[", "", "= 3", "a = 1\na = 2", "[" * 5000, "a = " + "9" * 5000])
def test_a_text_that_is_no_toml_is_refused(text: str) -> None:
    refused_text(text)


def test_a_set_of_another_title_is_refused() -> None:
    assert refused('title = "chimera"', 'title = "spacelab"') == (
        "title",
        "is 'spacelab', and this title is 'chimera'",
    )


WRONG: dict[str, tuple[str, str, str]] = {
    "an unknown kind of component": ('"leaf", "tentacle"]', '"leaf", "eye"]', "counts.component_kinds"),
    "one kind more": ('"leaf", "tentacle"]', '"leaf", "tentacle", "eye"]', "counts.component_kinds"),
    "no number of workers for four players": (", 4 = 2 }", " }", "counts.workers_by_players"),
    "no workers": ("{ 2 = 4,", "{ 2 = 0,", "counts.workers_by_players[...]"),
    "a slot twice": ('["A", "B", "C"]', '["A", "B", "A"]', "counts.splicing_slots"),
    "a slot without a name": ('["A", "B", "C"]', '["A", "B", ""]', "counts.splicing_slots[2]"),
    "a reward too few": ("{ research = 1 }, { points = 1 }]", "{ research = 1 }]", "reactor.rewards"),
    "a kind too few in the boiler room": ("claw = { coins = 2 }\n", "", "boiler_room.per_component"),
    "a component of the boiler room": (
        "claw = { coins = 2 }",
        'claw = { component = "leaf" }',
        "boiler_room.per_component.claw",
    ),
    "a name too few": ('food = { en = "Food", ja = "食料" }\n', "", "names"),
    "a name too many": ('food = { en = "Food"', 'air = { en = "Air", ja = "空気" }\nfood = { en = "Food"', "names"),
    "a name without Japanese": (', ja = "水槽"', "", "modules[1] aquarium.name"),
    "an id of capitals": ('id = "aquarium"', 'id = "Aquarium"', "modules[1] Aquarium.id"),
    "an id that is none": ('id = "aquarium"', "id = 3", "modules[1].id"),
    "a module twice": ('id = "aquarium"', 'id = "advanced_laboratory"', "modules[1] advanced_laboratory.id"),
    "an unknown module": ('id = "aquarium"', 'id = "annex"', "modules"),
    "an unknown base module": ('id = "refinery"', 'id = "smelter"', "base_modules"),
    "a hub off the map": ("hex = [1, 0]\n", "", "base_modules[1] command_hub_b.hex"),
    "a base module on the map": (
        "value = 2\n\n[[base_modules]]",
        "value = 2\nhex = [4, 4]\n\n[[base_modules]]",
        "base_modules[2] boiler_room.hex",
    ),
    "a hub with a value": ("hex = [1, 0]\n", "hex = [1, 0]\nvalue = 1\n", "base_modules[1] command_hub_b.value"),
    "a base module without a value": (
        "value = 2\n\n[[base_modules]]",
        "\n[[base_modules]]",
        "base_modules[2] boiler_room.value",
    ),
    "both hubs in one hex": ("hex = [1, 0]", "hex = [0, 0]", "base_modules"),
    "a negative cost": ("cost = 5", "cost = -5", "modules[0] advanced_laboratory.cost"),
    "a cost in words": ("cost = 5", 'cost = "five"', "modules[0] advanced_laboratory.cost"),
    "a key that nobody reads": ("cost = 5", "cost = 5\nprice = 5", "modules[0] advanced_laboratory"),
    "a space on a hub": ("hex = [0, -1]", "hex = [0, 0]", "build_spaces[0].hex"),
    "a space twice": ("hex = [1, -1]", "hex = [0, -1]", "build_spaces[1].hex"),
    "a space with two bonuses": ("bonus = { coins = 2 }", "bonus = { coins = 2, food = 1 }", "build_spaces[0].bonus"),
    "a space without a bonus": ("bonus = { coins = 2 }", "bonus = { }", "build_spaces[0].bonus"),
    "a bonus that is false": (
        "bonus = { recall = true }",
        "bonus = { recall = false }",
        "build_spaces[14].bonus.recall",
    ),
    "a bonus of an unknown component": (
        'bonus = { component = "claw" }',
        'bonus = { component = "eye" }',
        "build_spaces[4].bonus.component",
    ),
    "spaces that no build can reach": ("hex = [1, 2]", "hex = [9, 9]", "build_spaces[21].hex"),
    "a name of two lines": ('en = "Aquarium"', 'en = "Aqua\\nrium"', "modules[1] aquarium.name.en"),
    "an unknown perk": ('id = "warlord"', 'id = "wizard"', "perks"),
    "a passive perk as a module": (
        'ja = "将軍" }\nkind = "passive"',
        'ja = "将軍" }\nkind = "module"',
        "perks[21] warlord.kind",
    ),
    "an unknown board": ("[boards.weirdos]", "[boards.wizards]", "boards"),
    "a tier left out": (
        "3 = { workers = 1 }, 4 = { perks = 1 }, 5 = { workers = 1 }",
        "4 = { perks = 1 }, 5 = { workers = 1 }",
        "boards.standard.tiers",
    ),
    "a start past the track": ("start_research = 2", "start_research = 9", "boards.brainiacs.start_research"),
    "a card's id taken by a module": ('id = "pantry"', 'id = "aquarium"', "starting_cards[0] aquarium.id"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_set_with_something_wrong_is_refused_with_the_entry(wrong: str) -> None:
    old, new, entry = WRONG[wrong]
    assert refused(old, new)[0] == entry


def test_a_set_with_fewer_starting_cards_than_players_is_refused() -> None:
    text = HOUSE.replace("min_players = 2", "min_players = 3")
    assert refused_text(text) == ("starting_cards", "0 are dealt to 2 players")


def test_a_track_that_ends_before_its_start_is_refused() -> None:
    tiers = "tiers = { 2 = {}, 3 = { perks = 1 }, 4 = { workers = 1 }, 5 = { workers = 1 }, 6 = { perks = 1 }"
    text = HOUSE.replace("start_research = 2", "start_research = 8")
    assert tiers in text
    short = text.replace(f"{tiers}, 7 = {{ any_components = 2 }}, 8 = {{ points = 6 }} }}", f"{tiers} }}")
    assert refused_text(short) == ("boards.brainiacs.start_research", "is 8, past the end of the track")


def test_a_missing_section_is_refused() -> None:
    assert refused("[boiler_room.per_component]", "[boiler]")[0] == "set"
