"""The titles that are served."""

from __future__ import annotations

import pytest

from domain import spacelab
from domain.catalogue import TITLES, catalogue
from tests import toy


def test_titles_are_found_by_their_ids_in_the_order_given() -> None:
    assert list(catalogue(toy.TITLE, spacelab.TITLE).items()) == [("toy", toy.TITLE), ("spacelab", spacelab.TITLE)]
    assert {name: title.id for name, title in TITLES.items()} == {name: name for name in TITLES}


def test_two_titles_with_one_id_are_an_error_that_names_both() -> None:
    with pytest.raises(ValueError, match=r"^two titles have the id toy: tests\.toy and tests\.toy$"):
        catalogue(toy.TITLE, toy.TITLE)
