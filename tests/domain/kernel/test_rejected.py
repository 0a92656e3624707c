"""A refusal carries its code and facts, and reads as one line."""

from __future__ import annotations

from domain.kernel.rejected import ComponentError, Rejected


def test_a_refusal_has_a_code_a_detail_and_facts() -> None:
    refused = Rejected("seat-taken", "seat 1 is taken", field="seat", free_seats=[0, 2])
    assert (refused.code, refused.detail) == ("seat-taken", "seat 1 is taken")
    assert refused.facts == {"field": "seat", "free_seats": [0, 2]}
    assert str(refused) == "seat-taken: seat 1 is taken"


def test_a_component_error_names_the_entry_and_what_is_wrong_with_it() -> None:
    wrong = ComponentError("labs[3] gp_04.cost", "Expected `int`")
    assert (wrong.entry, wrong.wrong) == ("labs[3] gp_04.cost", "Expected `int`")
    assert str(wrong) == "labs[3] gp_04.cost: Expected `int`"
