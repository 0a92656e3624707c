"""What the OpenAPI document says of fields whose types leave it to the titles."""

from __future__ import annotations

from typing import Any

from msgspec import Meta

NULL = Meta(extra_json_schema={"type": "null"})
OBJECT = Meta(extra_json_schema={"type": "object"})


def reference(name: str) -> dict[str, Any]:
    """A reference to a schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


def schema(name: str) -> Meta:
    return Meta(extra_json_schema=reference(name))


def schema_or_null(name: str) -> Meta:
    return Meta(extra_json_schema={"anyOf": [reference(name), {"type": "null"}]})
