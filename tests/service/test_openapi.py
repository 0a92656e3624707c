"""The document: exact, valid, and the one that is committed."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from jsonschema_rs import is_valid
from openapi_spec_validator import validate

from domain.catalogue import TITLES
from domain.kernel.rules import Title
from domain.kernel.tagged_unions import members, tag
from service.app import OPERATIONS
from service.live.hub import SUBSCRIPTIONS
from service.media_types import JSON
from service.openapi.codes import codes
from service.openapi.document import as_text, document
from service.openapi.schemas import name_of
from service.problems import CODES, FRAME_CODES
from service.transport.close_codes import CLOSES
from tests.harness.contract import contract
from tests.toy import TITLE

PROJECT = Path(__file__).resolve().parents[2]
COMMITTED = PROJECT / "openapi" / "tablelog.json"


def parts(schema: object) -> Iterator[dict[str, Any]]:
    """Every object in a part of the document."""
    if isinstance(schema, list):
        for each in cast("list[object]", schema):
            yield from parts(each)
    if isinstance(schema, dict):
        found = cast("dict[str, Any]", schema)
        yield found
        for each in found.values():
            yield from parts(each)


def resolved(reference: str) -> dict[str, Any]:
    return contract()["components"]["schemas"][reference.removeprefix("#/components/schemas/")]


def test_the_committed_document_is_that_of_the_app() -> None:
    assert COMMITTED.read_text() == as_text(document(TITLES, OPERATIONS)), "write it anew: make openapi"


@pytest.mark.parametrize("titles", [dict(TITLES), {**TITLES, "toy": TITLE}, {"toy": TITLE}])
def test_the_document_is_valid_with_any_catalogue(titles: dict[str, Title]) -> None:
    validate(document(titles, OPERATIONS))


def test_every_reference_leads_somewhere() -> None:
    for part in parts(contract()):
        if "$ref" in part:
            assert resolved(part["$ref"])


def test_every_schema_of_a_title_carries_the_title_in_its_name() -> None:
    without = set(document({}, OPERATIONS)["components"]["schemas"])
    for title in (*TITLES.values(), TITLE):
        names = set(document({title.id: title}, OPERATIONS)["components"]["schemas"]) - without
        assert names
        assert [name for name in names if title.id not in name.lower()] == []


def test_a_title_may_have_a_type_that_is_called_like_one_of_the_contract() -> None:
    options = msgspec.defstruct("Problem", [("rounds", int, 4)], forbid_unknown_fields=True)
    schemas = document({"toy": dataclasses.replace(TITLE, options=options)}, OPERATIONS)["components"]["schemas"]
    assert schemas["Problem"] == document({}, OPERATIONS)["components"]["schemas"]["Problem"]
    assert set(schemas["ToyProblem"]["properties"]) == {"rounds"}
    assert schemas["Options"]["anyOf"] == [{"$ref": "#/components/schemas/ToyProblem"}]


def test_every_union_is_told_apart_by_a_discriminator_that_names_all_its_members() -> None:
    unions = [part for part in parts(contract()) if "oneOf" in part]
    assert unions
    for union in unions:
        mapping = union["discriminator"]["mapping"]
        assert sorted(mapping.values()) == sorted(each["$ref"] for each in union["oneOf"])
        for value, reference in mapping.items():
            assert resolved(reference)["properties"][union["discriminator"]["propertyName"]]["enum"] == [value]


def test_every_move_of_every_title_is_told() -> None:
    mapping = contract()["components"]["schemas"]["Move"]["discriminator"]["mapping"]
    assert set(mapping) == {tag(each) for title in (*TITLES.values(), TITLE) for each in members(title.move)}


def test_what_a_client_sends_is_closed_and_bounded() -> None:
    """An object takes no member that is not named, and no string that Postgres cannot store, however deep it lies."""
    told = [operation for operation in OPERATIONS if operation.body is not None and operation.takes == JSON]
    waiting = [name_of(operation.body) for operation in told]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        for part in parts(resolved(name)):
            if "$ref" in part:
                waiting.append(part["$ref"].removeprefix("#/components/schemas/"))
            if part.get("type") == "object":
                assert part.get("additionalProperties") is False or "propertyNames" in part
            if part.get("type") == "string":
                assert "pattern" in part
    assert len(reached) > 20


def test_every_operation_tells_each_problem_that_it_names() -> None:
    for operation in OPERATIONS:
        responses = contract()["paths"][operation.path][operation.method.lower()]["responses"]
        for code in operation.problems:
            content = responses[str(CODES[code].status)]["content"]["application/problem+json"]
            assert code in content["schema"]["allOf"][1]["properties"]["code"]["enum"]


def test_every_code_is_told_and_an_operation_or_a_frame_can_have_it() -> None:
    assert set(contract()["x-problems"]) == set(CODES)
    met = {code for operation in OPERATIONS for found in codes(operation).values() for code in found}
    anywhere = {"method-not-allowed", "upgrade-required", "internal-error"}
    assert set(CODES) == met | FRAME_CODES | anywhere


def test_the_codes_of_error_frames_are_those_that_the_sources_can_send_and_the_protocol_tells() -> None:
    sources = [PROJECT / "service" / "routes" / "live.py", *(PROJECT / "service" / "live").rglob("*.py")]
    sent = {close.name for close in CLOSES} & set(CODES)
    for source in sources:
        sent |= set(re.findall(r'(?:Rejected\(|ErrorFrame\(code=)\s*"([a-z-]+)"', source.read_text(encoding="utf-8")))
    assert {"already-following", "token-required", "unavailable", "invalid-query"} <= sent
    assert sorted(sent) == resolved("ErrorFrame")["properties"]["code"]["enum"]
    protocol = (PROJECT / "service" / "live" / "PROTOCOL.md").read_text(encoding="utf-8")
    table = protocol.partition("\n## Errors\n")[2].partition("\n## ")[0]
    told = [code for line in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for code in re.findall(r"`(.*?)`", line)]
    assert sorted(told) == sorted(sent)


def test_the_bounds_of_the_live_feed_are_told_as_they_are() -> None:
    (live,) = (tag["description"] for tag in contract()["tags"] if tag["name"] == "live")
    assert f"up to {SUBSCRIPTIONS} games" in live
    assert all(f"`{frame}`" in live for frame in ("subscribe", "follow", "auth"))


def test_every_body_has_an_example_that_fits() -> None:
    components = {"components": contract()["components"]}
    for operation in OPERATIONS:
        if operation.body is not None and operation.takes == JSON:
            told = contract()["paths"][operation.path][operation.method.lower()]
            content = told["requestBody"]["content"]["application/json"]
            assert is_valid({**components, **content["schema"]}, content["example"])


def test_operations_have_names_and_words_of_their_own() -> None:
    assert len({operation.name for operation in OPERATIONS}) == len(OPERATIONS)
    assert all(operation.run.__doc__ for operation in OPERATIONS)


def test_a_pattern_means_the_same_in_other_languages() -> None:
    patterns = [part["pattern"] for part in parts(contract()) if isinstance(part.get("pattern"), str)]
    assert patterns
    for pattern in patterns:
        assert pattern.startswith("^")
        assert pattern.endswith("$")
        assert not re.search(r"\(\?[!<=]", pattern)


def test_the_frames_of_the_live_feed_stand_among_the_components() -> None:
    for name in ("ClientFrame", "ServerFrame"):
        assert resolved(name)["discriminator"]["propertyName"] == "type"


def test_events_as_they_happen_are_told_with_their_frames_and_what_resumes_them() -> None:
    told = contract()["paths"]["/v1/games/{game}/events"]["get"]
    stream = told["responses"]["200"]["content"]["text/event-stream"]["schema"]
    assert stream["x-data"] == {"$ref": "#/components/schemas/ServerFrame"}
    assert {"Last-Event-ID", "epoch", "after"} <= {each["name"] for each in told["parameters"]}
    others = [
        name
        for path, methods in contract()["paths"].items()
        for name in ("get", "post", "delete")
        for each in methods.get(name, {}).get("parameters", [])
        if each["name"] == "Last-Event-ID" and not path.endswith("/events")
    ]
    assert others == []
