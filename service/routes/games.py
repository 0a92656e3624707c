"""Games: opening a table, finding one, and the state of one as the caller may see it, now or at an earlier version."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from domain.kernel.events import Delay
from domain.kernel.game import Status
from domain.kernel.ids import ACCOUNT_ID
from domain.kernel.rejected import Rejected
from domain.kernel.rules import Title
from domain.kernel.seating import REVEAL_SECONDS
from domain.kernel.terms import LARGEST_INTEGER
from service.answers import GameInfo, game_info
from service.auth.guards import Access
from service.http import cursors, unknown_members
from service.http.body import decode_body
from service.http.etags import etag, require_match
from service.http.operation import Answer, Call, operation
from service.http.paths import game, game_at
from service.play.writer import CommandResult
from service.projections.lobby import ListedGame, Lobby


def _no_options() -> msgspec.Raw:
    return msgspec.Raw(b"{}")


class SpectatorDelay(Struct, frozen=True, forbid_unknown_fields=True):
    """How far the public lags behind a running game: it sees what is older than both. Seats see everything at once."""

    versions: Annotated[int, Meta(ge=0, le=1_000)] = 0
    seconds: Annotated[int, Meta(ge=0, le=86_400)] = 0


class NewGame(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table is opened with."""

    title: Annotated[str, Meta(min_length=1, max_length=64, description="An id of GET /v1/titles.")]
    seats: Annotated[int, Meta(ge=1, le=LARGEST_INTEGER, description="How many play. Nobody sits yet.")]
    component_set: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    """The title's first one where this is left out."""
    options: msgspec.Raw = msgspec.field(default_factory=_no_options)
    visibility: Literal["public", "unlisted"] = "public"
    """An unlisted game is read by anyone who knows its id, and is listed only for the accounts that sit there."""
    position: msgspec.Raw | UnsetType = UNSET
    """Where the game begins, as `revealed` of a game gives it: this makes it a sandbox, which counts in no history."""
    spectator_delay: SpectatorDelay | None = None
    reveal_seconds: Annotated[
        int,
        Meta(
            ge=1,
            le=604_800,
            description="How long a full table waits for the seats that have committed to entropy to reveal it.",
        ),
    ] = REVEAL_SECONDS


def _delay(wanted: SpectatorDelay | None) -> Delay | None:
    if wanted is None or (wanted.versions, wanted.seconds) == (0, 0):
        return None
    return Delay(versions=wanted.versions, seconds=wanted.seconds)


class ListQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The filters of the list of games. All that are given must fit."""

    title: (
        Annotated[str, Meta(max_length=64, pattern=r"^[a-z0-9_-]+(?![\s\S])", description="An id of GET /v1/titles.")]
        | UnsetType
    ) = UNSET
    status: Literal["waiting", "starting", "running", "finished"] | UnsetType = UNSET
    account: (
        Annotated[
            str,
            Meta(
                pattern=rf"^(me|{ACCOUNT_ID})(?![\s\S])",
                description="The id of an account, or `me` for the caller's own: games where it sits.",
            ),
        ]
        | UnsetType
    ) = UNSET
    open_seats: Annotated[bool, Meta(description="With a free seat, or without.")] | UnsetType = UNSET
    sandbox: Annotated[bool, Meta(description="Sandboxes, which are left out otherwise, instead of games.")] = False
    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    cursor: (
        Annotated[str, Meta(pattern=cursors.PATTERN, description="`next` of the page before, with the same filters.")]
        | UnsetType
    ) = UNSET


class GamePage(Struct, frozen=True):
    """Games, newest first. `next` is the cursor of the next page, null on the last one."""

    games: tuple[ListedGame, ...]
    next: str | None


class GameQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which state of a game to return."""

    version: (
        Annotated[int, Meta(ge=1, le=LARGEST_INTEGER, description="As the caller saw it then; the latest by default.")]
        | UnsetType
    ) = UNSET
    reveal: Annotated[
        bool, Meta(description="Of a finished game or a sandbox: the whole state as well, with nothing hidden.")
    ] = False


_LATEST = GameQuery()


def _example(titles: Mapping[str, Title]) -> Any:
    return next(({"title": title.id, "seats": title.seats[0]} for title in titles.values()), None)


@operation(
    "POST",
    "/v1/games",
    tag="games",
    summary="Open a table",
    access=Access.account,
    example=_example,
    status=201,
    idempotent=True,
    location=True,
    problems=(
        "no-such-title",
        "no-such-component-set",
        "bad-seat-count",
        "bad-options",
        "impossible-position",
        "too-many-open-tables",
    ),
)
async def create_game(call: Call, body: NewGame) -> Answer[GameInfo]:
    """Open a table. Its creator does not sit by that; `POST .../seats` does.

    Of two requests with one Idempotency-Key one opens a table, and both get it.
    """
    call.node.sets.find(body.title, body.component_set)
    title = call.node.sets.titles[body.title]
    decode_body(_decoder(title.options), body.options, "options")
    position = None
    if body.position is not UNSET:
        position = decode_body(_decoder(title.state), body.position, "position")
        unknown_members.require_known(body.position, position, "position")
    what = await call.node.commands.create(
        call.caller,
        body.title,
        body.seats,
        component_set=body.component_set,
        options=bytes(body.options),
        visibility=body.visibility,
        position=position,
        spectator_delay=_delay(body.spectator_delay),
        reveal_seconds=body.reveal_seconds,
        key=call.key,
    )
    return opened(call, what)


def opened(call: Call, what: CommandResult) -> Answer[GameInfo]:
    """The answer to the opening of a table."""
    location = f"/v1/games/{what.table.id}"
    return Answer(game_info(what.table, call.caller.id), location=location, replayed=what.replayed)


@operation("GET", "/v1/games", tag="games", summary="Find games", problems=("token-required", "invalid-cursor"))
async def list_games(call: Call, query: ListQuery) -> Answer[GamePage]:
    """The games that anyone may see, and with a token those that its account sits at or has opened, newest first.

    What the caller did before this request shows. Paging by `cursor` gives every game that was there at the start
    exactly once.
    """
    account = query.account or None
    if account == "me":
        if call.account is None:
            raise Rejected("token-required", "account=me is the account of the token", field="account")
        account = call.account.id
    open_seats = None if query.open_seats is UNSET else query.open_seats
    filters = [query.title or None, query.status or None, account, open_seats, query.sandbox]
    key = call.node.service_key
    page = await Lobby(call.node.pool, call.node.tables).page(
        call.account_id,
        title=query.title or None,
        status=Status(query.status) if query.status else None,
        account=account,
        open_seats=open_seats,
        sandbox=query.sandbox,
        before=cursors.open_cursor(key, filters, query.cursor) if query.cursor else None,
        limit=query.limit,
    )
    following = None if page.next is None else cursors.seal(key, filters, page.next)
    return Answer(GamePage(games=page.games, next=following))


@operation(
    "GET",
    "/v1/games/{game}",
    tag="games",
    summary="A game as I may see it",
    etag=True,
    problems=("no-such-version", "game-not-finished"),
)
async def get_game(call: Call, query: GameQuery) -> Answer[GameInfo]:
    """A game as the caller may see it: status, seats, version, whose turn it is, the title's view, and the result.

    The ETag changes with the version, the viewer and the query.
    """
    latest = await game(call)
    tag_of = b"" if query == _LATEST else msgspec.json.encode(query)
    shown = latest if query.version is UNSET else await game_at(call, latest, query.version)
    if query.reveal and not (latest.game.status is Status.finished or latest.game.created.sandbox):
        raise Rejected("game-not-finished", "what is hidden is revealed when the game has ended", field="reveal")
    tag = etag(call, shown, tag_of)
    require_match(call, tag)
    return Answer(game_info(shown, call.account_id, reveal=query.reveal), etag=tag)


@cache
def _decoder(of: type[Struct]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(of)
