"""Every piece of the set has one record, and every record is whole."""

from __future__ import annotations

import pytest

from domain.chimera.effects import Gain
from domain.chimera.forms import BonusForm
from domain.chimera.material import KINDS
from domain.chimera.pieces.index import (
    ALL_MODULES,
    BASE_MODULES,
    BOARDS,
    BONUSES,
    KIND_RULES,
    MODULES,
    PERKS,
    by_id,
    by_modifier,
)
from domain.chimera.pieces.records import BoardRules, BonusRules, ModuleRules, PerkRules
from domain.kernel.words import both
from tests.domain.chimera.table import RULES


def test_the_pieces_of_the_set_are_those_with_a_record() -> None:
    material = RULES.material
    assert set(material.modules) == set(ALL_MODULES) == {*BASE_MODULES, *MODULES}
    assert set(material.perks) == set(PERKS)
    assert set(material.boards) == set(BOARDS)
    assert set(KIND_RULES) == set(KINDS)


def test_every_bonus_that_a_set_can_print_has_a_record() -> None:
    assert set(BONUSES) == set(BonusForm.__struct_fields__)


@pytest.mark.parametrize("tiles", [BASE_MODULES, MODULES], ids=["base modules", "tiles"])
def test_a_module_without_effects_is_one_where_no_worker_can_be_placed(tiles: dict[str, ModuleRules]) -> None:
    bare = {each.id for each in tiles.values() if not each.effects}
    assert bare == {each.id for each in tiles.values() if each.en == "No worker can be placed here."}


def test_a_perk_is_a_module_or_acts_while_it_is_owned() -> None:
    for perk in PERKS.values():
        passive = bool(perk.triggers or perk.modifies or perk.income)
        assert passive != bool(perk.effects), perk.id


def test_two_records_of_one_piece_are_refused() -> None:
    board = BoardRules("standard", en="No special ability.", ja="固有の能力はない。")
    with pytest.raises(ValueError, match="standard has two records"):
        by_id((board, board))


@pytest.mark.parametrize(
    "records",
    [[*PERKS.values()], [*PERKS.values(), *BOARDS.values(), BOARDS["weirdos"]]],
    ids=["a modifier of no piece", "one of two"],
)
def test_a_modifier_that_is_not_that_of_one_piece_is_refused(records: list[PerkRules | BoardRules]) -> None:
    with pytest.raises(ValueError, match="exactly one piece"):
        by_modifier(records)


@pytest.mark.parametrize("en,ja", [("", "固有の能力はない。"), ("No special ability.", "")])
def test_a_record_without_its_text_in_both_languages_is_refused(en: str, ja: str) -> None:
    with pytest.raises(ValueError, match="lacks its text"):
        BoardRules("standard", en=en, ja=ja)


def test_a_bonus_is_gained_or_has_an_effect_with_its_text() -> None:
    gained = BonusRules("points", lambda number: Gain("points", number))
    assert gained.text is None
    with pytest.raises(ValueError, match="reactor is a gain"):
        BonusRules("reactor")
    with pytest.raises(ValueError, match="reactor is a gain"):
        BonusRules("reactor", lambda number: Gain("points", number), text=both("Gain.", "得る。"))
