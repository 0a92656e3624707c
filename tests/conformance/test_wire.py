"""What goes over the wire is strictly what is declared, and each thing has one name among all titles."""

from __future__ import annotations

import re
from collections import Counter

import msgspec
import pytest

from domain.kernel import game as kernel
from domain.kernel.events import (
    Blank,
    GameCreated,
    GameEnded,
    GameStarted,
    MoveMade,
    SeatLeft,
    SeatTaken,
    encode,
    seen_type,
)
from domain.kernel.rules import Title
from tests.conformance.games import Played, games
from tests.conformance.law import law
from tests.conformance.shapes import arms, named, structs, tag, wire_types
from tests.conformance.titles import ALL_TITLES, ENTRIES, Entry, viewers

each_title = pytest.mark.parametrize("title", ALL_TITLES, ids=lambda title: title.id)
each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=repr)


@law(games)
def test_an_event_as_a_viewer_sees_it_is_strictly_of_the_type_that_is_declared_for_it(played: Played) -> None:
    decoder = msgspec.json.Decoder(seen_type(played.entry.title))
    for event in played.log:
        for viewer in viewers(played.seats):
            seen = kernel.redact(event, played.entry.rules, viewer)
            assert decoder.decode(encode(seen)) == seen
            assert encode(decoder.decode(encode(seen))) == encode(seen)


@law(games)
def test_a_view_is_strictly_of_the_type_that_is_declared_for_it(played: Played) -> None:
    decoder = msgspec.json.Decoder(played.entry.title.view)
    for game in played.games[played.started :]:
        for viewer in viewers(played.seats):
            view = kernel.view(game, played.entry.rules, viewer)
            written = msgspec.json.encode(view)
            assert decoder.decode(written) == view
            assert msgspec.json.encode(decoder.decode(written)) == written


@each_title
def test_tags_are_the_title_and_a_name(title: Title) -> None:
    name = re.compile(rf"{title.id}\.[a-z][a-z0-9_]*(?![\s\S])")
    assert tag(title.view) == f"{title.id}.view"
    for struct in arms(title.move) | arms(title.fact) | arms(title.seen):
        assert name.match(str(tag(struct))), struct
    for struct in structs(wire_types(title)):
        assert tag(struct) is None or name.match(str(tag(struct))), struct


def test_no_two_things_share_a_tag() -> None:
    everything = {struct for title in ALL_TITLES for struct in structs(wire_types(title))}
    everything |= {GameStarted, GameEnded, GameCreated, SeatTaken, SeatLeft, MoveMade, Blank}
    tags = Counter(tag(struct) for struct in everything if tag(struct) is not None)
    assert [each for each, times in tags.items() if times > 1] == []


@each_title
def test_what_a_client_sends_is_refused_if_it_holds_a_field_that_is_not_known(title: Title) -> None:
    for struct in structs([title.move, title.options]):
        assert struct.__struct_config__.forbid_unknown_fields, struct


@each_title
def test_no_two_types_of_a_title_share_a_name(title: Title) -> None:
    names = Counter(each.__name__ for each in named(wire_types(title)))
    assert [name for name, times in names.items() if times > 1] == []


@each_title
def test_a_title_has_an_id_names_in_both_languages_a_range_of_seats_and_a_version_of_its_rules(title: Title) -> None:
    assert re.match(r"[a-z][a-z0-9]*(?![\s\S])", title.id)
    assert set(title.names) == {"en", "ja"}
    assert all(title.names.values())
    assert 1 <= title.seats[0] <= title.seats[1]
    assert title.rules_version


@each_title
def test_a_title_can_be_played_without_choosing_options(title: Title) -> None:
    assert msgspec.json.decode(b"{}", type=title.options) == title.options()


@each_entry
def test_a_component_set_is_served_with_each_piece_told_in_both_languages(entry: Entry) -> None:
    served = entry.rules.components
    assert served.title == entry.title.id
    assert served.id == entry.set
    assert served.pieces
    assert len({piece.id for piece in served.pieces}) == len(served.pieces)
    for piece in served.pieces:
        # A card may have no name, an agency no text: but each piece can be put into words.
        assert all(piece.names.get(language) or piece.text.get(language) for language in ("en", "ja")), piece.id
    written = msgspec.json.encode(served)
    assert msgspec.json.encode(msgspec.json.decode(written, type=type(served))) == written
