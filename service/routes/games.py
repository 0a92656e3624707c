"""Games: opening a table, finding one, and the state of one as the caller may see it, now or at an earlier version."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from domain.kernel.events import Delay
from domain.kernel.game import Status
from domain.kernel.ids import ACCOUNT_ID
from domain.kernel.rejected import Rejected
from domain.kernel.seating import REVEAL_SECONDS
from domain.kernel.terms import LARGEST_INTEGER
from service.answers import GameInfo, game_info
from service.auth.guards import Access
from service.http import cursors, examples, unknown_members
from service.http.body import decode_body
from service.http.etags import demand_match, etag
from service.http.handler import handlers
from service.http.operation import Answer, Call, Operation
from service.http.paths import game, game_at
from service.play.writer import Done
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
    """An unlisted game is read by whoever knows its id, and stands in the lists of those alone who sit there."""
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
    """Which state of a game is wanted."""

    version: (
        Annotated[int, Meta(ge=1, le=LARGEST_INTEGER, description="As the caller saw it then; the latest by default.")]
        | UnsetType
    ) = UNSET
    reveal: Annotated[
        bool, Meta(description="Of a finished game or a sandbox: the whole state as well, with nothing hidden.")
    ] = False


_NEW = msgspec.json.Decoder(NewGame)
_LATEST = GameQuery()

_decoders: dict[type[Struct], msgspec.json.Decoder[Any]] = {}


async def create_game(call: Call) -> Answer:
    """Open a table. Its creator does not sit by that; `POST .../seats` does.

    Of two requests with one Idempotency-Key one opens a table, and both get it.
    """
    account = call.caller
    wanted = call.decoded(_NEW)
    call.node.sets.find(wanted.title, wanted.component_set)
    title = call.node.sets.titles[wanted.title]
    decode_body(_decoder(title.options), wanted.options, "options")
    position = None
    if wanted.position is not UNSET:
        position = decode_body(_decoder(title.state), wanted.position, "position")
        unknown_members.demand_known(wanted.position, position, "position")
    what = await call.node.commands.create(
        account,
        wanted.title,
        wanted.seats,
        component_set=wanted.component_set,
        options=bytes(wanted.options),
        visibility=wanted.visibility,
        position=position,
        spectator_delay=_delay(wanted.spectator_delay),
        reveal_seconds=wanted.reveal_seconds,
        key=call.key,
    )
    return opened(call, what)


def opened(call: Call, what: Done) -> Answer:
    """The answer to the opening of a table."""
    sent = [("Location", f"/v1/games/{what.table.id}")]
    if what.replayed:
        sent.append(("Idempotency-Replayed", "true"))
    return Answer(game_info(what.table, call.caller.id), status=201, headers=sent)


async def list_games(call: Call) -> Answer:
    """The games that anyone may see, and with a token those that its account sits at or has opened, newest first.

    What the caller did before this request shows. Paging by `cursor` gives every game that was there at the start
    exactly once.
    """
    query: ListQuery = call.query
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


async def get_game(call: Call) -> Answer:
    """A game as the caller may see it: status, seats, version, whose turn it is, the title's view, and the result.

    The ETag changes with the version, the viewer and the query.
    """
    query: GameQuery = call.query
    latest = await game(call)
    tag_of = b"" if query == _LATEST else msgspec.json.encode(query)
    shown = latest if query.version is UNSET else await game_at(call, latest, query.version)
    if query.reveal and not (latest.game.status is Status.finished or latest.game.created.sandbox):
        raise Rejected("game-not-finished", "what is hidden is told when the game has ended", field="reveal")
    tag = etag(call, shown, tag_of)
    demand_match(call, tag)
    return Answer(game_info(shown, call.account_id, reveal=query.reveal), etag=tag)


def _decoder(of: type[Struct]) -> msgspec.json.Decoder[Any]:
    if of not in _decoders:
        _decoders[of] = msgspec.json.Decoder(of)
    return _decoders[of]


OPERATIONS = (
    Operation(
        method="POST",
        path="/v1/games",
        name="create_game",
        tag="games",
        summary="Open a table",
        run=create_game,
        access=Access.account,
        body=NewGame,
        example=examples.new_game,
        status=201,
        answer=GameInfo,
        idempotent=True,
        located=True,
        problems=(
            "no-such-title",
            "no-such-component-set",
            "bad-seat-count",
            "bad-options",
            "impossible-position",
            "too-many-open-tables",
        ),
    ),
    Operation(
        method="GET",
        path="/v1/games",
        name="list_games",
        tag="games",
        summary="Find games",
        run=list_games,
        query=ListQuery,
        answer=GamePage,
        problems=("token-required", "invalid-cursor"),
    ),
    Operation(
        method="GET",
        path="/v1/games/{game}",
        name="get_game",
        tag="games",
        summary="A game as I may see it",
        run=get_game,
        query=GameQuery,
        answer=GameInfo,
        tagged=True,
        problems=("no-such-version", "game-not-finished"),
    ),
)
HANDLERS = handlers(OPERATIONS)
