"""The component set as it is served: every piece with its names, what it does in words, and its figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from domain.kernel.rules import ComponentSet, Piece
from domain.kernel.words import both, counted, joined, listed, put
from domain.spacelab.material import Boost, Lab, Mark, Material, ObjectiveTile, Project, Slot
from domain.spacelab.words import (
    boost_name,
    effect_text,
    family_name,
    lab_name,
    objective_name,
    score_text,
    slot_name,
)

_NOTHING = both("", "")


def component_set(material: Material) -> ComponentSet:
    """Every piece, in the order of the set."""
    return ComponentSet(id=material.id, title="spacelab", pieces=tuple(_pieces(material)))


def _pieces(material: Material) -> Iterator[Piece]:
    for mark in material.agencies.values():
        yield _mark("agency", mark)
    for mark in material.specialties.values():
        yield _mark("specialty", mark)
    for slot in material.slots.values():
        yield _slot(material, slot)
    for lab in material.labs.values():
        yield _lab(material, lab)
    for project in material.projects.values():
        yield _project(material, project)
    for tile in material.objectives.values():
        yield _objective(material, tile)
    for boost in material.boosts.values():
        yield _boost(material, boost)


def _mark(kind: str, mark: Mark) -> Piece:
    return Piece(mark.id, kind, mark.names, _NOTHING, {})


def _slot(material: Material, slot: Slot) -> Piece:
    place = slot_name(material, slot.id)
    match slot.row:
        case "top":
            text = both(
                "When you place a lab here, draw as many project cards as it costs and keep 1.",
                "ここにラボを配置した時、そのコストに等しい枚数のプロジェクトカードを引き、1枚を残す。",
            )
        case "bottom":
            text = both(
                "When you place a lab here whose specialty is that of the objective tile, apply the tile's effect.",
                "目標タイルと同じ専門のラボをここに配置した時、タイルの効果を適用する。",
            )
        case _:
            text = both("No bonus.", "ボーナスなし。")
    neighbors = [other for other in material.slots if other in slot.neighbors]
    figures = {"row": slot.row, "capsules": list(slot.capsules), "neighbors": neighbors}
    return Piece(slot.id, "slot", place, text, figures)


def _lab(material: Material, lab: Lab) -> Piece:
    effect = () if lab.effect is None else (effect_text(lab.effect),)
    score = () if lab.score is None else (score_text(material, lab.score),)
    return Piece(lab.id, "lab", lab_name(material, lab.id), joined(*effect, *score), _figures(lab, "id"))


def _project(material: Material, project: Project) -> Piece:
    family = put("Family: {}.", "系統: {}。", family_name(project.family))
    text = joined(score_text(material, project.score), family)
    return Piece(project.id, "project", project.names, text, _figures(project, "id", "names"))


def _objective(material: Material, tile: ObjectiveTile) -> Piece:
    wanted = listed(material.agencies[agency].names for agency in tile.agencies)
    specialty = both(
        material.specialties[tile.specialty].names["en"].lower(), material.specialties[tile.specialty].names["ja"]
    )
    text = joined(
        put("Wants {}.", "必要な機関: {}。", wanted),
        put("When you place a {} below it: {}", "下に{}を配置した時: {}", specialty, effect_text(tile.effect)),
    )
    return Piece(tile.id, "objective", objective_name(material, tile.id), text, _figures(tile, "id"))


def _boost(material: Material, boost: Boost) -> Piece:
    points = put("{}.", "{}。", counted(boost.points, "point", "{}点"))
    effect = () if boost.effect is None else (effect_text(boost.effect),)
    return Piece(boost.id, "boost", boost_name(material, boost.id), joined(points, *effect), _figures(boost, "id"))


def _figures(piece: Lab | Project | ObjectiveTile | Boost, *named: str) -> Mapping[str, Any]:
    """What stands on a piece, as JSON has it, without the members that `named` lists."""
    written = msgspec.json.decode(msgspec.json.encode(piece))
    return {name: value for name, value in written.items() if name not in named}
