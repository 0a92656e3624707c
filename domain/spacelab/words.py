"""Effects, scores and cards in words, English and Japanese, made from the component set alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import assert_never

from domain.kernel.words import Names, both, counted, plural, put
from domain.spacelab.effects import Effect, LabDraw, ProjectDraw, Recruitment
from domain.spacelab.material import (
    Material,
    MinAgency,
    MinSpecialty,
    PerAgency,
    PerBoost,
    PerNeighborAgency,
    PerNeighborSpecialty,
    PerProject,
    PerProjectFamily,
    PerSpecialty,
    PerSpecialtySet,
    Points,
    Score,
    Slot,
)

_PLACES: Mapping[int, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        1: (("only", "唯一"),),
        2: (("left", "左"), ("right", "右")),
        3: (("left", "左"), ("center", "中央"), ("right", "右")),
    }
)
"""Where capsules are, by how many there are; of more, each has a number."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_ROWS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"top": ("above", "上"), "bottom": ("below", "下"), "side": ("beside", "横")}
)
_FAMILIES: Mapping[str, str] = MappingProxyType({"orbit": "軌道", "moon": "月", "mars": "火星", "deep_space": "深宇宙"})
"""Families have an id only, which is English; those that another set makes up stay so."""


def lab_name(material: Material, card: str) -> Names:
    """A lab card has no name of its own: it is named by agency, specialty, and cost."""
    lab = material.labs[card]
    agency, specialty = material.agencies[lab.agency].names, material.specialties[lab.specialty].names
    return both(
        f"{agency['en']} {specialty['en'].lower()} ({lab.cost})", f"{agency['ja']}の{specialty['ja']}（{lab.cost}）"
    )


def capsule_name(material: Material, capsule: str) -> Names:
    """A capsule is named by where it is: the left capsule."""
    en, ja = _capsule_place(material, capsule)
    return both(f"{en} capsule", f"{ja}のカプセル")


def slot_name(material: Material, name: str) -> Names:
    """A slot is named by where it is: above the left capsule. Several at one place are numbered."""
    slot = material.slots[name]
    place = _slot_place(material, slot)
    alike = [each.id for each in material.slots.values() if _slot_place(material, each) == place]
    if len(alike) == 1:
        return place
    number = alike.index(name) + 1
    return put(f"{{}} ({number})", f"{{}}（{number}）", place)


def objective_name(material: Material, tile: str) -> Names:
    """An objective is named by the agencies that it wants."""
    wanted = material.objectives[tile].agencies
    parts: list[Names] = []
    for agency in dict.fromkeys(wanted):
        names, times = material.agencies[agency].names, wanted.count(agency)
        parts.append(names if times == 1 else both(f"{names['en']} ×{times}", f"{names['ja']}×{times}"))
    return both(" & ".join(part["en"] for part in parts), "・".join(part["ja"] for part in parts))


def boost_name(material: Material, boost: str) -> Names:
    """A boost is named by its points and the capsule of its pile."""
    tile = material.boosts[boost]
    capsule = capsule_name(material, tile.pile)
    return both(f"Boost {tile.points} of the {capsule['en']}", f"{capsule['ja']}のブースト{tile.points}")


def _capsule_place(material: Material, capsule: str) -> tuple[str, str]:
    at = material.capsules.index(capsule)
    places = _PLACES.get(len(material.capsules))
    return (_ORDINALS[at], f"左から{at + 1}番目") if places is None else places[at]


def _slot_place(material: Material, slot: Slot) -> Names:
    places = [_capsule_place(material, capsule) for capsule in slot.capsules]
    en, ja = " and ".join(place[0] for place in places), "と".join(place[1] for place in places)
    where_en, where_ja = _ROWS[slot.row]
    if len(places) == 1:
        return both(f"{where_en} the {en} capsule", f"{ja}のカプセルの{where_ja}")
    if slot.row == "side":
        where_en, where_ja = "between", "間"
    return both(f"{where_en} the {en} capsules", f"{ja}のカプセルの{where_ja}")


def effect_text(effect: Effect) -> Names:
    """What an effect does, as a sentence."""
    match effect:
        case LabDraw(count):
            return put("Draw {}.", "{}を引く。", counted(count, "lab card", "ラボカード{}枚"))
        case ProjectDraw(1):
            return both("Draw 1 project card and keep it.", "プロジェクトカード1枚を引き、手元に残す。")
        case ProjectDraw(count):
            return both(f"Draw {count} project cards and keep 1.", f"プロジェクトカード{count}枚を引き、1枚を残す。")
        case Recruitment(1):
            en = "Take all cards of one agency from the Recruitment Center."
            return both(en, "リクルートセンターから、1つの機関のカードを全て取る。")
        case Recruitment(times):
            en = f"Take all cards of one agency from the Recruitment Center, {times} times in a row."
            return both(en, f"リクルートセンターから1つの機関のカードを全て取ることを、{times}回続けて行う。")
        case _:
            assert_never(effect)


def score_text(material: Material, score: Score) -> Names:
    """What a score is given for, as a sentence."""
    points = counted(score.points, "point", "{}点")
    match score:
        case Points():
            return put("{}.", "{}。", points)
        case PerAgency(_, agency):
            return _in_station(points, material.agencies[agency].names)
        case PerSpecialty(_, specialty):
            return _in_station(points, material.specialties[specialty].names)
        case PerNeighborAgency(_, agency):
            return _beside(points, material.agencies[agency].names)
        case PerNeighborSpecialty(_, specialty):
            return _beside(points, material.specialties[specialty].names)
        case PerProject():
            return put("{} per project card you have.", "自分のプロジェクトカード1枚につき{}。", points)
        case PerBoost():
            return put("{} per objective you have completed.", "自分が達成した目標1つにつき{}。", points)
        case PerSpecialtySet():
            en = "{} per complete set of all specialties in your station."
            return put(en, "自分のステーションの全専門の組み合わせ1組につき{}。", points)
        case PerProjectFamily(_, family):
            en = "{} per {} project card you have, including this one."
            return put(
                en, "自分の{1}のプロジェクトカード1枚につき{0}（このカードを含む）。", points, family_name(family)
            )
        case MinAgency(_, agency, labs):
            return _at_least(points, labs, material.agencies[agency].names)
        case MinSpecialty(_, specialty, labs):
            return _at_least(points, labs, material.specialties[specialty].names)
        case _:
            assert_never(score)


def family_name(family: str) -> Names:
    """What the projects of a family have in common."""
    en = family.replace("_", " ")
    return both(en, _FAMILIES.get(family, en))


def _in_station(points: Names, of: Names) -> Names:
    return put("{} per {} lab in your station.", "自分のステーションの{1}のラボ1つにつき{0}。", points, of)


def _beside(points: Names, of: Names) -> Names:
    return put("{} per neighboring {} lab.", "隣接する{1}のラボ1つにつき{0}。", points, of)


def _at_least(points: Names, labs: int, of: Names) -> Names:
    wanted = both(plural(labs, f"{of['en']} lab"), f"{of['ja']}のラボが{labs}つ以上")
    return put("{} if your station has at least {}.", "自分のステーションに{1}あれば{0}。", points, wanted)
