"""What comes from outside is bounded before it is worked with: texts of component sets, and positions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest
from msgspec import inspect

from domain.kernel.component_text import DEEPEST_KEY, LARGEST, parse
from domain.kernel.rejected import ComponentError
from domain.kernel.rules import Title
from tests.conformance.titles import ALL_TITLES, ENTRIES, Entry

by_title = pytest.mark.parametrize("title", ALL_TITLES, ids=lambda title: title.id)
by_entry = pytest.mark.parametrize("entry", ENTRIES, ids=repr)

MOST = 1_000
"""No list in a position is longer, and no bound on one is larger."""


@by_title
@pytest.mark.parametrize(
    "text",
    [
        ".".join(["a"] * 32_000) + " = 1",
        "[" + ".".join(["a"] * (DEEPEST_KEY + 1)) + "]",
        "a = " + "[" * 30_000,
        "#" * (LARGEST + 1),
        'id = "a\\u202eb"',
    ],
    ids=["a long key", "a deep table", "brackets", "bytes", "right to left"],
)
def test_every_title_refuses_a_text_that_is_slow_to_parse_or_does_not_show_what_it_means(
    title: Title, text: str
) -> None:
    with pytest.raises(ComponentError, match=r"^(text: (has|nests|is larger)|id: may not)"):
        title.load(text)


@by_entry
def test_every_list_of_a_component_set_is_bounded(entry: Entry) -> None:
    """Ten thousand times the first entry of any list is refused by its length, before anything looks at the entries."""
    for path in _lists(parse(entry.text), ()):
        bent: Any = parse(entry.text)
        place = bent
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = [place[path[-1]][0]] * 10_000
        with pytest.raises(ComponentError, match="of length"):
            entry.title.bind(bent)


def _lists(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The places of lists that are not empty; of the entries of a list only the first one is looked into."""
    if isinstance(value, dict):
        for key, each in cast("dict[str, Any]", value).items():
            yield from _lists(each, (*path, key))
    elif isinstance(value, list) and value:
        yield path
        yield from _lists(cast("list[Any]", value)[0], (*path, 0))


@by_title
def test_every_list_and_every_number_of_a_position_is_bounded(title: Title) -> None:
    assert list(_unbounded(inspect.type_info(title.state), title.state.__name__, set())) == []


def _unbounded(  # noqa: C901 - an arm for each kind of type
    of: inspect.Type, place: str, seen: set[type]
) -> Iterator[str]:
    """The places in a type where a list may have any length or a number any size."""
    match of:
        case inspect.StructType() if of.cls in seen:
            return
        case inspect.StructType():
            seen.add(of.cls)
            parts = [(f"{of.cls.__name__}.{field.name}", field.type) for field in of.fields]
        case inspect.Metadata():
            parts = [(place, of.type)]
        case inspect.UnionType():
            parts = [(place, each) for each in of.types]
        case inspect.TupleType():
            parts = [(f"{place}[]", each) for each in of.item_types]
        case inspect.VarTupleType() | inspect.ListType() | inspect.DictType():
            parts = [(f"{place}[]", of.value_type if isinstance(of, inspect.DictType) else of.item_type)]
            if of.max_length is None or of.max_length > MOST:
                yield place
        case inspect.IntType():
            parts = []
            if not _is_bounded(of):
                yield place
        case _:
            parts = []
    for name, part in parts:
        yield from _unbounded(part, name, seen)


def _is_bounded(of: inspect.IntType) -> bool:
    lowest = of.ge if of.ge is not None else of.gt
    highest = of.le if of.le is not None else of.lt
    return lowest is not None and highest is not None and max(-lowest, highest) <= 2**31
