"""Effects, scores and cards in words."""

from __future__ import annotations

import pytest

from domain.spacelab.effects import Effect, LabDraw, ProjectDraw, Recruitment
from domain.spacelab.material import (
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
)
from domain.spacelab.words import effect_text, family_name, lab_name, score_text
from tests.domain.spacelab.table import RULES


def test_a_lab_is_told_by_agency_specialty_and_cost() -> None:
    name = lab_name(RULES.material, "rr_08")
    assert name == {"en": "Red Rocket pilot (2)", "ja": "レッドロケットのパイロット (2)"}


def test_a_family_that_another_set_makes_up_has_the_words_of_its_id() -> None:
    assert family_name("mars") == {"en": "mars", "ja": "火星"}
    assert family_name("dark_matter") == {"en": "dark matter", "ja": "dark matter"}


@pytest.mark.parametrize(
    "effect,en,ja",
    [
        (LabDraw(1), "draw 1 lab card", "ラボカードを1枚引く"),
        (LabDraw(2), "draw 2 lab cards", "ラボカードを2枚引く"),
        (ProjectDraw(1), "draw 1 project card and keep it", "プロジェクトカードを1枚引いて残す"),
        (ProjectDraw(3), "draw 3 project cards, keep 1", "プロジェクトカードを3枚引き、1枚残す"),
        (
            Recruitment(1),
            "take all cards of one agency from the Recruitment Center",
            "リクルートセンターから1つの機関のカードをすべて取る",
        ),
        (
            Recruitment(2),
            "take all cards of one agency from the Recruitment Center, 2 times",
            "リクルートセンターから1つの機関のカードをすべて取る (2回)",
        ),
    ],
)
def test_each_effect_in_both_languages(effect: Effect, en: str, ja: str) -> None:
    assert effect_text(effect) == {"en": en, "ja": ja}


@pytest.mark.parametrize(
    "score,en,ja",
    [
        (Points(1), "1 point", "1点"),
        (
            PerAgency(1, "red_rocket"),
            "1 point per Red Rocket lab in the station",
            "ステーションのレッドロケットのラボ1つにつき1点",
        ),
        (
            PerSpecialty(2, "pilot"),
            "2 points per Pilot lab in the station",
            "ステーションのパイロットのラボ1つにつき2点",
        ),
        (
            PerNeighborAgency(2, "red_rocket"),
            "2 points per neighboring Red Rocket lab",
            "隣接するレッドロケットのラボ1つにつき2点",
        ),
        (PerNeighborSpecialty(1, "pilot"), "1 point per neighboring Pilot lab", "隣接するパイロットのラボ1つにつき1点"),
        (PerProject(2), "2 points per own project", "自分のプロジェクト1枚につき2点"),
        (PerBoost(2), "2 points per objective completed", "達成した目標1つにつき2点"),
        (
            PerSpecialtySet(4),
            "4 points per complete set of specialties in the station",
            "ステーションの全専門一組につき4点",
        ),
        (
            PerProjectFamily(2, "deep_space"),
            "2 points per own deep space project, this one included",
            "自分の深宇宙プロジェクト1枚につき2点 (このカードを含む)",
        ),
        (
            MinAgency(7, "red_rocket", 4),
            "7 points if the station has at least 4 Red Rocket labs",
            "ステーションにレッドロケットのラボが4つ以上あれば7点",
        ),
        (
            MinSpecialty(7, "pilot", 1),
            "7 points if the station has at least 1 Pilot lab",
            "ステーションにパイロットのラボが1つ以上あれば7点",
        ),
    ],
)
def test_each_score_in_both_languages(score: Score, en: str, ja: str) -> None:
    assert score_text(RULES.material, score) == {"en": en, "ja": ja}
