"""Holds every answer of a test run to the OpenAPI document, with the toy among its titles.

The clients of `server.py` do so by themselves. What is checked is stricter than the document says: an object may hold
no member that the document does not name.
"""

from __future__ import annotations

import copy
import json
import re
from functools import cache
from typing import Any, cast

import httpx
from jsonschema_rs import Draft202012Validator

from domain.catalogue import TITLES
from service.app import OPERATIONS
from service.openapi.document import document
from tests.toy import TITLE

JSON = "application/json"
NDJSON = "application/x-ndjson"
EVENT_STREAM = "text/event-stream"
PROBLEM = "application/problem+json"


class ContractBrokenError(AssertionError):
    """An answer or a frame that the document does not allow."""


@cache
def contract() -> dict[str, Any]:
    """The document with the toy, as it goes over the wire."""
    return json.loads(json.dumps(document({**TITLES, "toy": TITLE}, OPERATIONS)))


async def check_async(response: httpx.Response) -> None:
    """Hold an answer to the document: a hook of an asynchronous client."""
    await response.aread()
    check(response)


def check(response: httpx.Response) -> None:
    """Hold an answer that was read to the document."""
    request = response.request
    wrong = _wrong(request.method, request.url.raw_path.partition(b"?")[0].decode(), response)
    if wrong:
        message = f"{request.method} {request.url}: {response.status_code}: {wrong}\n{response.text[:2000]}"
        raise ContractBrokenError(message)


def check_frame(frame: object) -> None:
    """Hold a frame of the service on a socket to the document."""
    if wrong := _invalid(_validator("ServerFrame"), frame):
        message = f"frame: {wrong}\n{json.dumps(frame)[:2000]}"
        raise ContractBrokenError(message)


def _wrong(method: str, path: str, response: httpx.Response) -> str:
    if response.status_code >= 500 and response.status_code != 503:
        return "no answer may be a 5xx but 503"
    if method == "OPTIONS":
        return "" if response.status_code in {204, 429} else "OPTIONS answers 204, or 429"
    template = _template(path)
    operations: dict[str, Any] = {} if template is None else contract()["paths"][template]
    operation: dict[str, Any] = operations.get(_documented(method), {})
    if not operation:
        return "" if response.status_code in {400, 404, 405, 426, 429} else "there is no such operation"
    told: dict[str, Any] | None = operation["responses"].get(str(response.status_code))
    if told is None:
        return "the document does not know this status here"
    headers: dict[str, Any] = told.get("headers", {})
    missing = [name for name in headers if name not in response.headers]
    if set(missing) - {"Idempotency-Replayed"}:
        return f"there is no {missing}"
    return _wrong_content(method, template or "", response, told.get("content", {}))


def _wrong_content(method: str, template: str, response: httpx.Response, content: dict[str, Any]) -> str:
    if method == "HEAD" or not content:
        return "there is a body" if response.content else ""
    media = response.headers.get("content-type", "").partition(";")[0]
    if media not in content:
        return f"the document does not know {media!r} here"
    if media == NDJSON:
        name = content[media]["schema"]["x-line"]["$ref"].rpartition("/")[2]
        lines = [json.loads(line) for line in response.text.splitlines()]
        return next((wrong for line in lines if (wrong := _invalid(_validator(name), line))), "")
    if media not in {JSON, PROBLEM}:
        return ""
    validator = _answer_validator(template, _documented(method), response.status_code, media)
    return _invalid(validator, response.json())


def _invalid(validator: Draft202012Validator, value: object) -> str:
    found = next(iter(validator.iter_errors(value)), None)
    return "" if found is None else f"{found.message} at {'.'.join(map(str, found.instance_path))}"


def _documented(method: str) -> str:
    return "get" if method == "HEAD" else method.lower()


@cache
def _template(path: str) -> str | None:
    """The path of the document that a path is one of; one without parameters goes first.

    What an escaped slash leads to is up to whoever routes first, as long as it is nothing.
    """
    if "%2f" in path.lower():
        return None
    templates = sorted(contract()["paths"], key=lambda each: each.count("{"))
    return next((each for each in templates if _pattern(each).fullmatch(path)), None)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"{\w+}", "[^/]+", template))


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({**_closed(), "$ref": f"#/components/schemas/{name}"})


@cache
def _answer_validator(template: str, method: str, status: int, media: str) -> Draft202012Validator:
    schema = contract()["paths"][template][method]["responses"][str(status)]["content"][media]["schema"]
    return Draft202012Validator({**_closed(), **schema})


@cache
def _closed() -> dict[str, Any]:
    """The components, with no object open for members that are not named."""
    components = copy.deepcopy(contract()["components"]["schemas"])
    _close(components)
    return {"components": {"schemas": components}}


def _close(schema: object) -> None:
    if isinstance(schema, list):
        for each in cast("list[object]", schema):
            _close(each)
    if isinstance(schema, dict):
        found = cast("dict[str, Any]", schema)
        if found.get("type") == "object" and "properties" in found:
            found.setdefault("additionalProperties", False)
        for each in found.values():
            _close(each)
