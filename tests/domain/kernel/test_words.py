"""Words in both languages."""

from __future__ import annotations

from domain.kernel.words import both, counted, enumerated, joined, listed, plural, put

A, B, C = both("ant", "アリ"), both("bat", "コウモリ"), both("cat", "ネコ")


def test_words_go_into_the_gaps_of_each_language_in_its_own_order() -> None:
    assert put("{} on {}", "{1}に{0}", A, B) == both("ant on bat", "コウモリにアリ")


def test_braces_in_a_name_are_no_gap() -> None:
    assert put("draws {}", "{}を引く", both("{0}", "{}")) == both("draws {0}", "{}を引く")


def test_a_number_of_things_is_plural_unless_it_is_one() -> None:
    assert [plural(number, "card") for number in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert [plural(number, "leaf", "leaves") for number in (1, 2)] == ["1 leaf", "2 leaves"]
    assert counted(2, "food", "食料{}つ", "food") == both("2 food", "食料2つ")


def test_a_list_has_a_comma_before_and_from_three_on() -> None:
    assert [enumerated("abc"[:count]) for count in range(4)] == ["", "a", "a and b", "a, b, and c"]
    assert listed([A, B, C]) == both("ant, bat, and cat", "アリ、コウモリ、ネコ")
    assert listed(iter([A, B]), "と") == both("ant and bat", "アリとコウモリ")


def test_sentences_are_joined_with_a_space_in_english_only() -> None:
    assert joined(both("One.", "一。"), both("Two.", "二。")) == both("One. Two.", "一。二。")
    assert joined() == both("", "")
