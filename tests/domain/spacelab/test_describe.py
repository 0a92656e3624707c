"""One readable line for an event, as its viewer sees it."""

from __future__ import annotations

import pytest
from msgspec import Struct

from domain.kernel.events import GameEnded, GameStarted
from domain.kernel.results import Result, SeatScore
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
    seen = [seen for fact in facts if (seen := RULES.redact_fact(fact, viewer)) is not None]
    return RULES.describe(0, move, seen, NAMES, language)


def test_a_lab_placed_with_all_that_came_of_it_as_others_see_it() -> None:
    assert line(*PLACED) == (
        "Ann places Red Rocket pilot (2) above the center capsule, discarding Blue Future doctor (0) and "
        "Golden Planet researcher (0), draws 2 project cards, and keeps 1 project card. "
        "Ann puts the other one under the deck and completes the objective on the left capsule "
        "for a boost worth 8 points."
    )
    assert line(*PLACED, language="ja") == (
        "Annはブルーフューチャーの医師（0）、ゴールデンプラネットの研究者（0）を捨て、"
        "レッドロケットのパイロット（2）を中央のカプセルの上に配置し、プロジェクトカード2枚を引き、"
        "プロジェクトカード1枚を残す。Annは他の1枚を山札の一番下に戻し、左のカプセルの目標を達成し、8点のブーストを得る。"
    )


def test_the_seat_itself_reads_which_projects_they_were() -> None:
    assert "draws Golden Planet Charter and Golden Planet Consortium, and keeps Golden Planet Charter." in line(
        *PLACED, viewer=0
    )


@pytest.mark.parametrize(
    "fact,en,ja",
    [
        (
            ObjectivesAssigned(0, ("objective_05", "objective_01")),
            (
                "Ann places the objectives Golden Planet ×2 & Red Rocket on the left capsule and "
                "Golden Planet & Red Rocket & Blue Future on the center capsule."
            ),
            (
                "Annは目標タイルを選び、左のカプセルに「ゴールデンプラネット×2・レッドロケット」、"
                "中央のカプセルに「ゴールデンプラネット・レッドロケット・ブルーフューチャー」を置く。"
            ),
        ),
        (
            LabsRevealed(("gp_01",)),
            "Ann reveals Golden Planet pilot (0).",
            "Annはゴールデンプラネットのパイロット（0）を公開する。",
        ),
        (
            LabsTaken(0, "red_rocket", ("rr_01", "rr_02"), ("bf_01",)),
            "Ann takes 2 Red Rocket cards and sends Blue Future technician (0) to the Recruitment Center.",
            "Annはレッドロケットのカード2枚を取り、ブルーフューチャーの技術者（0）をリクルートセンターに送る。",
        ),
        (
            LabsTaken(0, "red_rocket", ("rr_01",), ()),
            "Ann takes 1 Red Rocket card.",
            "Annはレッドロケットのカード1枚を取る。",
        ),
        (
            LabsRecruited(0, "red_rocket", ("rr_01",)),
            "Ann recruits 1 Red Rocket card.",
            "Annはレッドロケットのカード1枚をリクルートする。",
        ),
        (LabsDrawn(0, ("gp_01", "gp_02")), "Ann draws 2 lab cards.", "Annはラボカード2枚を引く。"),
        (
            LabPlaced(0, "gp_01", "side_1", ()),
            "Ann places Golden Planet pilot (0) beside the left capsule.",
            "Annはゴールデンプラネットのパイロット（0）を左のカプセルの横に配置する。",
        ),
        (
            ObjectiveCompleted(0, "left", None),
            "Ann completes the objective on the left capsule but finds no boost left.",
            "Annは左のカプセルの目標を達成するが、ブーストは残っていない。",
        ),
        (EndTriggered(0), "Ann triggers the end of the game.", "Annはゲーム終了の条件を満たす。"),
        (Passed(0), "Ann passes.", "Annはパスする。"),
        (
            LabsReshuffled(("gp_01", "gp_02")),
            "The discard pile of 2 cards is shuffled into a new lab deck.",
            "捨て札2枚をシャッフルして新しい山札にする。",
        ),
        (
            GameScored(((), ()), ((), ())),
            "The game ends, and all hands and projects are revealed.",
            "ゲームが終了し、手札とプロジェクトを公開する。",
        ),
    ],
)
def test_each_fact_in_both_languages(fact: Fact, en: str, ja: str) -> None:
    assert line(fact) == en
    assert line(fact, language="ja") == ja


def test_what_a_seat_drew_is_told_to_itself() -> None:
    assert line(LabsDrawn(0, ("gp_01",)), viewer=0) == "Ann draws Golden Planet pilot (0)."


def test_a_seat_is_named_again_after_what_happened_by_itself_or_to_another() -> None:
    facts = (LabsDrawn(0, ("gp_01",)), LabsReshuffled(("gp_02",)), LabsDrawn(0, ("gp_02",)), Passed(1))
    assert line(*facts) == (
        "Ann draws 1 lab card. The discard pile of 1 card is shuffled into a new lab deck. "
        "Ann draws 1 lab card. Bob passes."
    )


def test_facts_that_were_not_redacted_read_as_well() -> None:
    assert RULES.describe(0, None, [LabsReshuffled(("gp_02",))], NAMES, "en") == (
        "The discard pile of 1 card is shuffled into a new lab deck."
    )


def test_ending_the_action_is_told_though_nothing_else_happens() -> None:
    assert line(move=EndPlacing()) == "Ann places no more labs."
    assert line(move=EndPlacing(), language="ja") == "Annはラボの配置を終える。"


def test_the_start_names_the_start_player() -> None:
    _, facts = begun(2)
    start = NAMES[RULES.evolve(None, facts[0]).active]
    seen = [seen for fact in facts if (seen := RULES.redact_fact(fact, None)) is not None]
    assert RULES.describe(1, None, [*seen, GameStarted()], NAMES, "en") == f"{start} is the start player."
    assert RULES.describe(1, None, facts, NAMES, "ja") == f"スタートプレイヤーは{start}。"


def test_the_end_names_who_won() -> None:
    scores = tuple(SeatScore(seat, points, rank, ()) for seat, points, rank in ((0, 41, 1), (1, 41, 1), (2, 3, 3)))
    alone = GameEnded(Result((0,), scores[:1] + scores[2:]), "")
    assert RULES.describe(0, None, [alone], NAMES, "en") == "Final scores: Ann 41, Cy 3. Ann wins."
    assert RULES.describe(0, None, [alone], NAMES, "ja") == "最終得点はAnnが41点、Cyが3点。Annの勝利。"
    shared = GameEnded(Result((0, 1), scores), "")
    assert (
        RULES.describe(0, None, [shared], NAMES, "en")
        == "Final scores: Ann 41, Bob 41, Cy 3. Ann and Bob share the victory."
    )
    assert (
        RULES.describe(0, None, [shared], NAMES, "ja")
        == "最終得点はAnnが41点、Bobが41点、Cyが3点。AnnとBobが勝利を分け合う。"
    )
