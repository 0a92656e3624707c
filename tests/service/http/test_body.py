"""Bodies: what is not exactly of the type is refused, with the place (faults 35 to 37)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Annotated, Any

import msgspec
import pytest
from litestar.types import HTTPRequestEvent, Receive
from msgspec import Meta, Struct

from domain.kernel.rejected import Rejected
from service.deadlines import Deadlines
from service.http.body import BODY_SECONDS, decode_body, read_body
from service.transport.body_budget import BodyBudget


class Pay(Struct, tag="x.pay", frozen=True, forbid_unknown_fields=True):
    cards: tuple[str, ...]


class Pass(Struct, tag="x.pass", frozen=True, forbid_unknown_fields=True):
    count: int = 0


class Body(Struct, forbid_unknown_fields=True):
    version: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    move: Pay | Pass = Pass()
    options: msgspec.Raw = msgspec.Raw(b"{}")


DECODER = msgspec.json.Decoder(Body)


def refused(body: bytes) -> Rejected:
    with pytest.raises(Rejected) as caught:
        decode_body(DECODER, body)
    assert caught.value.code == "invalid-body"
    return caught.value


@pytest.mark.parametrize(
    "value",
    [
        *("0", "-1", "1.0", "1e2", "1e400", '"5"', "true", "null", "NaN", "[1]", "01", "+1", "Infinity", "{}"),
        *map(str, (2**53, 2**63, 2**64)),
        "1" + "0" * 5_000,
    ],
)
def test_a_number_has_one_spelling_and_bounds(value: str) -> None:
    assert refused(f'{{"version": {value}}}'.encode()).facts["field"] in {"version", ""}


@pytest.mark.parametrize(
    "body,field",
    [
        (b'{"version": 1, "move": {"type": "x.pay", "cards": ["a", 3]}}', "move.cards[1]"),
        (b'{"version": 1, "move": {"type": "x.pay"}}', "move.cards"),
        (b'{"version": 1, "move": {"type": "x.nothing"}}', "move.type"),
        (b'{"version": 1, "move": {}}', "move.type"),
        (b'{"version": 1, "move": {"type": "x.pass", "more": 1}}', "move.more"),
        (b'{"version": 1, "more": 1}', "more"),
        (b"{}", "version"),
        (b"[]", ""),
        (b"", ""),
        (b'{"version": 1} 2', ""),
        (b"\xff", ""),
        (b'{"version": 1, "version": 1}', "version"),
        (b'{"version": 1, "move": {"type": "x.pass", "count": 1, "count": 2}}', "move.count"),
        (b'{"version": 1, "options": {"a": [{"b": 1, "b": 2}]}}', "options.a[0].b"),
        (b'{"version": 1, "move": {"type": "x.pay", "cards": ["a", "\\u0000"]}}', "move.cards[1]"),
        (b'{"version": 1, "options": {"\\u0000": 1}}', "options.\0"),
        (b'{"version": 1, "move": {"type": "x.pay", "cards": ["\\ud800"]}}', "move.cards[0]"),
        (b'{"version": 1, "move": {"type": "x.pay", "cards": ["\\udc00\\ud800"]}}', "move.cards[0]"),
    ],
)
def test_a_refusal_names_the_place(body: bytes, field: str) -> None:
    assert refused(body).facts["field"] == field


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
@pytest.mark.parametrize("place", [b"", b'{"version": 1, "options": ', b'{"version": 1, "move": ', b'{"more": '])
def test_what_is_nested_too_deeply_is_refused_everywhere(place: bytes, opening: bytes) -> None:
    refused(place + opening * 12_000)


def test_a_number_of_5000_digits_where_anything_may_stand_is_no_fault_of_the_service() -> None:
    decoded = decode_body(DECODER, b'{"version": 1, "options": {"a": 1' + b"0" * 5_000 + b"}}")
    with pytest.raises(Rejected, match="invalid-body"):
        decode_body(msgspec.json.Decoder(dict[str, int]), decoded.options, "options")


def test_the_place_in_a_part_of_the_body_begins_with_its_name() -> None:
    with pytest.raises(Rejected) as caught:
        decode_body(msgspec.json.Decoder(dict[str, list[int]]), b'{"a": ["x"]}', "options")
    assert str(caught.value.facts["field"]).startswith("options")


def test_a_refusal_does_not_repeat_all_that_was_sent() -> None:
    error = refused(b'{"version": 1, "' + b"x" * 60_000 + b'": 1}')
    assert len(str(error.facts["field"])) + len(error.detail) < 1_000


def test_an_escaped_backslash_before_u0000_is_no_nul() -> None:
    body = decode_body(DECODER, b'{"version": 1, "move": {"type": "x.pay", "cards": ["\\\\u0000"]}}')
    assert body.move == Pay(cards=("\\u0000",))


async def read(receive: Receive, length: str | None, *, seconds: float = BODY_SECONDS) -> bytes:
    """A whole body, read within a deadline as in a request."""
    share = BodyBudget().body("192.0.2.1")
    with Deadlines().within(None) as deadline:
        return await read_body(receive, length, share, deadline, seconds=seconds)


async def chunks(count: int, size: int) -> AsyncGenerator[HTTPRequestEvent]:
    for index in range(count):
        yield {"type": "http.request", "body": b"x" * size, "more_body": index < count - 1}


async def test_a_body_comes_in_chunks() -> None:
    sent = chunks(3, 10_000)
    assert await read(lambda: anext(sent), None) == b"x" * 30_000


async def test_a_body_that_is_too_large_is_refused_before_more_of_it_is_read() -> None:
    sent = chunks(1_000, 10_000)
    with pytest.raises(Rejected, match="body-too-large"):
        await read(lambda: anext(sent), None)
    assert len([each async for each in sent]) == 1_000 - 7


async def test_a_body_is_waited_for_as_often_as_it_takes() -> None:
    sent = chunks(3, 10)

    async def receive() -> HTTPRequestEvent:
        await asyncio.sleep(0)
        await asyncio.sleep(0.001)
        return await anext(sent)

    assert await read(receive, None) == b"x" * 30


async def test_a_reading_that_is_cancelled_ends() -> None:
    ended = asyncio.Event()

    async def receive() -> HTTPRequestEvent:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        raise AssertionError

    reading = asyncio.create_task(read(receive, "1"))
    await asyncio.sleep(0.001)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert ended.is_set()


async def test_a_body_that_does_not_come_is_waited_for_in_bounds() -> None:
    async def never() -> HTTPRequestEvent:
        await asyncio.Event().wait()
        raise AssertionError

    with pytest.raises(Rejected, match="request-timeout"):
        await read(never, "1", seconds=0.01)


async def test_a_body_that_is_announced_too_large_is_not_read_at_all() -> None:
    def receive() -> Any:
        pytest.fail("it was read")

    for length in ("65537", str(10**30)):
        with pytest.raises(Rejected, match="body-too-large"):
            await read(receive, length)
