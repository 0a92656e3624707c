"""A room: positions, resuming, and what a watcher is to each event."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from domain.kernel.events import SeatTaken
from domain.kernel.ids import AccountId
from service.live import pacing
from service.live.games import room
from service.log import events
from service.log.events import Entry
from service.play.game_cache import LoadedGame
from tests.harness.living import Frame, Living, Player, living


async def busy(process: Living, player: Player, versions: int) -> LoadedGame:
    """A toy game that waits for its players, at a version that is reached by sitting down and getting up."""
    table = (await process.node.commands.create(player.account, "toy", 2)).table
    while table.version < versions:
        table = await fidget(process, player, table)
    return table


async def fidget(process: Living, player: Player, table: LoadedGame) -> LoadedGame:
    """The game one version on: the player has sat down or got up."""
    commands = process.node.commands
    sit = table.game.seat_of(player.account.id) is None
    return (await (commands.take_seat if sit else commands.leave_seat)(player.account, table.id)).table


async def resume(process: Living, table: LoadedGame, after: int, epoch: str = "") -> tuple[int, list[int]]:
    """The position and the versions that a client gets which goes on after a version, up to the table's."""
    path = f"/v1/games/{table.id}/live?after={after}&epoch={epoch or process.node.epoch}"
    async with process.watching(path, {"type": "auth"}) as feed:
        first = await feed.next()
        assert first["type"] == "resumed", first
        rest = [] if after == table.version else await feed.through(table.version)
        return first["version"], [frame["version"] for frame in rest]


async def test_resuming_gives_exactly_what_came_after_at_every_version(database: str) -> None:
    async with living(database) as process:
        table = await busy(process, await process.player("Ada"), 9)
        for after in range(10):
            assert await resume(process, table, after) == (after, list(range(after + 1, 10)))


async def test_resuming_reads_the_log_where_the_room_remembers_too_little(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with living(database) as process:
        ada = await process.player("Ada")
        table = await busy(process, ada, 40)
        # The room's window is a constant of the module, read by the room when it is opened.
        monkeypatch.setattr(room, "WINDOW", 10)
        async with process.watching(f"/v1/games/{table.id}/live", {"type": "auth"}) as feed:
            assert (await feed.next())["version"] == 40
            for after in (0, 1, 25, 29, 30, 31, 39):
                assert await resume(process, table, after) == (after, list(range(after + 1, 41)))
            await fidget(process, ada, table)
            assert (await feed.next())["version"] == 41


async def test_a_long_game_is_resumed_in_pages_while_it_goes_on(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "WINDOW", 50)
    monkeypatch.setattr(pacing, "CHUNK_BYTES", 1_000)
    async with living(database) as process:
        ada = await process.player("Ada")
        table = await busy(process, ada, 150)
        path = f"/v1/games/{table.id}/live?after=0"

        async def watch() -> list[int]:
            async with process.watching(path, {"type": "auth"}) as feed:
                return [frame["version"] for frame in await feed.through(210)]

        async def go_on() -> None:
            moved = table
            while moved.version < 210:
                moved = await fidget(process, ada, moved)

        *watched, _ = await asyncio.gather(*(watch() for _ in range(5)), go_on())
        for versions in watched:
            assert versions == [0, *range(1, 211)]


async def test_position_zero_needs_no_epoch(database: str) -> None:
    async with living(database) as process:
        table = await busy(process, await process.player("Ada"), 3)
        async with process.watching(f"/v1/games/{table.id}/live?after=0", {"type": "auth"}) as feed:
            first = await feed.next()
            assert (first["type"], first["version"], first["head"]) == ("resumed", 0, 3)
            assert first["epoch"] == process.node.epoch
            assert [(await feed.next())["version"] for _ in range(3)] == [1, 2, 3]


async def test_a_position_that_means_nothing_here_is_told_and_followed_by_the_game_as_it_is(database: str) -> None:
    async with living(database) as process:
        table = await busy(process, await process.player("Ada"), 3)
        for query, reason in (
            (f"after=4&epoch={process.node.epoch}", "ahead"),
            (f"after={2**53 - 1}&epoch={process.node.epoch}", "ahead"),
            ("after=3&epoch=other", "epoch"),
            ("after=99&epoch=other", "epoch"),
            ("after=0&epoch=other", "epoch"),
            ("after=1&epoch=", "epoch"),
            ("after=3", "no-epoch"),
        ):
            async with process.watching(f"/v1/games/{table.id}/live?{query}", {"type": "auth"}) as feed:
                resync, hello = await feed.next(), await feed.next()
                told = (resync["type"], resync["reason"], resync["version"], resync["epoch"])
                assert told == ("resync", reason, 3, process.node.epoch), query
                assert (hello["type"], hello["version"]) == ("hello", 3)


async def test_a_version_that_another_process_has_told_is_no_claim_above_the_head(database: str) -> None:
    async with living(database) as one, living(database) as other:
        ada = await one.player("Ada")
        table = await busy(one, ada, 3)
        async with other.watching(f"/v1/games/{table.id}/live", {"type": "auth"}) as feed:
            assert (await feed.next())["version"] == 3
            for _ in range(10):
                # Whoever is told of a version by one process may go to the other before that one has heard of it.
                table = await fidget(one, ada, table)
                assert await resume(other, table, table.version) == (table.version, [])


async def test_who_sits_down_while_watching_is_sent_that_very_event_as_a_seat(database: str) -> None:
    async with living(database) as process:
        ada, bo = await process.player("Ada"), await process.player("Bo")
        commands = process.node.commands
        table = (await commands.create(ada.account, "toy", 2)).table
        watched = {"type": "subscribe", "game": table.id}
        async with (
            process.watching("/v1/live", {"type": "auth", "token": ada.token}, watched) as as_ada,
            process.watching("/v1/live", {"type": "auth", "token": bo.token}, watched) as as_bo,
            process.watching("/v1/live", watched) as as_nobody,
        ):
            feeds = (as_ada, as_bo, as_nobody)
            for feed in feeds:
                assert (await feed.next())["seat"] is None
            await commands.take_seat(ada.account, table.id)
            await commands.leave_seat(ada.account, table.id)
            await commands.take_seat(bo.account, table.id, 1)
            await commands.take_seat(ada.account, table.id, 0)
            frames = [await feed.through(5) for feed in feeds]
            for each in frames:
                assert [frame["version"] for frame in each] == [2, 3, 4, 5]
            hands = [hands_of(each[-1]) for each in frames]
            assert hands == [{0}, {1}, set()]
            # The log tells the same to who comes later, of the same events.
            for player, live in ((ada, frames[0]), (bo, frames[1])):
                token = {"type": "auth", "token": player.token}
                async with process.watching(
                    f"/v1/games/{table.id}/live?after=1&epoch={process.node.epoch}", token
                ) as feed:
                    assert (await feed.until(lambda frame: frame.get("version") == 5))[1:] == live


def hands_of(frame: Frame) -> set[int]:
    """The seats whose hands the event that starts a toy game shows to a viewer."""
    return {fact["seat"] for fact in frame["event"]["data"]["facts"] if fact["type"] == "toy.cards_drawn"}


async def test_an_event_that_cannot_be_read_ends_the_subscription_to_its_game_only(database: str) -> None:
    async with living(database) as process:
        ada = await process.player("Ada")
        broken, whole = await busy(process, ada, 3), await busy(process, ada, 3)
        both = [{"type": "subscribe", "game": table.id} for table in (broken, whole)]
        async with process.watching("/v1/live", *both) as feed:
            await feed.next()
            await feed.next()
            await append(process, broken, b'{"type":"nonsense"}')
            error = await feed.next()
            assert (error["type"], error["code"], error["game"]) == ("error", "game-unreadable", broken.id)
            assert await feed.next() == {"type": "unsubscribed", "game": broken.id}
            await fidget(process, ada, whole)
            assert (await feed.next())["version"] == 4
            await feed.send(**both[0])
            assert (await feed.next())["code"] == "game-unreadable"
        async with process.watching(f"/v1/games/{broken.id}/live", {"type": "auth"}) as feed:
            assert (await feed.next())["code"] == "game-unreadable"
            assert await feed.close_code() == 4409


async def test_what_can_be_read_before_an_event_that_cannot_is_still_sent(database: str) -> None:
    async with living(database) as process:
        table = await busy(process, await process.player("Ada"), 3)
        async with process.watching(f"/v1/games/{table.id}/live", {"type": "auth"}) as feed:
            await feed.next()
            sit = msgspec.json.encode(SeatTaken(seat=1, account=AccountId("aX"), name="X"))
            async with process.node.pool.acquire() as connection, connection.transaction():
                await append(process, table, sit, 4, connection)
                await append(process, table, b"{}", 5, connection)
            assert (await feed.next())["version"] == 4
            assert (await feed.next())["code"] == "game-unreadable"


async def test_an_event_larger_than_a_frame_may_be_is_told_and_its_game_ended(database: str) -> None:
    async with living(database) as process:
        table = await busy(process, await process.player("Ada"), 3)
        async with process.watching(f"/v1/games/{table.id}/live", {"type": "auth"}) as feed:
            await feed.next()
            await append(
                process, table, msgspec.json.encode(SeatTaken(seat=1, account=AccountId("aX"), name="X" * 1_100_000))
            )
            assert (await feed.next())["code"] == "frame-too-large"
            assert (await feed.next())["type"] == "unsubscribed"


async def append(process: Living, table: LoadedGame, data: bytes, version: int = 0, connection: Any = None) -> None:
    """An event in a game's log that no command would write."""
    entry = Entry(
        game_id=table.id,
        version=version or table.version + 1,
        type="move_made",
        actor=None,
        data=data,
        rules_version="toy/1",
        hash=bytes(32),
        recorded_at=datetime.now(UTC),
        attempt=uuid4(),
    )
    assert await events.append(connection or process.node.pool, [entry])


async def test_live_from_memory_and_from_the_log_every_viewer_is_sent_the_same(database: str) -> None:
    async with living(database) as process, living(database) as later:
        players = (await process.player("Ada"), await process.player("Bo"), await process.player("Cy"))
        table = await process.started(*players)
        path = f"/v1/games/{table.id}/live"
        position = f"?after={table.version}&epoch={process.node.epoch}"
        for token in (*(player.token for player in players), None):
            before = table
            async with process.watching(path, {"type": "auth", "token": token}) as feed:
                await feed.next()
                table = await process.played(before, players, 3, random.Random(before.version))
                frames = await feed.through(table.version)
            for each in (process, later):
                async with each.watching(path + position, {"type": "auth", "token": token}) as feed:
                    assert (await feed.through(table.version))[before.version - 3 :] == frames
            assert len(frames) == 3
