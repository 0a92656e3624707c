"""The components of the document: msgspec's own schemas of the types on the wire, made exact.

- What the wire types leave open (`Any`: a title's view, moves, facts) is spelled out as a union over the titles served.
- A union that `type` discriminates is a oneOf with its discriminator, not an anyOf.
- Every schema of a title carries the title in its name; two titles may both have a class `Gain`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast, get_origin

import msgspec

from domain.kernel.documented import reference
from domain.kernel.events import GameEnded, GameStarted
from domain.kernel.events import Seen as SeenEvent
from domain.kernel.record.form import RecordLine
from domain.kernel.rules import Title
from domain.kernel.tagged_unions import members, tag
from service.http.operation import Operation
from service.live.frames import ClientFrame, ServerFrame
from service.media_types import JSON
from service.problems import Problem

Schema: TypeAlias = dict[str, Any]

PREFIX = "#/components/schemas/"
_NO_NUL = r"^[^\u0000]*$"
_TEMPLATE = PREFIX + "{name}"

_EVENTS: tuple[Any, ...] = tuple(get_origin(each) or each for each in members(SeenEvent))
"""The structs of events, without what their generic ones are made of: that is spelled out here."""


def components(titles: Mapping[str, Title], operations: Sequence[Operation]) -> dict[str, Schema]:
    """Every named schema, in the order of names."""
    wire: list[Any] = [Problem, *_EVENTS, GameStarted, GameEnded, ClientFrame, ServerFrame]
    lines: dict[str, tuple[Any, ...]] = {}
    for operation in operations:
        wire += [each for each in (operation.answer, _json_body(operation)) if each is not None]
        lines |= {line_name(each): members(each) for each in _lines(operation)}
    wire += [each for line in lines.values() for each in line]
    _, found = msgspec.json.schema_components(wire, ref_template=_TEMPLATE)
    shared = dict(found)
    for title in titles.values():
        for name, schema in _of_title(title, shared).items():
            if found.setdefault(name, schema) != schema:
                message = f"two schemas are called {name}"
                raise ValueError(message)
    found |= _unions(titles)
    found |= _new_games(titles, found.pop("NewGame"))
    found["ClientFrame"] = _tagged(members(ClientFrame))
    found["ServerFrame"] = _tagged(members(ServerFrame))
    found |= {name: _tagged(line) for name, line in lines.items() if len(line) > 1}
    bodies = [body for each in operations if (body := _json_body(each)) is not None]
    for name in _reachable(found, [name_of(each) for each in bodies]):
        found[name] = _walked(found[name], _strict)
    return {name: _exact(found[name]) for name in sorted(found)}


def name_of(of: Any) -> str:
    return str(of.__name__)


def line_name(of: Any) -> str:
    """The name of the schema of a line: that of the struct, or of the union of a record's lines."""
    return "RecordLine" if of is RecordLine else name_of(of)


def _json_body(operation: Operation) -> Any:
    return operation.body if operation.takes == JSON else None


def _lines(operation: Operation) -> list[Any]:
    return [each for each in (operation.line, None if operation.takes == JSON else operation.body) if each is not None]


def title_name(title: Title, name: str) -> str:
    """The name of a schema of a title: as the class is called if that carries the title, else with it in front."""
    return name if title.id in name.lower() else f"{title.id.capitalize()}{name}"


def _of_title(title: Title, shared: Mapping[str, Schema]) -> dict[str, Schema]:
    """The schemas of a title's own types under their names in the document."""
    _, found = msgspec.json.schema_components(
        [title.view, title.move, title.seen, title.options, title.state], ref_template=_TEMPLATE
    )
    # By what it says, not by name alone: a title may have a class that is called like one of the contract's.
    names = {name: name if shared.get(name) == schema else title_name(title, name) for name, schema in found.items()}
    if len(set(names.values())) < len(names):
        message = f"two types of {title.id} come to one name in the document"
        raise ValueError(message)

    def renamed(schema: Schema) -> Schema:
        if "$ref" in schema:
            return {**schema, "$ref": PREFIX + names[schema["$ref"].removeprefix(PREFIX)]}
        if "discriminator" in schema:
            mapping = schema["discriminator"]["mapping"]
            mapped = {each: PREFIX + names[ref.removeprefix(PREFIX)] for each, ref in mapping.items()}
            return {**schema, "discriminator": {**schema["discriminator"], "mapping": mapped}}
        return schema

    own = {name: schema for name, schema in found.items() if shared.get(name) != schema}
    schemas = {names[name]: _walked(schema, renamed) for name, schema in own.items()}
    for name, schema in schemas.items():
        if "title" in schema:
            schema["title"] = name
    return schemas


def _unions(titles: Mapping[str, Title]) -> dict[str, Schema]:
    """What the wire types leave to the titles, and the events around it."""
    started: list[Any] = [GameStarted, GameEnded]
    moves = [(title, each) for title in titles.values() for each in members(title.move)]
    seen = [(title, each) for title in titles.values() for each in members(title.seen)]
    plain: list[tuple[Title | None, Any]] = [(None, each) for each in started]
    scalar: Schema = {"type": ["string", "integer", "boolean", "null"]}
    listed: Schema = {"type": "array", "items": {"type": ["string", "integer"]}}
    return {
        "View": _union([(title, title.view) for title in titles.values()]),
        "Move": _union(moves),
        "Seen": _union(seen) | {"description": "A move or a fact as a viewer may see it."},
        "SeenFact": _union([*seen, *plain]) | {"description": "What an event brought about, as a viewer may see it."},
        "Options": {"anyOf": [_title_reference(title, title.options) for title in titles.values()]},
        "State": {"anyOf": [_title_reference(title, title.state) for title in titles.values()]},
        "SeenEvent": _tagged(_EVENTS),
        "CaseField": {
            "description": "What a field of a move may be: fixed, one of a list, or a set of values in a list's order.",
            "anyOf": [
                scalar,
                listed,
                _closed({"one_of": listed}),
                _closed({"some_of": listed, "least": _whole(), "most": _whole()}),
            ],
        },
    }


def _new_games(titles: Mapping[str, Title], plain: Schema) -> dict[str, Schema]:
    """What a table of each title is opened with: how many can play and which options there are depends on it."""
    schemas: dict[str, Schema] = {}
    for title in titles.values():
        least, most = title.seats
        properties = plain["properties"] | {
            "title": {"enum": [title.id]},
            "seats": {**plain["properties"]["seats"], "minimum": least, "maximum": most},
            "options": _title_reference(title, title.options),
            "position": _title_reference(title, title.state),
        }
        name = title_name(title, "NewGame")
        schemas[name] = {**plain, "title": name, "properties": properties}
    mapping = {title.id: PREFIX + title_name(title, "NewGame") for title in titles.values()}
    union = {
        "oneOf": [reference(name) for name in schemas],
        "discriminator": {"propertyName": "title", "mapping": mapping},
    }
    return {**schemas, "NewGame": union}


def _tagged(structs: Sequence[Any]) -> Schema:
    return _union([(None, each) for each in structs])


def _union(structs: Sequence[tuple[Title | None, Any]]) -> Schema:
    """Tagged structs, each of a title or of all."""
    references = {
        tag(each): (reference(name_of(each)) if title is None else _title_reference(title, each))
        for title, each in structs
    }
    mapping = {name: each["$ref"] for name, each in references.items()}
    return {"oneOf": list(references.values()), "discriminator": {"propertyName": "type", "mapping": mapping}}


def _title_reference(title: Title, of: Any) -> Schema:
    return reference(title_name(title, name_of(of)))


def _closed(properties: Mapping[str, Schema]) -> Schema:
    closed = {"type": "object", "properties": dict(properties), "required": list(properties)}
    return {**closed, "additionalProperties": False}


def _whole() -> Schema:
    return {"type": "integer", "minimum": 0}


def _reachable(found: Mapping[str, Schema], names: Sequence[str]) -> set[str]:
    """The names of the schemas that these refer to, and they themselves."""
    reached: set[str] = set()
    waiting = list(names)

    def refer(schema: Schema) -> Schema:
        if "$ref" in schema:
            waiting.append(schema["$ref"].removeprefix(PREFIX))
        return schema

    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            _walked(found[name], refer)
    return reached


def _strict(schema: Schema) -> Schema:
    """Requests are closed, and no string in them may hold U+0000, the name of a member as little as a value."""
    if schema.get("type") == "object" and "properties" in schema:
        return {**schema, "additionalProperties": False}
    if schema.get("type") == "object" and schema.get("additionalProperties", True) is not False:
        return {**schema, "propertyNames": {"pattern": _NO_NUL}}
    if schema.get("type") != "string" or schema.keys() & {"pattern", "format"}:
        return schema
    return {**schema, "pattern": _NO_NUL}


def _exact(schema: Schema) -> Schema:
    def exact(each: Schema) -> Schema:
        if {} in each.get("anyOf", ()):  # which anything fits: the field says by itself what it holds
            each = {key: value for key, value in each.items() if key != "anyOf"}
        if "discriminator" in each and "anyOf" in each:
            each = {"oneOf": each["anyOf"], **{key: value for key, value in each.items() if key != "anyOf"}}
        if "pattern" in each:
            each = {**each, "pattern": portable(each["pattern"])}
        return each

    return _walked(schema, exact)


def portable(pattern: str) -> str:
    r"""A pattern as other languages write it: `$` ends a text there, and lets no newline follow as Python's does."""
    return pattern.replace(r"(?![\s\S])", "$")


def _walked(schema: Schema, change: Callable[[Schema], Schema]) -> Schema:
    """A schema with every schema in it changed, inner ones first."""

    def inner(value: Any) -> Any:
        match value:
            case dict():
                return _walked(cast("Schema", value), change)
            case list():
                return [inner(each) for each in cast("list[Any]", value)]
            case _:
                return value

    return change({key: inner(value) for key, value in schema.items()})
