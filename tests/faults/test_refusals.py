"""A refused request is told to whoever sent it, with enough in the body to go on from there and nothing else.

Each code of the contract has a scene here: somebody does something wrong, is refused, and takes from the body of the
refusal what it needs to do it right. A code without a scene says why it has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from service.app import OPERATIONS
from service.openapi.codes import codes
from service.problems import CODES
from tests.faults import entropy_scenes, request_scenes, table_scenes
from tests.faults.stage import SCENES, Stage
from tests.harness.play import random_wire_move
from tests.harness.processes import Processes
from tests.harness.server import account, expect

WRITTEN_IN = (entropy_scenes, request_scenes, table_scenes)
"""Importing these has filled SCENES."""

NONE_HERE: Mapping[str, str] = {
    "invalid-request": "what cannot be read as HTTP at all: service/transport/test_http_protocol.py",
    "internal-error": "is a bug: no test of the whole run may meet it",
    "request-timeout": "wants a body that does not come: service/http/test_body.py",
    "headers-too-large": "wants a head that no client library sends: service/transport/test_http_protocol.py",
    "record-too-costly": "wants a record that kills its worker: service/play/test_verifier.py",
    "overloaded": "takes many clients: service/transport/test_connections.py and faults/test_hoarders.py",
    "http-version-not-supported": "takes a stream of 8 MiB for HTTP/1.0: service/http/test_handler.py",
    "record-conflict": "wants a forged history: service/routes/test_records.py",
    "unavailable": "wants a database that is away: faults/test_outages.py",
    "rate-limited": "wants narrow limits: service/limits/test_limited_requests.py",
    "too-many-open-tables": "wants a narrow quota: service/play/test_quotas.py",
    "too-many-events": "wants a game of many events: service/limits/test_events_per_game.py",
    "too-many-seats": "wants a narrow quota: service/play/test_quotas.py",
    "game-unreadable": "wants a broken log: faults/test_projections.py",
}


@pytest.mark.parametrize("code", SCENES)
async def test_a_refusal_is_told_with_enough_to_go_on(processes: Processes, code: str) -> None:
    stage = Stage(processes, await processes.new_game(), await account(processes.http))
    played = SCENES[code](stage)
    answer = await (await anext(played))
    assert (answer.status_code, answer.json()["code"]) == (CODES[code].status, code)
    answer = await (await played.asend(answer))
    assert answer.is_success, answer.text
    await played.aclose()


def test_every_code_that_an_operation_refuses_with_has_a_scene_or_a_reason_to_have_none() -> None:
    refused = {code for operation in OPERATIONS for found in codes(operation).values() for code in found}
    assert refused - SCENES.keys() == refused & NONE_HERE.keys()
    assert SCENES.keys() - refused == {"method-not-allowed"} - refused, "where there is no operation"


IMPATIENT = {"toy": {"type": "toy.decline"}, "spacelab": {"type": "spacelab.draw_labs"}}
"""Moves that can be written down without being asked."""


@pytest.mark.parametrize("title", IMPATIENT)
async def test_a_clumsy_player_who_hears_nothing_but_refusals_plays_a_game_to_its_end(
    processes: Processes, title: str
) -> None:
    """It believes in wrong versions, wrong turns and wrong moves, and is led by the refusals alone."""
    picks, met = Random(7), set[str]()
    for _ in range(20):  # what it meets in one game is up to that game's chance
        met |= await play_clumsily(processes, title, picks)
        if met >= {"stale-version", "not-your-turn", "invalid-body", "game-over"}:
            return
    message = f"it met {met}"
    raise AssertionError(message)


async def play_clumsily(processes: Processes, title: str, picks: Random) -> set[str]:
    """Play a game to its end; gives the codes that were met."""
    table = await processes.new_game(2, title)
    version, seat, met = 1, 0, set[str]()
    while True:
        player = processes.through(table.seats[seat], picks.randrange(2))
        legal = expect(await player.get(f"{table.path}/moves"), 200)
        move = random_wire_move(legal, picks) if legal["moves"] else IMPATIENT[title]
        if picks.random() < 0.1:  # a slip of the hand
            move = picks.choice([*IMPATIENT.values(), {"type": f"{title}.nonsense"}])
        answer = await player.post(f"{table.path}/moves", {"expected_version": version, "move": move})
        told = answer.json()
        met.add(told.get("code", ""))
        match told.get("code"):
            case None:
                version, (seat, *_) = told["version"], [*told["to_move"], 0]
            case "stale-version":
                version = told["current_version"]
            case "not-your-turn":
                seat = picks.choice(told["to_move"])
            case "illegal-move" | "invalid-body":
                assert told["field"].startswith("move")
            case code:
                assert code == "game-over"
                return met
        if picks.random() < 0.3:  # and a short memory
            version, seat = picks.randrange(1, version + 1), picks.randrange(2)
