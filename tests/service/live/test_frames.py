"""The frames: clients' frames are read strictly, and the page shows what can be sent."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from domain.kernel.rejected import Rejected
from domain.kernel.terms import LARGEST_INTEGER
from service.live.frames import (
    AuthFrame,
    ClientFrame,
    FollowFrame,
    ServerFrame,
    SubscribeFrame,
    UnfollowFrame,
    UnsubscribeFrame,
    read,
)


@pytest.mark.parametrize(
    "text,frame",
    [
        ('{"type":"auth"}', AuthFrame()),
        ('{"type":"auth","token":null}', AuthFrame()),
        ('{"token":"tl_x","type":"auth"}', AuthFrame("tl_x")),
        ('{"type":"subscribe","game":"g1"}', SubscribeFrame("g1")),
        ('{"type":"subscribe","game":"g1","after":0}', SubscribeFrame("g1", 0)),
        ('{"type":"subscribe","game":"g1","after":9007199254740991,"epoch":"e"}', SubscribeFrame("g1", 2**53 - 1, "e")),
        ('{"type":"unsubscribe","game":"g1"}', UnsubscribeFrame("g1")),
        ('{"type":"follow","feed":"lobby"}', FollowFrame("lobby")),
        ('{"type":"follow","feed":"account","after":"0"}', FollowFrame("account", "0")),
        ('{"type":"follow","feed":"lobby","after":"g1:17","epoch":"e"}', FollowFrame("lobby", "g1:17", "e")),
        ('{"type":"unfollow","feed":"lobby"}', UnfollowFrame("lobby")),
    ],
)
def test_a_frame_is_read(text: str, frame: ClientFrame) -> None:
    assert read(text) == frame


@pytest.mark.parametrize(
    "text,field",
    [
        ("", None),
        ("nonsense", None),
        ("[]", None),
        ("null", None),
        ("5", None),
        ('"auth"', None),
        ("{}", "type"),
        ('{"type":"auth"} {}', None),
        ('{"type":"hello"}', "type"),
        ('{"type":7}', "type"),
        ('{"type":"auth","token":5}', "token"),
        ('{"type":"auth","token":["x"]}', "token"),
        ('{"type":"auth","password":"x"}', "password"),
        ('{"type":"subscribe"}', "game"),
        ('{"type":"subscribe","game":null}', "game"),
        ('{"type":"subscribe","game":"g1","after":-1}', "after"),
        ('{"type":"subscribe","game":"g1","after":"3"}', "after"),
        ('{"type":"subscribe","game":"g1","after":1.0}', "after"),
        ('{"type":"subscribe","game":"g1","after":true}', "after"),
        (f'{{"type":"subscribe","game":"g1","after":{LARGEST_INTEGER + 1}}}', "after"),
        (f'{{"type":"subscribe","game":"g1","after":{2**63}}}', "after"),
        ('{"type":"subscribe","game":"g1","after":' + "9" * 5_000 + "}", "after"),
        ('{"type":"subscribe","game":"g1","after":1e400}', "after"),
        ('{"type":"subscribe","game":"g1","after":NaN}', None),
        ('{"type":"follow"}', "feed"),
        ('{"type":"follow","feed":"news"}', "feed"),
        ('{"type":"follow","feed":null}', "feed"),
        ('{"type":"follow","feed":"lobby","after":3}', "after"),
        ('{"type":"follow","feed":"lobby","after":"3"}', "after"),
        ('{"type":"follow","feed":"lobby","game":"g1"}', "game"),
        ('{"type":"unfollow","feed":"lobby","after":"0"}', "after"),
        ('{"type":"subscribe","game":"\\ud800"}', None),
        ('{"type":"subscribe","game":' + "[" * 60_000, "game"),
        ("[" * 60_000, None),
        ('{"type":"auth","x":' + '{"x":' * 10_000, "x"),
        ('{"x":' + "[" * 30_000 + "]" * 30_000 + ',"type":"auth"}', None),
    ],
)
def test_what_is_no_frame_is_refused_and_the_field_named(text: str, field: str | None) -> None:
    with pytest.raises(Rejected) as refused:
        read(text)
    assert refused.value.code == "invalid-frame"
    assert refused.value.facts.get("field") == field


def test_every_frame_on_the_page_can_be_sent() -> None:
    page = (files("service.live") / "PROTOCOL.md").read_text(encoding="utf-8")
    frames = [read(example) for example in re.findall(r"`(\{.*?\})`", page)]
    assert {type(frame) for frame in frames} == set(ClientFrame.__args__)


def test_the_page_names_every_frame_of_the_service() -> None:
    page = (files("service.live") / "PROTOCOL.md").read_text(encoding="utf-8")
    table = page.partition("## What you get")[2].partition("##")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == {
        frame.__struct_config__.tag for frame in ServerFrame.__args__
    }


@pytest.mark.parametrize(
    "text,field,detail",
    [
        ('{"type": "follow", "feed": "x"}', "feed", "must be one of account, lobby"),
        ('{"type": "watch"}', "type", "must be one of auth, subscribe, unsubscribe, follow, unfollow"),
        ('{"type": "follow", "feed": "lobby", "after": "x"}', "after", "expected: An event, as `game:version`;"),
        ("", None, "the frame is empty"),
    ],
)
def test_a_frame_is_refused_with_what_would_have_been_taken(text: str, field: str | None, detail: str) -> None:
    with pytest.raises(Rejected) as refused:
        read(text)
    assert refused.value.facts["field"] == field
    assert refused.value.detail.startswith(detail)
