"""The document itself: paths from operations, components from types."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any

import msgspec

from domain.kernel.documented import reference
from domain.kernel.ids import GAME_ID
from domain.kernel.rules import Title
from service.auth.guards import Access
from service.http.operation import Operation
from service.http.paths import LARGEST_SEAT
from service.live.hub import SUBSCRIPTIONS
from service.media_types import EVENT_STREAM, NDJSON
from service.openapi.codes import codes
from service.openapi.schemas import Schema, components, line_name, name_of, portable
from service.problems import CODES, MEDIA_TYPE
from service.transport.close_codes import as_markdown

_TAGS: Mapping[str, str] = {
    "titles": "What is played here.",
    "accounts": "A name and a bearer token, which is shown once.",
    "games": "Opening a table, finding one, and its state as the caller may see it.",
    "seats": "Sitting down and getting up.",
    "moves": "What the caller may do, complete enough to play by without knowing the rules, and doing it.",
    "events": "What has happened, one event per version.",
    "records": (
        "A whole game as a file, which `tablelog verify` checks without the service: its hash chain, its draws and"
        " every move. Another service can take it in as an archived game."
    ),
    "live": (
        "A websocket pushes every event to everyone who watches. `GET /v1/live` takes `subscribe` frames for up to"
        f" {SUBSCRIPTIONS} games, and `follow` frames for the feeds `lobby` and `account`, which tell what happens at"
        " all public tables, or at one's own; `GET /v1/games/{game}/live?after=&epoch=` watches that game at once, and"
        " takes the same frames. Clients send the frames of the schema `ClientFrame`, and get those of `ServerFrame`,"
        " each a JSON object in a text frame. A token goes into an `auth` frame, never into a URL. Without websockets"
        " the feed of one game is `GET /v1/games/{game}/events` with"
        " `Accept: text/event-stream`.\n\nWhy a socket is closed:\n\n" + as_markdown()
    ),
    "health": "For operators.",
    "document": "This document.",
}

_DESCRIPTION = """\
Board games over HTTP and websockets. Every move is one event in a log, and the version of a game, which is the number
of its last event, is what everything goes by: the expected version of a move, the position of a socket, the page of
events, the ETag.

Whatever is refused is answered with a problem (RFC 9457) that has a stable `code`; `field` names the part of the body,
the parameter or the header that is wrong. Bodies, query parameters and headers are read strictly. A path that is not
here is `not-found`, a method that is not here `method-not-allowed`; what answers GET answers HEAD.

A request that changes something can carry an `Idempotency-Key`: sent again with the same body it replays the first
answer, marked `Idempotency-Replayed: true`. A refusal does not use the key up.

Accounts and client addresses are limited. A request beyond a limit does nothing and is answered with 429, the code
`rate-limited`, the name of the `limit`, and `Retry-After`.
"""

_HEADERS: Mapping[str, Schema] = {
    "ETag": {"description": "Changes with version, viewer and query.", "schema": {"type": "string"}},
    "Location": {"description": "Where what was made is found.", "schema": {"type": "string"}},
    "Idempotency-Replayed": {
        "description": "The answer to an earlier request with the same key.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "WWW-Authenticate": {"description": "RFC 6750.", "schema": {"type": "string"}},
    "Retry-After": {"description": "Seconds.", "schema": {"type": "string", "pattern": "^[0-9]+$"}},
    "RateLimit-Policy": {
        "description": (
            "The limit, its quota `q` and its window `w` in seconds, as draft-ietf-httpapi-ratelimit-headers-10 has"
            ' it: `"requests-per-account";q=1500;w=60`.'
        ),
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": 'What is left, `r`, and the seconds until there is more, `t`: `"requests-per-account";r=0;t=7`.',
        "schema": {"type": "string"},
    },
}


def document(titles: Mapping[str, Title], operations: Sequence[Operation]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, titles)
    tags = [{"name": name, "description": text} for name, text in _TAGS.items()]
    whole = {
        "openapi": "3.1.0",
        "info": {"title": "Tablelog", "version": version("tablelog"), "description": _DESCRIPTION},
        "servers": [{"url": "/"}],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": components(titles, operations),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "The token of POST /v1/accounts."}
            },
        },
        "x-problems": {code: {"status": kind.status, "title": kind.title} for code, kind in CODES.items()},
    }
    return msgspec.json.decode(msgspec.json.encode(whole))


def as_text(document: Mapping[str, Any]) -> str:
    """The document as it is committed and served: indented, with a newline at its end."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def _operation(operation: Operation, titles: Mapping[str, Title]) -> dict[str, Any]:
    written: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": inspect.getdoc(operation.run) or "",
        "security": _SECURITY[operation.access],
        "parameters": [*_in_path(operation, titles), *_in_query(operation), *_in_headers(operation)],
        "responses": {**_answers(operation), **_problems(operation)},
    }
    if operation.body is not None:
        content: dict[str, Any] = {"schema": _body(operation)}
        if operation.example is not None and (example := operation.example(titles)) is not None:
            content["example"] = example
        written["requestBody"] = {"required": operation.body_required, "content": {operation.takes: content}}
    return written


_SECURITY: Mapping[Access, list[dict[str, list[str]]]] = {
    Access.anyone: [],
    Access.viewer: [{}, {"token": []}],
    Access.account: [{"token": []}],
}


def _in_path(operation: Operation, titles: Mapping[str, Title]) -> Iterable[Schema]:
    schemas: Mapping[str, Schema] = {
        "game": {"type": "string", "pattern": f"^{GAME_ID}$"},
        "title": {"type": "string", "enum": list(titles)},
        "set": {"type": "string", "minLength": 1},
        "seat": {"type": "integer", "minimum": 0, "maximum": LARGEST_SEAT},
    }
    for name in re.findall(r"{(\w+)}", operation.path):
        yield {"name": name, "in": "path", "required": True, "schema": schemas[name]}


def _in_query(operation: Operation) -> Iterable[Schema]:
    if operation.query is None:
        return
    (_,), found = msgspec.json.schema_components([operation.query])
    for name, schema in found[name_of(operation.query)]["properties"].items():
        shape = {key: portable(value) if key == "pattern" else value for key, value in schema.items()}
        description = shape.pop("description", "")
        yield {"name": name, "in": "query", "required": False, "description": description, "schema": shape}


def _in_headers(operation: Operation) -> Iterable[Schema]:
    if operation.idempotent:
        key = {"type": "string", "pattern": r'^("[ !#-\[\]-~]{1,255}"|[!#-+\--:<-~]{1,255})$'}
        yield _header("Idempotency-Key", "A quoted string, or bare; 1 to 255 printable ASCII characters.", key)
    tags: Schema = {"type": "string"}
    if operation.etag:
        yield _header("If-None-Match", "Entity tags: 304 when one of them is the current one.", tags)
        yield _header("If-Match", "Entity tags: 412 unless one of them, and not a weak one, is the current one.", tags)
    if operation.if_match:
        described = (
            "Entity tags: 412, and nothing is done, unless one of them is the current ETag of the game as you see it."
        )
        yield _header("If-Match", described, tags)
    if operation.last_event_id:
        described = "`<epoch>:<version>`, the `id` of the event that the client had last; for `text/event-stream` only."
        yield _header("Last-Event-ID", described, tags)


def _header(name: str, description: str, schema: Schema) -> Schema:
    return {"name": name, "in": "header", "required": False, "description": description, "schema": schema}


def _answers(operation: Operation) -> dict[str, Any]:
    content = {media: {"schema": _content(operation, media)} for media in operation.media}
    names = [name for name, there in (("ETag", operation.etag), ("Location", operation.location)) if there]
    if operation.idempotent:
        names.append("Idempotency-Replayed")
    answer: dict[str, Any] = {"description": operation.summary, "content": content}
    if names:
        answer["headers"] = {name: _HEADERS[name] for name in names}
    answers = {str(operation.status): answer}
    if operation.known is not None:
        answers[str(operation.known)] = {**answer, "description": "It is there already."}
    if operation.etag:
        answers["304"] = {"description": "It is as the caller has it.", "headers": {"ETag": _HEADERS["ETag"]}}
    return answers


def _content(operation: Operation, media: str) -> Schema:
    if media == EVENT_STREAM:
        described = "Server-sent events: the `data` of each is JSON, `ServerFrame`, and its `event` the `type` of that."
        return {"type": "string", "description": described, "x-data": reference("ServerFrame")}
    if media == NDJSON:
        return _lines(operation.line)
    if operation.answer is None:
        return {"type": "string" if media.startswith("text/") else "object"}
    return reference(name_of(operation.answer))


def _body(operation: Operation) -> Schema:
    return _lines(operation.body) if operation.takes == NDJSON else reference(name_of(operation.body))


def _lines(of: Any) -> Schema:
    """JSON values, each on a line of its own. OpenAPI 3.1 has no word for what a line is."""
    name = line_name(of)
    return {"type": "string", "description": f"Each line is JSON: `{name}`.", "x-line": reference(name)}


_FIELDS = (
    *(("WWW-Authenticate", 401), ("Retry-After", 503)),
    *(("Retry-After", 429), ("RateLimit-Policy", 429), ("RateLimit", 429)),
)
"""The headers of problems, by status."""


def _problems(operation: Operation) -> dict[str, Any]:
    refusals: dict[str, Any] = {}
    for status, found in codes(operation).items():
        exact = {"properties": {"code": {"enum": found}, "status": {"const": status}}}
        response: dict[str, Any] = {
            "description": "; ".join(f"`{code}`: {CODES[code].title}" for code in found),
            "content": {MEDIA_TYPE: {"schema": {"allOf": [reference("Problem"), exact]}}},
        }
        names = [name for name, of in _FIELDS if of == status]
        if names:
            response["headers"] = {name: _HEADERS[name] for name in names}
        refusals[str(status)] = response
    return refusals
