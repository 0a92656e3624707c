"""What should have stood in the place of a value is told in words, and never as a regular expression."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import UNSET, Meta, Struct, UnsetType

from domain.catalogue import TITLES
from domain.kernel.expected import explained
from domain.kernel.rejected import Rejected
from service.app import OPERATIONS
from service.http import query
from service.http.body import decode_body
from service.media_types import JSON
from tests.toy import TITLE as TOY


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Paint(Struct, tag="x.paint", frozen=True, forbid_unknown_fields=True):
    colour: Colour
    code: Annotated[str, Meta(pattern=r"^[a-z]+(?![\s\S])", description="Small letters.")] | UnsetType = UNSET


class Wipe(Struct, tag="x.wipe", frozen=True, forbid_unknown_fields=True):
    how: Literal["dry", "wet"] = "dry"
    plain: Annotated[str, Meta(pattern=r"^[0-9]+(?![\s\S])")] = "0"


class Work(Struct, forbid_unknown_fields=True):
    steps: tuple[Paint | Wipe, ...] = ()
    named: dict[str, Wipe] = {}
    pair: tuple[int, Wipe] | None = None


DECODER = msgspec.json.Decoder(Work)


@pytest.mark.parametrize(
    "body,field,detail,allowed",
    [
        (b'{"steps": [{"type": "x.paint", "colour": "green"}]}', "steps[0].colour", None, ["red", "blue"]),
        (b'{"steps": [{"type": "x.wipe", "how": "damp"}]}', "steps[0].how", None, ["dry", "wet"]),
        (b'{"steps": [{"type": "x.scrub"}]}', "steps[0].type", None, ["x.paint", "x.wipe"]),
        (b'{"pair": [1, {"type": "x.wipe", "how": "damp"}]}', "pair[1].how", None, ["dry", "wet"]),
        (b'{"named": {"a": {"type": "x.wipe", "how": "damp"}}}', "named[...].how", None, ["dry", "wet"]),
        (
            b'{"steps": [{"type": "x.paint", "colour": "red", "code": "A"}]}',
            "steps[0].code",
            "expected: Small letters.",
            None,
        ),
        (
            b'{"steps": [{"type": "x.wipe", "plain": "A"}]}',
            "steps[0].plain",
            "it does not have the expected form",
            None,
        ),
        (b"", "", "the body is empty", None),
        (b" \n", "", "the body is empty", None),
        (b'{"steps": [', "", "it ends too early", None),
    ],
)
def test_a_refused_value_is_told_with_what_would_have_been_taken(
    body: bytes, field: str, detail: str | None, allowed: list[str] | None
) -> None:
    with pytest.raises(Rejected) as caught:
        decode_body(DECODER, body)
    assert caught.value.facts == {"field": field, **({"allowed": allowed} if allowed else {})}
    assert caught.value.detail == (detail or f"must be one of {', '.join(allowed or [])}")


class Query(Struct, forbid_unknown_fields=True):
    status: Literal["waiting", "running"] | UnsetType = UNSET


@pytest.mark.parametrize(
    "raw,detail,allowed",
    [
        (b"status=done", "status: must be one of running, waiting", ["running", "waiting"]),
        (b"state=done", "state: the parameters here are status", ["status"]),
    ],
)
def test_a_refused_parameter_is_told_with_what_would_have_been_taken(
    raw: bytes, detail: str, allowed: list[str]
) -> None:
    with pytest.raises(Rejected) as caught:
        query.QueryDecoder(Query).decode(raw)
    assert caught.value.detail == detail
    assert caught.value.facts["allowed"] == allowed


def test_many_values_stand_beside_the_sentence_only() -> None:
    for title in TITLES.values():
        told, allowed = explained("Invalid value 'x'", title.move, ".type")
        assert len(allowed) > 5
        assert len(told) < 300
        assert " must be " in told or told.startswith("must be ")


def test_what_msgspec_tells_well_by_itself_is_left_as_it_is() -> None:
    assert explained("Expected `int`, got `str`", Work, ".pair[0]") == ("Expected `int`, got `str`", [])


def patterns(schema: Any) -> list[dict[str, Any]]:
    """Every part of a schema that asks for a pattern."""
    if isinstance(schema, list):
        return [found for each in schema for found in patterns(each)]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(schema, dict):
        below = [found for each in schema.values() for found in patterns(each)]  # pyright: ignore[reportUnknownVariableType]
        return [schema, *below] if isinstance(schema.get("pattern"), str) else below  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return []


def test_whatever_asks_for_a_pattern_says_in_words_what_is_wanted() -> None:
    sent: list[Any] = [each for title in (*TITLES.values(), TOY) for each in (title.move, title.options, title.state)]
    for operation in OPERATIONS:
        sent += [each for each in (operation.query, operation.body if operation.takes == JSON else None) if each]
    _, found = msgspec.json.schema_components(sent)
    asked = patterns(found)
    assert asked
    assert [each for each in asked if not each.get("description")] == []
