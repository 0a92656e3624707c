"""What feeds are due to tell, worked out from the log alone, and a follower that holds them to their promises."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from domain.kernel import game as kernel
from domain.kernel.game import Status
from domain.kernel.ids import AccountId
from domain.kernel.terms import Seat
from service.log import events
from service.play.entropy import commitments_due, reveals_due
from service.play.game_cache import LoadedGame
from service.transport.close_codes import CLOSES
from tests.harness.contract import check_frame
from tests.harness.writing import Writing

WORDS = (
    *("created", "seat_taken", "seat_left", "seat_freed", "started", "ended"),
    *("commit_due", "reveal_due", "your_turn", "turn_over"),
)
_RETRY = {close.code for close in CLOSES if close.retry}
_IN_ORDER = "select game_id, version, type from events order by xid, position"

Told = tuple[str, tuple[str, ...], int | None]
"""A notice in short: its cursor, what it says, and of which seat."""


def told(frames: Sequence[dict[str, Any]]) -> list[Told]:
    """The notices among some frames, in short."""
    notices = [frame for frame in frames if frame["type"] == "notice"]
    return [(frame["cursor"], tuple(frame["what"]), frame["seat"]) for frame in notices]


async def due(process: Writing, account: str | None = None) -> list[Told]:
    """Every notice of the lobby, or of an account, by the log as it is now."""
    archived = {each["game_id"] for each in await process.pool.fetch("select game_id from imports")}
    folded: dict[str, LoadedGame] = {}
    found: list[Told] = []
    for game_id, version, kind in await process.pool.fetch(_IN_ORDER):
        if game_id in archived:
            continue
        before = folded.get(game_id)
        if before is None:
            after = await process.tables.at(game_id, version)
        else:
            (row,) = await events.read(process.pool, game_id, version - 1, 1)
            after, _ = process.tables.advance(before, row)
        folded[game_id] = after
        created = after.game.created
        if account is None:
            seat, told_of = None, created.visibility == "public" and not created.sandbox
        else:
            seat = after.game.seat_of(AccountId(account))
            if seat is None and before is not None:
                seat = before.game.seat_of(AccountId(account))
            told_of = seat is not None
        what = _words(before, after, kind, seat)
        if told_of and what:
            found.append((f"{game_id}:{version}", what, seat))
    return found


def _words(before: LoadedGame | None, after: LoadedGame, kind: str, seat: Seat | None) -> tuple[str, ...]:
    was = Status.waiting if before is None else before.game.status
    waited_for = () if before is None else kernel.to_move(before.game, before.rules)
    holds = {
        "created": before is None,
        "seat_taken": kind == "seat_taken",
        "seat_left": kind == "seat_left",
        "seat_freed": kind == "seat_freed",
        "started": was in {Status.waiting, Status.starting} and after.game.state is not None,
        "commit_due": seat in commitments_due(after.game) - (commitments_due(before.game) if before else frozenset()),
        "reveal_due": seat in reveals_due(after.game) - (reveals_due(before.game) if before else frozenset()),
        "your_turn": seat in kernel.to_move(after.game, after.rules) and seat not in waited_for,
        "turn_over": seat in waited_for and seat not in kernel.to_move(after.game, after.rules),
        "ended": was is not Status.finished and after.game.status is Status.finished,
    }
    return tuple(word for word in WORDS if holds[word])


@dataclass
class FeedFollower:
    """Follows a feed on any of several addresses, in order, and goes on with its cursor after every break."""

    addresses: Sequence[str]
    feed: str
    token: str | None = None
    after: str | None = None
    epoch: str | None = None
    notices: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    closes: list[int] = field(default_factory=list[int])
    """The codes with which connections ended."""
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by the first `following`."""

    @property
    def told(self) -> list[Told]:
        """The notices that came, in short."""
        return told(self.notices)

    async def until(self, last: Callable[[dict[str, Any]], bool]) -> None:
        """Follow until a notice comes that is wanted last."""
        for address in itertools.cycle(self.addresses):
            try:
                await self._follow(address, last)
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd is not None else 1006
                self.closes.append(code)
                assert code in _RETRY, code
            except (OSError, InvalidHandshake, TimeoutError):
                await asyncio.sleep(0.05)
            else:
                return

    async def _follow(self, address: str, last: Callable[[dict[str, Any]], bool]) -> None:
        url = f"ws{address.removeprefix('http')}/v1/live"
        async with connect(url, compression=None, proxy=None, open_timeout=30) as connection:
            place = {"after": self.after, "epoch": self.epoch} if self.after is not None else {}
            for frame in ({"type": "auth", "token": self.token}, {"type": "follow", "feed": self.feed, **place}):
                await connection.send(msgspec.json.encode(frame).decode())
            first = True
            while True:
                frame = msgspec.json.decode(await connection.recv())
                check_frame(frame)
                if frame["type"] == "heartbeat":
                    continue
                assert frame["feed"] == self.feed, frame
                assert frame["type"] == ("following" if first else "notice"), frame
                assert not first or self.after in {None, frame["cursor"]}, (frame, self.after)
                self.after = frame["cursor"]
                if first:
                    self.epoch = frame["epoch"]
                    self.begun.set()
                else:
                    self.notices.append(frame)
                    if last(frame):
                        return
                first = False
