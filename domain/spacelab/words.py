"""Effects, scores and cards in words, English and Japanese, made from the component set alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import assert_never

from domain.spacelab.effects import Effect, LabDraw, ProjectDraw, Recruitment
from domain.spacelab.material import (
    Material,
    MinAgency,
    MinSpecialty,
    Names,
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
"""Where capsules are, by how many there are; of more, each is told by its number."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_ROWS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"top": ("above", "上"), "bottom": ("below", "下"), "side": ("beside", "横")}
)
_FAMILIES: Mapping[str, str] = MappingProxyType({"orbit": "軌道", "moon": "月", "mars": "火星", "deep_space": "深宇宙"})
"""Families have an id only, which is English; those that another set makes up stay so."""


def both(en: str, ja: str) -> Names:
    """A text in both languages."""
    return {"en": en, "ja": ja}


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number of things in English: 1 card, 2 cards."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def listed(texts: Iterable[Names]) -> Names:
    """Several texts one after the other."""
    texts = tuple(texts)
    return both(", ".join(text["en"] for text in texts), "、".join(text["ja"] for text in texts))


def lab_name(material: Material, card: str) -> Names:
    """A lab card has no name of its own: it is told by agency, specialty and cost."""
    lab = material.labs[card]
    agency, specialty = material.agencies[lab.agency].names, material.specialties[lab.specialty].names
    return both(
        f"{agency['en']} {specialty['en'].lower()} ({lab.cost})", f"{agency['ja']}の{specialty['ja']} ({lab.cost})"
    )


def capsule_name(material: Material, capsule: str) -> Names:
    """A capsule is told by where it is: the left capsule."""
    en, ja = _capsule_place(material, capsule)
    return both(f"{en} capsule", f"{ja}のカプセル")


def slot_name(material: Material, name: str) -> Names:
    """A slot is told by where it is: above the left capsule. Several at one place are numbered."""
    slot = material.slots[name]
    place = _slot_place(material, slot)
    alike = [each.id for each in material.slots.values() if _slot_place(material, each) == place]
    if len(alike) == 1:
        return place
    number = f" ({alike.index(name) + 1})"
    return both(place["en"] + number, place["ja"] + number)


def objective_name(material: Material, tile: str) -> Names:
    """An objective is told by the agencies that it wants."""
    wanted = material.objectives[tile].agencies
    parts: list[Names] = []
    for agency in dict.fromkeys(wanted):
        names, times = material.agencies[agency].names, wanted.count(agency)
        parts.append(names if times == 1 else both(f"{names['en']} ×{times}", f"{names['ja']}×{times}"))
    return both(" & ".join(part["en"] for part in parts), "・".join(part["ja"] for part in parts))


def boost_name(material: Material, boost: str) -> Names:
    """A boost is told by its points and the capsule of its pile."""
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
    """What an effect does."""
    match effect:
        case LabDraw(count):
            return both(f"draw {counted(count, 'lab card')}", f"ラボカードを{count}枚引く")
        case ProjectDraw(1):
            return both("draw 1 project card and keep it", "プロジェクトカードを1枚引いて残す")
        case ProjectDraw(count):
            return both(f"draw {count} project cards, keep 1", f"プロジェクトカードを{count}枚引き、1枚残す")
        case Recruitment(times):
            en = "take all cards of one agency from the Recruitment Center"
            ja = "リクルートセンターから1つの機関のカードをすべて取る"
            return both(en, ja) if times == 1 else both(f"{en}, {times} times", f"{ja} ({times}回)")
        case _:
            assert_never(effect)


def score_text(material: Material, score: Score) -> Names:
    """What a score is given for."""
    en, ja = counted(score.points, "point"), f"{score.points}点"
    match score:
        case Points():
            return both(en, ja)
        case PerAgency(_, agency):
            of = material.agencies[agency].names
            return both(f"{en} per {of['en']} lab in the station", f"ステーションの{of['ja']}のラボ1つにつき{ja}")
        case PerSpecialty(_, specialty):
            of = material.specialties[specialty].names
            return both(f"{en} per {of['en']} lab in the station", f"ステーションの{of['ja']}のラボ1つにつき{ja}")
        case PerNeighborAgency(_, agency):
            of = material.agencies[agency].names
            return both(f"{en} per neighboring {of['en']} lab", f"隣接する{of['ja']}のラボ1つにつき{ja}")
        case PerNeighborSpecialty(_, specialty):
            of = material.specialties[specialty].names
            return both(f"{en} per neighboring {of['en']} lab", f"隣接する{of['ja']}のラボ1つにつき{ja}")
        case PerProject():
            return both(f"{en} per own project", f"自分のプロジェクト1枚につき{ja}")
        case PerBoost():
            return both(f"{en} per objective completed", f"達成した目標1つにつき{ja}")
        case PerSpecialtySet():
            return both(f"{en} per complete set of specialties in the station", f"ステーションの全専門一組につき{ja}")
        case PerProjectFamily(_, family):
            of = family_name(family)
            return both(
                f"{en} per own {of['en']} project, this one included",
                f"自分の{of['ja']}プロジェクト1枚につき{ja} (このカードを含む)",
            )
        case MinAgency(_, agency, labs):
            return _at_least(en, ja, labs, material.agencies[agency].names)
        case MinSpecialty(_, specialty, labs):
            return _at_least(en, ja, labs, material.specialties[specialty].names)
        case _:
            assert_never(score)


def family_name(family: str) -> Names:
    """What the projects of a family have in common."""
    en = family.replace("_", " ")
    return both(en, _FAMILIES.get(family, en))


def _at_least(en: str, ja: str, labs: int, of: Names) -> Names:
    wanted = counted(labs, f"{of['en']} lab")
    return both(f"{en} if the station has at least {wanted}", f"ステーションに{of['ja']}のラボが{labs}つ以上あれば{ja}")
