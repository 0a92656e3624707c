"""Every event can be put into a line for each viewer, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import msgspec
import pytest

from domain.kernel import game as kernel
from domain.kernel.describe import LANGUAGES, describe
from domain.kernel.events import Blank, Event, MoveMade, MoveUndone, SeatTaken
from domain.kernel.rules import Piece
from domain.kernel.terms import Viewer
from tests.conformance.games import Played, games
from tests.conformance.law import law
from tests.conformance.titles import ENTRIES, Entry, viewers

SIGNS = tuple(f"<<{seat}>>" for seat in range(5))
"""Names that occur nowhere else, and are no words."""
SHORT, LONGEST = 9, 300
"""Characters of a name and of a sentence."""
_TOKEN = re.compile(r"[A-Za-z0-9_]+")
_ID_LIKE = re.compile(r"\w_|_\w|\d-\d|\w\.\w")
"""What ids are made of: `top_left`, the worker `2-0`, `splicing_lab.A`."""
_ENGLISH = re.compile(r"[A-Za-z_]{2}")
"""One letter alone may stand in a Japanese name: 司令室A."""


@law(games)
def test_every_event_is_told_to_every_viewer_in_one_line(played: Played) -> None:
    for line in _lines(played, tuple("ABCDE")):
        assert line.strip() == line != ""
        assert len(line.splitlines()) == 1


@law(games)
def test_a_line_is_made_of_a_few_sentences_that_end_and_none_of_which_follows_itself(played: Played) -> None:
    for at, event in enumerate(played.log):
        for viewer in viewers(played.seats):
            for language, end in (("en", "."), ("ja", "。")):
                line = _line(played, at, event, viewer, language)
                assert line.endswith(end), line
                assert line[0].isupper() or line.startswith(SIGNS) or language == "ja", line
                sentences = [each for each in line.replace(f"{end} ", end).split(end) if each]
                assert not any(one == other for one, other in pairwise(sentences)), line
                for sentence in sentences:
                    clauses = re.split(r", (?:and )?|、", sentence)
                    # Short ones may be the names of equal cards.
                    assert not any(one == other and len(one) > SHORT for one, other in pairwise(clauses)), line
                # Points and numbers aside, no sentence is longer than can be read aloud in one breath or two.
                assert all(len(each) <= LONGEST for each in sentences), line


@law(games)
def test_a_line_names_seats_only_by_the_names_of_those_who_sit_there(played: Played) -> None:
    # Names that occur nowhere else: what is left of a line without them must not depend on who plays.
    some, others = (tuple(form.format(seat) for seat in range(played.seats)) for form in ("<<{}>>", "[[{}]]"))
    for line, other in zip(_lines(played, some), _lines(played, others), strict=True):
        assert _without(line, some) == _without(other, others)


@law(games)
def test_a_line_about_a_move_names_who_made_it(played: Played) -> None:
    for at, event in enumerate(played.log):
        if not isinstance(event, MoveMade | MoveUndone):
            continue
        for viewer in viewers(played.seats):
            seen = kernel.redact(event, played.entry.rules, viewer)
            # Of a hidden move its facts tell what may be seen.
            hidden = isinstance(seen, Blank) or (isinstance(seen, MoveMade) and seen.move is None)
            for language in LANGUAGES:
                line = _line(played, at, event, viewer, language)
                assert hidden or SIGNS[event.seat] in line, (seen, line)


@law(games)
def test_no_line_shows_an_id_and_no_japanese_line_holds_an_english_word(played: Played) -> None:
    ids = _ids(played.entry)
    for at, event in enumerate(played.log):
        for viewer in viewers(played.seats):
            english = _without(_line(played, at, event, viewer, "en"), SIGNS)
            assert not ids & set(_TOKEN.findall(english)), (event, english)
            assert not _ID_LIKE.search(english), (event, english)
            japanese = _without(_line(played, at, event, viewer, "ja"), SIGNS)
            assert not _ENGLISH.search(japanese), (event, japanese)


@pytest.mark.parametrize("entry", ENTRIES, ids=repr)
def test_pieces_that_share_a_name_are_copies_and_neither_name_nor_text_shows_an_id(entry: Entry) -> None:
    pieces, ids = entry.rules.components.pieces, _ids(entry)
    for language in LANGUAGES:
        first: dict[tuple[str, str], Piece] = {}
        for piece in pieces:
            same = first.setdefault((piece.kind, piece.names[language]), piece)
            assert msgspec.structs.replace(piece, id=same.id) == same, f"{piece.id} is called like {same.id}"
    for piece in pieces:
        for english in (piece.names["en"], piece.text["en"]):
            assert not ids & set(_TOKEN.findall(english)), english
            assert not _ID_LIKE.search(english), english
        for japanese in (piece.names["ja"], piece.text["ja"]):
            assert not _ENGLISH.search(japanese), japanese


def _ids(entry: Entry) -> frozenset[str]:
    """The ids of pieces, but for those that are words as well: a doctor is a doctor."""
    pieces = entry.rules.components.pieces
    return frozenset(piece.id for piece in pieces if piece.names["en"].lower() != piece.id)


def _lines(played: Played, names: tuple[str, ...]) -> Iterator[str]:
    for at, event in enumerate(played.log):
        for viewer in viewers(played.seats):
            for language in LANGUAGES:
                yield _line(played, at, event, viewer, language, names=names)


def _line(
    played: Played, at: int, event: Event, viewer: Viewer, language: str, *, names: tuple[str, ...] = SIGNS
) -> str:
    """A line as the timeline has it: with what the viewer saw right before and after the event."""
    rules = played.entry.rules
    seen = kernel.redact(event, rules, viewer)
    if isinstance(seen, SeatTaken):
        seen = msgspec.structs.replace(seen, name=names[seen.seat])
    before = kernel.view(played.games[at - 1], rules, viewer) if at else None
    after = kernel.view(played.games[at], rules, viewer)
    return describe(seen, rules, names, language, before=before, after=after)


def _without(line: str, names: tuple[str, ...]) -> str:
    for name in names:
        line = line.replace(name, "")
    return line
