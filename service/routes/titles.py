"""Titles: which kinds of game are played here, with what options, and what is in their component sets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel.rejected import Rejected
from domain.kernel.rules import ComponentSet, Title
from service.auth.guards import Access
from service.http.operation import Answer, Call, operation
from service.log import component_sets


class SeatCounts(Struct, frozen=True):
    """How many can play."""

    least: int
    most: int


class TitleInfo(Struct, frozen=True):
    """A kind of game. `options` is the JSON Schema of the options of a new game; the first set is the default."""

    id: str
    names: Mapping[str, str]
    seats: SeatCounts
    rules_version: str
    options: Mapping[str, Any]
    component_sets: tuple[str, ...]


class TitleList(Struct, frozen=True):
    """The titles that are played here."""

    titles: tuple[TitleInfo, ...]


_HASH = re.compile(r"[0-9a-f]{64}")


@operation("GET", "/v1/titles", tag="titles", summary="What is played here", access=Access.anyone)
async def list_titles(call: Call) -> Answer[TitleList]:
    """The titles that are played here."""
    sets = call.node.sets
    return Answer(TitleList(titles=tuple(_title_info(title, sets.offered(title.id)) for title in sets.titles.values())))


@operation(
    "GET",
    "/v1/titles/{title}/components/{set}",
    tag="titles",
    summary="A component set in words",
    access=Access.anyone,
    problems=("not-found", "unavailable"),
)
async def get_component_set(call: Call) -> Answer[ComponentSet]:
    """A component set: each piece with its names, what it does in words, and its figures.

    `set` is an id that a new game may name, or the `component_hash` of any game, which keeps its own set whatever the
    files say by now.
    """
    title, wanted = call.path["title"], call.path["set"]
    digest = await _digest(call, title, wanted)
    rules = await call.node.sets.rules(title, digest)
    if rules is None:
        raise _missing()
    components: ComponentSet = rules.components
    return Answer(components)


async def _digest(call: Call, title: str, wanted: str) -> str:
    """The hash of the set that a path names."""
    if title in call.node.sets.titles:
        if wanted in call.node.sets.offered(title):
            return call.node.sets.find(title, wanted)[1]
        if _HASH.fullmatch(wanted):
            stored = await component_sets.by_hash(call.node.pool, wanted)
            if stored is not None and stored.title == title:
                return wanted
    raise _missing()


def _missing() -> Rejected:
    return Rejected("not-found", "there is no such title, or it has no such component set")


def _title_info(title: Title, sets: tuple[str, ...]) -> TitleInfo:
    return TitleInfo(
        id=title.id,
        names=dict(title.names),
        seats=SeatCounts(least=title.seats[0], most=title.seats[1]),
        rules_version=title.rules_version,
        options=msgspec.json.schema(title.options),
        component_sets=sets,
    )
