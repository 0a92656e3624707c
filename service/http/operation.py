"""An operation of the contract as a value, what its function is called with, and what it gives back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import msgspec
from litestar.types import ASGIApp
from msgspec import Struct

from domain.kernel.ids import AccountId
from domain.kernel.rejected import Rejected
from domain.kernel.rules import Title
from service.auth.accounts import Account
from service.auth.guards import Access
from service.http.body import BODY_SECONDS, MOST_BODY_BYTES, decode_body
from service.http.headers import Headers
from service.media_types import JSON
from service.node import Node
from service.play.writer import Key

Body = TypeVar("Body")


@dataclass(slots=True)
class Call:
    """A request being answered."""

    operation: Operation
    node: Node
    headers: Headers
    path: dict[str, str]
    query: Any
    body: bytes
    accepted: str
    account: Account | None
    key: Key | None
    document: bytes
    """The OpenAPI document of the application."""
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

    def decoded(self, decoder: msgspec.json.Decoder[Body]) -> Body:
        """The body, strictly; no body at all stands for an empty object where the operation says so."""
        body = self.body
        if not body and not self.operation.body_required:
            body = b"{}"
        return decode_body(decoder, body)


@dataclass(frozen=True, slots=True)
class Endless:
    """A body that goes on for as long as its client is there: `run`, called once the head is out, sends all of it."""

    run: ASGIApp


@dataclass(slots=True)
class Answer:
    """What an operation gives back: a struct, bytes of its own media type, a stream of them, or one without end."""

    content: Struct | bytes | AsyncIterator[bytes] | Endless
    status: int = 200
    headers: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    etag: str | None = None


Run = Callable[[Call], Awaitable[Answer]]


@dataclass(frozen=True)
class Operation:
    """One method of one path. The docstring of `run` is its description."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    name: str
    summary: str
    run: Run
    answer: Any
    """The type of what it answers with: a struct, dict for any object, None for text."""
    tag: str
    access: Access = Access.viewer
    status: int = 200
    known: int | None = None
    """The status where what it would make is there already; sending it again then does nothing, with or without key."""
    query: type[Struct] | None = None
    body: Any = None
    """The type of the body, or with `takes` NDJSON that of each of its lines."""
    body_required: bool = True
    takes: str = JSON
    """The media type of the body."""
    largest: int = MOST_BODY_BYTES
    """Bytes that the body may have."""
    seconds: float = BODY_SECONDS
    """How long the body may take to arrive."""
    example: Callable[[Mapping[str, Title]], Any] | None = None
    """An example of the body, given the titles that are served."""
    media: tuple[str, ...] = (JSON,)
    line: Any = None
    """The type of each line where NDJSON is among `media`."""
    resumable: bool = False
    """Whether it heeds Last-Event-ID: its events as they happen are among `media`."""
    problems: tuple[str, ...] = ()
    """Codes that it refuses with beyond those that follow from the rest of it (see `codes.py`)."""
    idempotent: bool = False
    """Whether it takes an Idempotency-Key."""
    tagged: bool = False
    """Whether it gives an ETag and heeds If-None-Match and If-Match."""
    matched: bool = False
    """Whether it heeds If-Match without giving an ETag: the tag is that of the game as the caller sees it."""
    prompt: bool = True
    """Whether it is answered within `handler.ANSWER_SECONDS` of its body; else each of its statements is bounded."""
    located: bool = False
    """Whether it gives a Location."""
