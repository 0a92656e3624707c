"""What is the id of a game or of an account."""

from __future__ import annotations

import pytest

from domain.kernel.ids import account_id, game_id

DIGITS = "0123456789abcdef0123"


def test_a_game_and_an_account_are_told_apart_by_their_first_letter() -> None:
    assert (game_id(f"g{DIGITS}"), account_id(f"a{DIGITS}")) == (f"g{DIGITS}", f"a{DIGITS}")
    assert (game_id(f"a{DIGITS}"), account_id(f"g{DIGITS}")) == (None, None)


@pytest.mark.parametrize("rest", ["", DIGITS[1:], f"{DIGITS}0", DIGITS.upper(), f"{DIGITS}\n", f" {DIGITS}"])
def test_no_other_text_is_one(rest: str) -> None:
    assert (game_id(f"g{rest}"), account_id(f"a{rest}")) == (None, None)
