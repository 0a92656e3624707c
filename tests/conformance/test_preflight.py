"""A random game of every title can be played to its end and shown; if not, no other law of that title is tried."""

from __future__ import annotations

import pytest

from domain.catalogue import TITLES
from domain.kernel.rules import Title
from tests.conformance.preflight import fault_of
from tests.conformance.titles import ALL_TITLES


@pytest.mark.parametrize("title", ALL_TITLES, ids=lambda title: title.id)
def test_random_games_of_a_title_can_be_played_to_their_end_and_shown(title: Title) -> None:
    fault = fault_of(title.id)
    if fault is not None:
        pytest.fail(f"{title.id} fails its preflight, so its other laws are not tried:\n{fault}", pytrace=False)


def test_a_title_stands_in_the_catalogue_under_its_own_id() -> None:
    assert {key: title.id for key, title in TITLES.items()} == {key: key for key in TITLES}
