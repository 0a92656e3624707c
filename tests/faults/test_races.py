"""Many do the same at once, through two processes: it happens once, and the others are told.

After each test the log of every game made here has no hole, it was started at most once, its cards are conserved, and
both processes serve what it says to everyone (`tests/harness/aftermath.py`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable
from random import Random
from typing import Any

import httpx
import pytest

from tests.harness.processes import Processes, due_move
from tests.harness.server import account, expect

TITLES = pytest.mark.parametrize("title", ["toy", "spacelab"])


async def all_at_once(posts: list[Awaitable[httpx.Response]]) -> Counter[tuple[int, str]]:
    """Send them together; how often each status and code came back."""
    answers = await asyncio.gather(*posts)
    return Counter((answer.status_code, answer.json().get("code", "")) for answer in answers)


# The same move posted twice at once is recorded twice.


@TITLES
@pytest.mark.parametrize("repeats", [2, 10, 50])
async def test_of_equal_moves_at_once_one_is_made_and_the_others_hear_the_current_version(
    processes: Processes, title: str, repeats: int
) -> None:
    table = await processes.new_game(2, title)
    for number in range(3):  # the very first move, and two later ones
        player, body = await due_move(table, Random(number))
        answers = await asyncio.gather(
            *(processes.through(player, each).post(f"{table.path}/moves", body) for each in range(repeats))
        )
        made = [answer for answer in answers if answer.status_code == 201]
        refused = [expect(answer, 409) for answer in answers if answer.status_code != 201]
        assert len(made) == 1
        current = body["expected_version"] + 1
        assert [(each["code"], each["current_version"]) for each in refused] == [("stale-version", current)] * len(
            refused
        )
        assert await processes.versions(table.id) == current


@pytest.mark.parametrize("repeats", [2, 10, 50])
@TITLES
async def test_of_equal_keyed_moves_at_once_one_is_made_and_all_hear_of_it(
    processes: Processes, title: str, repeats: int
) -> None:
    table = await processes.new_game(2, title)
    for number in range(2):
        player, body = await due_move(table, Random(number))
        key = {"Idempotency-Key": f'"move {number}"'}
        answers = await asyncio.gather(
            *(processes.through(player, each).post(f"{table.path}/moves", body, key) for each in range(repeats))
        )
        assert len({answer.content for answer in answers if expect(answer, 201)}) == 1
        assert sum("idempotency-replayed" not in answer.headers for answer in answers) == 1
        assert await processes.versions(table.id) == body["expected_version"] + 1


@TITLES
@pytest.mark.parametrize("repeats", [2, 10, 50])
async def test_the_very_first_event_of_a_game_is_recorded_once_by_its_key(
    processes: Processes, title: str, repeats: int
) -> None:
    ada, key = await account(processes.http), {"Idempotency-Key": '"open"'}
    answers = await asyncio.gather(
        *(
            processes.through(ada, number).post("/v1/games", {"title": title, "seats": 2}, key)
            for number in range(repeats)
        )
    )
    (game,) = {expect(answer, 201)["id"] for answer in answers}
    assert len({answer.content for answer in answers}) == 1
    assert sum("idempotency-replayed" not in answer.headers for answer in answers) == 1
    assert await processes.versions(game) == 1


async def test_of_different_moves_at_once_one_is_made(processes: Processes) -> None:
    """All seats choose at once in the toy: two seats post for one version, and neither's move is lost or doubled."""
    for number in range(10):
        table = await processes.new_game(2, "toy", options={"rounds": 1})
        posts: list[Awaitable[httpx.Response]] = []
        for seat, player in enumerate(table.seats):
            legal = expect(await player.get(f"{table.path}/moves"), 200)
            for card in legal["moves"][0]["cases"][0]["card"]["one_of"]:
                body = {"expected_version": 3, "move": {"type": "toy.lay_card", "card": card}}
                posts.append(processes.through(player, number + seat + len(posts)).post(f"{table.path}/moves", body))
        assert await all_at_once(posts) == {(201, ""): 1, (409, "stale-version"): 5}


# Two people start, both pass the check, cards are dealt twice.
# A double click on join gives one account two seats; more joiners than seats all get in.


@TITLES
@pytest.mark.parametrize("keyed", [False, True], ids=["without keys", "with keys"])
async def test_more_joiners_than_seats_who_click_twice_fill_exactly_the_seats_and_start_the_game_once(
    processes: Processes, title: str, *, keyed: bool
) -> None:
    for seats in (2, 4):
        table = await processes.new_game(seats, title, seated=0)
        joiners = [*table.seats, *[await account(processes.http) for _ in range(4)]]
        answers = await asyncio.gather(
            *(
                processes.through(joiner, number + click).post(
                    f"{table.path}/seats", headers={"Idempotency-Key": '"sit"'} if keyed else None
                )
                for number, joiner in enumerate(joiners)
                for click in range(2)
            )
        )
        told = Counter((answer.status_code, answer.json().get("code", "")) for answer in answers)
        seated = seats * 2 if keyed else seats
        assert told[201, ""] == seated
        assert told.total() == seated + told[409, "already-seated"] + told[409, "game-full"]
        game = expect(await processes.https[1].get(table.path), 200)
        who = [seat["account"] for seat in game["seats"]]
        assert len(set(who) - {None}) == seats
        assert (game["status"], game["version"]) == ("running", 1 + seats)
        table.seats[:] = [next(joiner for joiner in joiners if joiner.id == each) for each in who]


async def test_one_account_that_takes_every_seat_at_once_gets_one(processes: Processes) -> None:
    table = await processes.new_game(4, "toy", seated=0)
    told = await all_at_once(
        [
            processes.through(table.seats[0], number).post(f"{table.path}/seats", {"seat": number % 4})
            for number in range(16)
        ]
    )
    assert told == {(201, ""): 1, (409, "already-seated"): 15}


async def test_of_many_who_want_one_seat_one_gets_it_and_the_others_hear_which_are_free(processes: Processes) -> None:
    table = await processes.new_game(3, "toy", seated=0)
    rivals = [*table.seats, *[await account(processes.http) for _ in range(5)]]
    answers = await asyncio.gather(
        *(
            processes.through(each, number).post(f"{table.path}/seats", {"seat": 1})
            for number, each in enumerate(rivals)
        )
    )
    assert sum(answer.status_code == 201 for answer in answers) == 1
    refused = [answer.json() for answer in answers if answer.status_code != 201]
    assert {(each["code"], tuple(each["free_seats"])) for each in refused} == {("seat-taken", (0, 2))}


async def test_who_leaves_while_the_last_seat_is_taken_is_out_of_the_game_or_in_it(processes: Processes) -> None:
    outcomes: Counter[str] = Counter()
    for number in range(12):
        table = await processes.new_game(2, "toy", seated=1)
        leaver, joiner = (processes.through(each, number + place) for place, each in enumerate(table.seats))
        left, joined = await asyncio.gather(leaver.delete(f"{table.path}/seats/me"), joiner.post(f"{table.path}/seats"))
        game = expect(await processes.http.get(table.path), 200)
        expect(joined, 201)
        if left.status_code == 200:
            assert [seat["account"] for seat in game["seats"]].count(joiner.id) == 1
            assert game["status"] == "waiting"
        else:
            assert expect(left, 409)["code"] == "game-started"
            assert game["status"] == "running"
        outcomes[game["status"]] += 1
    assert outcomes.total() == 12


async def test_seats_taken_and_left_over_and_over_by_many_stay_one_each(processes: Processes) -> None:
    table = await processes.new_game(3, "toy", seated=0)
    crowd = [*table.seats, *[await account(processes.http) for _ in range(3)]]

    async def restless(number: int) -> None:
        picks = Random(number)
        for turn in range(6):
            who = processes.through(crowd[number], number + turn)
            answer = await (
                who.delete(f"{table.path}/seats/me") if picks.random() < 0.4 else who.post(f"{table.path}/seats")
            )
            assert answer.status_code in {200, 201, 403, 409}, answer.text

    await asyncio.gather(*(restless(number) for number in range(len(crowd))))
    who = [seat["account"] for seat in expect(await processes.http.get(table.path), 200)["seats"]]
    sitting = [each for each in who if each is not None]
    assert len(sitting) == len(set(sitting))
    processes.tables.remove(table)  # others sit there than those whom it was made with


async def test_moves_that_come_before_the_start_is_told_are_made_or_refused_and_never_lost(
    processes: Processes,
) -> None:
    """A seated player posts for the version that the start will have, while the last seat is being taken."""
    made = 0
    for number in range(10):
        table = await processes.new_game(2, "toy", seated=1)
        eager, last = (processes.through(each, number + place) for place, each in enumerate(table.seats))
        guesses = [{"type": "toy.lay_card", "card": f"{kind}_1"} for kind in ("ant", "bat", "cat", "doe", "elk", "fox")]
        joined, *answers = await asyncio.gather(
            last.post(f"{table.path}/seats"),
            *(eager.post(f"{table.path}/moves", {"expected_version": 3, "move": guess}) for guess in guesses),
        )
        expect(joined, 201)
        codes = Counter((answer.status_code, answer.json().get("code", "")) for answer in answers)
        assert codes[201, ""] <= 1
        assert set(codes) <= {(201, ""), (409, "stale-version"), (409, "game-not-started"), (422, "illegal-move")}
        assert await processes.versions(table.id) == 3 + codes[201, ""]
        made += codes[201, ""]


async def test_of_equal_names_at_once_one_account_is_made(processes: Processes) -> None:
    names = ["Straße", "STRASSE", "strasse", "ｓｔｒａｓｓｅ", " Strasse ", "S t r a s s e"]
    told = await all_at_once(
        [
            processes.https[number % 2].post("/v1/accounts", json={"name": names[number % len(names)]})
            for number in range(24)
        ]
    )
    assert told == {(201, ""): 1, (409, "name-taken"): 23}


# A client that slept wakes with an old state and overwrites.


@TITLES
async def test_who_wakes_with_an_old_state_is_refused_and_nothing_changes(processes: Processes, title: str) -> None:
    table = await processes.new_game(2, title)
    asleep: list[tuple[int, dict[str, Any]]] = []
    for number in range(6):
        player, body = await due_move(table, Random(number))
        asleep.append((table.seats.index(player), body))
        expect(await processes.through(player, number).post(f"{table.path}/moves", body), 201)
    before = [(await player.get(table.path)).content for player in table.seats]
    head = await processes.versions(table.id)
    for number in range(2):
        for seat, body in asleep:
            sleeper = processes.through(table.seats[seat], number)
            for headers in ({}, {"Idempotency-Key": f'"woke {body["expected_version"]}"'}):
                refused = expect(await sleeper.post(f"{table.path}/moves", body, headers), 409)
                assert (refused["code"], refused["current_version"]) == ("stale-version", head)
    assert [(await player.get(table.path)).content for player in table.seats] == before
    assert await processes.versions(table.id) == head


async def test_who_wakes_after_its_seat_was_taken_over_can_do_nothing_there(processes: Processes) -> None:
    """A seat was left in another window, and somebody else sits there now."""
    table = await processes.new_game(2, "toy", seated=1)
    sleeper, successor = table.seats[0], await account(processes.http)
    expect(await sleeper.delete(f"{table.path}/seats/me"), 200)
    expect(await processes.through(successor, 1).post(f"{table.path}/seats", {"seat": 0}), 201)
    expect(await table.seats[1].post(f"{table.path}/seats", {"seat": 1}), 201)
    table.seats[0] = successor
    _, body = await due_move(table)
    for number in range(2):
        refused = expect(await processes.through(sleeper, number).post(f"{table.path}/moves", body), 403)
        assert refused["code"] == "not-seated"
        seen = expect(await processes.through(sleeper, number).get(table.path), 200)
        assert (seen["seat"], [seat["hand"] for seat in seen["view"]["seats"]]) == (None, [None, None])
