"""Sliding windows: what is taken, what is refused, and what is kept in memory."""

from __future__ import annotations

import pytest

from domain.kernel.rejected import Rejected
from service.limits import memory
from service.limits.memory import Memory
from service.limits.windows import Window


class Clock:
    """A monotonic clock that a test sets."""

    def __init__(self) -> None:
        self.now = 600.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Give the clock that windows go by."""
    made = Clock()
    monkeypatch.setattr(memory, "time", made)
    return made


def taken(window: Window, key: str, most: int = 10_000) -> int:
    """How many can be taken until the first is refused."""
    for count in range(most):
        try:
            window.take(key)
        except Rejected:
            return count
    return most


@pytest.mark.parametrize("amount", [1, 3, 49, 50, 51, 1_500])
def test_exactly_the_amount_can_be_taken_in_a_window_by_each_key(clock: Clock, amount: int) -> None:
    window = Window("requests", amount, 60)
    assert taken(window, "ada") == amount
    assert taken(window, "bob") == amount
    clock.now += 120
    assert taken(window, "ada") == amount


@pytest.mark.parametrize("cost", [1, 20, 100])
@pytest.mark.parametrize("at", [600.0, 615.5, 659.0])
def test_after_the_seconds_that_a_refusal_names_it_succeeds_and_not_much_earlier(
    clock: Clock, at: float, cost: int
) -> None:
    clock.now = at
    window = Window("requests", 100, 60)
    taken(window, "ada")
    with pytest.raises(Rejected) as refused:
        window.take("ada", cost)
    wait = refused.value.facts["retry_after"]
    assert isinstance(wait, int)
    clock.now = at + wait - 3
    with pytest.raises(Rejected):
        window.take("ada", cost)
    clock.now = at + wait
    window.take("ada", cost)


def test_what_costs_more_than_a_whole_window_is_possible_once_in_it(clock: Clock) -> None:
    del clock
    window = Window("requests", 10, 60)
    window.take("ada", 50)
    with pytest.raises(Rejected):
        window.take("ada")


def test_expired_keys_are_freed_and_no_more_than_the_bound_are_kept(clock: Clock) -> None:
    counts = Memory(10, 60, most=1_000)
    for key in range(5_000):
        assert counts.acquire(f"key {key}", 1)
    assert len(counts) == 1_000
    clock.now += 120
    counts.sweep()
    assert len(counts) == 0
