"""Everything that can be read, found in the contract: each operation that reads, by each parameter and media type.

A path or a query parameter that is new in the contract has no values here, and whoever reads by this finds out. A feed
is read as far as what has happened, and then hung up.
Thousands of answers are read by this, so it goes by a client of the standard library, which looks at nothing by itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

import httpx

from tests.harness.contract import EVENT_STREAM, JSON, contract


@contextmanager
def reader(url: str) -> Generator[HTTPConnection]:
    """A connection to a running service."""
    place = urlsplit(url)
    connection = HTTPConnection(place.hostname or "", place.port)
    try:
        yield connection
    finally:
        connection.close()


def get(connection: HTTPConnection, target: str, token: str | None, accept: str = "*/*") -> bytes:
    """What whoever has the token gets: status, headers and body."""
    return answer_to(connection, "GET", target, token, accept=accept)


def answer_to(
    connection: HTTPConnection, method: str, target: str, token: str | None, body: bytes | None = None, **headers: str
) -> bytes:
    """The answer to any request, as `get` gives it."""
    sent = {**headers} | ({"Authorization": f"Bearer {token}"} if token else {})
    if body is not None:
        sent["Content-Type"] = JSON
    connection.request(method, target, body, sent)
    answer = connection.getresponse()
    feed = (answer.getheader("content-type") or "").startswith(EVENT_STREAM)
    content = _feed(answer) if feed else answer.read()
    if feed:
        connection.close()  # the next request opens it anew
    return _told(answer.status, dict(answer.getheaders()), content)


def _feed(answer: HTTPResponse) -> bytes:
    """What has happened so far, of an answer that goes on with what will."""
    lines: list[bytes] = []
    head = None
    while (line := answer.readline()) or not lines:
        lines.append(line)
        if line.startswith(b"data: "):
            frame = json.loads(line.removeprefix(b"data: "))
            head = frame.get("head", head)
            if frame["type"] == "hello" or (head is not None and frame.get("version") == head):
                break
    return b"".join(lines)


@dataclass(frozen=True)
class Read:
    """A request that changes nothing."""

    operation: str
    path: str
    query: str = ""
    accept: str = "*/*"

    def by(self, connection: HTTPConnection, token: str | None) -> bytes:
        """What whoever has the token gets."""
        return get(connection, f"{self.path}?{self.query}" if self.query else self.path, token, self.accept)


@dataclass(frozen=True)
class Place:
    """What paths and queries are filled with: a game, its title and set, the versions to look at, and accounts."""

    game: str
    title: str
    component_set: str
    version: int
    versions: Sequence[int]
    accounts: Sequence[str]

    def _in_path(self) -> dict[str, str]:
        return {"game": self.game, "title": self.title, "set": self.component_set}

    def _values(self, name: str, schema: dict[str, Any]) -> list[str]:
        """What a query parameter is asked with: everything, where that is told by its schema."""
        if "enum" in schema:
            return schema["enum"]
        if schema["type"] == "boolean":
            return ["true", "false"]
        return {
            "title": [self.title],
            "account": ["me", *self.accounts],
            "limit": ["1", "200"],
            "cursor": [],  # followed from page to page: `all_pages`
            "epoch": ["another"],
            "version": [*map(str, self.versions), str(self.version + 1)],
            "after": ["0", str(self.version - 1), str(self.version)],
        }[name]

    def path(self, template: str) -> str:
        """A path of the contract, filled."""
        return re.sub(r"{(\w+)}", lambda found: self._in_path()[found[1]], template)

    def queries(self, operation: dict[str, Any]) -> Iterator[str]:
        """No query, and each value of each parameter."""
        yield ""
        for each in operation["parameters"]:
            if each["in"] == "query":
                yield from (f"{each['name']}={value}" for value in self._values(each["name"], each["schema"]))


def told(answer: httpx.Response) -> bytes:
    """Everything in an answer that could tell something, as `get` gives it."""
    return _told(answer.status_code, answer.headers, answer.content)


def _told(status: int, headers: Mapping[str, str], body: bytes) -> bytes:
    assert status < 500, body
    lines = [f"{name.lower()}: {value}" for name, value in sorted(headers.items()) if name.lower() != "date"]
    return "\n".join([str(status), *lines, "", ""]).encode() + body


def every_read(place: Place) -> Iterator[Read]:
    """Every operation of the contract that reads, in every media type, with every value of every parameter."""
    for template, methods in contract()["paths"].items():
        operation = methods.get("get")
        if operation is None:
            continue
        media = [each for status, told in operation["responses"].items() if status < "3" for each in told["content"]]
        for accept in media or ["*/*"]:
            for query in place.queries(operation):
                yield Read(operation["operationId"], place.path(template), query, accept)


_SET = re.compile(rb'"components":"(?:[^"\\]|\\.)*"')


def without_components(told: bytes) -> bytes:
    """An answer without the text of the component set that a record carries, which names every piece that there is."""
    return _SET.sub(b"", told)


def newest_reads(place: Place) -> Iterator[Read]:
    """The reads of a game, each with what is newest of it: worth asking for at every single version."""
    for each in every_read(place):
        if place.game in each.path:
            after = f"after={place.version - 1}"
            if each.query == after or (not each.query and each.operation not in _LONG):
                yield each


_LONG = {"list_events", "get_timeline", "get_record"}
"""Reads that grow with the game."""


def writes() -> list[tuple[str, str, str]]:
    """Every operation that changes something: id, method and path."""
    return [
        (operation["operationId"], method.upper(), template)
        for template, methods in contract()["paths"].items()
        for method, operation in methods.items()
        if method != "get"
    ]


def all_pages(connection: HTTPConnection, token: str | None, path: str) -> bytes:
    """A list read to its end, page by page."""
    parts: list[bytes] = []
    query = "limit=1"
    while True:
        parts.append(get(connection, f"{path}?{query}", token))
        following = json.loads(parts[-1].partition(b"\n\n")[2])["next"]
        if following is None:
            return b"\n".join(parts)
        query = f"limit=1&cursor={following}"
