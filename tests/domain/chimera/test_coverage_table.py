"""The table of what is tested: every piece, bonus, board, ruling and worked example has a test of its own."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tests.domain.chimera.covering import TABLE
from tests.domain.chimera.table import HOUSE, RULES

RULINGS = tuple(f"R{number}" for number in range(1, 51))
EXAMPLES = tuple(f"E{number}" for number in range(1, 7))


def _bonuses() -> Iterator[str]:
    """The kinds of bonus that are printed in the set: the resource, or the component that is named."""
    for space in tomllib.loads(HOUSE)["build_spaces"]:
        ((kind, value),) = space["bonus"].items()
        yield f"bonus {value if kind == 'component' else kind}"


@cache
def _read_all_tests() -> None:
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        if path.stem != Path(__file__).stem:
            import_module(f"tests.domain.chimera.{path.stem}")


MATERIAL = RULES.material
THINGS = (
    *MATERIAL.modules,
    *MATERIAL.perks,
    *MATERIAL.boards,
    *MATERIAL.cards,
    *dict.fromkeys(_bonuses()),
    *RULINGS,
    *EXAMPLES,
)


@pytest.mark.parametrize("thing", THINGS)
def test_everything_has_a_test_of_its_own(thing: str) -> None:
    _read_all_tests()
    assert TABLE.get(thing), f"no test covers {thing}"


def test_the_set_has_the_fifteen_kinds_of_bonus_and_all_pieces() -> None:
    assert len(set(_bonuses())) == 15
    assert (len(MATERIAL.base), len(MATERIAL.tiles), len(MATERIAL.perks), len(MATERIAL.boards)) == (11, 40, 22, 5)


def test_no_test_is_marked_with_something_that_there_is_not() -> None:
    _read_all_tests()
    assert set(TABLE) - set(THINGS) <= {"brain", "claw", "leaf", "tentacle", "splicing_lab"}
