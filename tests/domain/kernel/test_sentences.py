"""Sentences from clauses."""

from __future__ import annotations

import pytest

from domain.kernel.results import Result, SeatScore
from domain.kernel.sentences import Clause, final_scores, going_on, sentences
from domain.kernel.words import both

NAMES = ("Ann", "Bob", "Cy")
PAYS = both("pays 2 coins", "コイン2枚を払う")
BUILDS = both("builds the Mint at 0,1", "造幣局を0,1に建設する")
GETS = both("gets 1 food", "食料1つを得る")
ENDS = both("the round ends", "ラウンドが終わる")


def lines(*clauses: Clause) -> tuple[str, str]:
    return sentences(clauses, NAMES, "en"), sentences(clauses, NAMES, "ja")


def test_clauses_of_one_seat_become_one_sentence() -> None:
    assert lines(Clause(0, PAYS), Clause(0, GETS)) == (
        "Ann pays 2 coins and gets 1 food.",
        "Annはコイン2枚を払い、食料1つを得る。",
    )
    assert lines(Clause(0, PAYS), Clause(0, BUILDS), Clause(0, GETS)) == (
        "Ann pays 2 coins, builds the Mint at 0,1, and gets 1 food.",
        "Annはコイン2枚を払い、造幣局を0,1に建設し、食料1つを得る。",
    )


def test_a_long_row_of_clauses_is_cut_into_sentences_of_about_the_same_length() -> None:
    english, japanese = lines(*(Clause(1, each) for each in (PAYS, BUILDS, GETS, PAYS)))
    assert english == "Bob pays 2 coins and builds the Mint at 0,1. Bob gets 1 food and pays 2 coins."
    assert japanese == "Bobはコイン2枚を払い、造幣局を0,1に建設する。Bobは食料1つを得て、コイン2枚を払う。"


def test_what_no_seat_does_is_a_sentence_of_its_own() -> None:
    assert lines(Clause(None, ENDS), Clause(2, PAYS)) == (
        "The round ends. Cy pays 2 coins.",
        "ラウンドが終わる。Cyはコイン2枚を払う。",
    )


def test_seats_that_do_the_same_share_a_sentence() -> None:
    assert lines(*(Clause(seat, PAYS) for seat in range(3))) == (
        "Each player pays 2 coins.",
        "全員がコイン2枚を払う。",
    )
    assert lines(Clause(0, PAYS), Clause(1, PAYS), Clause(2, GETS)) == (
        "Ann and Bob each pay 2 coins. Cy gets 1 food.",
        "AnnとBobはそれぞれコイン2枚を払う。Cyは食料1つを得る。",
    )


def test_several_subjects_take_the_plural_of_any_verb() -> None:
    for verb, plural in (("reaches tier 2", "reach tier 2"), ("passes", "pass"), ("loses 2 points", "lose 2 points")):
        said = both(verb, "")
        assert sentences([Clause(0, said), Clause(2, said)], NAMES, "en") == f"Ann and Cy each {plural}."


@pytest.mark.parametrize(
    "ends,goes_on",
    [
        ("払う", "払い"),
        ("置く", "置き"),
        ("外す", "外し"),
        ("選ぶ", "選び"),
        ("取る", "取り"),
        ("得る", "得て"),
        ("捨てる", "捨て"),
        ("入れ替える", "入れ替え"),
        ("建設する", "建設し"),
        ("何も付けない", "何も付けず"),
        ("何も指揮しない", "何も指揮せず"),
    ],
)
def test_a_japanese_verb_goes_on_in_the_form_that_its_kind_has(ends: str, goes_on: str) -> None:
    assert going_on(ends) == goes_on


def test_scores_come_in_the_order_of_seats_and_then_who_wins() -> None:
    scores = tuple(SeatScore(seat, points, 1, ()) for seat, points in enumerate((7, 7, 3)))
    shared = [each["en"] for each in final_scores(Result((0, 1), scores), NAMES)]
    assert shared == ["final scores: Ann 7, Bob 7, Cy 3", "Ann and Bob share the victory"]
    alone = [each["ja"] for each in final_scores(Result((2,), scores), NAMES)]
    assert alone == ["最終得点はAnnが7点、Bobが7点、Cyが3点", "Cyの勝利"]
