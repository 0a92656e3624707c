"""The component set as it is served: every piece with its names, what it does in words, and its figures."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from domain.chimera.effects import BoilerTable
from domain.chimera.material import KINDS, Board, Card, Material, Module, Perk, Space
from domain.chimera.pieces.index import ALL_MODULES, KIND_RULES
from domain.chimera.words import board_text, boiler_text, bonus_text, gain_text, name_of, perk_text
from domain.kernel.rules import ComponentSet, Piece
from domain.kernel.words import both, put


def component_set(material: Material) -> ComponentSet:
    """Every piece, in the order of the set."""
    return ComponentSet(id=material.id, title="chimera", pieces=tuple(_pieces(material)))


def _pieces(material: Material) -> Iterator[Piece]:
    for kind in KINDS:
        text = KIND_RULES[kind].text
        yield Piece(kind, "component", material.names[kind], text, {"count": material.components_per_kind})
    for module in material.modules.values():
        yield _module(material, module)
    for space in material.spaces.values():
        yield _space(material, space)
    for number, gains in enumerate(material.reactor, 1):
        names = both(f"Reactor space {number}", f"反応炉スペース{number}")
        yield Piece(f"reactor_{number}", "reactor_space", names, gain_text(gains), _figures(gains=gains))
    for card in material.cards.values():
        yield _card(card)
    for perk in material.perks.values():
        yield _perk(perk)
    for board in material.boards.values():
        yield _board(board)
    for name, names in material.names.items():
        if name not in KINDS:
            yield Piece(name, "name", names, both("", ""), {})


def _module(material: Material, module: Module) -> Piece:
    text = ALL_MODULES[module.id].text
    if BoilerTable() in module.effects:
        text = put("{} The table: {}.", "{}表は、{}。", text, boiler_text(material))
    figures = {"value": module.value, "gold": module.gold, "effects": msgspec.to_builtins(module.effects)}
    if module.base:
        figures |= {"space": module.space, "opens_in_round": module.opens}
    else:
        figures |= {"cost": module.cost}
    return Piece(module.id, "base_module" if module.base else "module", module.names, text, figures)


def _space(material: Material, space: Space) -> Piece:
    figures = {"bonus": space.bonus, "neighbours": list(material.neighbours[space.id])}
    return Piece(space.id, "build_space", name_of(material, space.id), bonus_text(space), figures)


def _card(card: Card) -> Piece:
    figures = {"min_players": card.min_players} | _figures(gains=card.gains)
    return Piece(card.id, "starting_card", card.names, gain_text(card.gains), figures)


def _perk(perk: Perk) -> Piece:
    kind = "module_perk" if perk.is_module else "passive_perk"
    return Piece(perk.id, kind, perk.names, perk_text(perk.id), {"effects": msgspec.to_builtins(perk.effects)})


def _board(board: Board) -> Piece:
    figures = {
        "start_research": board.start_research,
        "start_component": board.start_component,
        "start_perks": board.start_perks,
        "tiers": msgspec.to_builtins(board.tiers),
    }
    return Piece(board.id, "board", board.names, board_text(board), figures)


def _figures(**figures: object) -> dict[str, object]:
    return {name: msgspec.to_builtins(figure) for name, figure in figures.items()}
