"""Effects, scores and cards in words, English and Japanese, made from the component set alone."""

from __future__ import annotations

from collections.abc import Iterable
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
)


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
            named = family_name(family)
            return both(f"{en} per own {named} project, this one included", f"自分の{named}プロジェクト1枚につき{ja}")
        case MinAgency(_, agency, labs):
            return _at_least(en, ja, labs, material.agencies[agency].names)
        case MinSpecialty(_, specialty, labs):
            return _at_least(en, ja, labs, material.specialties[specialty].names)
        case _:
            assert_never(score)


def family_name(family: str) -> str:
    """A family of projects has an id only."""
    return family.replace("_", " ")


def _at_least(en: str, ja: str, labs: int, of: Names) -> Names:
    wanted = counted(labs, f"{of['en']} lab")
    return both(f"{en} if the station has at least {wanted}", f"ステーションに{of['ja']}のラボが{labs}つ以上あれば{ja}")
