"""Events are written in one way only, and are read strictly: as logged with secrets in, as seen without."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.kernel import events
from domain.kernel.events import (
    Blank,
    Event,
    GameCreated,
    GameEnded,
    GameStarted,
    MoveMade,
    SeatLeft,
    SeatTaken,
    encode,
    event_type,
    logged_type,
    seen_type,
)
from domain.kernel.ids import AccountId
from domain.kernel.results import Result, ScoreLine, SeatScore
from tests.toy import TITLE
from tests.toy.facts import ToyCardGivenUnseen, ToyCardLaid
from tests.toy.moves import ToyLayCard, ToyOptions

CREATED = GameCreated[Any, Any](
    title="toy",
    seats=2,
    options=ToyOptions(rounds=2),
    component_set="toy-1",
    component_hash="ab",
    visibility="public",
    creator=AccountId("someone"),
    commitment="cd",
)
RESULT = Result((1,), (SeatScore(0, 2, 2, (ScoreLine("hand", 2),)), SeatScore(1, 8, 1, (ScoreLine("x", 8, "ant_1"),))))
LOGGED: tuple[tuple[Event, str], ...] = (
    (
        CREATED,
        (
            '{"type":"game_created","title":"toy","seats":2,"options":{"rounds":2},"component_set":"toy-1",'
            '"component_hash":"ab","visibility":"public","creator":"someone","commitment":"cd"}'
        ),
    ),
    (
        SeatTaken[Any](seat=0, account=AccountId("a"), name="Ada"),
        '{"type":"seat_taken","seat":0,"account":"a","name":"Ada","entropy":"","facts":[]}',
    ),
    (
        SeatTaken[Any](
            seat=1, account=AccountId("b"), name="Bo", entropy="e", facts=(ToyCardLaid(0, "ant_1"), GameStarted())
        ),
        (
            '{"type":"seat_taken","seat":1,"account":"b","name":"Bo","entropy":"e",'
            '"facts":[{"type":"toy.card_laid","seat":0,"card":"ant_1"},{"type":"game.started"}]}'
        ),
    ),
    (SeatLeft(seat=1, account=AccountId("b")), '{"type":"seat_left","seat":1,"account":"b"}'),
    (
        MoveMade[Any, Any](seat=1, move=ToyLayCard("bat_2"), facts=(GameEnded(RESULT, "00ff"),)),
        (
            '{"type":"move_made","seat":1,"move":{"type":"toy.lay_card","card":"bat_2"},"facts":[{"type":"game.ended",'
            '"result":{"winners":[1],"scores":[{"seat":0,"points":2,"rank":2,"lines":[{"source":"hand","points":2,'
            '"piece":null}]},{"seat":1,"points":8,"rank":1,"lines":[{"source":"x","points":8,"piece":"ant_1"}]}]},'
            '"seed":"00ff"}]}'
        ),
    ),
)


@pytest.mark.parametrize("event, written", LOGGED, ids=[event_type(event) for event, _ in LOGGED])
def test_an_event_is_written_as_written_down_here_and_read_back_the_same(event: Event, written: str) -> None:
    assert encode(event) == written.encode()
    assert msgspec.json.decode(written, type=logged_type(TITLE)) == event


def test_every_event_has_its_type() -> None:
    types = [event_type(event) for event, _ in LOGGED]
    assert types == ["game_created", "seat_taken", "seat_taken", "seat_left", "move_made"]
    assert event_type(Blank()) == "blank"


@pytest.mark.parametrize(
    "written",
    [
        '{"type":"blank"}',
        '{"type":"no_such_event"}',
        '{"type":"seat_left","seat":"1","account":"b"}',
        '{"type":"seat_left","seat":1}',
        '{"type":"move_made","seat":0,"move":null,"facts":[]}',
        '{"type":"move_made","seat":0,"move":{"type":"other.move"},"facts":[]}',
        '{"type":"move_made","seat":0,"move":{"type":"toy.decline"},"facts":[{"type":"game.started"}]}',
        '{"type":"move_made","seat":0,"move":{"type":"toy.decline"},"facts":[{"type":"toy.card_given_unseen"}]}',
        '{"type":"seat_taken","seat":1,"account":"b","name":"Bo","facts":[{"type":"game.ended"}]}',
        LOGGED[0][1].replace('"rounds":2', '"rounds":99'),
    ],
)
def test_what_was_never_logged_is_not_read_from_the_log(written: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(written, type=logged_type(TITLE))


def test_seen_events_hold_redacted_moves_and_facts_or_are_blank() -> None:
    seen = [
        CREATED,
        SeatLeft(seat=0, account=AccountId("a")),
        SeatTaken[Any](seat=0, account=AccountId("a"), name="Ada", facts=(ToyCardGivenUnseen(0, 1), GameStarted())),
        MoveMade[Any, Any](seat=0, move=None, facts=(ToyCardGivenUnseen(0, 1), GameEnded(RESULT, "00"))),
        MoveMade[Any, Any](seat=0, move=ToyLayCard("ant_1"), facts=()),
        Blank(),
    ]
    for event in seen:
        assert msgspec.json.decode(encode(event), type=seen_type(TITLE)) == event


def test_the_type_of_seen_events_has_no_room_for_what_is_never_seen() -> None:
    deck = '{"type":"toy.deck_shuffled","deck":["ant_1"],"repeat":0}'
    written = f'{{"type":"move_made","seat":0,"move":null,"facts":[{deck}]}}'
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(written, type=seen_type(TITLE))


def test_events_of_the_kernel_carry_tags_that_no_title_can_have() -> None:
    tags = {each.__struct_config__.tag for each in vars(events).values() if _is_own_struct(each)} - {None}
    assert tags == {
        "game_created",
        "seat_taken",
        "seat_left",
        "entropy_committed",
        "entropy_revealed",
        "seat_freed",
        "move_made",
        "move_undone",
        "blank",
        "game.started",
        "game.ended",
    }


def _is_own_struct(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, msgspec.Struct) and thing.__module__ == events.__name__
