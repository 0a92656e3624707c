"""The client: one account of a service, or the public, over HTTP; and the way to its live feed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from random import Random
from types import TracebackType
from typing import Any, Literal, Self, TypeVar
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import msgspec
from msgspec import Struct

from tablelog_client.entropy import Keeper, commitment, fresh
from tablelog_client.feed import Feed
from tablelog_client.live import Live
from tablelog_client.models import (
    Account,
    ComponentSet,
    Event,
    EventPage,
    Game,
    LegalMoves,
    ListedGame,
    Moment,
    Played,
    Status,
    Title,
)
from tablelog_client.problems import problem_of, retry_after

Answer = TypeVar("Answer", bound=Struct)

ANSWER_SECONDS = 15.0
"""How long an answer may take to begin or go on: three times what a service takes to notice that its database hangs."""

RECORD_SECONDS = 60.0
"""The same for a record, which is verified before it is answered."""

_PAUSES = (0.1, 0.3, 1.0, 3.0)
"""How long to wait before what did not get through is asked again, and how often."""

_LIMITED_SECONDS = 120.0
"""How long a request waits in all for limits that are used up, before the refusal is raised."""

_LONGEST_PAUSE = 5.0

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


_NDJSON = "application/x-ndjson"


class _Timeline(Struct):
    moments: tuple[Moment, ...]
    more: bool


class _Titles(Struct):
    titles: tuple[Title, ...]


class _Games(Struct):
    games: tuple[ListedGame, ...]
    next: str | None


class Client:
    """An account of a service, or the public. Use it in `async with`; those made by `join` share its connections."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        http: httpx.AsyncClient | None = None,
        keepers: list[Keeper] | None = None,
    ) -> None:
        """With `http` the client shares these connections; `keepers` is where it leaves what their owner must stop."""
        self.url = url.rstrip("/")
        self.token = token
        self._owned = http is None
        self._keeper: Keeper | None = None
        self._keepers = [] if keepers is None else keepers
        # What runs on this machine is not reached through a proxy, whatever the environment says.
        self._direct = urlsplit(url).hostname in _LOOPBACK
        self._http = http or httpx.AsyncClient(timeout=ANSWER_SECONDS, trust_env=not self._direct)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._owned:
            for keeper in self._keepers:
                await keeper.close()
            await self._http.aclose()
        elif self._keeper is not None:
            await self._keeper.close()

    async def titles(self) -> tuple[Title, ...]:
        """What is played here."""
        return (await self._call("GET", "/v1/titles", _Titles)).titles

    async def components(self, title: str, component_set: str) -> ComponentSet:
        """A component set, by its id or by the `component_hash` of a game."""
        return await self._call("GET", f"/v1/titles/{title}/components/{component_set}", ComponentSet)

    async def create_account(self, name: str) -> Account:
        """Make an account. Keep its token: it is shown nowhere else."""
        # The one command that is not repeated by itself: its answer is shown once.
        return await self._call("POST", "/v1/accounts", Account, {"name": name}, repeat=False)

    async def join(self, name: str) -> Client:
        """Make an account; gives the client of it."""
        made = await self.create_account(name)
        return Client(self.url, made.token, http=self._http, keepers=self._keepers)

    async def me(self) -> Account:
        """The account of this client."""
        return await self._call("GET", "/v1/accounts/me", Account)

    async def create_game(
        self,
        title: str,
        seats: int,
        *,
        component_set: str | None = None,
        options: Mapping[str, Any] | None = None,
        visibility: Literal["public", "unlisted"] = "public",
        reveal_seconds: int = 60,
    ) -> Game:
        """Open a table; nobody sits at it yet. Entropy that was committed is to be revealed within `reveal_seconds`."""
        body = {
            "title": title,
            "seats": seats,
            "component_set": component_set,
            "options": options or {},
            "visibility": visibility,
            "reveal_seconds": reveal_seconds,
        }
        return await self._call("POST", "/v1/games", Game, body)

    async def games(
        self,
        *,
        title: str | None = None,
        status: Status | None = None,
        account: str | None = None,
        open_seats: bool | None = None,
    ) -> AsyncIterator[ListedGame]:
        """The games that fit, newest first; `account` may be `me`."""
        query: dict[str, Any] = {"title": title, "status": status, "account": account, "open_seats": open_seats}
        while True:
            page = await self._call("GET", "/v1/games", _Games, query=query)
            for game in page.games:
                yield game
            if page.next is None:
                return
            query["cursor"] = page.next

    async def game(self, game: str, *, version: int | None = None, reveal: bool = False) -> Game:
        """A game as this account may see it, now or as it was at a version; `reveal` shows all of a finished one."""
        query = {"version": version, "reveal": reveal or None}
        return await self._call("GET", f"/v1/games/{game}", Game, query=query)

    async def take_seat(self, game: str, seat: int | None = None, *, entropy: str = "", commit: bool = False) -> Played:
        """Take a seat, the first free one unless one is named. The last one starts the game.

        With `commit` nobody can choose the draws, not even who takes the last seat or runs the service: the client
        commits to fresh entropy, and reveals it in the background while it is open, after which the game starts
        (`started` waits for that). A seat that does not reveal in time may be freed, and its account cannot come back.
        """
        path = f"/v1/games/{game}/seats"
        if not commit:
            return await self._call("POST", path, Played, {"seat": seat, "entropy": entropy})
        if entropy:
            raise ValueError("entropy that is sent in the open commits to nothing: leave it out")
        account = (await self.me()).id
        if (keeper := self._keeper) is None:
            self._keeper = keeper = Keeper(self, account)
            self._keepers.append(keeper)
        secret = fresh()
        body = {"seat": seat, "entropy_commitment": commitment(account, secret)}
        try:
            played = await self._call("POST", path, Played, body)
        except httpx.TransportError:
            keeper.keep(game, secret)  # it may have been done all the same
            raise
        keeper.keep(game, secret)
        return played

    async def started(self, game: str) -> Game:
        """Wait until a game has started; gives it as it is then."""
        async with self.live(game) as feed:
            async for frame in feed:
                if frame.status not in {"waiting", "starting"}:
                    break
        return await self.game(game)

    async def commit(self, game: str, commitment: str) -> Played:
        """Commit to entropy, before the start: `entropy.commitment` makes the hash. `take_seat` does all of this."""
        return await self._call("POST", f"/v1/games/{game}/commitments", Played, {"entropy_commitment": commitment})

    async def reveal(self, game: str, entropy: str) -> Played:
        """Reveal the entropy that this account has committed to. The last one to do so starts the game."""
        return await self._call("POST", f"/v1/games/{game}/reveals", Played, {"entropy": entropy})

    async def free_seat(self, game: str, seat: int) -> Played:
        """Free a seat that has not revealed in time: the game waits again, and every seat commits again."""
        return await self._call("DELETE", f"/v1/games/{game}/seats/{seat}", Played)

    async def leave_seat(self, game: str) -> Played:
        """Get up before the start."""
        return await self._call("DELETE", f"/v1/games/{game}/seats/me", Played)

    async def legal_moves(self, game: str) -> LegalMoves:
        """What this account may do now."""
        return await self._call("GET", f"/v1/games/{game}/moves", LegalMoves)

    async def move(self, game: str, version: int, move: Mapping[str, Any]) -> Played:
        """Make a move for the version that it was chosen at."""
        return await self._call("POST", f"/v1/games/{game}/moves", Played, {"expected_version": version, "move": move})

    async def play(self, game: str, picks: Random | None = None) -> Played | None:
        """Make a legal move, drawn from all of them (the first one without `picks`); None if there is none."""
        legal = await self.legal_moves(game)
        if not legal:
            return None
        return await self.move(game, legal.version, legal.first() if picks is None else legal.random(picks))

    async def undo(self, game: str, version: int) -> Played:
        """Take back this account's own last move, at the version that it was last seen at."""
        return await self._call("POST", f"/v1/games/{game}/undo", Played, {"expected_version": version})

    async def fork(self, game: str, version: int) -> Game:
        """Open a sandbox at a version of a game that has ended, or of a sandbox."""
        return await self._call("POST", f"/v1/games/{game}/forks", Game, {"version": version})

    async def timeline(self, game: str, *, language: Literal["en", "ja"] = "en") -> AsyncIterator[Moment]:
        """What happened up to now, a line for each version, with the points that this account could know."""
        query: dict[str, Any] = {"language": language, "after": 0, "limit": 1_000}
        more = True
        while more:
            page = await self._call("GET", f"/v1/games/{game}/timeline", _Timeline, query=query)
            for moment in page.moments:
                query["after"] = moment.version
                yield moment
            more = page.more

    async def record(self, game: str) -> bytes:
        """The whole game as a file, complete when it has ended; `tablelog verify` checks it."""
        headers = {**self._headers(), "Accept": _NDJSON}
        asked = self._http.build_request("GET", f"{self.url}/v1/games/{game}/record", headers=headers)
        return _require(await self._sent(asked, _PAUSES)).content

    async def take_record(self, record: bytes) -> Game:
        """Have the service verify a complete record and keep it as an archived game; again, it is the same one."""
        headers = {**self._headers(), "Content-Type": _NDJSON}
        url = f"{self.url}/v1/records"
        asked = self._http.build_request("POST", url, content=record, headers=headers, timeout=RECORD_SECONDS)
        return msgspec.json.decode(_require(await self._sent(asked, _PAUSES)).content, type=Game)

    async def event_page(self, game: str, after: int = 0, limit: int = 100) -> EventPage:
        """Some of a game's events, those after a version."""
        return await self._call("GET", f"/v1/games/{game}/events", EventPage, query={"after": after, "limit": limit})

    async def events(self, game: str, after: int = 0) -> AsyncIterator[Event]:
        """All events of a game up to now, those after a version, as one stream."""
        headers = {**self._headers(), "Accept": _NDJSON}
        url = f"{self.url}/v1/games/{game}/events"
        async with self._http.stream("GET", url, params={"after": after}, headers=headers) as answer:
            if answer.is_error:
                await answer.aread()
                raise problem_of(answer)
            async for line in answer.aiter_lines():
                yield msgspec.json.decode(line, type=Event)

    def live(
        self, game: str, after: int | None = None, epoch: str | None = None, *, silence: float | None = None
    ) -> Live:
        """The live feed of a game, from now on or from after a version of an epoch: `async with` and `async for`."""
        url = f"ws{self.url.removeprefix('http')}/v1/games/{game}/live"
        return Live(url, self.token, after, epoch, direct=self._direct, silence=silence)

    def follow(
        self,
        feed: Literal["lobby", "account"],
        after: str | None = None,
        epoch: str | None = None,
        *,
        silence: float | None = None,
    ) -> Feed:
        """The feed of the lobby or of this account, from now on or from after a cursor: `async with`, `async for`."""
        url = f"ws{self.url.removeprefix('http')}/v1/live"
        return Feed(url, self.token, feed, after, epoch, direct=self._direct, silence=silence)

    async def _call(
        self,
        method: str,
        path: str,
        answer: type[Answer],
        body: Mapping[str, Any] | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        repeat: bool = True,
    ) -> Answer:
        """Ask, again if need be; gives the answer, or raises `Problem`, or httpx's error when nothing gets through."""
        headers = self._headers()
        if repeat and method != "GET":
            headers["Idempotency-Key"] = f'"{uuid4()}"'
        if body is not None:
            headers["Content-Type"] = "application/json"
        asked = self._http.build_request(
            method,
            self.url + path,
            params={name: _text(value) for name, value in (query or {}).items() if value is not None},
            content=None if body is None else msgspec.json.encode(body),
            headers=headers,
        )
        got = _require(await self._sent(asked, _PAUSES if repeat else ()))
        return msgspec.json.decode(got.content, type=answer)

    async def _sent(self, asked: httpx.Request, pauses: tuple[float, ...]) -> httpx.Response:
        limited = 0.0
        while True:
            got = await self._attempted(asked, pauses)
            wait = retry_after(got) if got.status_code == 429 else None
            # What is refused by a limit has done nothing, so that it can be sent again, with or without a key.
            if wait is None or limited + wait > _LIMITED_SECONDS:
                return got
            limited += wait
            await asyncio.sleep(wait)

    async def _attempted(self, asked: httpx.Request, pauses: tuple[float, ...]) -> httpx.Response:
        for pause in pauses:
            wait = pause
            try:
                got = await self._http.send(asked)
            except httpx.TransportError:
                pass
            else:
                if got.status_code != 503:
                    return got
                wait = max(pause, min(retry_after(got) or 0.0, _LONGEST_PAUSE))
            await asyncio.sleep(wait)
        return await self._http.send(asked)

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token is not None else {}


def _require(answer: httpx.Response) -> httpx.Response:
    """Pass an answer that is no problem."""
    if answer.is_error:
        raise problem_of(answer)
    return answer


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
