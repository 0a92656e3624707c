"""What lists show of a game, folded from its log. A game that cannot be read is reported and stops no other."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec
from msgspec import Struct

from domain.kernel import game as kernel
from domain.kernel.ids import GameId
from domain.kernel.results import Result
from service.play.entropy import EntropyStage, entropy_stage
from service.play.game_cache import GameCache, LoadedGame, Unreadable

_SLICE = 20
"""Games that are summed up in one go."""


class SeatSummary(Struct, frozen=True):
    """Who sits at a seat, and what it came to when the game has ended."""

    seat: int
    account: str
    name: str
    entropy: EntropyStage | None
    rank: int | None
    points: int | None


class Summary(Struct, frozen=True):
    """A game at a version."""

    game_id: str
    version: int
    title: str
    component_set: str
    visibility: str
    sandbox: bool
    delayed: bool
    creator: str
    status: str
    seat_count: int
    open_seats: int
    reveal_by: datetime | None
    to_move: tuple[int, ...]
    winners: tuple[int, ...] | None
    seats: tuple[SeatSummary, ...]
    """Those that are taken."""


class Summaries(Struct, frozen=True):
    """Games that were read, and those that failed.

    `archived` games have no summary: their accounts are of another database, and they count for nobody.
    """

    games: list[Summary] = msgspec.field(default_factory=list[Summary])
    archived: list[str] = msgspec.field(default_factory=list[str])
    faults: list[Fault] = msgspec.field(default_factory=list["Fault"])

    def add(self, game_id: str, version: int, found: LoadedGame | Exception) -> None:
        """Sum a game up; whatever is wrong with it, in its log or in its rules, is no concern of the others."""
        if isinstance(found, Exception):
            self.faults.append(fault(game_id, version, found))
            return
        try:
            if found.archived:
                self.archived.append(game_id)
            else:
                self.games.append(summary(found))
        except Exception as error:  # noqa: BLE001 - as above
            self.faults.append(fault(game_id, version, error))


class Fault(Struct, frozen=True):
    """A game that could not be read, where, and why."""

    game_id: str
    version: int
    error: str


def summary(table: LoadedGame) -> Summary:
    """What lists show of a game."""
    game = table.game
    scores = {score.seat: score for score in game.result.scores} if game.result is not None else {}
    return Summary(
        game_id=table.id,
        version=game.version,
        title=game.created.title,
        component_set=game.created.component_set,
        visibility=game.created.visibility,
        sandbox=game.created.sandbox,
        delayed=game.created.spectator_delay is not None,
        creator=game.created.creator,
        status=game.status.value,
        seat_count=len(game.seats),
        open_seats=game.seats.count(None),
        reveal_by=game.start.reveal_by,
        to_move=kernel.to_move(game, table.rules),
        winners=_winners(game.result),
        seats=tuple(
            SeatSummary(
                seat=seat,
                account=who.account,
                name=who.name,
                entropy=entropy_stage(who),
                rank=scores[seat].rank if seat in scores else None,
                points=scores[seat].points if seat in scores else None,
            )
            for seat, who in enumerate(game.seats)
            if who is not None
        ),
    )


async def summarize(tables: GameCache, versions: Mapping[GameId, int] | Mapping[str, int]) -> Summaries:
    """Each game, at the requested version or a later one, in the order of ids."""
    found = Summaries()
    by_id = dict(sorted(versions.items()))
    loaded = {game_id: table async for game_id, table in tables.load(by_id)}
    for number, (game_id, version) in enumerate(by_id.items(), 1):
        if game_id in loaded:
            found.add(game_id, version, loaded[game_id])
        if number % _SLICE == 0:
            await asyncio.sleep(0)  # others have their turn
    return found


async def replay_summaries(tables: GameCache, game_ids: Sequence[str]) -> Summaries:
    """Games folded from the log alone."""
    found = Summaries()
    async for each in tables.replay(game_ids, whole=True):
        if isinstance(each, Unreadable):
            found.add(each.game_id, each.version, each)
        else:
            found.add(each.id, each.version, each)
    return found


def fault(game_id: str, version: int, error: BaseException) -> Fault:
    """A fault in words that can be stored and stay on one line."""
    if isinstance(error, Unreadable):
        version, error = error.version, error.__cause__ or error
    return Fault(game_id=game_id, version=version, error=ascii(f"{type(error).__name__}: {error}")[1:-1][:500])


def _winners(result: Result | None) -> tuple[int, ...] | None:
    return None if result is None else result.winners
