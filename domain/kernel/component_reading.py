"""Component sets from the tables of their TOML, read entry by entry, so that what is wrong is reported with its place.

A set has an id, a title, and sections: lists of entries, each naming a piece by its `id`. A title declares the
entries as `Form`s, reads them with an `EntryReader`, and looks up what they name with `known` or `same`. Everything
wrong is a `ComponentError`, whose place reads like `labs[3] gp_04.cost`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Annotated, Any, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from domain.kernel.expected import explained
from domain.kernel.rejected import ComponentError
from domain.kernel.words import Names, both

LONGEST_ID = 40

Id: TypeAlias = Annotated[
    str,
    Meta(pattern=r"\A[a-z0-9]+(_[a-z0-9]+)*\Z", max_length=LONGEST_ID, description="Small letters, digits, single _."),
]
DashedId: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"\A[a-z0-9]+([_-][a-z0-9]+)*\Z",
        max_length=LONGEST_ID,
        description="Small letters, digits, single - or _.",
    ),
]
"""The id of a set is one, as in `house-1`."""
Ref: TypeAlias = Annotated[str, Meta(max_length=LONGEST_ID)]
"""The name of something else in the set, to be looked up; short, as a refusal repeats it."""
Word: TypeAlias = Annotated[
    str, Meta(pattern=r"\A[^\x00-\x1f\x7f-\x9f\u2028\u2029]+\Z", max_length=80, description="One line of text.")
]
"""A name is one line: it becomes part of lines that are read."""


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """A table in a set. A key that nobody reads is an error."""


class NamesForm(Form, frozen=True):
    """A name in each language."""

    en: Word
    ja: Word

    @property
    def both(self) -> Names:
        """The name as it is played with."""
        return both(self.en, self.ja)


class _Set(Protocol):
    @property
    def title(self) -> str: ...


class _Entry(Protocol):
    @property
    def id(self) -> str: ...


SetForm = TypeVar("SetForm", bound=_Set)
EntryForm = TypeVar("EntryForm", bound=_Entry)
AnyForm = TypeVar("AnyForm")


def read_set(tables: Mapping[str, Any], form: type[SetForm], title: str) -> SetForm:
    """The whole of a set in its form, which has to be a set of this title."""
    written = converted("", tables, form)
    if written.title != title:
        raise ComponentError("title", f"is {written.title!r}, and this title is {title!r}")
    return written


def converted(place: str, raw: Any, form: type[AnyForm]) -> AnyForm:
    """A table in its form; what msgspec finds wrong is reported with the place of the table in front."""
    try:
        return msgspec.convert(raw, type=form)
    except msgspec.ValidationError as wrong:
        what, _, path = str(wrong).partition(" - at `$")
        why, _ = explained(what, form, path.rstrip("`"))
        raise ComponentError(f"{place}{path.rstrip('`')}".lstrip(".") or "set", why) from wrong


class EntryReader:
    """Reads sections one by one. An id names one piece in the whole set."""

    def __init__(self) -> None:
        self._places: dict[str, str] = {}

    def read(
        self, section: str, entries: Iterable[Mapping[str, Any]], form: type[EntryForm]
    ) -> Iterator[tuple[str, EntryForm]]:
        """The entries of a section, each with its place."""
        for place, entry in self._converted(section, entries, form):
            self._take(f"{place}.id", entry.id, place)
            yield place, entry

    def read_copies(
        self, section: str, entries: Iterable[Mapping[str, Any]], form: type[EntryForm], copies: str
    ) -> Iterator[tuple[str, EntryForm, tuple[str, ...]]]:
        """The entries of a section whose pieces come in several copies, with the ids of these: `ant_1`, `ant_2` ...

        `copies` names the field that says how many there are.
        """
        for place, entry in self._converted(section, entries, form):
            ids = tuple(f"{entry.id}_{copy}" for copy in range(1, getattr(entry, copies) + 1))
            for each in (entry.id, *ids):
                self._take(f"{place}.id", each, place)
            yield place, entry, ids

    def _converted(
        self, section: str, entries: Iterable[Mapping[str, Any]], form: type[EntryForm]
    ) -> Iterator[tuple[str, EntryForm]]:
        for index, raw in enumerate(entries):
            place, name = f"{section}[{index}]", raw.get("id")
            if isinstance(name, str) and 0 < len(name) <= LONGEST_ID:
                place = f"{place} {name}"
            yield place, converted(place, raw, form)

    def _take(self, place: str, name: str, owner: str) -> None:
        if name in self._places:
            raise ComponentError(place, f"is taken by {self._places[name]}")
        self._places[name] = owner


def known(place: str, name: str, what: str, among: Collection[str]) -> str:
    """A name that has to be among others; `what` says what these are, as in `an agency`."""
    if name not in among:
        raise ComponentError(place, f"{name!r} is not {what}: there are {', '.join(among)}")
    return name


def same(place: str, written: Collection[str], expected: Collection[str]) -> None:
    """The names in a set have to be exactly these: it may choose figures, not pieces."""
    for name in expected:
        if name not in written:
            raise ComponentError(place, f"{name} is missing")
    for name in written:
        if name not in expected:
            raise ComponentError(place, f"{name} is not known")


def only_key(place: str, entry: Form) -> str:
    """The one field of an entry that is written; exactly one has to be."""
    written = [name for name in entry.__struct_fields__ if getattr(entry, name) is not None]
    if len(written) != 1:
        raise ComponentError(place, f"is exactly one of {', '.join(entry.__struct_fields__)}")
    return written[0]
