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


def test_a_lab_is_named_by_agency_specialty_and_cost() -> None:
    name = lab_name(RULES.material, "rr_08")
    assert name == {"en": "Red Rocket pilot (2)", "ja": "レッドロケットのパイロット（2）"}


def test_a_family_that_another_set_makes_up_has_the_words_of_its_id() -> None:
    assert family_name("mars") == {"en": "mars", "ja": "火星"}
    assert family_name("dark_matter") == {"en": "dark matter", "ja": "dark matter"}


@pytest.mark.parametrize(
    "effect,en,ja",
    [
        (LabDraw(1), "Draw 1 lab card.", "ラボカード1枚を引く。"),
        (LabDraw(2), "Draw 2 lab cards.", "ラボカード2枚を引く。"),
        (ProjectDraw(1), "Draw 1 project card and keep it.", "プロジェクトカード1枚を引き、手元に残す。"),
        (ProjectDraw(3), "Draw 3 project cards and keep 1.", "プロジェクトカード3枚を引き、1枚を残す。"),
        (
            Recruitment(1),
            "Take all cards of one agency from the Recruitment Center.",
            "リクルートセンターから、1つの機関のカードを全て取る。",
        ),
        (
            Recruitment(2),
            "Take all cards of one agency from the Recruitment Center, 2 times in a row.",
            "リクルートセンターから1つの機関のカードを全て取ることを、2回続けて行う。",
        ),
    ],
)
def test_each_effect_in_both_languages(effect: Effect, en: str, ja: str) -> None:
    assert effect_text(effect) == {"en": en, "ja": ja}


@pytest.mark.parametrize(
    "score,en,ja",
    [
        (Points(1), "1 point.", "1点。"),
        (
            PerAgency(1, "red_rocket"),
            "1 point per Red Rocket lab in your station.",
            "自分のステーションのレッドロケットのラボ1つにつき1点。",
        ),
        (
            PerSpecialty(2, "pilot"),
            "2 points per Pilot lab in your station.",
            "自分のステーションのパイロットのラボ1つにつき2点。",
        ),
        (
            PerNeighborAgency(2, "red_rocket"),
            "2 points per neighboring Red Rocket lab.",
            "隣接するレッドロケットのラボ1つにつき2点。",
        ),
        (
            PerNeighborSpecialty(1, "pilot"),
            "1 point per neighboring Pilot lab.",
            "隣接するパイロットのラボ1つにつき1点。",
        ),
        (PerProject(2), "2 points per project card you have.", "自分のプロジェクトカード1枚につき2点。"),
        (PerBoost(2), "2 points per objective you have completed.", "自分が達成した目標1つにつき2点。"),
        (
            PerSpecialtySet(4),
            "4 points per complete set of all specialties in your station.",
            "自分のステーションの全専門の組み合わせ1組につき4点。",
        ),
        (
            PerProjectFamily(2, "deep_space"),
            "2 points per deep space project card you have, including this one.",
            "自分の深宇宙のプロジェクトカード1枚につき2点（このカードを含む）。",
        ),
        (
            MinAgency(7, "red_rocket", 4),
            "7 points if your station has at least 4 Red Rocket labs.",
            "自分のステーションにレッドロケットのラボが4つ以上あれば7点。",
        ),
        (
            MinSpecialty(7, "pilot", 1),
            "7 points if your station has at least 1 Pilot lab.",
            "自分のステーションにパイロットのラボが1つ以上あれば7点。",
        ),
    ],
)
def test_each_score_in_both_languages(score: Score, en: str, ja: str) -> None:
    assert score_text(RULES.material, score) == {"en": en, "ja": ja}
