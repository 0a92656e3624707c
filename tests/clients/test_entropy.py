"""Clients that commit to entropy: they reveal in the background, whatever happens in between, and stop when closed."""

from __future__ import annotations

import asyncio
import secrets

import pytest

from domain.kernel import proof
from tablelog_client import Client, Problem
from tablelog_client.entropy import commitment, fresh
from tests.clients.conftest import joined
from tests.harness.server import Service


def test_a_commitment_is_the_one_that_the_service_computes() -> None:
    entropy = fresh()
    assert len(entropy) >= 22
    assert commitment("a1", entropy) == proof.entropy_commitment("a1", entropy)
    assert len({fresh() for _ in range(100)}) == 100


async def test_players_that_commit_start_and_play_a_game(visitor: Client) -> None:
    players = [await joined(visitor) for _ in range(3)]
    game = (await players[0].create_game("toy", 3)).id
    for player in players:
        await player.take_seat(game, commit=True)
    begun = await asyncio.wait_for(visitor.started(game), 60)
    assert [seat.entropy for seat in begun.seats] == ["revealed"] * 3
    while to_move := (await visitor.game(game)).to_move:
        await players[to_move[0]].play(game)
    assert (await visitor.game(game)).status == "finished"


async def test_open_entropy_cannot_be_sent_with_a_commitment(visitor: Client) -> None:
    player = await joined(visitor)
    game = (await player.create_game("toy", 2)).id
    with pytest.raises(ValueError, match="leave it out"):
        await player.take_seat(game, entropy="dice", commit=True)
    assert (await visitor.game(game)).seats[0].account is None


async def test_a_client_commits_again_when_another_seat_did_not_reveal(visitor: Client) -> None:
    ann, bob, mute, late = [await joined(visitor) for _ in range(4)]
    game = (await ann.create_game("toy", 3, reveal_seconds=1)).id
    await mute.take_seat(game)
    await mute.commit(game, secrets.token_hex(32))
    await ann.take_seat(game, commit=True)
    await bob.take_seat(game, commit=True)
    while not await freed(ann, game):  # noqa: ASYNC110 - asked over HTTP
        await asyncio.sleep(0.05)
    await late.take_seat(game, commit=True)
    begun = await asyncio.wait_for(visitor.started(game), 60)
    assert [seat.entropy for seat in begun.seats] == ["revealed"] * 3
    kinds = [event.type async for event in visitor.events(game)]
    assert kinds.count("seat_freed") == 1
    assert kinds.count("entropy_committed") == 3  # the mute one, and each of the others again


async def freed(player: Client, game: str) -> bool:
    """Whether the first seat could be freed by now."""
    try:
        await player.free_seat(game, 0)
    except Problem as problem:
        if problem.code != "reveal-not-over":
            raise
        return False
    return True


async def test_a_client_reveals_after_the_service_was_away(service: Service) -> None:
    async with Client(service.url) as visitor:
        ann, bob = [await joined(visitor) for _ in range(2)]
        game = (await ann.create_game("toy", 2, reveal_seconds=3_600)).id
        await ann.take_seat(game, commit=True)
        service.kill()
        await asyncio.to_thread(service.start)
        await bob.take_seat(game)
        assert (await asyncio.wait_for(visitor.started(game), 60)).seats[0].entropy == "revealed"


def keeping() -> int:
    """How many tasks keep entropy."""
    return sum("Keeper" in repr(task.get_coro()) for task in asyncio.all_tasks())


async def test_a_client_that_is_closed_leaves_nothing_running(service: Service) -> None:
    before = asyncio.all_tasks()
    async with Client(service.url) as visitor:
        ann = await joined(visitor)
        game = (await ann.create_game("toy", 2)).id
        await ann.take_seat(game, commit=True)
        assert keeping() == 2
        async with Client(service.url, (await joined(visitor)).token) as bob:
            await bob.take_seat((await ann.create_game("toy", 2)).id, commit=True)
            assert keeping() == 4
        assert keeping() == 2
    assert asyncio.all_tasks() == before
