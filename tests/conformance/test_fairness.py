"""Draws that nobody can steer: the players here know the seed, and try everything that raises the version."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from domain.kernel import game as kernel
from domain.kernel import proof, seating
from domain.kernel.events import Event, GameCreated, MoveMade
from domain.kernel.game import Game, Status
from domain.kernel.ids import AccountId
from domain.kernel.rejected import Rejected
from domain.kernel.seats import Seated
from domain.kernel.terms import Seat
from tests.conformance.games import NAMES, Played, Script, choose, games
from tests.conformance.law import law
from tests.conformance.titles import ENTRIES, Entry
from tests.harness.recording import BEGUN

SEED = bytes(range(32))
CYCLES = range(8)
"""How often somebody tries again."""

DRAWING = "toy/toy-1"
"""Here moves that can be taken back come before draws, so that the law is tried at all."""

STRANGER = Seated(account=AccountId("stranger"), name="Stranger")

each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=repr)


def opened(entry: Entry, seats: int | None = None) -> Game:
    """A table that waits for everyone."""
    seats = entry.title.seats[0] if seats is None else seats
    created = GameCreated[Any, Any](
        title=entry.title.id,
        seats=seats,
        options=entry.title.options(),
        component_set=entry.set,
        component_hash=hashlib.sha256(entry.text.encode()).hexdigest(),
        visibility="public",
        creator=AccountId("creator"),
        commitment=proof.commitment("game", SEED),
        scheme=2,
        reveal_seconds=60,
    )
    return kernel.evolve(None, entry.rules, created)


def player(seat: Seat, entropy: str = "") -> Seated:
    return Seated(account=AccountId(f"account-{seat}"), name=NAMES[seat], entropy=entropy)


def sit(entry: Entry, game: Game, who: Seated, seat: Seat | None = None) -> Game:
    return kernel.evolve(game, entry.rules, seating.take_seat(game, entry.rules, who, seat, SEED, BEGUN))


def leave(entry: Entry, game: Game, account: str) -> Game:
    return kernel.evolve(game, entry.rules, seating.leave_seat(game, AccountId(account)))


@each_entry
@pytest.mark.parametrize("who", [player(0), STRANGER], ids=["a player", "a stranger"])
def test_sitting_down_and_leaving_before_the_start_leads_to_one_opening(entry: Entry, who: Seated) -> None:
    openings: set[str] = set()
    for cycles in CYCLES:
        game = opened(entry)
        for _ in range(cycles):
            game = leave(entry, sit(entry, game, who), who.account)
        for seat in range(len(game.seats)):
            game = sit(entry, game, player(seat, f"entropy of seat {seat}"), seat)
        assert game.status is Status.running
        openings.add(repr(game.state))
    assert len(openings) == 1


@law(games)
def test_moves_that_are_made_and_taken_back_lead_to_the_same_draws(played: Played) -> None:
    """Replayed without any undo, and with every undoable move cycled, the game draws what it drew."""
    straight, restless = _without_undone(played), _with_cycles(played)
    assert straight.state == restless.state == played.games[-1].state
    assert straight.drawn == restless.drawn == played.games[-1].drawn
    assert straight.result == restless.result == played.games[-1].result


def _without_undone(played: Played) -> Game:
    game = played.games[played.started]
    for event in _kept(played):
        game = _made(played, game, event)
    return game


def _with_cycles(played: Played) -> Game:
    game = played.games[played.started]
    for event in _kept(played):
        made = _made(played, game, event)
        for _ in range(2):
            if made.trail and made.trail[-1].version == made.version:
                back = kernel.evolve(made, played.entry.rules, kernel.undo_move(made, event.seat))
                made = _made(played, back, event)
        game = made
    return game


def _made(played: Played, game: Game, event: MoveMade[Any, Any]) -> Game:
    made = kernel.make_move(game, played.entry.rules, event.seat, event.move, played.seed)
    return kernel.evolve(game, played.entry.rules, made)


def _kept(played: Played) -> list[MoveMade[Any, Any]]:
    """The moves that were not taken back."""
    kept: list[MoveMade[Any, Any]] = []
    for event in played.log[played.started + 1 :]:
        if isinstance(event, MoveMade):
            kept.append(event)
        else:
            kept.pop()
    return kept


@each_entry
def test_whoever_cycles_moves_before_a_draw_gets_one_and_the_same(entry: Entry) -> None:
    """Wherever a move can be taken back and somebody's next one would draw, which not every title has."""
    drew = 0
    for number in range(60):
        game = opened(entry, entry.title.seats[number % 2])
        for seat in range(len(game.seats)):
            game = sit(entry, game, player(seat), seat)
        drew += _cycles_before_draws(entry, game, Script((number, 7 * number, 3, number**2)))
    assert drew or str(entry) != DRAWING, "nothing was drawn in the middle of a game"


def _cycles_before_draws(entry: Entry, game: Game, picks: Script) -> int:
    """Play a game to its end, cycling each move that can be; gives how often one that drew came next."""
    drew = 0
    before: tuple[Game, MoveMade[Any, Any]] | None = None
    while game.status is Status.running:
        seat, move = choose(game, entry, picks)
        event = kernel.make_move(game, entry.rules, seat, move, SEED)
        if before is not None:
            cycled = _cycled(entry, *before)
            assert {kernel.draw_ordinal(each) for each in cycled} == {1 + game.drawn}
            if event.final == "chance":
                drew += 1
                assert all(kernel.make_move(each, entry.rules, seat, move, SEED) == event for each in cycled)
        before = (game, event) if event.final is None else None
        game = kernel.evolve(game, entry.rules, event)
    return drew


def _cycled(entry: Entry, game: Game, event: MoveMade[Any, Any]) -> list[Game]:
    """The game after a move that was made and taken back 0, 1, ... times."""
    found = [kernel.evolve(game, entry.rules, event)]
    for _ in CYCLES[1:]:
        back = kernel.evolve(found[-1], entry.rules, kernel.undo_move(found[-1], event.seat))
        again = kernel.make_move(back, entry.rules, event.seat, event.move, SEED)
        found.append(kernel.evolve(back, entry.rules, again))
    return found


def entropy_of(seat: Seat, number: int = 0) -> str:
    return f"entropy {number} of seat {seat}, which is long enough"


def committed(seat: Seat, number: int = 0) -> Seated:
    who = player(seat)
    return Seated(
        account=who.account, name=who.name, commitment=proof.entropy_commitment(who.account, entropy_of(seat, number))
    )


def reveal(entry: Entry, game: Game, seat: Seat, number: int = 0) -> Game:
    event = seating.reveal_entropy(game, entry.rules, AccountId(f"account-{seat}"), entropy_of(seat, number), SEED)
    return kernel.evolve(game, entry.rules, event)


@each_entry
def test_the_last_to_sit_cannot_choose_when_somebody_has_committed(entry: Entry) -> None:
    """All that the last one knows is a commitment: no entropy of his starts the game, and what does comes after."""
    last = entry.title.seats[0] - 1
    game = opened(entry)
    for seat in range(last):
        game = sit(entry, game, committed(seat), seat)
    openings: set[str] = set()
    for number in range(4):
        grinding = sit(entry, game, player(last, f"try {number}"), last)
        assert grinding.status is Status.starting
        assert grinding.state is None
        with pytest.raises(Rejected, match="game-starting"):
            seating.leave_seat(grinding, AccountId(f"account-{last}"))
        for seat in range(last):
            grinding = reveal(entry, grinding, seat)
        assert grinding.status is Status.running
        openings.add(repr(grinding.state))
    another = sit(entry, opened(entry), committed(0, number=1), 0)
    for seat in range(1, last):
        another = sit(entry, another, committed(seat), seat)
    another = sit(entry, another, player(last, "try 0"), last)
    for seat in range(last):
        another = reveal(entry, another, seat, number=int(seat == 0))
    assert repr(another.state) not in openings, "what is revealed decides"


@each_entry
def test_who_aborts_a_start_loses_the_seat_and_every_entropy_is_new(entry: Entry) -> None:
    last = entry.title.seats[0] - 1
    game = opened(entry)
    for seat in range(last + 1):
        game = sit(entry, game, committed(seat), seat)
    for seat in range(last):
        game = reveal(entry, game, seat)
    assert game.start.reveal_by is not None
    with pytest.raises(Rejected, match="reveal-not-over"):
        seating.free_seat(game, AccountId("account-0"), last, game.start.reveal_by)
    late = game.start.reveal_by.replace(microsecond=1)
    aborted = kernel.evolve(game, entry.rules, seating.free_seat(game, AccountId("account-0"), last, late))
    assert aborted.status is Status.waiting
    with pytest.raises(Rejected, match="barred"):
        sit(entry, aborted, player(last), last)
    accomplice = sit(entry, aborted, STRANGER, last)
    assert accomplice.status is Status.waiting, "it does not start without the entropy of those who are honest"
    with pytest.raises(Rejected, match="commitment-reused"):
        seating.commit_entropy(
            accomplice, entry.rules, AccountId("account-0"), committed(0).commitment or "", SEED, BEGUN
        )
    for seat in range(last):
        fresh = committed(seat, number=1).commitment or ""
        account = f"account-{seat}"
        event = seating.commit_entropy(accomplice, entry.rules, AccountId(account), fresh, SEED, BEGUN)
        accomplice = kernel.evolve(accomplice, entry.rules, event)
    assert accomplice.status is Status.starting
    for seat in range(last):
        accomplice = reveal(entry, accomplice, seat, number=1)
    assert accomplice.status is Status.running


@each_entry
def test_nobody_reveals_for_another_or_commits_to_what_another_will_reveal(entry: Entry) -> None:
    game = sit(entry, opened(entry, entry.title.seats[0]), committed(0), 0)
    copied = Seated(account=AccountId("account-1"), name="Bo", commitment=committed(0).commitment)
    with pytest.raises(Rejected, match="commitment-reused"):
        sit(entry, game, copied, 1)
    for seat in range(1, entry.title.seats[0]):
        game = sit(entry, game, player(seat), seat)
    event: Event = seating.reveal_entropy(game, entry.rules, AccountId("account-0"), entropy_of(0), SEED)
    assert kernel.evolve(game, entry.rules, event).status is Status.running
    refused = {
        "not-seated": ("stranger", entropy_of(0)),
        "nothing-to-reveal": ("account-1", entropy_of(0)),
        "wrong-entropy": ("account-0", entropy_of(0, number=1)),
    }
    for code, (account, entropy) in refused.items():
        with pytest.raises(Rejected, match=code):
            seating.reveal_entropy(game, entry.rules, AccountId(account), entropy, SEED)
