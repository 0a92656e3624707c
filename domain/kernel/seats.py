"""Who sits at a table, and what the start of its game waits for, folded from the events before the start."""

from __future__ import annotations

from typing import Any, TypeAlias, assert_never

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.kernel.events import EntropyCommitted, EntropyRevealed, SeatFreed, SeatLeft, SeatTaken
from domain.kernel.ids import AccountId
from domain.kernel.instants import Instant
from domain.kernel.terms import Seat


class Seated(Struct, frozen=True):
    """Who sits at a seat, and what they add to the draws: an entropy, or a commitment to one, which they reveal."""

    account: AccountId
    name: str
    entropy: str = ""
    commitment: str | None = None
    void: bool = False
    """Whether a commitment of theirs became void with an aborted start: they commit again before there is another."""

    @property
    def owes_reveal(self) -> bool:
        """Whether they have committed to an entropy that they have not revealed."""
        return self.commitment is not None and not self.entropy


Seats: TypeAlias = tuple[Seated | None, ...]
SeatEvent: TypeAlias = SeatTaken[Any] | SeatLeft | EntropyCommitted | EntropyRevealed[Any] | SeatFreed


class Start(Struct, frozen=True):
    """What the start of a game has come to."""

    reveal_by: Instant | None = None
    """While it is starting: after this the seats of those who have not revealed their entropy may be freed."""
    commitments: frozenset[str] = frozenset()
    """Every commitment that was ever made at this table: none of them is good for another start."""
    barred: frozenset[AccountId] = frozenset()
    """The accounts that did not reveal in time."""


def seats_after(seats: Seats, start: Start, event: SeatEvent) -> tuple[Seats, Start]:
    """The seats and the start after one more event. A start that is complete is `GameStarted` among its facts."""
    match event:
        case SeatTaken():
            commitment = None if event.entropy_commitment is UNSET else event.entropy_commitment
            who = Seated(account=event.account, name=event.name, entropy=event.entropy, commitment=commitment)
            return with_seat(seats, event.seat, who), _committed(start, event.entropy_commitment, event.reveal_by)
        case SeatLeft():
            return with_seat(seats, event.seat, None), start
        case EntropyCommitted():
            who = msgspec.structs.replace(
                _sitting(seats, event.seat), entropy="", commitment=event.entropy_commitment, void=False
            )
            return with_seat(seats, event.seat, who), _committed(start, event.entropy_commitment, event.reveal_by)
        case EntropyRevealed():
            who = msgspec.structs.replace(_sitting(seats, event.seat), entropy=event.entropy)
            after = start if not event.facts else msgspec.structs.replace(start, reveal_by=None)
            return with_seat(seats, event.seat, who), after
        case SeatFreed():
            voided = tuple(map(_void, with_seat(seats, event.seat, None)))
            return voided, msgspec.structs.replace(start, reveal_by=None, barred=start.barred | {event.account})
        case _:
            assert_never(event)


def with_seat(seats: Seats, seat: Seat, who: Seated | None) -> Seats:
    """The seats with somebody else, or nobody, at one of them."""
    return (*seats[:seat], who, *seats[seat + 1 :])


def _sitting(seats: Seats, seat: Seat) -> Seated:
    who = seats[seat]
    if who is None:
        message = f"nobody sits at seat {seat}"
        raise TypeError(message)
    return who


def _committed(start: Start, commitment: str | UnsetType, reveal_by: Instant | UnsetType) -> Start:
    if commitment is UNSET and reveal_by is UNSET:
        return start
    commitments = start.commitments if commitment is UNSET else start.commitments | {commitment}
    return msgspec.structs.replace(
        start, commitments=commitments, reveal_by=start.reveal_by if reveal_by is UNSET else reveal_by
    )


def _void(who: Seated | None) -> Seated | None:
    """Somebody after an aborted start."""
    if who is None or who.commitment is None:
        return who
    return msgspec.structs.replace(who, entropy="", commitment=None, void=True)
