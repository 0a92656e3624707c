"""What a value should have been is told in words: in a record, in a component set, and elsewhere."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.chimera import forms as of_chimera
from domain.kernel.expected import explained
from domain.kernel.record.form import RecordEnd, RecordEvent, RecordLine, RecordOpening
from domain.spacelab import forms as of_spacelab


@pytest.mark.parametrize(
    "message,path,told",
    [
        ("Expected `str` matching regex '^x'", ".hash", "expected: 64 small hex digits."),
        ("Invalid value 'x'", ".type", "must be one of record, event, end"),
        ("Invalid enum value 2", ".format", "must be one of 1"),
        ("Expected `int`, got `str`", ".version", "Expected `int`, got `str`"),
        ("Input data was truncated", "", "it ends too early"),
    ],
)
def test_a_line_of_a_record_that_is_wrong_is_told_in_words(message: str, path: str, told: str) -> None:
    assert explained(message, RecordLine, path)[0] == told


def test_a_place_that_nobody_knows_is_no_fault() -> None:
    for path in (".nothing", ".hash.deeper", "[3]", ".data[...].x"):
        assert explained("Invalid enum value 'x'", RecordLine, path) == ("Invalid enum value 'x'", [])


def forms() -> list[Any]:
    structs = [each for module in (of_chimera, of_spacelab) for each in vars(module).values()]
    found = [each for each in structs if isinstance(each, type) and issubclass(each, msgspec.Struct)]
    return [RecordOpening, RecordEvent, RecordEnd, *(each for each in found if each is not msgspec.Struct)]


def test_every_pattern_of_a_record_and_of_a_component_set_is_told_in_words() -> None:
    _, found = msgspec.json.schema_components(forms())
    asked = [part for part in _parts(found) if "pattern" in part]
    assert len(asked) > 10
    assert [part for part in asked if not part.get("description")] == []


def _parts(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [part for each in schema for part in _parts(each)]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(schema, dict):
        return [schema, *(part for each in schema.values() for part in _parts(each))]  # pyright: ignore[reportUnknownVariableType]
    return []
