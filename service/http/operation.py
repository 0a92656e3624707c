"""An operation of the contract: one method of one path, declared above the function that carries it out.

    @operation("GET", "/v1/games/{game}", tag="games", summary="A game as I may see it", etag=True)
    async def get_game(call: Call, query: GameQuery) -> Answer[GameInfo]:
        ...

The function's name is the operation's, its docstring the description, and its annotations say what it takes and gives:
`query` and `body` are decoded strictly by their types; a body of type bytes is handed over as it came.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Generic, Literal, TypeAlias, TypeVar, get_args, get_type_hints

import msgspec
from litestar import Request
from litestar.types import ASGIApp
from msgspec import Struct

from domain.kernel.ids import AccountId
from domain.kernel.rejected import Rejected
from domain.kernel.rules import Title
from service.auth.accounts import Account
from service.auth.guards import Access
from service.http.body import BODY_SECONDS, MOST_BODY_BYTES, decode_body
from service.http.headers import Headers
from service.http.query import QueryDecoder
from service.media_types import JSON
from service.node import Node
from service.play.writer import Key


@dataclass(slots=True)
class Call:
    """A request being answered."""

    operation: Operation
    node: Node
    request: Request[Any, Any, Any]
    headers: Headers
    path: dict[str, str]
    accepted: str
    account: Account | None
    key: Key | None
    address: str
    """The client address that limits go by."""

    @property
    def caller(self) -> Account:
        """The account of an operation that needs one."""
        if self.account is None:
            raise Rejected("token-required", "this needs a token")
        return self.account

    @property
    def account_id(self) -> AccountId | None:
        """The id of the account that calls, None for the public."""
        return None if self.account is None else self.account.id


@dataclass(frozen=True, slots=True)
class Endless:
    """A body that goes on for as long as its client is there: `run`, called once the head is out, sends all of it.

    `end` is called at the end, however it comes.
    """

    run: ASGIApp
    end: Callable[[], None]


Stream: TypeAlias = AsyncIterator[bytes] | Endless

Content = TypeVar("Content", bound=Struct | bytes | Stream)


@dataclass(slots=True)
class Answer(Generic[Content]):
    """What an operation gives back: a struct, or bytes of its media type, whole or as a stream."""

    content: Content
    status: int | None = None
    """The operation's own where it is None."""
    location: str | None = None
    etag: str | None = None
    replayed: bool = False
    """Whether it answers an earlier request with the same Idempotency-Key."""
    headers: Sequence[tuple[bytes, bytes]] = ()


Run: TypeAlias = Callable[..., Awaitable[Answer[Any]]]


@dataclass(slots=True, eq=False)
class Operation:
    method: Literal["GET", "POST", "DELETE"]
    path: str
    _: KW_ONLY
    tag: str
    summary: str
    access: Access = Access.viewer
    status: int = 200
    known: int | None = None
    """The status where what it would make is there already; sending it again then does nothing, with or without key."""
    body: Any = None
    """The type of the body where the function takes bytes, or with `takes` NDJSON that of each line."""
    body_required: bool = True
    """Whether no body at all is refused, instead of standing for an empty object."""
    takes: str = JSON
    """The media type of the body."""
    most_body_bytes: int = MOST_BODY_BYTES
    body_seconds: float = BODY_SECONDS
    """How long the body may take to arrive."""
    example: Callable[[Mapping[str, Title]], Any] | None = None
    """An example of the body, given the titles that are served."""
    media: tuple[str, ...] = (JSON,)
    """The media types of its answers, the default first."""
    line: Any = None
    """The type of each line where NDJSON is among `media`."""
    last_event_id: bool = False
    """Whether it heeds Last-Event-ID: its events as they happen are among `media`."""
    problems: tuple[str, ...] = ()
    """Codes that it refuses with beyond those that follow from the rest of it (see `codes.py`)."""
    idempotent: bool = False
    """Whether it takes an Idempotency-Key."""
    etag: bool = False
    """Whether it gives an ETag and heeds If-None-Match and If-Match."""
    if_match: bool = False
    """Whether it heeds If-Match without giving an ETag: the tag is that of the game as the caller sees it."""
    location: bool = False
    """Whether it gives a Location."""
    prompt: bool = True
    """Whether it is answered within `handler.ANSWER_SECONDS` of its body; else each of its statements is bounded."""
    run: Run = field(init=False)
    name: str = field(init=False)
    query: type[Struct] | None = field(init=False)
    answer: type[Struct] | None = field(init=False)
    """The struct that it answers with, None for bytes of its media type."""
    query_decoder: QueryDecoder[Struct] = field(init=False)
    body_decoder: msgspec.json.Decoder[Any] | None = field(init=False, default=None)

    def __call__(self, run: Run) -> Operation:
        types = get_type_hints(run, include_extras=True)
        self.run = run
        self.name = run.__name__
        self.query = types.get("query")
        self.query_decoder = QueryDecoder(self.query)
        body = types.get("body", bytes)
        if body is not bytes:
            self.body = body
            self.body_decoder = msgspec.json.Decoder(body)
        (answer,) = get_args(types["return"])
        self.answer = next((each for each in (answer, *get_args(answer)) if _is_struct(each)), None)
        return self

    def decode_query(self, raw: bytes) -> dict[str, Any]:
        """The query as `run` takes it; raises `invalid-query`."""
        query = self.query_decoder.decode(raw)
        return {} if query is None else {"query": query}

    def decode_body(self, body: bytes) -> Any:
        """A body as `run` takes it; raises `invalid-body`."""
        if self.body_decoder is None:
            return body
        return decode_body(self.body_decoder, body if body or self.body_required else b"{}")


def _is_struct(of: Any) -> bool:
    return isinstance(of, type) and issubclass(of, Struct)


operation = Operation
