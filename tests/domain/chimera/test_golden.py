"""Golden files: legal moves in their order, games told line by line, and whole games that must stay what they were.

`make golden` writes them again; the difference is for a human to read. What they guard: the order of legal moves is
stable, lines say what they said, the same moves bring about the same facts, and facts that were written once fold to
the same state for ever.
"""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from domain.chimera.facts import Fact
from domain.chimera.moves import Move, Options
from domain.chimera.state import State
from domain.kernel.chance import Chance
from domain.kernel.events import GameEnded
from domain.kernel.legal import LegalMoves
from tests.domain.chimera.table import HUB_SIDE, RULES, Has, Map, at_slot, placed, table
from tests.harness.play import random_move

pytestmark = pytest.mark.golden

FOLDER = Path(__file__).parent / "golden"
NAMES = ("Ann", "Bob", "Cy", "Di")
GAMES = 20


class Step(Struct, frozen=True):
    """A decision: who decided what, and what it brought about. A game begins with one that nobody decided."""

    seat: int | None
    move: Move | None
    facts: tuple[Fact, ...]


def agrees(name: str, text: str) -> None:
    """Compare a text with its golden file, or write it where that is asked for."""
    path = FOLDER / name
    if os.environ.get("TABLELOG_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def play(seats: int, number: int) -> Iterator[tuple[State, Step]]:
    """A whole game by a seeded player: each step with the state after it."""
    picks = random.Random(number)
    key = hashlib.sha256(f"golden {seats} {number}".encode()).digest()
    options = Options("factions") if number % 2 else Options()
    step = Step(None, None, RULES.begin(options, seats, Chance(key, 0)))
    state: State | None = None
    for version in range(1, 1000):
        for fact in step.facts:
            state = RULES.evolve(state, fact)
        assert state is not None
        yield state, step
        if RULES.result(state) is not None:
            return
        (seat,) = RULES.to_move(state)
        move = msgspec.convert(random_move(RULES.legal_moves(state, seat), picks), Move)
        step = Step(seat, move, RULES.decide(state, seat, move, Chance(key, version)))


def digest(value: object) -> str:
    """A short name of a value's JSON."""
    return hashlib.sha256(msgspec.json.encode(value)).hexdigest()[:16]


EVERY_KIND = Has(["claw claw", "brain leaf", ""], coins=9, food=9, storage="leaf tentacle", card="pantry")
POSITIONS: dict[str, Callable[[], LegalMoves]] = {
    "a turn with everything to choose from": lambda: (
        table(EVERY_KIND, Has(["@refinery", "leaf leaf@academy"]), station=Map(built={HUB_SIDE: "gardens"})).legal
    ),
    "the same in round 3": lambda: table(EVERY_KIND, Has(["@refinery"]), number=3).legal,
    "the end of a turn with a card": lambda: placed("refinery", EVERY_KIND, Has()).legal,
    "splicing": lambda: placed("splicing_lab", Has(["claw"], storage="leaf leaf brain"), Has()).legal,
    "splicing with the geneticist": lambda: (
        placed("splicing_lab", Has(["claw"], storage="claw claw leaf", perks=("geneticist",)), Has()).legal
    ),
    "building": lambda: placed("constructor", Has(coins=4), Has()).legal,
    "building for coins or food": lambda: (
        placed("constructor", Has(coins=3, food=5, board="eco_friendlies"), Has(board="weirdos")).legal
    ),
    "a shop": lambda: placed("academy", Has(coins=5), Has()).legal,
    "a mix of coins and food": lambda: (
        placed("dispensary", Has(["", "@refinery"]), Has(), station=Map(built={HUB_SIDE: "dispensary"})).legal
    ),
    "a swap": lambda: (
        placed(
            "nonhuman_resources",
            Has(["", "@refinery", "@worker_lounge"], perks=("nonhuman_resources",)),
            Has(["@academy", "@worker_lounge", "@splicing_lab.A"]),
        ).legal
    ),
    "a bonus to zone": lambda: placed("zoning_board", Has(["", "@refinery"], perks=("zoning_board",)), Has()).legal,
    "a tribute": lambda: placed("command_hub_a", Has(perks=("warlord",)), Has(coins=1), Has(coins=3), start=1).legal,
    "a gift": lambda: placed("beggars_alley", Has(perks=("beggars_alley",)), Has(coins=1, food=1)).legal,
    "a worker re-placed from a slot": lambda: (
        table(Has(["@splicing_lab.A"]), Has(), phase="splicing_lab", agenda=at_slot(0, "0-0")).legal
    ),
}


def test_legal_moves_at_named_positions_come_in_their_order() -> None:
    lines: list[str] = []
    for name, legal in POSITIONS.items():
        lines.append(f"# {name}")
        for offer in legal().offers:
            lines += [f"{offer.type} {msgspec.json.encode(case).decode()}" for case in offer.cases]
        lines.append("")
    agrees("moves.txt", "\n".join(lines))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("number", [0, 1], ids=["standard", "factions"])
def test_a_game_reads_as_it_did(seats: int, number: int, language: str) -> None:
    lines: list[str] = []
    game = list(play(seats, number))
    before: State | None = None
    for state, step in game:
        seen: list[Struct] = [
            each for each in (RULES.redact_fact(fact, None) for fact in step.facts) if each is not None
        ]
        if (result := RULES.result(state)) is not None:
            seen.append(GameEnded(result, ""))
        views = [None if each is None else RULES.view(each, None) for each in (before, state)]
        seat = step.seat or 0
        lines.append(RULES.describe(seat, step.move, seen, NAMES, language, before=views[0], after=views[1]))
        before = state
    result = RULES.result(game[-1][0])
    assert result is not None
    for score in result.scores:
        lines.append(f"{NAMES[score.seat]}: {score.points} points, rank {score.rank}")
        lines += [f"    {line.points} {line.source} {line.piece or ''}".rstrip() for line in score.lines]
    agrees(f"told_{seats}_{'factions' if number else 'standard'}.{language}.txt", "\n".join([*lines, ""]))


def test_twenty_whole_games_go_as_they_went() -> None:
    lines: list[str] = []
    for number in range(GAMES):
        seats = 2 + number % 3
        lines.append(f"# game {number} of {seats}")
        for state, step in play(seats, 100 + number):
            move = "" if step.move is None else msgspec.json.encode(step.move).decode()
            lines.append(f"{digest(step.facts)} {digest(state)} {move}".rstrip())
    agrees("games.txt", "\n".join([*lines, ""]))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_facts_that_were_written_once_fold_to_the_same_state(seats: int) -> None:
    steps = list(play(seats, 1000 + seats))
    agrees(f"facts_{seats}.jsonl", "\n".join(msgspec.json.encode(step).decode() for _, step in steps) + "\n")
    written = (FOLDER / f"facts_{seats}.jsonl").read_text(encoding="utf-8")
    state: State | None = None
    for line, (expected, _) in zip(written.splitlines(), steps, strict=True):
        for fact in msgspec.json.decode(line, type=Step).facts:
            state = RULES.evolve(state, fact)
        assert state == expected
