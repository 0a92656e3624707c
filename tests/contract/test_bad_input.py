"""Bad input of every kind at every place that the document has: a 4xx that names the place, and nothing changed.

Faults 35 to 37. The places are found in the document and in a request that goes through, not listed here.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any, cast
from urllib.parse import quote

import httpx
import pytest

from tests.contract.scenes import SCENES, Scene
from tests.harness.contract import contract
from tests.harness.server import Service, account, expect, http_client, new_game

NO_INTEGER = ("9007199254740993", str(2**63), str(2**64), "1" + "0" * 5_000, "-1", "1.0", "1e2", "1e400", '"5"', "true")
NO_INTEGER_OR_NULL = (*NO_INTEGER, "NaN", "Infinity", "-Infinity", "01", "[]", "{}")
NO_STRING = (r'"a\u0000b"', r'"\ud800"', r'"\udc00\ud800"', "1", "true", "[]", "{}", '"a', "'a'", '"\x00"', '"\n"')

Path = tuple[str | int, ...]


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every operation: method, path, what is told of it."""
    for path, methods in contract()["paths"].items():
        for method, told in methods.items():
            yield method, path, told


def places(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Every place in a body, with what stands there."""
    yield path, value
    if isinstance(value, dict):
        for name, each in cast("dict[str, object]", value).items():
            yield from places(each, (*path, name))
    if isinstance(value, list):
        for index, each in enumerate(cast("list[object]", value)):
            yield from places(each, (*path, index))


def told(path: Path) -> str:
    """A place as a refusal names it."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def with_raw(body: object, path: Path, raw: str) -> bytes:
    """The body as JSON with a text in the place of a value, or, where the path ends in "+", one member more."""
    marker = "\x01here"

    def changed(value: Any, rest: Path) -> Any:
        if not rest:
            return marker
        if rest[0] == "+":
            return {**value, marker: 0}
        copied = value.copy()
        copied[rest[0]] = changed(value[rest[0]], rest[1:])
        return copied

    text = json.dumps(changed(body, path))
    if path and path[-1] == "+":
        return text.replace(json.dumps(marker) + ": 0", raw).encode("utf-8", "surrogatepass")
    return text.replace(json.dumps(marker), raw).encode("utf-8", "surrogatepass")


def spoilt(body: object) -> Iterator[tuple[str, bytes]]:
    """Bodies that are wrong in one place, with the place."""
    for path, value in places(body):
        match value:
            case bool():
                wrong: tuple[str, ...] = ()
            case int():
                wrong = NO_INTEGER_OR_NULL
            case str():
                wrong = NO_STRING
            case _:
                wrong = ("1", '"a"', "true")
        yield from ((told(path), with_raw(body, path, each)) for each in wrong)
        if isinstance(value, dict):
            members = cast("dict[str, object]", value)
            extra = ['"unknown": 1', r'"\u0000": 1', r'"\ud800": 1', '"": 1', *(f'"{name}": 1' for name in members)]
            yield from ((told(path), with_raw(body, (*path, "+"), each)) for each in extra)


def names_place(answer: dict[str, Any], place: str) -> bool:
    """Whether a refusal names the place, one in it, or the whole where the body is no JSON at all."""
    field = answer.get("field")
    return field == "" or (isinstance(field, str) and field.startswith(place))


async def log_of(scene: Scene) -> bytes:
    """The log of the scene's game, or the games that its caller has opened: those of others come and go meanwhile."""
    if scene.table is not None:
        return (await scene.caller.get(f"{scene.table.path}/events", {"Accept": "application/x-ndjson"})).content
    games: list[dict[str, Any]] = expect(await scene.caller.get("/v1/games?limit=200"), 200)["games"]
    return json.dumps([game for game in games if game["creator"] == scene.caller.id]).encode()


def test_there_is_a_scene_for_every_operation_that_takes_a_body() -> None:
    """Of JSON; records, which are lines of it, are spoilt in their own tests."""
    bodies = {told["operationId"]: told["requestBody"] for _, _, told in operations() if "requestBody" in told}
    assert {name for name, told in bodies.items() if "application/json" in told["content"]} == set(SCENES)


@pytest.mark.parametrize("operation", SCENES)
async def test_a_body_that_is_wrong_in_one_place_is_refused_by_that_place(service: Service, operation: str) -> None:
    async with http_client(service.url) as http:
        scene = await SCENES[operation](http)
        before = await log_of(scene)
        count = 0
        for place, body in spoilt(scene.body):
            answer = await scene.caller.post(scene.path, content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code in {400, 422}, (body[:300], answer.text)
            assert names_place(answer.json(), place), (place, body[:300], answer.text)
            count += 1
        assert count > 15
        assert await log_of(scene) == before
        assert (await scene.caller.post(scene.path, scene.body)).status_code == 201, "the right one still goes through"


@pytest.mark.parametrize("operation", SCENES)
async def test_a_body_that_is_no_body_is_refused(http: httpx.AsyncClient, operation: str) -> None:
    scene = await SCENES[operation](http)
    before = await log_of(scene)
    right = json.dumps(scene.body).encode()
    json_type = {"Content-Type": "application/json"}
    for content in (
        b"[]",
        b"null",
        b"1",
        b'""',
        b"\xff",
        b"{",
        b'{"a"',
        right[:-1],
        right + b"x",
        b"\xef\xbb\xbf" + right,
    ):
        answer = await scene.caller.post(scene.path, content=content, headers=json_type)
        assert expect(answer, 400)["code"] == "invalid-body"
    for encoding in ("utf-16", "utf-32"):
        answer = await scene.caller.post(scene.path, content=right.decode().encode(encoding), headers=json_type)
        assert expect(answer, 400)["code"] == "invalid-body"
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "x"):
        answer = await scene.caller.post(scene.path, content=right, headers={"Content-Type": kind})
        assert expect(answer, 415)["code"] == "unsupported-media-type"
    answer = await scene.caller.post(scene.path, content=right, headers={**json_type, "Content-Encoding": "gzip"})
    assert expect(answer, 415)["field"] == "Content-Encoding"
    assert await log_of(scene) == before


@pytest.mark.parametrize("operation", SCENES)
async def test_a_body_that_is_deep_wide_or_large_is_refused_quickly(http: httpx.AsyncClient, operation: str) -> None:
    """Fault 37."""
    scene = await SCENES[operation](http)
    before = await log_of(scene)
    json_type = {"Content-Type": "application/json"}
    first = next(iter(scene.body))
    deep = [b"[" * 60_000, b'{"a":' * 12_000, f'{{"{first}": '.encode() + b"[" * 60_000]
    wide = [b"{" + b",".join(b'"k%d":1' % each for each in range(5_000)) + b"}"]
    for content in (*deep, *wide):
        assert expect(await scene.caller.post(scene.path, content=content, headers=json_type), 400)
    for content in (
        b" " * 65_537,
        b'{"a":' * 100_000,
        b"{" + b",".join(b'"%d":1' % each for each in range(10**6)) + b"}",
    ):
        answer = await scene.caller.post(scene.path, content=content, headers=json_type)
        assert expect(answer, 413)["code"] == "body-too-large"
    assert await log_of(scene) == before


async def test_100_mebibytes_in_chunks_without_length_leave_the_memory_flat(service: Service) -> None:
    """Fault 37."""

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(1_600):
            yield b"x" * 65_536

    async with http_client(service.url) as http:
        await account(http)
        before = resident(service.pid)
        answer = await http.post("/v1/accounts", content=chunks(), headers={"Content-Type": "application/json"})
        assert answer.status_code == 413
        assert resident(service.pid) - before < 20_000


def resident(pid: int) -> int:
    """The resident memory of a process in KiB."""
    with open(f"/proc/{pid}/status") as status:  # noqa: PTH123 - no file of the disk
        found = re.search(r"VmRSS:\s+(\d+)", status.read())
    assert found is not None
    return int(found[1])


def wrong_queries(parameter: dict[str, Any]) -> list[str]:
    """Values that a parameter may not have, as they stand in a query."""
    schema: dict[str, Any] = parameter["schema"]
    junk = ["%00", "a%00", "%ff", "%ed%a0%80", "%", "%zz"]
    if schema.get("type") == "integer":
        return [*junk, *(quote(each) for each in (*NO_INTEGER, "", " 1", "1 ", "+1", "01", "0x1", "１", "NaN", "null"))]
    if schema.get("type") == "boolean":
        return [*junk, "", "1", "True", "yes", "null"]
    if "enum" in schema:
        return [*junk, "", "nothing", schema["enum"][0].upper()]
    return [*junk, "", "a%0A", "a" * 300, "%20", "é", "'", "$"]


async def test_a_query_that_is_wrong_in_one_parameter_is_refused_by_its_name(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    count = 0
    for method, path, operation in operations():
        target = path.replace("{game}", table.id).replace("{title}", "toy").replace("{set}", "toy-1")
        queries = [("unknown", "unknown=1"), ("", "=1"), ("", "&"), ("unknown", "unknown"), ("u\u00fc", "u%c3%bc=1")]
        for parameter in operation["parameters"]:
            if parameter["in"] == "query":
                name = parameter["name"]
                queries += [(name, f"{name}={each}") for each in wrong_queries(parameter)]
                queries += [(name, f"{name}=1&{name}=1"), (name, f"{name}=1&%{ord(name[0]):x}{name[1:]}=1")]
        for name, query in queries:
            answer = await table.seats[0].http.request(method, f"{target}?{query}", headers=table.seats[0].headers)
            refused = expect(answer, 400)
            assert refused["code"] in {"invalid-query", "invalid-cursor"}
            assert refused["field"] == name, query
            count += 1
    assert count > 100
    assert expect(await http.get(table.path), 200)["version"] == 3


async def test_junk_in_a_path_is_nowhere(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    junk = ["%00", "%ff", "a%00b", "%ed%a0%80", "..", "%2e%2e", "%20", "%0a", "'", "%25", "g" * 5_000, "-1", "é", "%2f"]
    for method, path, _ in operations():
        for name in re.findall(r"{\w+}", path):
            for each in junk:
                target = path.replace(name, each).replace("{title}", "toy").replace("{set}", "toy-1")
                sent = {**table.seats[0].headers, "Content-Type": "application/json"}
                content = b"{}" if method == "post" else None
                answer = await http.request(method, target, headers=sent, content=content)
                assert answer.status_code in {400, 404, 405}, target


async def raw(service: Service, request: bytes) -> bytes:
    """What comes back for bytes that no client library would send."""
    host, _, port = service.url.removeprefix("http://").rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(request)
    await writer.drain()
    writer.write_eof()
    answer = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    await writer.wait_closed()
    return answer


HEADERS = ("Authorization", "Accept", "Content-Type", "Content-Length", "Content-Encoding", "Host", "Origin", "X-Other")
JUNK = (b"\x00", b"a\x00b", b"\xff\xfe", b"\x1b[2J", b'"', b"," * 2_000, b";q=", b"x" * 20_000, b"", b"-1", b"99e9")


async def test_junk_in_a_header_is_refused_or_means_nothing(shared_service: Service, http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    right = {"Host": b"x", "Authorization": f"Bearer {table.seats[0].token}".encode(), "Connection": b"close"}
    for method, path, told in operations():
        target = path.replace("{game}", table.id).replace("{title}", "toy").replace("{set}", "toy-1")
        head = f"{method.upper()} {target} HTTP/1.1".encode()
        own = [parameter["name"] for parameter in told["parameters"] if parameter["in"] == "header"]
        for name in (*HEADERS, *own):
            requests: list[bytes] = []
            for value in JUNK:
                lines = [each.encode() + b": " + text for each, text in {**right, name: value}.items()]
                requests.append(b"\r\n".join([head, *lines, b"", b""]))
            for answer in await asyncio.gather(*(raw(shared_service, request) for request in requests)):
                status = int(answer.split(b" ", 2)[1]) if answer else 400
                assert status < 500, (method, target, name, answer)
    assert expect(await http.get(table.path), 200)["version"] == 3
    assert "Traceback" not in shared_service.log
