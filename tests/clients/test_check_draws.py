"""The example that checks draws by itself reads the same entropies from a log as the service does."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel import events as kernel_events
from domain.kernel import game as kernel
from domain.kernel import proof, seating
from domain.kernel.game import Game, Status
from domain.kernel.ids import AccountId
from domain.kernel.seats import Seated
from tablelog_client import Event
from tests.domain.kernel.test_game import SEED, created
from tests.domain.kernel.test_seating import LATER, RULES
from tests.harness.recording import BEGUN, entropy_of

EXAMPLE = Path(__file__).parents[2] / "clients" / "python" / "examples" / "check_draws.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_draws", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Table:
    """A table of two, with the events as a client gets them."""

    def __init__(self) -> None:
        first = replace(created(seats=2), scheme=2, reveal_seconds=60)
        self.game: Game = kernel.evolve(None, RULES, first)
        self.events: list[Event] = []

    def add(self, event: kernel_events.Event) -> None:
        self.game = kernel.evolve(self.game, RULES, event)
        data: dict[str, Any] = msgspec.json.decode(kernel_events.encode(event))
        line = Event(version=self.game.version, recorded_at=BEGUN, rules_version="toy/1", hash="", data=data)
        self.events.append(line)

    def sit(self, name: str, *, entropy: str = "", number: int | None = None) -> None:
        commitment = None if number is None else proof.entropy_commitment(name, entropy_of(name, number))
        who = Seated(AccountId(name), name, entropy=entropy, commitment=commitment)
        self.add(seating.take_seat(self.game, RULES, who, None, SEED, BEGUN))

    def leave(self, name: str) -> None:
        self.add(seating.leave_seat(self.game, AccountId(name)))

    def commit(self, name: str, number: int) -> None:
        commitment = proof.entropy_commitment(name, entropy_of(name, number))
        self.add(seating.commit_entropy(self.game, RULES, AccountId(name), commitment, SEED, BEGUN))

    def reveal(self, name: str, number: int) -> None:
        self.add(seating.reveal_entropy(self.game, RULES, AccountId(name), entropy_of(name, number), SEED))

    def free(self, by: str, seat: int) -> None:
        self.add(seating.free_seat(self.game, AccountId(by), seat, LATER))


def commitment_left_behind(table: Table) -> None:
    """Ada's commitment leaves with her: the abort does not void what Bo has added in the open at the same seat."""
    table.sit("ada", number=1)
    table.leave("ada")
    table.sit("bo", entropy="open")
    table.sit("cy", number=1)
    table.free("bo", 1)
    table.sit("di")


def aborted_and_committed_again(table: Table) -> None:
    table.sit("ada", number=1)
    table.sit("bo", number=1)
    table.reveal("ada", 1)
    table.free("ada", 1)
    table.sit("cy", entropy="open")
    table.commit("ada", 2)
    table.reveal("ada", 2)


def replaced_commitment(table: Table) -> None:
    table.sit("ada", entropy="open")
    table.commit("ada", 1)
    table.commit("ada", 2)
    table.sit("bo")
    table.reveal("ada", 2)


@pytest.mark.parametrize("play", [commitment_left_behind, aborted_and_committed_again, replaced_commitment])
def test_the_example_finds_the_entropies_that_the_draws_derive_from(
    example: ModuleType, play: Callable[[Table], None]
) -> None:
    table = Table()
    play(table)
    assert table.game.status is Status.running
    added = {seat: who.entropy for seat, who in enumerate(table.game.seats) if who}
    assert example.entropies(table.events) == (added, True)
