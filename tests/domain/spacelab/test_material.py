"""The component set as it is played with."""

from __future__ import annotations

from tests.domain.spacelab.table import RULES

MATERIAL = RULES.material


def test_a_pile_is_whole_with_its_top_first() -> None:
    assert MATERIAL.pile("center") == ("center_8", "center_6", "center_4", "center_2")


def test_agencies_of_cards_are_each_told_once_in_the_order_of_the_set() -> None:
    assert MATERIAL.agencies_of(("ge_01", "gp_01", "ge_02")) == ("golden_planet", "green_explorer")
    assert MATERIAL.agencies_of(()) == ()


def test_cards_are_split_by_agency_in_the_order_given() -> None:
    own, rest = MATERIAL.split(("ge_02", "gp_01", "ge_01", "rr_01"), "green_explorer")
    assert (own, rest) == (("ge_02", "ge_01"), ("gp_01", "rr_01"))


def test_the_capsules_of_a_slot_are_left_to_right() -> None:
    assert MATERIAL.slots["side_3"].capsules == ("center", "right")
