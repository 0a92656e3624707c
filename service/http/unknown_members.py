"""Refuses members that a type does not name, in a body whose types let them pass.

What only requests are made of is closed by its types (`forbid_unknown_fields`). A position is made of a title's state,
whose types are those of the log as well, and there an older reader has to pass over what a newer writer has added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import msgspec
from msgspec import Struct

from domain.kernel.rejected import Rejected

_LONGEST_PLACE = 300


def require_known(body: bytes | msgspec.Raw, value: object, prefix: str) -> None:
    """Pass if the body of a value holds nothing beyond it; else `invalid-body` with the place of what it holds."""
    place = next(_unknown(msgspec.json.decode(body), value, prefix), None)
    if place is not None:
        raise Rejected("invalid-body", "there is no such member here", field=place[:_LONGEST_PLACE])


def _unknown(given: Any, value: object, place: str) -> Iterator[str]:
    """The places of members in what was given that its value does not have."""
    match value:
        case Struct():
            fields = dict(zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True))
            for name, each in cast("dict[str, Any]", given).items():
                if name in fields:
                    yield from _unknown(each, getattr(value, fields[name]), f"{place}.{name}")
                elif name != value.__struct_config__.tag_field:
                    yield f"{place}.{name}"
        case tuple() | list():
            pairs = zip(given, cast("list[object]", value), strict=True)
            for index, (each, known) in enumerate(pairs):
                yield from _unknown(each, known, f"{place}[{index}]")
        case Mapping():
            members = cast("Mapping[Any, object]", value).values()
            for (name, each), known in zip(cast("dict[str, Any]", given).items(), members, strict=True):
                yield from _unknown(each, known, f"{place}.{name}")
        case _:
            pass
