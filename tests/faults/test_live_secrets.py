"""Nobody learns from the feed what is hidden from it: neither what a frame says, nor how long it is, nor that it came.

Games are made by the conformance suite (`tests/conformance`), whole logs with everything that a title hides, and put
into the log of a running process event by event, while everyone watches: each seat, the public, and a stranger with an
account. Pieces are told apart by the title's subject: `entry.hidden` says which ones a viewer may not know of.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import pytest

from domain.kernel.events import Event, encode, event_type
from domain.kernel.ids import AccountId, GameId
from domain.kernel.terms import Viewer
from service.auth import accounts
from service.auth.accounts import Account
from service.auth.tokens import token_hash
from service.log import events
from service.log.events import Entry as LogEntry
from tests.conformance import worlds
from tests.conformance.games import Played, Script, play
from tests.conformance.titles import ENTRIES, Entry, viewers
from tests.conformance.worlds import Stretch
from tests.harness.living import Feed, Living, living
from tests.harness.logged import GAME
from tests.harness.postgres import PostgresServer, fresh_database
from tests.harness.server_sent import listening

ONE_OF_EACH = tuple({entry.title.id: entry for entry in reversed(ENTRIES)}.values())
AT = datetime(2026, 1, 1, tzinfo=UTC)
STRANGER = "stranger"
_WORD = re.compile(r"\w+")


@dataclass
class Watched:
    """What one viewer gets of a game: the socket that it watches on, and every text that came."""

    viewer: Viewer
    account: str | None
    feed: Feed
    texts: list[str]

    async def through(self, version: int) -> str:
        """Read up to the event of a version, which is given."""
        while True:
            text = await self.feed.connection.recv()
            assert isinstance(text, str)
            if text != '{"type":"heartbeat"}':
                self.texts.append(text)
            if f'"type":"event","game":"{GAME}","version":{version},' in text:
                return text


def token_of(account: str | None) -> str | None:
    """The token of an account of these tests."""
    return None if account is None else f"tl_{account}"


async def add_accounts(process: Living, seats: int) -> None:
    """The accounts that the conformance suite seats, and one more."""
    for account in (*(f"account-{seat}" for seat in range(seats)), STRANGER):
        made = Account(id=AccountId(account), name=account, created_at=AT)
        assert await accounts.add(process.node.pool, made, account, token_hash(str(token_of(account))))


async def add_event(
    process: Living, played: Played, event: Event, version: int, actor: AccountId | None = None
) -> None:
    """Append an event as it is. Hashes say nothing here: they differ between any two worlds by their salt."""
    entry = LogEntry(
        game_id=GameId(GAME),
        version=version,
        type=event_type(event),
        actor=actor,
        data=encode(event),
        rules_version=played.entry.title.rules_version,
        hash=bytes(32),
        recorded_at=AT,
        attempt=UUID(int=version),
        seed=played.seed if version == 1 else None,
    )
    assert await events.append(process.node.pool, [entry])


@asynccontextmanager
async def everyone(process: Living, played: Played, query: str = "") -> AsyncGenerator[list[Watched]]:
    """Every viewer on a socket of its own: the public twice, once as a stranger who has an account."""
    watched: list[tuple[Viewer, str | None]] = [
        (viewer, None if viewer is None else f"account-{viewer}") for viewer in viewers(played.seats)
    ]
    async with AsyncExitStack() as stack:
        yield [
            Watched(
                viewer,
                account,
                await stack.enter_async_context(
                    process.watching(f"/v1/games/{GAME}/live{query}", {"type": "auth", "token": token_of(account)})
                ),
                [],
            )
            for viewer, account in (*watched, (None, STRANGER))
        ]


async def hellos(process: Living, played: Played) -> dict[str | None, str]:
    """The hello of every viewer now, by account."""
    async with everyone(process, played) as all_watched:
        return {each.account: str(await each.feed.connection.recv()) for each in all_watched}


def words(text: str) -> set[str]:
    """Everything in a frame that could name a piece."""
    return set(_WORD.findall(text))


# The state is redacted, the log, the legal moves, the initial state, the undo history or the export is not.
# A private draw is announced to all.


@pytest.mark.parametrize("entry", ONE_OF_EACH, ids=repr)
async def test_no_frame_names_what_its_viewer_may_not_see(database: str, entry: Entry) -> None:
    played = play(entry, entry.title.seats[0], entry.title.options(), b"7" * 32, (3, 1, 4, 1, 5, 9, 2, 6), undo=4)
    async with living(database) as process:
        await add_accounts(process, played.seats)
        await add_event(process, played, played.log[0], 1)
        async with everyone(process, played) as all_watched:
            for each in all_watched:
                each.texts.append(str(await each.feed.connection.recv()))
            named = 0
            for at in range(1, len(played.log)):
                await add_event(process, played, played.log[at], at + 1)
                states = list(played.states_in(at)) if at >= played.started else []
                for each in all_watched:
                    text = await each.through(at + 1)
                    if states:
                        assert not words(text) & worlds.hidden_in_all(states, entry, each.viewer), text
                    named += bool(words(text) & set(entry.kinds()))
                if at % 10 == 0 or at in {played.started, len(played.log) - 1}:
                    for each, text in zip(all_watched, (await hellos(process, played)).values(), strict=True):
                        assert not words(text) & entry.hidden(played.games[at].state, each.viewer), text
                        assert (played.seed.hex() in text) is False
            assert named > len(played.log)  # pieces are named: the search would find one
            live = [each.texts[1:] for each in all_watched]
        for texts in live:
            assert all(played.seed.hex() not in text for text in texts[:-1])
        async with everyone(process, played, "?after=1&epoch=" + process.node.epoch) as all_watched:
            for each, texts in zip(all_watched, live, strict=True):
                await each.through(len(played.log))
                assert each.texts[1:] == texts


# A choice still hidden from others can be seen in the feed, or guessed by its length.


@pytest.mark.parametrize("entry", ONE_OF_EACH, ids=repr)
async def test_worlds_that_differ_in_a_secret_give_those_who_may_not_know_it_the_same_bytes(
    postgres: PostgresServer, template: str, entry: Entry
) -> None:
    played = play(entry, entry.title.seats[0], entry.title.options(), b"1" * 32, (1, 5, 8, 2))
    compared = 0
    for viewer in viewers(played.seats):
        stretch = Stretch(played, viewer, None, played.started + (len(played.log) - played.started) // 4)
        exchanged = worlds.exchange(stretch.hidden(), entry, Script((2, 3, 1)))
        if not exchanged:
            continue
        other = list(worlds.other_events(stretch, exchanged))
        assert other != list(stretch.events)
        one, two = [await frames_of(postgres, template, played, log, viewer) for log in (stretch.events, other)]
        assert one == two
        compared += 1
    assert compared >= 2


async def frames_of(
    postgres: PostgresServer, template: str, played: Played, log: Sequence[Event], viewer: Viewer
) -> list[str]:
    """Every frame that a viewer gets of a log: while it grows, when it says hello at the end, and when it resumes.

    Each of them by websocket and as a server-sent event.
    """
    token = token_of(None if viewer is None else f"account-{viewer}")
    path = f"/v1/games/{GAME}/live"
    async with fresh_database(postgres, template) as database, living(database) as process:
        await add_accounts(process, played.seats)
        await add_event(process, played, log[0], 1)
        texts: list[str] = []
        address = f"{process.url}/v1/games/{GAME}/events"
        async with (
            process.watching(path, {"type": "auth", "token": token}) as feed,
            listening(address, token) as stream,
        ):
            watched = Watched(viewer, None, feed, texts)
            texts.append(str(await feed.connection.recv()))
            await stream.next()
            for version, event in enumerate(log[1:], 2):
                await add_event(process, played, event, version)
                await watched.through(version)
            await stream.through(len(log))
            texts += [block.decode() for block in stream.blocks]
        for query in ("", "?after=0"):
            async with listening(address + query, token) as stream:
                await (stream.through(len(log)) if query else stream.next())
                texts += [block.decode() for block in stream.blocks]
        async with process.watching(path, {"type": "auth", "token": token}) as feed:
            texts.append(str(await feed.connection.recv()))
        async with process.watching(f"{path}?after=0", {"type": "auth", "token": token}) as feed:
            await Watched(viewer, None, feed, texts).through(len(log))
        # Every database has an epoch of its own, which says nothing of a game.
        return [text.replace(process.node.epoch, "epoch") for text in texts]
