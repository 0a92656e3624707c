"""How long a peer rests for what it has cost."""

from __future__ import annotations

import pytest

from service.transport import pace
from service.transport.pace import BURST_SECONDS, SHARE, Pace


class Time:
    """A clock that stands still."""

    now = 100.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    clock = Time()
    monkeypatch.setattr(pace, "time", clock)
    return clock


def cost(of: Pace, time: Time, seconds: float) -> float:
    of.begin()
    time.now += seconds
    return of.rest()


def test_a_peer_rests_only_after_it_has_used_up_its_burst(time: Time) -> None:
    peer = Pace()
    assert cost(peer, time, BURST_SECONDS / 2) == 0
    rest = cost(peer, time, BURST_SECONDS)
    assert rest == pytest.approx(BURST_SECONDS / 2 / SHARE, rel=0.1)
    time.now += rest
    assert cost(peer, time, 0) == pytest.approx(0, abs=1e-6)


def test_a_peer_that_costs_its_share_and_no_more_never_rests(time: Time) -> None:
    peer = Pace()
    for _ in range(1_000):
        assert cost(peer, time, 0.001) == 0
        time.now += 0.001 / SHARE


def test_a_peer_that_goes_on_without_end_gets_its_share_of_all_time(time: Time) -> None:
    peer, begun, worked = Pace(), time.now, 0.0
    while worked < 10:
        time.now += cost(peer, time, 0.003)
        worked += 0.003
    assert worked / (time.now - begun) == pytest.approx(SHARE, rel=0.05)
