"""What is decided before the start: commitments, reveals, deadlines, and what each of them refuses."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.kernel import game as kernel
from domain.kernel import proof, seating
from domain.kernel.events import (
    EntropyCommitted,
    EntropyRevealed,
    Event,
    GameStarted,
    SeatFreed,
    SeatTaken,
    encode,
    logged_type,
)
from domain.kernel.game import Game, Status
from domain.kernel.ids import AccountId
from domain.kernel.rejected import Rejected
from domain.kernel.seats import Seated
from tests import toy
from tests.domain.kernel.test_game import SEED, created, waiting
from tests.harness.recording import BEGUN, entropy_of

RULES = toy.TITLE.load((Path(toy.__file__).parent / "components" / "toy-1.toml").read_text(encoding="utf-8"))
ADA, BO, CY = (Seated(AccountId(name.lower()), name) for name in ("Ada", "Bo", "Cy"))
LATER = BEGUN + timedelta(seconds=61)


def committing(who: Seated, number: int = 1) -> Seated:
    return replace(who, commitment=proof.entropy_commitment(who.account, entropy_of(who.account, number)))


def sit(game: Game, who: Seated) -> Game:
    return kernel.evolve(game, RULES, seating.take_seat(game, RULES, who, None, SEED, BEGUN))


def reveal(game: Game, who: Seated, number: int = 1) -> Game:
    entropy = entropy_of(who.account, number)
    return kernel.evolve(game, RULES, seating.reveal_entropy(game, RULES, who.account, entropy, SEED))


def starting() -> Game:
    """Ada and Cy have committed, Bo has sent an entropy in the open."""
    table = kernel.evolve(None, RULES, replace(created(seats=3), scheme=2, reveal_seconds=60))
    return sit(sit(sit(table, committing(ADA)), replace(BO, entropy="open")), committing(CY))


def test_a_full_table_with_a_commitment_is_starting_until_its_deadline() -> None:
    game = starting()
    assert game.status is Status.starting
    assert game.start.reveal_by == BEGUN + timedelta(seconds=60)
    assert kernel.to_move(game, RULES) == ()
    assert kernel.view(game, RULES, 0) is None


def test_a_table_without_commitments_starts_with_its_last_seat() -> None:
    event = seating.take_seat(waiting(ADA, seats=2), RULES, BO, None, SEED, BEGUN)
    assert event.facts[-1] == GameStarted()
    assert event.reveal_by is UNSET


def test_the_last_reveal_starts_the_game_with_the_draws_of_all_entropies() -> None:
    game = reveal(starting(), CY)
    assert game.status is Status.starting
    event = seating.reveal_entropy(game, RULES, ADA.account, entropy_of("ada", 1), SEED)
    assert event.facts[-1] == GameStarted()
    after = kernel.evolve(game, RULES, event)
    assert (after.status, after.started, after.start.reveal_by) == (Status.running, game.version + 1, None)
    added = tuple(who.entropy for who in after.seats if who)
    assert added == (entropy_of("ada", 1), "open", entropy_of("cy", 1))
    assert kernel.draw_key(after.seats, SEED, 2) == proof.draw_key(SEED, added, 2)


def test_a_reveal_counts_also_after_the_deadline_as_long_as_nobody_has_freed_the_seat() -> None:
    """`reveal_entropy` is not given the time."""
    assert reveal(reveal(starting(), ADA), CY).status is Status.running


def test_while_a_game_is_starting_nobody_sits_leaves_commits_or_moves() -> None:
    game = starting()
    with pytest.raises(Rejected, match="game-full"):
        sit(game, Seated(AccountId("di"), "Di"))
    with pytest.raises(Rejected, match="game-starting"):
        seating.leave_seat(game, ADA.account)
    with pytest.raises(Rejected, match="game-starting"):
        seating.commit_entropy(game, RULES, BO.account, "0" * 64, SEED, BEGUN)
    with pytest.raises(Rejected, match="game-not-started"):
        kernel.require_running(game)


@pytest.mark.parametrize(
    "account, entropy, code",
    [
        ("di", entropy_of("ada", 1), "not-seated"),
        ("bo", "open", "nothing-to-reveal"),
        ("ada", entropy_of("ada", 2), "wrong-entropy"),
        ("cy", entropy_of("ada", 1), "wrong-entropy"),
        ("ada", "short", "wrong-entropy"),
        ("ada", "é" * 30, "wrong-entropy"),
        ("ada", "x" * 65, "wrong-entropy"),
    ],
)
def test_only_the_entropy_that_was_committed_to_is_revealed(account: str, entropy: str, code: str) -> None:
    with pytest.raises(Rejected, match=code):
        seating.reveal_entropy(starting(), RULES, AccountId(account), entropy, SEED)


def test_an_entropy_is_revealed_once_and_only_while_the_game_is_starting() -> None:
    game = reveal(starting(), ADA)
    with pytest.raises(Rejected, match="already-revealed"):
        reveal(game, ADA)
    with pytest.raises(Rejected, match="game-started"):
        reveal(reveal(game, CY), CY)
    with pytest.raises(Rejected, match="reveal-not-due"):
        reveal(waiting(committing(ADA)), ADA)


def test_a_seat_is_freed_after_the_deadline_and_not_before() -> None:
    game = reveal(starting(), ADA)
    due = game.start.reveal_by
    assert due is not None
    with pytest.raises(Rejected, match="reveal-not-over") as refused:
        seating.free_seat(game, BO.account, 2, due)
    assert refused.value.facts["reveal_by"] == msgspec.to_builtins(due)
    assert seating.free_seat(game, BO.account, 2, due + timedelta(microseconds=1)) == SeatFreed(
        seat=2, account=CY.account
    )


@pytest.mark.parametrize(
    "account, seat, code",
    [
        ("di", 2, "not-seated"),
        ("bo", 0, "nothing-to-reveal"),
        ("ada", 1, "nothing-to-reveal"),
        ("ada", 3, "no-such-seat"),
        ("ada", -1, "no-such-seat"),
    ],
)
def test_only_somebody_at_the_table_frees_only_a_seat_that_has_not_revealed(account: str, seat: int, code: str) -> None:
    with pytest.raises(Rejected, match=code):
        seating.free_seat(reveal(starting(), ADA), AccountId(account), seat, LATER)


def test_no_seat_is_freed_before_every_seat_is_taken_or_after_the_start() -> None:
    with pytest.raises(Rejected, match="game-not-started"):
        seating.free_seat(waiting(committing(ADA)), ADA.account, 0, LATER)
    with pytest.raises(Rejected, match="game-started"):
        seating.free_seat(reveal(reveal(starting(), ADA), CY), BO.account, 2, LATER)


def aborted() -> Game:
    game = reveal(starting(), ADA)
    return kernel.evolve(game, RULES, seating.free_seat(game, BO.account, 2, LATER))


def test_an_aborted_start_voids_commitments_and_reveals_and_leaves_open_entropies() -> None:
    game = aborted()
    assert (game.status, game.start.reveal_by, game.start.barred) == (Status.waiting, None, {"cy"})
    assert game.seats == (replace(ADA, void=True), replace(BO, entropy="open"), None)


def test_a_full_table_waits_for_those_whose_commitment_is_void_to_commit_again_or_leave() -> None:
    full = sit(aborted(), Seated(AccountId("di"), "Di"))
    assert (full.status, full.seats[2]) == (Status.waiting, Seated(AccountId("di"), "Di"))
    fresh = committing(ADA, 2).commitment or ""
    event = seating.commit_entropy(full, RULES, ADA.account, fresh, SEED, LATER)
    assert event.reveal_by == LATER + timedelta(seconds=60)
    assert reveal(kernel.evolve(full, RULES, event), ADA, 2).status is Status.running
    left = kernel.evolve(full, RULES, seating.leave_seat(full, ADA.account))
    assert sit(left, Seated(AccountId("ed"), "Ed")).status is Status.running


def test_a_commitment_can_be_made_or_replaced_while_the_table_waits() -> None:
    game = waiting(replace(ADA, entropy="open"))
    for number in (1, 2):
        event = seating.commit_entropy(game, RULES, ADA.account, committing(ADA, number).commitment or "", SEED, BEGUN)
        assert event.reveal_by is UNSET
        game = kernel.evolve(game, RULES, event)
    assert game.seats[0] == committing(ADA, 2)
    with pytest.raises(Rejected, match="commitment-reused"):
        seating.commit_entropy(game, RULES, ADA.account, committing(ADA, 1).commitment or "", SEED, BEGUN)


@pytest.mark.parametrize("commitment", ["", "0" * 63, "0" * 65, "A" * 64, "g" * 64, "0" * 64 + "\n"])
def test_a_commitment_is_64_lowercase_hex_digits(commitment: str) -> None:
    with pytest.raises(Rejected, match="bad-entropy") as refused:
        sit(waiting(), replace(ADA, commitment=commitment))
    assert refused.value.facts["field"] == "entropy_commitment"


def test_a_seat_sends_an_entropy_or_a_commitment_to_one_and_not_both() -> None:
    with pytest.raises(Rejected, match="bad-entropy") as refused:
        sit(waiting(), replace(committing(ADA), entropy="open"))
    assert refused.value.facts["field"] == "entropy"


def test_a_commitment_is_bound_to_its_account() -> None:
    same = "an entropy that two accounts use"
    assert proof.entropy_commitment("ada", same) != proof.entropy_commitment("bo", same)


def test_what_is_not_used_is_left_out_of_the_events_that_were_there_before() -> None:
    """So that the events of old games have the bytes that they always had."""
    assert b"entropy_commitment" not in encode(SeatTaken(seat=0, account=ADA.account, name="Ada"))
    assert b"reveal_by" not in encode(SeatTaken(seat=0, account=ADA.account, name="Ada"))
    assert b"scheme" not in encode(created())


@pytest.mark.parametrize(
    "event",
    [
        SeatTaken[Any](seat=0, account=ADA.account, name="Ada", entropy_commitment="0" * 64, reveal_by=LATER),
        EntropyCommitted(seat=0, account=ADA.account, entropy_commitment="0" * 64),
        EntropyCommitted(seat=0, account=ADA.account, entropy_commitment="0" * 64, reveal_by=LATER),
        EntropyRevealed[Any](seat=0, account=ADA.account, entropy="e" * 22, facts=(GameStarted(),)),
        SeatFreed(seat=0, account=ADA.account),
    ],
    ids=lambda event: type(event).__name__,
)
def test_events_are_read_as_they_were_written(event: Event) -> None:
    assert msgspec.json.decode(encode(event), type=logged_type(toy.TITLE)) == event
    assert encode(msgspec.json.decode(encode(event), type=logged_type(toy.TITLE))) == encode(event)
