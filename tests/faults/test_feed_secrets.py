"""The feeds of the lobby and of accounts tell nothing that their followers may not know, nor that something came."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec
import pytest

from domain.kernel.events import Event, SeatLeft, SeatTaken
from domain.kernel.ids import AccountId
from tests.conformance import worlds
from tests.conformance.games import Played, Script, play
from tests.conformance.titles import ENTRIES, Entry
from tests.conformance.worlds import Stretch
from tests.faults.test_feeds import ACCOUNT, LOBBY, due_now, end, follower, is_end, played
from tests.faults.test_live_secrets import ONE_OF_EACH, add_accounts, add_event, token_of
from tests.harness.living import living
from tests.harness.postgres import PostgresServer, fresh_database
from tests.harness.processes import Processes
from tests.harness.recording import recorded
from tests.harness.server import account, expect

TOY_ENTRY = next(entry for entry in ENTRIES if entry.title.id == "toy")


async def test_the_lobby_knows_nothing_of_what_is_not_listed_and_of_a_delayed_game_what_lists_show(
    processes: Processes,
) -> None:
    players = [await account(processes.http) for _ in range(2)]
    stranger = await account(processes.http)
    followers = [follower(processes, 0, None), follower(processes, 1, stranger)]
    lobby = asyncio.create_task(followers[0].until(is_end(players)))
    strange = asyncio.create_task(followers[1].until(is_end([stranger])))
    await asyncio.gather(*(each.begun.wait() for each in followers))
    hidden = [await played(processes, players, number, 1_000, visibility="unlisted") for number in range(2)]
    public = await played(processes, players, 2, 1_000)
    fork = expect(await players[0].post(f"/v1/games/{public}/forks", {"version": 6}), 201)["id"]
    for player in players:
        expect(await player.post(f"/v1/games/{fork}/seats"), 201)
    foreign = recorded(TOY_ENTRY.title, TOY_ENTRY.text, 2, 77)
    headers = {"Content-Type": "application/x-ndjson"}
    assert (await players[0].post("/v1/records", None, headers, content=foreign.record)).is_success
    delayed = await played(processes, players, 3, 1_000, spectator_delay={"versions": 5, "seconds": 3600})
    await end(processes, players)
    await end(processes, [stranger, *players])
    await asyncio.gather(lobby, strange)
    for each in followers:
        text = msgspec.json.encode(each.notices).decode()
        assert not any(game in text for game in (*hidden, fork, foreign.game_id))
    seen = [frame["listed"] for frame in followers[0].notices if frame["game"] == delayed]
    assert [listed["status"] for listed in seen] == ["waiting"] * 4 + ["running", "finished"]
    assert [listed["version"] for listed in seen[:5]] == [1, 2, 3, 4, 5]
    assert {frame["listed"]["creator"] for frame in followers[1].notices} == {stranger.id}


# What a move changes that nobody may know.


@pytest.mark.parametrize("entry", ONE_OF_EACH, ids=repr)
async def test_worlds_that_differ_in_a_secret_give_the_same_notices(
    postgres: PostgresServer, template: str, entry: Entry
) -> None:
    game = play(entry, entry.title.seats[0], entry.title.options(), b"1" * 32, (1, 5, 8, 2))
    compared = 0
    for viewer in (None, 0):
        stretch = Stretch(game, viewer, None, game.started + (len(game.log) - game.started) // 4)
        exchanged = worlds.exchange(stretch.hidden(), entry, Script((2, 3, 1)))
        if not exchanged:
            continue
        other = list(worlds.other_events(stretch, exchanged))
        assert other != list(stretch.events)
        of = None if viewer is None else f"account-{viewer}"
        one, two = [await notices_of(postgres, template, game, log, of) for log in (stretch.events, other)]
        assert one == two
        assert len(one) > 2
        compared += 1
    assert compared


async def notices_of(
    postgres: PostgresServer, template: str, game: Played, log: Sequence[Event], of: str | None
) -> list[str]:
    """Every notice of the lobby or of an account that a log gives, while it grows and when it is caught up with."""
    first = [{"type": "auth", "token": token_of(of)}, LOBBY if of is None else ACCOUNT]
    async with fresh_database(postgres, template) as database, living(database) as process:
        await add_accounts(process, game.seats)
        texts: list[str] = []
        async with process.watching("/v1/live", *first) as feed:
            await feed.next()
            for version, event in enumerate(log, 1):
                await add_event(process, game, event, version, AccountId(actor_of(event)))
            due_texts = len(await due_now(database, of))
            texts += [str(await feed.connection.recv()) for _ in range(due_texts)]
        async with process.watching("/v1/live", first[0], {**first[1], "after": "0"}) as feed:
            await feed.next()
            texts += [str(await feed.connection.recv()) for _ in range(due_texts)]
        return texts


def actor_of(event: Event) -> str:
    """Who brought an event about, as far as feeds ask."""
    return event.account if isinstance(event, SeatTaken | SeatLeft) else "account-0"
