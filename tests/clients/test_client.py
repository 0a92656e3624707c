"""The client over HTTP, against a running service."""

from __future__ import annotations

import secrets
from random import Random
from urllib.parse import urlsplit

import httpx
import pytest

from tablelog_client import Client, Problem
from tests.clients.conftest import joined, opened
from tests.harness.faults import wire_to
from tests.harness.server import Service, serving


async def test_a_whole_game_is_played_by_legal_moves_alone(visitor: Client) -> None:
    game_id, *players = await opened(visitor)
    picks, last = Random(2), players[0]
    while (game := await visitor.game(game_id)).to_move:
        last = players[picks.choice(game.to_move)]
        await last.play(game_id, picks)
    assert game.status == "finished"
    assert game.result is not None
    for score in game.result.scores:
        assert score.points == sum(line.points for line in score.lines)
    events = [event async for event in visitor.events(game_id)]
    assert [event.version for event in events] == list(range(1, game.version + 1))
    page = await visitor.event_page(game_id, after=1, limit=2)
    assert (page.events, page.more) == (tuple(events[1:3]), True)
    (listed,) = [each async for each in last.games(account="me", status="finished")]
    assert (listed.id, listed.winners) == (game_id, game.result.winners)
    assert [seat.rank for seat in listed.seats] == [score.rank for score in game.result.scores]
    assert (await visitor.game(game_id, reveal=True)).revealed is not None
    assert (await visitor.game(game_id, version=1)).status == "waiting"


async def test_the_first_legal_move_is_made_where_nothing_is_drawn_and_none_where_there_is_none(
    visitor: Client,
) -> None:
    game_id, ann, _ = await opened(visitor)
    first = (await ann.legal_moves(game_id)).first()
    played = await ann.play(game_id)
    assert played is not None
    assert played.event.data["move"] == first
    assert 0 not in played.to_move
    assert await ann.play(game_id) is None


async def test_an_account_is_known_by_its_token(visitor: Client) -> None:
    made = await visitor.create_account(secrets.token_hex(8))
    assert made.token is not None
    async with Client(visitor.url + "/", made.token) as ann:
        assert (await ann.me()).id == made.id


async def test_titles_and_pieces_are_told_in_words(visitor: Client) -> None:
    titles = {title.id: title for title in await visitor.titles()}
    assert titles["toy"].seats.least == 2
    components = await visitor.components("toy", titles["toy"].component_sets[0])
    assert components.title == "toy"
    assert all(piece.names["en"] for piece in components.pieces)


async def test_a_seat_can_be_named_and_left(visitor: Client) -> None:
    ann = await joined(visitor)
    game = await ann.create_game("toy", 3, options={"rounds": 2}, visibility="unlisted")
    assert (await ann.take_seat(game.id, 2, entropy="dice")).event.data["seat"] == 2
    assert (await ann.leave_seat(game.id)).event.type == "seat_left"
    assert (await ann.game(game.id)).options == {"rounds": 2}


async def test_lists_are_paged_to_their_end(visitor: Client) -> None:
    ann = await joined(visitor)
    made = [(await ann.create_game("toy", 2)).id for _ in range(60)]
    mine = [game.id async for game in ann.games(title="toy", open_seats=True) if game.creator == (await ann.me()).id]
    assert mine == made[::-1]


async def test_what_is_refused_is_a_problem_with_its_code_and_facts(visitor: Client) -> None:
    game_id, ann, _ = await opened(visitor)
    with pytest.raises(Problem, match="stale-version") as stale:
        await ann.move(game_id, 1, (await ann.legal_moves(game_id)).first())
    assert (stale.value.status, stale.value.code, stale.value.facts["current_version"]) == (409, "stale-version", 3)
    with pytest.raises(Problem) as wrong:
        await ann.create_game("toy", 99)
    assert (wrong.value.code, wrong.value.field) == ("bad-seat-count", "seats")
    with pytest.raises(Problem) as unknown:
        _ = [event async for event in visitor.events("g" + "0" * 20)]
    assert unknown.value.code == "no-such-game"


async def test_an_answer_that_is_no_problem_of_the_service_has_the_status_for_a_code() -> None:
    async with httpx.AsyncClient(
        transport=httpx.MockTransport(lambda _: httpx.Response(502, text="a gateway"))
    ) as http:
        with pytest.raises(Problem) as met:
            await Client("http://gateway", http=http).titles()
    assert (met.value.status, met.value.code, met.value.field) == (502, "http-502", None)


async def test_a_command_whose_answer_was_lost_is_repeated_and_done_once(
    shared_service: Service, visitor: Client
) -> None:
    game_id, ann, bob = await opened(visitor)
    async with (
        wire_to(shared_service.url) as (wire, url),
        Client(by_way_of(url), ann.token) as far_ann,
        Client(by_way_of(url), bob.token) as far_bob,
    ):
        for version in range(4, 8):
            seat = (await visitor.game(game_id)).to_move[0]
            wire.lose_answer_to(b"POST /v1/games/")
            played = await (far_ann, far_bob)[seat].play(game_id)
            assert played is not None
            assert (await visitor.game(game_id)).version == played.version == version
        wire.lose_answer_to(b"POST /v1/games ")
        await far_ann.create_game("toy", 2)
    assert wire.lost == 5
    opened_by_ann = [game async for game in ann.games() if game.creator == (await ann.me()).id]
    assert len(opened_by_ann) == 2


async def test_making_an_account_is_never_repeated_by_itself(shared_service: Service) -> None:
    async with wire_to(shared_service.url) as (wire, url), Client(by_way_of(url)) as far:
        wire.lose_answer_to(b"POST /v1/accounts")
        name = secrets.token_hex(8)
        with pytest.raises(httpx.TransportError):
            await far.join(name)
        with pytest.raises(Problem, match="name-taken"):
            await far.join(name)


async def test_what_never_gets_through_is_an_error_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablelog_client.client._PAUSES", (0.0, 0.0))
    async with Client("http://127.0.0.1:9") as nowhere:
        with pytest.raises(httpx.ConnectError):
            await nowhere.titles()


def by_way_of(url: str) -> str:
    return f"http://127.0.0.1:{urlsplit(url).port}"


async def test_a_move_is_taken_back(visitor: Client) -> None:
    ann, bob = await joined(visitor), await joined(visitor)
    game = (await ann.create_game("chimera", 2)).id
    await ann.take_seat(game)
    await bob.take_seat(game)
    players, picks = (ann, bob), Random(1)
    while True:
        before = await visitor.game(game)
        mover = players[before.to_move[0]]
        played = await mover.play(game, picks)
        assert played is not None
        if "final" not in played.event.data:
            break
    undone = await mover.undo(game, played.version)
    assert (undone.version, undone.event.data["undone"]) == (played.version + 1, played.version)
    assert (await visitor.game(game)).view == before.view
    with pytest.raises(Problem) as stale:
        await mover.undo(game, played.version)
    assert stale.value.code == "stale-version"


async def test_a_game_that_has_ended_is_told_kept_and_forked(visitor: Client, database: str) -> None:
    game_id, *players = await opened(visitor)
    while (game := await visitor.game(game_id)).to_move:
        await players[game.to_move[0]].play(game_id, Random(3))
    moments = [moment async for moment in visitor.timeline(game_id)]
    assert [moment.version for moment in moments] == list(range(1, game.version + 1))
    assert game.result is not None
    assert moments[-1].points == tuple(score.points for score in game.result.scores)
    assert [each.text async for each in visitor.timeline(game_id, language="ja")] != [each.text for each in moments]
    fork = await players[0].fork(game_id, moments[-2].version)
    assert (fork.status, [seat.account for seat in fork.seats]) == ("waiting", [None, None])
    record = await visitor.record(game_id)
    with serving(database) as elsewhere:
        async with Client(elsewhere.url) as stranger:
            keeper = await joined(stranger)
            kept = await keeper.take_record(record)
            assert (kept.status, kept.version) == ("finished", game.version)
            assert (await keeper.take_record(record)).id == kept.id
            with pytest.raises(Problem) as refused:
                await keeper.take_record(record[:-1].replace(b'"version":3', b'"version":4', 1))
            assert refused.value.code == "bad-record"
