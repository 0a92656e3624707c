"""Cursors: opaque, signed, bound to their filters (fault 41)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.rejected import Rejected
from service.http.cursors import open_cursor, seal

KEY = bytes(32)


@given(place=st.integers(1, 2**63 - 1))
def test_a_cursor_leads_back_to_its_place(place: int) -> None:
    assert open_cursor(KEY, ["toy", None], seal(KEY, ["toy", None], place)) == place


@given(place=st.integers(1, 2**63 - 1), at=st.integers(0, 100), other=st.sampled_from("AZaz09_-=+/ é"))
def test_a_cursor_with_any_character_changed_is_refused(place: int, at: int, other: str) -> None:
    cursor = seal(KEY, [], place)
    at %= len(cursor)
    changed = cursor[:at] + other + cursor[at + 1 :]
    if changed != cursor:
        with pytest.raises(Rejected, match="invalid-cursor"):
            open_cursor(KEY, [], changed)


@given(st.text(max_size=80))
def test_a_cursor_out_of_the_air_is_refused(text: str) -> None:
    with pytest.raises(Rejected, match="invalid-cursor"):
        open_cursor(KEY, [], text)


def test_a_cursor_of_other_filters_or_of_another_database_is_refused() -> None:
    cursor = seal(KEY, ["toy"], 7)
    for key, filters in ((KEY, ["spacelab"]), (b"x" * 32, ["toy"])):
        with pytest.raises(Rejected, match="invalid-cursor"):
            open_cursor(key, filters, cursor)
