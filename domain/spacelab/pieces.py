"""The component set as it is served: every piece with its names, what it does in words, and its figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from domain.kernel.rules import ComponentSet, Piece
from domain.spacelab.material import Boost, Lab, Mark, Material, ObjectiveTile, Project, Slot
from domain.spacelab.words import (
    boost_name,
    both,
    counted,
    effect_text,
    family_name,
    lab_name,
    listed,
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
                f"{place['en']}: draw as many project cards as the lab costs, keep 1",
                f"{place['ja']}: ラボのコストと同じ枚数のプロジェクトカードを引き、1枚残す",
            )
        case "bottom":
            text = both(
                f"{place['en']}: if the lab's specialty is the one on the objective tile, the tile's effect",
                f"{place['ja']}: ラボの専門が目標タイルと同じなら、タイルの効果",
            )
        case _:
            text = place
    neighbors = [other for other in material.slots if other in slot.neighbors]
    figures = {"row": slot.row, "capsules": list(slot.capsules), "neighbors": neighbors}
    return Piece(slot.id, "slot", place, text, figures)


def _lab(material: Material, lab: Lab) -> Piece:
    effect = () if lab.effect is None else (effect_text(lab.effect),)
    score = () if lab.score is None else (score_text(material, lab.score),)
    return Piece(lab.id, "lab", lab_name(material, lab.id), listed((*effect, *score)), _figures(lab, "id"))


def _project(material: Material, project: Project) -> Piece:
    scored, family = score_text(material, project.score), family_name(project.family)
    text = both(f"{scored['en']} ({family['en']})", f"{scored['ja']} ({family['ja']})")
    return Piece(project.id, "project", project.names, text, _figures(project, "id", "names"))


def _objective(material: Material, tile: ObjectiveTile) -> Piece:
    wanted = listed(material.agencies[agency].names for agency in tile.agencies)
    specialty, effect = material.specialties[tile.specialty].names, effect_text(tile.effect)
    text = both(
        f"wants {wanted['en']}; {specialty['en'].lower()} below: {effect['en']}",
        f"必要な機関: {wanted['ja']}。下に{specialty['ja']}を置くと: {effect['ja']}",
    )
    return Piece(tile.id, "objective", objective_name(material, tile.id), text, _figures(tile, "id"))


def _boost(material: Material, boost: Boost) -> Piece:
    texts = [both(counted(boost.points, "point"), f"{boost.points}点")]
    if boost.effect is not None:
        texts.append(effect_text(boost.effect))
    return Piece(boost.id, "boost", boost_name(material, boost.id), listed(texts), _figures(boost, "id"))


def _figures(piece: Lab | Project | ObjectiveTile | Boost, *told: str) -> Mapping[str, Any]:
    """What stands on a piece, as JSON has it, but for what the piece already tells."""
    written = msgspec.json.decode(msgspec.json.encode(piece))
    return {name: value for name, value in written.items() if name not in told}
