"""Notices: what feeds tell of an event is what happened in it, and the game as lists show it."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncGenerator
from typing import Any

import msgspec
import pytest

from domain.kernel import proof
from domain.kernel.events import Delay
from domain.kernel.game import Status
from domain.kernel.rejected import Rejected
from service.auth.accounts import Account
from service.live.feeds import queries
from service.live.feeds.notices import FeedEvent, FeedFolder
from service.live.feeds.queries import EventRef
from service.log.safe_order import START
from service.play.game_cache import LoadedGame
from service.projections.lobby import Lobby
from tests.conformance.titles import ENTRIES
from tests.harness.archiving import archiving
from tests.harness.noticing import due, told
from tests.harness.recording import account_of, put_into_log, recorded
from tests.harness.writing import Writing, writing
from tests.toy import TITLE as TOY

ENTRY = next(entry for entry in ENTRIES if entry.title is TOY)


@pytest.fixture
async def process(database: str) -> AsyncGenerator[Writing]:
    async with writing(database) as made:
        yield made


async def notices(
    process: Writing, account: str | None, batch: int = 1_000, remembered: int = 100
) -> list[dict[str, Any]]:
    """All notices of a feed, so many events at a time."""
    folding, found = FeedFolder(process.pool, process.tables, remembered), list[dict[str, Any]]()
    refs = await queries.everything(process.pool, START, 10_000)
    for start in range(0, len(refs), batch):
        part = refs[start : start + batch]
        feed_events = await folding.feed_events(part)
        found += [frame for each in part if (frame := frame_of(feed_events.get(key_of(each)), account)) is not None]
    return found


def key_of(event_ref: EventRef) -> tuple[str, int]:
    return event_ref.game_id, event_ref.version


def frame_of(feed_event: FeedEvent | None, account: str | None) -> dict[str, Any] | None:
    data = feed_event and (feed_event.lobby() if account is None else feed_event.account(account))
    # A text frame has its head before the JSON.
    return None if not data else msgspec.json.decode(data[data.index(b"{") :])


async def played(process: Writing, *seated: Account, **options: Any) -> LoadedGame:
    """A game of many turns, from somebody who comes and goes to its end, in which moves were taken back."""
    picks = random.Random(3)
    table = (await process.commands.create(seated[0], "toy", len(seated), **options)).table
    for _ in range(2):
        await process.commands.take_seat(seated[1], table.id)
        await process.commands.leave_seat(seated[1], table.id)
    for account in seated:
        table = (await process.commands.take_seat(account, table.id)).table
    while table.game.status is Status.running:
        if table.game.trail and picks.random() < 0.3:
            seat = table.game.trail[-1].seat
            table = (await process.commands.undo(seated[seat], table.id, table.version)).table
        else:
            table = (await process.moved(table, seated, picks)).table
    return table


@pytest.mark.parametrize("batch,remembered", [(1_000, 100), (1, 100), (3, 1)])
async def test_every_notice_says_what_happened_in_its_event_and_there_is_no_other(
    process: Writing, batch: int, remembered: int
) -> None:
    seated = (await process.account("Ada"), await process.account("Bo"), await process.account("Cy"))
    await played(process, *seated)
    await played(process, *seated[:2], visibility="unlisted")
    words = set[str]()
    for account in (None, *(each.id for each in seated)):
        found = told(await notices(process, account, batch, remembered))
        assert found == await due(process, account)
        words |= {word for _, what, _ in found for word in what}
    assert words == {"created", "seat_taken", "seat_left", "started", "ended", "your_turn", "turn_over"}


@pytest.mark.parametrize("delay", [None, Delay(versions=3)])
async def test_a_notice_shows_the_game_as_lists_do_right_after_its_event(process: Writing, delay: Delay | None) -> None:
    seated = (await process.account("Ada"), await process.account("Bo"))
    picks, lists = random.Random(1), dict[str, Any]()

    async def look(table: LoadedGame) -> None:
        await process.project()
        (listed,) = (await Lobby(process.pool, process.tables).page(None)).games
        lists[f"{table.id}:{table.version}"] = msgspec.json.decode(msgspec.json.encode(listed))

    table = (await process.commands.create(seated[0], "toy", 2, spectator_delay=delay)).table
    await look(table)
    for account in seated:
        table = (await process.commands.take_seat(account, table.id)).table
        await look(table)
    while table.game.status is Status.running:
        table = (await process.moved(table, seated, picks)).table
    await look(table)
    found = {frame["cursor"]: frame["listed"] for frame in await notices(process, None)}
    assert found == lists
    assert found[f"{table.id}:{table.version}"]["winners"] is not None


async def test_the_lobby_is_told_of_public_games_only_and_an_account_of_all_of_its_own(process: Writing) -> None:
    ada, bo = await process.account("Ada"), await process.account("Bo")
    listed = await process.started("toy", ada, bo)
    unlisted = (await process.commands.create(ada, "toy", 2, visibility="unlisted")).table
    sandbox = (await process.commands.create(ada, "toy", 2, position=listed.game.state)).table
    for table in (unlisted, sandbox):
        await process.commands.take_seat(ada, table.id)
    assert {frame["game"] for frame in await notices(process, None)} == {listed.id}
    mine = await notices(process, ada.id)
    assert {frame["game"] for frame in mine} == {listed.id, unlisted.id, sandbox.id}
    assert {frame["game"] for frame in mine if frame["listed"]["sandbox"]} == {sandbox.id}
    assert {frame["game"] for frame in mine if frame["listed"]["visibility"] == "unlisted"} == {unlisted.id}


async def test_nobody_is_told_of_a_game_that_was_taken_in_whatever_ids_its_accounts_have(process: Writing) -> None:
    foreign = recorded(ENTRY.title, ENTRY.text, 2, 1)
    async with archiving(process) as archive:
        await archive.take_in(await process.account("Ada"), foreign.record)
    for account in (None, account_of(0), account_of(1)):
        assert await notices(process, account) == []
    here = recorded(ENTRY.title, ENTRY.text, 2, 2)
    await put_into_log(process.pool, here)  # the same accounts, in a game that was played here
    for account in (None, account_of(0), account_of(1)):
        assert {frame["game"] for frame in await notices(process, account)} == {here.game_id}


async def test_a_game_that_cannot_be_read_has_no_notices_and_is_reported(
    process: Writing, caplog: pytest.LogCaptureFixture
) -> None:
    ada, bo = await process.account("Ada"), await process.account("Bo")
    broken, fine = await process.started("toy", ada, bo), await process.started("toy", ada, bo)
    await break_off(process, broken)
    await process.moved(fine, (ada, bo), random.Random(1))
    with caplog.at_level(logging.WARNING):
        found = await notices(process, None)
    assert [frame["cursor"] for frame in found if frame["game"] == fine.id] == [f"{fine.id}:{n}" for n in (1, 2, 3)]
    assert {frame["cursor"] for frame in found if frame["game"] == broken.id} <= {f"{broken.id}:{n}" for n in (1, 2, 3)}
    assert [each.getMessage() for each in caplog.records if broken.id in each.getMessage()]


async def break_off(process: Writing, table: LoadedGame) -> None:
    """Put something into the log that is no event of this game."""
    await process.pool.execute(
        "insert into events (game_id, version, type, actor, data, rules_version, hash, recorded_at, attempt)"
        " values ($1, $2, 'seat_left', 'a', '{}', '1', sha256(''), now(), gen_random_uuid())",
        table.id,
        table.version + 1,
    )


async def test_accounts_hear_what_their_seats_still_have_to_do_before_a_game_starts(process: Writing) -> None:
    ann, bob, cat, dan = [await process.account(name) for name in ("Ann", "Bob", "Cat", "Dan")]
    game = (await process.commands.create(ann, "toy", 3, reveal_seconds=1)).table.id
    entropy = {
        (who.id, turn): f"{who.name} adds all of this, turn {turn}" for who in (ann, bob, cat) for turn in (1, 2)
    }

    def committed(who: Account, turn: int) -> str:
        return proof.entropy_commitment(who.id, entropy[who.id, turn])

    for who in (ann, bob, cat):
        await process.commands.take_seat(who, game, commitment=committed(who, 1))
    await process.commands.reveal_entropy(ann, game, entropy[ann.id, 1])
    await free(process, ann, game, 1)
    await process.commands.take_seat(dan, game)
    for who in (ann, cat):
        await process.commands.commit_entropy(who, game, committed(who, 2))
    for who in (ann, cat):
        await process.commands.reveal_entropy(who, game, entropy[who.id, 2])
    for who in (ann, bob, cat, dan):
        assert told(await notices(process, who.id)) == await due(process, who.id)
    assert told(await notices(process, None)) == await due(process)
    words = [set(frame["what"]) - {"your_turn"} for frame in await notices(process, cat.id)]
    assert words == [
        {"seat_taken", "reveal_due"},
        {"seat_freed", "commit_due"},
        {"seat_taken"},
        {"reveal_due"},
        {"started"},
    ]
    *_, last = await notices(process, bob.id)
    assert (last["what"], last["seat"], last["listed"]["status"]) == (["seat_freed"], 1, "waiting")
    assert [seat["entropy"] for seat in last["listed"]["seats"]] == ["owed", None, "owed"]
    lobby = [word for frame in await notices(process, None) for word in frame["what"]]
    assert lobby == ["created", *["seat_taken"] * 3, "seat_freed", "seat_taken", "started"]


async def free(process: Writing, who: Account, game: str, seat: int) -> None:
    """Have somebody free a seat as soon as that may be."""
    while True:
        try:
            await process.commands.free_seat(who, game, seat)
        except Rejected as refused:
            if refused.code != "reveal-not-over":
                raise
            await asyncio.sleep(0.02)
        else:
            return
