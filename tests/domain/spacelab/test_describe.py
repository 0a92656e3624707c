"""One readable line for an event, as its viewer sees it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import Struct

from domain.kernel.events import GameEnded, GameStarted
from domain.kernel.rules import Result, SeatScore
from domain.kernel.terms import Viewer
from domain.spacelab.facts import (
    EndTriggered,
    Fact,
    GameScored,
    LabPlaced,
    LabsDrawn,
    LabsRecruited,
    LabsReshuffled,
    LabsRevealed,
    LabsTaken,
    ObjectiveCompleted,
    ObjectivesAssigned,
    Passed,
    ProjectKept,
    ProjectsDrawn,
)
from domain.spacelab.moves import EndPlacing
from tests.domain.spacelab.table import NAMES, RULES, begun

PLACED = (
    LabPlaced(0, "rr_08", "top_center", ("bf_02", "gp_02")),
    ProjectsDrawn(0, ("project_01", "project_02")),
    ProjectKept(0, "project_01", ("project_02",)),
    ObjectiveCompleted(0, "left", "left_8"),
)


def line(*facts: Fact, viewer: Viewer = None, language: str = "en", move: Struct | None = None) -> str:
    seen = [RULES.redact_fact(fact, viewer) for fact in facts]
    return RULES.describe(0, move, seen, NAMES, language)


def test_a_lab_placed_with_all_that_came_of_it_as_others_see_it() -> None:
    assert line(*PLACED) == (
        "Ann places Red Rocket pilot (2) above the center capsule, paying 2 cards; draws 2 projects; keeps a project; "
        "completes the objective on the left capsule: boost 8"
    )
    assert line(*PLACED, language="ja") == (
        "Annは2枚払ってレッドロケットのパイロット (2)を中央のカプセルの上に配置する。プロジェクトを2枚引く。"
        "プロジェクトを1枚残す。左のカプセルの目標を達成する (ブースト8)"
    )


def test_the_seat_itself_reads_which_projects_they_were() -> None:
    assert "draws Golden Planet Charter, Golden Planet Consortium; keeps Golden Planet Charter;" in line(
        *PLACED, viewer=0
    )


@pytest.mark.parametrize(
    "fact,en,ja",
    [
        (
            ObjectivesAssigned(0, ("objective_05", "objective_01")),
            (
                "Ann puts the objective Golden Planet ×2 & Red Rocket on the left capsule, "
                "Golden Planet & Red Rocket & Blue Future on the center capsule"
            ),
            (
                "Annは目標「ゴールデンプラネット×2・レッドロケット」を左のカプセルに、"
                "「ゴールデンプラネット・レッドロケット・ブルーフューチャー」を中央のカプセルに置く"
            ),
        ),
        (
            LabsRevealed(("gp_01",)),
            "Ann reveals Golden Planet pilot (0)",
            "Annはゴールデンプラネットのパイロット (0)を公開する",
        ),
        (
            LabsTaken(0, "red_rocket", ("rr_01", "rr_02"), ("bf_01",)),
            "Ann takes 2 Red Rocket cards, leaving 1 in the Recruitment Center",
            "Annはレッドロケットのカードを2枚取る (残り1枚はリクルートセンターへ)",
        ),
        (
            LabsTaken(0, "red_rocket", ("rr_01",), ()),
            "Ann takes 1 Red Rocket card",
            "Annはレッドロケットのカードを1枚取る",
        ),
        (
            LabsRecruited(0, "red_rocket", ("rr_01",)),
            "Ann recruits 1 Red Rocket card",
            "Annはレッドロケットのカードを1枚リクルートする",
        ),
        (LabsDrawn(0, ("gp_01", "gp_02")), "Ann draws 2 lab cards", "Annはラボカードを2枚引く"),
        (
            LabPlaced(0, "gp_01", "side_1", ()),
            "Ann places Golden Planet pilot (0) beside the left capsule",
            "Annはゴールデンプラネットのパイロット (0)を左のカプセルの横に配置する",
        ),
        (
            ObjectiveCompleted(0, "left", None),
            "Ann completes the objective on the left capsule: no boost is left",
            "Annは左のカプセルの目標を達成する (ブーストなし)",
        ),
        (EndTriggered(0), "Ann triggers the end of the game", "Annはゲーム終了の条件を満たす"),
        (Passed(0), "Ann passes", "Annはパスする"),
        (
            LabsReshuffled(("gp_01", "gp_02")),
            "the discards become a deck of 2 lab cards",
            "捨て札2枚を新しい山札にする",
        ),
        (
            GameScored(((), ()), ((), ())),
            "hands and projects are revealed and the game is scored",
            "手札とプロジェクトを公開し得点計算",
        ),
    ],
)
def test_each_fact_in_both_languages(fact: Fact, en: str, ja: str) -> None:
    assert line(fact) == en
    assert line(fact, language="ja") == ja


def test_what_a_seat_drew_is_told_to_itself() -> None:
    assert line(LabsDrawn(0, ("gp_01",)), viewer=0) == "Ann draws Golden Planet pilot (0)"


def test_a_seat_is_named_again_after_what_happened_by_itself_or_to_another() -> None:
    facts = (LabsDrawn(0, ("gp_01",)), LabsReshuffled(("gp_02",)), LabsDrawn(0, ("gp_02",)), Passed(1))
    assert line(*facts) == (
        "Ann draws 1 lab card; the discards become a deck of 1 lab card; Ann draws 1 lab card; Bob passes"
    )


def test_facts_that_were_not_redacted_read_as_well() -> None:
    assert RULES.describe(0, None, [LabsReshuffled(("gp_02",))], NAMES, "en") == (
        "the discards become a deck of 1 lab card"
    )


def test_ending_the_action_is_told_though_nothing_else_happens() -> None:
    assert line(move=EndPlacing()) == "Ann places no more labs"
    assert line(move=EndPlacing(), language="ja") == "Annはラボの配置を終える"


def test_the_start_names_the_start_player() -> None:
    _, facts = begun(2)
    start = NAMES[RULES.evolve(None, facts[0]).active]
    seen: Sequence[Struct] = [RULES.redact_fact(fact, None) for fact in facts]
    assert RULES.describe(1, None, [*seen, GameStarted()], NAMES, "en") == f"{start} is the start player"
    assert RULES.describe(1, None, facts, NAMES, "ja") == f"{start}がスタートプレイヤー"


def test_the_end_names_who_won() -> None:
    scores = tuple(SeatScore(seat, points, rank, ()) for seat, points, rank in ((0, 41, 1), (1, 41, 1), (2, 3, 3)))
    alone = GameEnded(Result((0,), scores[:1] + scores[2:]), "")
    assert RULES.describe(0, None, [alone], NAMES, "en") == "Ann wins with 41 points"
    assert RULES.describe(0, None, [alone], NAMES, "ja") == "Annが41点で勝利"
    shared = GameEnded(Result((0, 1), scores), "")
    assert RULES.describe(0, None, [shared], NAMES, "en") == "Ann and Bob share the victory with 41 points"
    assert RULES.describe(0, None, [shared], NAMES, "ja") == "AnnとBobが41点で勝利を分け合う"
