"""Draws follow from key, version, purpose and items alone, and no outcome is likelier than another.

The vectors were made by another implementation: one that reproduces them can check every draw of every game.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice, permutations

import pytest
from msgspec import structs

from domain.kernel.chance import Chance, Draw, DrawError, redrawn, shuffled, words

KEY = bytes(range(32))


def test_words_are_as_written_down_across_the_border_of_a_block() -> None:
    assert [f"{word:016x}" for word in islice(words(KEY, 7, "deck", 0), 5)] == [
        "592d3e310a126f77",
        "76c6bae0398f0e05",
        "bd3c213977ea8b1d",
        "af5dbf278da9e69e",
        "7462b3474e648489",
    ]
    assert [f"{word:016x}" for word in islice(words(KEY, 7, "deck", 1), 2)] == ["d2fc321905bf93ab", "4a9e64db43ee177f"]


def test_shuffles_are_as_written_down() -> None:
    chance = Chance(KEY, 7)
    assert "".join(chance.shuffle("deck", "abcdefgh")) == "dcagbfeh"
    assert "".join(chance.shuffle("deck", "abcdefgh")) == "cbgfaehd"
    assert "".join(Chance(KEY, 8).shuffle("deck", "abcdefgh")) == "hcabgefd"
    assert Chance(KEY, 1).shuffle("x", range(10)) == (5, 6, 7, 0, 2, 8, 4, 1, 3, 9)


def test_numbers_are_as_written_down() -> None:
    chance, other = Chance(KEY, 7), Chance(KEY, 3)
    assert [chance.below("start", 4) for _ in range(6)] == [2, 3, 2, 1, 3, 0]
    assert [other.below("d6", 6) for _ in range(8)] == [1, 4, 1, 0, 3, 2, 4, 0]


def test_words_that_would_favour_small_numbers_are_left_out() -> None:
    # Half of all words are above the largest multiple of this limit: in repeats 2 and 5 the first word is.
    limit = 2**63 + 1
    chance = Chance(KEY, 1)
    drawn = [chance.below("big", limit) for _ in range(6)]
    assert drawn == [
        678443608200422464,
        2822533605605206300,
        7475251718970326090,
        6345357915787443558,
        2089313597937921272,
        1447970615380588441,
    ]
    assert drawn[5] != next(words(KEY, 1, "big", 5)) % limit


@pytest.mark.parametrize("limit", [0, -1, 2**64 + 1])
def test_there_is_no_number_below_nothing_or_below_more_than_a_word_tells(limit: int) -> None:
    with pytest.raises(ValueError, match="no draw is below"):
        Chance(KEY, 1).below("none", limit)


def test_the_largest_limit_takes_any_word() -> None:
    assert Chance(KEY, 7).below("deck", 2**64) == 0x592D3E310A126F77


def test_the_order_in_which_things_are_held_does_not_matter() -> None:
    for order in permutations("abcd"):
        assert Chance(KEY, 2).shuffle("deck", order) == Chance(KEY, 2).shuffle("deck", "abcd")
        assert Chance(KEY, 2).pick("card", order) == Chance(KEY, 2).pick("card", "abcd")


def test_a_pick_is_the_drawn_number_in_the_sorted_items() -> None:
    assert Chance(KEY, 7).pick("start", (40, 10, 30, 20)) == 30
    with pytest.raises(ValueError, match="no draw is below 0"):
        Chance(KEY, 7).pick("start", ())


def test_nothing_and_one_thing_can_be_shuffled() -> None:
    assert Chance(KEY, 1).shuffle("deck", ()) == ()
    assert Chance(KEY, 1).shuffle("deck", ("a",)) == ("a",)


def test_repeats_are_counted_for_each_purpose_by_itself() -> None:
    chance, other = Chance(KEY, 5), Chance(KEY, 5)
    first, second = chance.below("a", 1000), chance.below("a", 1000)
    assert first != second
    other.below("b", 1000)
    assert (other.below("a", 1000), other.below("a", 1000)) == (first, second)


@pytest.mark.parametrize("other", [(bytes(32), 5, "a"), (KEY, 6, "a"), (KEY, 5, "b")])
def test_key_version_and_purpose_each_give_other_draws(other: tuple[bytes, int, str]) -> None:
    key, version, purpose = other
    assert Chance(key, version).shuffle(purpose, range(20)) != Chance(KEY, 5).shuffle("a", range(20))


def test_every_number_is_about_equally_likely() -> None:
    times = Counter(Chance(KEY, version).below("d6", 6) for version in range(6000))
    assert sorted(times) == [0, 1, 2, 3, 4, 5]
    # Chi squared with 5 degrees of freedom passes 20.5 once in a thousand.
    assert sum((number - 1000) ** 2 / 1000 for number in times.values()) < 20.5


def test_every_order_is_about_equally_likely() -> None:
    times = Counter(Chance(KEY, version).shuffle("deck", "abcd") for version in range(12_000))
    assert len(times) == 24
    # Chi squared with 23 degrees of freedom passes 49.7 once in a thousand.
    assert sum((number - 500) ** 2 / 500 for number in times.values()) < 49.7


def test_a_shuffle_reads_one_word_for_each_place_from_the_last_down() -> None:
    assert shuffled(iter([3, 0, 1]), "abcd") == ("c", "b", "a", "d")


def test_a_draw_is_repeated_from_what_was_recorded_of_it_in_whatever_order() -> None:
    chance = Chance(KEY, 5)
    recorded = [
        Draw("deck", ("c", "a", "b"), chance.shuffle("deck", "abc"), 0),
        Draw("deck", ("a", "b", "c"), chance.shuffle("deck", "cab"), 1),
        Draw("one", ("a", "b", "c"), (chance.pick("one", "cba"),)),
        Draw("number", (3, 1, 2), (chance.pick("number", (1, 2, 3)),)),
        Draw("nothing", (), ()),
        Draw("single", ("a",), ("a",)),
    ]
    assert [redrawn(KEY, 5, draw) for draw in recorded] == [draw.outcome for draw in recorded]
    assert redrawn(KEY, 6, recorded[0]) != recorded[0].outcome
    assert redrawn(KEY, 5, structs.replace(recorded[0], repeat=1)) == recorded[1].outcome


def drawn() -> tuple[Chance, list[Draw]]:
    """Some draws, and how facts record them: in another order, with items in whatever order."""
    chance = Chance(KEY, 5)
    first, second = chance.shuffle("deck", "abc"), chance.shuffle("deck", "bc")
    recorded = [
        Draw("start", (2, 0, 1), (chance.pick("start", range(3)),)),
        Draw("deck", ("c", "a", "b"), first),
        Draw("d6", tuple(range(6)), (chance.below("d6", 6),)),
        Draw("deck", ("b", "c"), second, 1),
    ]
    return chance, recorded


def test_draws_are_recorded_in_whatever_order() -> None:
    chance, recorded = drawn()
    chance.require_recorded(recorded)
    chance.require_recorded(recorded[::-1])
    Chance(KEY, 5).require_recorded(())


def test_a_draw_that_no_fact_records_is_named() -> None:
    chance, recorded = drawn()
    with pytest.raises(DrawError, match=r"^no fact records the draw 'start'$"):
        chance.require_recorded(recorded[1:])
    with pytest.raises(DrawError, match=r"^no fact records repeat 1 of the draw 'deck'$"):
        chance.require_recorded(recorded[:-1])


def test_a_recorded_draw_that_was_not_made_is_named() -> None:
    chance, recorded = drawn()
    with pytest.raises(DrawError, match=r"^a fact records repeat 2 of the draw 'deck', which was not made$"):
        chance.require_recorded([*recorded, Draw("deck", ("a",), ("a",), 2)])
    with pytest.raises(DrawError, match=r"^a fact records the draw 'start', which was not made$"):
        Chance(KEY, 5).require_recorded(recorded)


def test_a_draw_that_is_recorded_twice_was_made_once() -> None:
    chance, recorded = drawn()
    with pytest.raises(DrawError, match="which was not made"):
        chance.require_recorded([*recorded, recorded[0]])


def test_a_record_of_other_items_or_another_outcome_is_refused_without_telling_them() -> None:
    chance, recorded = drawn()
    deck = recorded[1]
    wrong = {
        r"^a fact records another outcome of the draw 'deck'$": structs.replace(deck, outcome=deck.outcome[::-1]),
        r"^a fact records that the draw 'deck' was made from other items$": structs.replace(deck, items=("a", "b")),
    }
    for message, draw in wrong.items():
        with pytest.raises(DrawError, match=message):
            chance.require_recorded([draw, *recorded[2:], recorded[0]])
