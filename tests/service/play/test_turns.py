"""Heavy work in turns: however much of it is asked for at once, the event loop comes round in between."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator

import pytest

from service.play.turns import AT_ONCE, Turns, in_turns


class Loop:
    """Counts the rounds of the event loop."""

    def __init__(self) -> None:
        self.round = 0
        self._next()

    def _next(self) -> None:
        self.round += 1
        self._handle = asyncio.get_running_loop().call_soon(self._next)

    def stop(self) -> None:
        self._handle.cancel()


async def test_of_many_who_ask_at_once_no_more_than_a_few_are_served_in_one_round_of_the_loop() -> None:
    turns, loop, made = Turns(), Loop(), Counter[int]()

    async def parts() -> AsyncGenerator[int]:
        for number in range(5):
            made[loop.round] += 1
            yield number

    async def read() -> list[int]:
        return [part async for part in in_turns(parts(), turns)]

    found = await asyncio.gather(*(read() for _ in range(40)))
    loop.stop()
    assert found == [[0, 1, 2, 3, 4]] * 40
    assert made.total() == 200
    assert max(made.values()) <= AT_ONCE


async def test_what_is_not_read_to_its_end_is_closed_and_holds_no_turn() -> None:
    turns, closed = Turns(), 0

    async def parts() -> AsyncGenerator[int]:
        nonlocal closed
        try:
            yield 1
            yield 2
        finally:
            closed += 1

    for _ in range(2 * AT_ONCE):
        reading = in_turns(parts(), turns)
        assert await anext(reading) == 1
        await reading.aclose()
    assert closed == 2 * AT_ONCE
    assert not turns.locked()


async def test_a_part_that_fails_gives_its_turn_back() -> None:
    turns = Turns()

    async def parts() -> AsyncGenerator[int]:
        yield 1
        raise ValueError

    for _ in range(2 * AT_ONCE):
        with pytest.raises(ValueError):  # noqa: PT011 - it is the one above
            _ = [part async for part in in_turns(parts(), turns)]
    assert not turns.locked()
