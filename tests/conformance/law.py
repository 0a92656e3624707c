"""How a law becomes a test: for every title and component set, quickly in each run and at length by `make fuzz`.

The quick run draws the same examples every time, so that a change is judged and not luck; the long one draws others
each time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import SearchStrategy, tuples

from tests.conformance.titles import ENTRIES, Entry


@dataclass(frozen=True)
class Depth:
    """How long a law is tried."""

    name: str
    times: int
    repeatable: bool


_DEPTHS = (
    pytest.param(Depth("quick", times=1, repeatable=True), id="quick"),
    pytest.param(Depth("long", times=40, repeatable=False), id="long", marks=pytest.mark.fuzz),
)


_TIMEOUT = 900
"""Seconds: a law that holds is quick, and one that does not is given the time to shrink the game that breaks it."""


class _Drawn:
    """What was drawn for one try, written in the things' own words, which are shorter than hypothesis'."""

    def __init__(self, things: tuple[object, ...]) -> None:
        self.things = things

    def __repr__(self) -> str:
        return ", ".join(map(repr, self.things))


def law(*drawn: Callable[[Entry], SearchStrategy[object]]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a test of a function that asserts something of whatever the strategies draw."""

    def decorate(holds: Callable[..., None]) -> Callable[..., None]:
        def tried(things: _Drawn) -> None:
            try:
                holds(*things.things)
            except Exception as broken:
                # Only the shrunk failure leaves hypothesis, so the last one to pass here is the one that is reported.
                tries.append(things)
                broken.__notes__ = []
                raise

        tries: list[_Drawn] = []

        @pytest.mark.parametrize("depth", _DEPTHS)
        @pytest.mark.timeout(_TIMEOUT)
        @pytest.mark.parametrize("entry", ENTRIES, ids=repr)
        def test(entry: Entry, depth: Depth) -> None:
            __tracebackhide__ = True
            configured = settings(
                max_examples=entry.subject.games * depth.times,
                derandomize=depth.repeatable,
                database=None,
                deadline=None,
                report_multiple_bugs=False,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
            )
            tries.clear()
            try:
                configured(given(tuples(*(draw(entry) for draw in drawn)).map(_Drawn))(tried))()
            except Exception as broken:  # noqa: BLE001 - whatever a law or a title raises
                # Hypothesis wraps the failure in frames and notes of its own, which say nothing about the title.
                broken.__notes__ = [f"broken by {tries[-1]}"] if tries else []
                raise broken.with_traceback(_within(broken.__traceback__, holds)) from None

        return test

    return decorate


def _within(trace: TracebackType | None, holds: Callable[..., None]) -> TracebackType | None:
    """The part of a traceback that begins in the law itself; all of it if it failed before."""
    step = trace
    while step is not None:
        if step.tb_frame.f_code.co_filename == holds.__code__.co_filename:
            return step
        step = step.tb_next
    return trace
