"""What happens before the start: sitting down and leaving, and adding to the chance of the game.

The draws derive from the server's seed and from an entropy of each seat that wants to add one. A plain entropy is open
to everyone from the moment its seat is taken, so a player who knows the seed and sits down last can choose one to his
advantage. A seat that commits to its entropy instead reveals it when nobody can change theirs any more:

1. Seats are taken, some with a commitment (`proof.entropy_commitment`).
2. The last seat is taken. If no seat has committed, the game starts. Otherwise it is `starting`: nobody sits down,
   leaves or changes an entropy, and each committed seat reveals. The last reveal starts the game.
3. The seat of a player who does not reveal by the deadline can be freed by anyone at the table. Then the game is
   waiting again, every commitment and reveal is void, and that account is barred: it loses its place for
   having seen the others' reveals and not liked them. A seat whose commitment is void commits again, with an entropy
   that nobody has seen, or leaves. Until then a full table does not start: else an accomplice could abort a start, sit
   down again, and have the game start without the entropy of those who are honest.

Times are given from outside: `now` is the time that the event is recorded at.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from domain.kernel import proof
from domain.kernel.events import EntropyCommitted, EntropyRevealed, GameStarted, SeatFreed, SeatLeft, SeatTaken
from domain.kernel.game import Game, Status, chance_of, require_seat
from domain.kernel.ids import AccountId
from domain.kernel.instants import Instant, after
from domain.kernel.rejected import Rejected
from domain.kernel.rules import AnyRules
from domain.kernel.seats import Seated, Seats, with_seat
from domain.kernel.terms import Seat

REVEAL_SECONDS = 60
"""How long the reveals of a game may take whose first event does not say."""

LEAST_REVEAL_SECONDS, MOST_REVEAL_SECONDS = 1, 7 * 24 * 60 * 60
"""What a game may choose instead."""

LEAST_ENTROPY = 22
"""Characters of an entropy that is committed to: 128 bits in base64. A shorter one could be guessed."""

_ENTROPY = re.compile(r"[ -~]{22,64}")
_COMMITMENT = re.compile(r"[0-9a-f]{64}")


class _Filled(Struct, frozen=True):
    """What an event brings about that may complete what the start waits for."""

    facts: tuple[Any, ...] = ()
    reveal_by: Instant | None = None


def take_seat(  # noqa: PLR0917 - as every decision has them: the game, its rules, what is asked, the secrets, the time
    game: Game, rules: AnyRules, who: Seated, seat: Seat | None, seed: bytes, now: Instant
) -> SeatTaken[Any]:
    """Sit down at `seat`, or at the first free one. The last seat starts the game, or the time to reveal."""
    free = [place for place, sitting in enumerate(game.seats) if sitting is None]
    if game.seat_of(who.account) is not None:
        raise Rejected("already-seated", "you have a seat in this game", seat=game.seat_of(who.account))
    if who.account in game.start.barred:
        raise Rejected("barred", "you did not reveal your entropy in time, and cannot sit at this table again")
    if seat is not None and not 0 <= seat < len(game.seats):
        last = len(game.seats) - 1
        raise Rejected("no-such-seat", f"the seats are 0 to {last}", field="seat", least=0, most=last)
    if not free:
        raise Rejected("game-full", "every seat is taken")
    if seat is None:
        seat = free[0]
    elif seat not in free:
        raise Rejected("seat-taken", f"seat {seat} is taken", field="seat", free_seats=free)
    if who.commitment is not None:
        if who.entropy:
            raise Rejected("bad-entropy", "send either entropy or entropy_commitment", field="entropy")
        _require_new(game, who.commitment)
    event = SeatTaken[Any](
        seat=seat,
        account=who.account,
        name=who.name,
        entropy=who.entropy,
        entropy_commitment=UNSET if who.commitment is None else who.commitment,
    )
    filled = _filled(game, rules, with_seat(game.seats, seat, who), seed, now)
    return msgspec.structs.replace(
        event, facts=filled.facts, reveal_by=UNSET if filled.reveal_by is None else filled.reveal_by
    )


def leave_seat(game: Game, account: AccountId) -> SeatLeft:
    """Leave before the start."""
    seat = require_seat(game, account)
    if game.status is Status.starting:
        raise Rejected("game-starting", "nobody leaves while the game waits for reveals")
    if game.status is not Status.waiting:
        raise Rejected("game-started", "a seat can be left only before the game starts")
    return SeatLeft(seat=seat, account=account)


def commit_entropy(  # noqa: PLR0917 - as above
    game: Game, rules: AnyRules, account: AccountId, commitment: str, seed: bytes, now: Instant
) -> EntropyCommitted:
    """Commit to an entropy, in place of whatever the seat has added so far.

    If the table is full and this was the last commitment that it waited for, the time to reveal begins.
    """
    seat = require_seat(game, account)
    if game.status is Status.starting:
        raise Rejected("game-starting", "nobody changes an entropy while the game waits for reveals")
    if game.status is not Status.waiting:
        raise Rejected("game-started", "an entropy can be committed to only before the game starts")
    _require_new(game, commitment)
    who = game.seats[seat]
    assert who is not None  # noqa: S101 - `require_seat` has found it
    committed = msgspec.structs.replace(who, entropy="", commitment=commitment, void=False)
    filled = _filled(game, rules, with_seat(game.seats, seat, committed), seed, now)
    reveal_by = UNSET if filled.reveal_by is None else filled.reveal_by
    return EntropyCommitted(seat=seat, account=account, entropy_commitment=commitment, reveal_by=reveal_by)


def reveal_entropy(game: Game, rules: AnyRules, account: AccountId, entropy: str, seed: bytes) -> EntropyRevealed[Any]:
    """Reveal the entropy that a seat has committed to. The last reveal starts the game."""
    seat = require_seat(game, account)
    if game.status is Status.waiting:
        raise Rejected(
            "reveal-not-due", "reveals begin when every seat is taken and every voided commitment is made again"
        )
    if game.status is not Status.starting:
        raise Rejected("game-started", "entropy can be added only before the game starts")
    who = game.seats[seat]
    if who is None or who.commitment is None:
        raise Rejected("nothing-to-reveal", "your seat has not committed to an entropy")
    if who.entropy:
        raise Rejected("already-revealed", "your seat has revealed its entropy")
    if not _ENTROPY.fullmatch(entropy):
        detail = f"an entropy that was committed to has {LEAST_ENTROPY} to 64 printable ASCII characters"
        raise Rejected("wrong-entropy", detail, field="entropy", least=LEAST_ENTROPY, most=64)
    if proof.entropy_commitment(account, entropy) != who.commitment:
        raise Rejected("wrong-entropy", "this is not the entropy that your seat has committed to", field="entropy")
    revealed = with_seat(game.seats, seat, msgspec.structs.replace(who, entropy=entropy))
    facts = () if any(each and each.owes_reveal for each in revealed) else _started(game, rules, revealed, seed)
    return EntropyRevealed(seat=seat, account=account, entropy=entropy, facts=facts)


def free_seat(game: Game, account: AccountId, seat: Seat, now: Instant) -> SeatFreed:
    """Free the seat of somebody who has not revealed an entropy by the deadline; `account` is at the table too."""
    require_seat(game, account)
    if not 0 <= seat < len(game.seats):
        last = len(game.seats) - 1
        raise Rejected("no-such-seat", f"the seats are 0 to {last}", field="seat", least=0, most=last)
    if game.status is Status.waiting:
        raise Rejected("game-not-started", "a seat is freed only while the game is starting, and it waits for players")
    if game.status is not Status.starting or game.start.reveal_by is None:
        raise Rejected("game-started", "a seat can be freed only before the game starts")
    who = game.seats[seat]
    if who is None or not who.owes_reveal:
        raise Rejected("nothing-to-reveal", f"seat {seat} has nothing to reveal", field="seat")
    if now <= game.start.reveal_by:
        deadline = msgspec.to_builtins(game.start.reveal_by)
        raise Rejected("reveal-not-over", f"seat {seat} has until {deadline} to reveal", reveal_by=deadline)
    return SeatFreed(seat=seat, account=who.account)


def _require_new(game: Game, commitment: str) -> None:
    if not _COMMITMENT.fullmatch(commitment):
        raise Rejected("bad-entropy", "a commitment is 64 lowercase hex digits", field="entropy_commitment")
    if commitment in game.start.commitments:
        detail = "this commitment was made at this table before: its entropy may be known by now"
        raise Rejected("commitment-reused", detail, field="entropy_commitment")


def _filled(game: Game, rules: AnyRules, seats: Seats, seed: bytes, now: Instant) -> _Filled:
    """What follows from these players sitting at the table: nothing, the time to reveal, or the start."""
    if any(who is None or who.void for who in seats):
        return _Filled()
    if any(who and who.owes_reveal for who in seats):
        seconds = REVEAL_SECONDS if game.created.reveal_seconds is UNSET else game.created.reveal_seconds
        return _Filled(reveal_by=after(now, seconds))
    return _Filled(facts=_started(game, rules, seats, seed))


def _started(game: Game, rules: AnyRules, seats: Seats, seed: bytes) -> tuple[Any, ...]:
    if game.created.position is not None:
        return (GameStarted(),)
    chance = chance_of(game, seats, seed)
    facts = rules.begin(game.created.options, len(seats), chance)
    chance.require_recorded([draw for fact in facts for draw in rules.draws(fact)])
    return (*facts, GameStarted())
