"""An old form of events is converted in every read path alike, and stays as it was written (fault 28).

A game of toy/0 stands in the log, whose events have another form than today's. What is due is worked out from the
events as the kernel made them, which were never in that form; it is held against everything that the service tells.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx
import msgspec
import pytest

from domain.catalogue import TITLES
from domain.kernel import game as kernel
from domain.kernel.events import Blank
from domain.kernel.ids import AccountId, GameId
from domain.kernel.record.report import Outcome
from domain.kernel.record.verify import verify
from domain.kernel.terms import Viewer
from service.answers import encode, game_info, legal_info
from service.auth import accounts
from service.auth.accounts import Account
from service.auth.tokens import token_hash
from service.database.pool import open_pool
from service.play.archive import record_lines
from service.play.game_cache import GameCache, LoadedGame
from service.projections.rebuild import rebuild
from tests.conformance.titles import ENTRIES
from tests.harness import server
from tests.harness.archiving import archiving
from tests.harness.following import Follower
from tests.harness.lists import agrees_with_log, eventually, lobby_rows
from tests.harness.recording import NAMES, Recorded, account_of, entries, put_into_log, recorded
from tests.harness.server import Client, Service, expect, http_client, serving
from tests.harness.toy_zero import VERSION, as_toy_0
from tests.harness.writing import writing
from tests.toy import TITLE as TOY

ENTRY = next(entry for entry in ENTRIES if entry.title is TOY)
KNOWN = {**TITLES, "toy": TOY}
SEATS = 3


@dataclass(frozen=True)
class Old:
    """A game in the old form in the log of a running service, with clients by seat, and what it is due to be."""

    http: httpx.AsyncClient
    service: Service
    database: str
    recorded: Recorded
    head: int
    seats: list[Client]

    @property
    def path(self) -> str:
        return f"/v1/games/{self.recorded.game_id}"

    @property
    def viewers(self) -> list[tuple[Viewer, Client]]:
        return [(None, Client(self.http)), *enumerate(self.seats)]

    def table(self, version: int) -> LoadedGame:
        """The game at a version, without a look at the log."""
        of = self.recorded
        last = entries(of, version)[-1].hash
        return LoadedGame(GameId(of.game_id), of.games[version - 1], of.title, of.rules, of.seed, last)

    def due(self, viewer: Viewer) -> list[Any]:
        """The events as a viewer may see them."""
        seen = (kernel.redact(event, self.recorded.rules, viewer) for event in self.recorded.events[: self.head])
        return [json.loads(msgspec.json.encode(event)) for event in seen]


@asynccontextmanager
async def old_game(database: str, number: int, *, running: bool) -> AsyncGenerator[Old]:
    """Run a service on a log that holds such a game, at its end or somewhere on the way."""
    played = as_toy_0(recorded(TOY, ENTRY.text, SEATS, number, undo=0.3))
    head = len(played.log) * 2 // 3 if running else len(played.log)
    with serving(database) as service:
        async with open_pool(database, 1) as pool, http_client(service.url) as http:
            clients: list[Client] = []
            for seat in range(SEATS):
                who = Account(id=AccountId(account_of(seat)), name=NAMES[seat], created_at=datetime.now(UTC))
                token = f"tl_{number}_{seat}"
                assert await accounts.add(pool, who, who.name, token_hash(token))
                clients.append(Client(http, token, who.id, who.name))
            await put_into_log(pool, played, head)
            assert b"toy.drawn" in b"".join(each.data for each in played.log[:head])
            assert b"toy.lay_card" not in b"".join(each.data for each in played.log)
            yield Old(http, service, database, played, head, clients)
        assert "Traceback" not in service.log


@pytest.mark.parametrize("running", [True, False], ids=["running", "finished"])
async def test_every_read_path_tells_an_old_game_in_todays_form(database: str, *, running: bool) -> None:
    async with old_game(database, 31, running=running) as old:
        for viewer, client in old.viewers:
            due = old.due(viewer)
            for version in range(1, old.head + 1):
                then = expect(await client.get(f"{old.path}?version={version}"), 200)
                assert then == json.loads(encode(game_info(old.table(version), client.id)))
            game = expect(await client.get(old.path), 200)
            assert game == json.loads(encode(game_info(old.table(old.head), client.id)))
            page = expect(await client.get(f"{old.path}/events?limit=1000"), 200)
            assert [each["data"] for each in page["events"]] == due
            assert {each["rules_version"] for each in page["events"]} == {VERSION}
            stream = await client.get(f"{old.path}/events", {"Accept": "application/x-ndjson"})
            assert [json.loads(line)["data"] for line in stream.text.splitlines()] == due
            timeline = expect(await client.get(f"{old.path}/timeline?limit=1000"), 200)
            assert len(timeline["moments"]) == old.head
            if viewer is not None:
                legal = expect(await client.get(f"{old.path}/moves"), 200)
                table = old.table(old.head)
                moves = kernel.legal_moves(table.game, table.rules, viewer)
                assert legal == json.loads(encode(legal_info(table, moves)))
            follower = Follower([old.service.url], old.recorded.game_id, client.token, after=0)
            assert await follower.through(old.head) == list(range(1, old.head + 1))
            assert [frame["event"]["data"] for frame in follower.frames if frame["type"] == "event"] == due
            joining = Follower([old.service.url], old.recorded.game_id, client.token)
            await joining.through(0)
            assert [(frame["type"], frame["view"]) for frame in joining.frames] == [("hello", game["view"])]
            record = (await client.get(f"{old.path}/record")).content
            told = [json.loads(line)["data"] for line in record.splitlines()[1:-1]]
            assert told == (due if running else [json.loads(each.data) for each in old.recorded.log])


async def test_old_bytes_stay_as_they_were_hashed_and_are_verified_and_taken_in_as_they_are(
    database: str, other_database: str
) -> None:
    played = as_toy_0(recorded(TOY, ENTRY.text, SEATS, 32, undo=0.3))
    async with writing(database) as one, writing(other_database) as other:
        await put_into_log(one.pool, played)
        table = await one.tables.fresh(played.game_id)
        record = b"".join([part async for part in record_lines(one.pool, one.tables, table, None)])
        assert record == played.record
        report = verify(record, KNOWN)
        assert report.verified, report.first_failure
        assert list(report.events) == list(played.events)
        skips = [check.detail for check in report.checks if check.outcome is Outcome.skipped]
        assert skips[0] == f"{len(played.log)} events decided by toy/0 were not decided again: toy/2 is installed"
        async with archiving(other) as archive:
            taken = await archive.take_in(await other.account("Bo"), record)
        assert taken.table.game == table.game == played.games[-1]
        again = [part async for part in record_lines(other.pool, other.tables, taken.table, None)]
        assert b"".join(again) == record


async def test_an_old_game_goes_on_by_todays_rules_and_its_record_says_which_decided_what(database: str) -> None:
    async with old_game(database, 33, running=True) as old:
        table = server.Table(old.recorded.game_id, old.seats)
        game = await server.play(table)
        assert game["status"] == "finished"
        record = (await old.http.get(f"{old.path}/record")).content
        report = verify(record, KNOWN)
        assert report.verified, report.first_failure
        rules = {(check.outcome, check.detail) for check in report.checks if check.name == "rules"}
        assert rules == {
            (
                Outcome.passed,
                f"{game['version'] - old.head} events were decided again by toy/2, with the same outcome",
            ),
            (
                Outcome.skipped,
                f"{old.head} events decided by toy/0 were not decided again: toy/2 is installed",
            ),
        }
        async with writing(database) as other:
            folded = await other.folded(old.recorded.game_id)
            assert json.loads(encode(game_info(folded, None))) == expect(await old.http.get(old.path), 200)


async def test_a_rebuild_and_the_projector_list_an_old_game_alike(database: str) -> None:
    async with old_game(database, 34, running=False) as old, writing(database) as one:
        # A row alone says nothing: the projector reads while the log is filled, and may have come to its first events.
        await eventually(lambda: agrees_with_log(one))
        expect(await old.http.get("/v1/games"), 200)
        before = await lobby_rows(one.pool)
        await rebuild(database, KNOWN)
        assert await lobby_rows(one.pool) == before
        result = old.recorded.games[-1].result
        assert result is not None
        assert [(row["game_id"], row["version"], row["status"], tuple(row["winners"])) for row in before] == [
            (old.recorded.game_id, old.head, "finished", result.winners)
        ]
        assert await one.pool.fetchval("select count(*) from unreadable_games") == 0


async def test_hot_games_and_cold_ones_are_the_same_whichever_step_they_were_read_by(database: str) -> None:
    played = as_toy_0(recorded(TOY, ENTRY.text, SEATS, 35, undo=0.3), upto=12)
    async with writing(database) as one:
        await put_into_log(one.pool, played)
        step = GameCache(one.pool, one.sets, limit=10)
        for version in range(1, len(played.log) + 1):
            table = await step.at(played.game_id, version)
            assert table.game == played.games[version - 1]
        (whole,) = [table async for table in step.replay([played.game_id])]
        assert isinstance(whole, LoadedGame)
        assert whole.game == played.games[-1]


def test_blanks_are_told_of_old_moves_too() -> None:
    played = as_toy_0(recorded(TOY, ENTRY.text, SEATS, 31, undo=0.3))
    assert any(isinstance(kernel.redact(event, played.rules, None), Blank) for event in played.events)
