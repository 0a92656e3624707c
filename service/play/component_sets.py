"""The titles and component sets of a process: built-in ones, those of `TABLELOG_COMPONENTS`, stored ones by hash."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from domain.kernel import component_text
from domain.kernel.rejected import ComponentError, Rejected
from domain.kernel.rules import AnyRules, Title
from service.database.types import Pool
from service.log import component_sets
from service.log.component_sets import StoredSet
from service.logs import one_line
from service.play.built_in import built_in

MOST_LOADED = 64
"""Stored sets whose rules are kept beside those that are offered, the last used ones."""

_log = logging.getLogger(__name__)


class BadComponentFile(Exception):
    """A component file that cannot be used: the message names file, entry and what is wrong."""


class _Header(Struct):
    id: Annotated[str, Meta(max_length=40, pattern=r"\A[a-z0-9]+([_-][a-z0-9]+)*\Z")]
    """Stands in paths and in bodies; shorter than a hash, which stands in the same place."""

    title: str


class ComponentSets:
    """Rules by (title, hash of the component set), and the sets that new games may name."""

    def __init__(self, pool: Pool, titles: Mapping[str, Title]) -> None:
        self._pool = pool
        self.titles = titles
        self._offered: dict[tuple[str, str], str] = {}
        self._pinned: dict[tuple[str, str], AnyRules] = {}
        self._loaded: OrderedDict[tuple[str, str], AnyRules | None] = OrderedDict()
        self._loading = asyncio.Lock()

    async def load(self, folder: Path | None) -> None:
        """Offer the built-in sets and those of a folder; raises `NoComponentSets` or `BadComponentFile`."""
        for title in self.titles.values():
            for name, text in built_in(title):
                await self._offer(name, text)
        for name, text in _texts(folder) if folder is not None else ():
            await self._offer(name, text)

    def offered(self, title: str) -> tuple[str, ...]:
        """The ids of the sets that a new game of a title may name; the first one is the default."""
        return tuple(set_id for of, set_id in self._offered if of == title)

    def find(self, title: str, set_id: str | None) -> tuple[str, str]:
        """Id and hash of an offered set (the default for None); `no-such-title` or `no-such-component-set`."""
        if title not in self.titles:
            raise Rejected("no-such-title", f"there is no title {title}", field="title", titles=list(self.titles))
        offered = self.offered(title)
        if set_id is None:
            set_id = offered[0]
        if set_id not in offered:
            detail = f"{title} has no component set {set_id}"
            raise Rejected("no-such-component-set", detail, field="component_set", component_sets=list(offered))
        return set_id, self._offered[title, set_id]

    async def is_known(self, title: str, digest: str) -> bool:
        """Whether a set is built in, in the folder, or stored."""
        return digest in self._offered.values() or await component_sets.is_stored(self._pool, title, digest)

    async def rules(self, title: str, digest: str) -> AnyRules | None:
        """The rules of a title bound to a set by its hash, read from the database when they are new to this process.

        None if the set is not there, or cannot be used by this release, which is remembered.
        """
        key = (title, digest)
        if (rules := self._pinned.get(key)) is not None:
            return rules
        if key not in self._loaded:
            async with self._loading:
                if key not in self._loaded and not await self._load(key):
                    return None
        self._loaded.move_to_end(key)
        return self._loaded[key]

    async def _load(self, key: tuple[str, str]) -> bool:
        """Remember what a stored set gives, or that it cannot be used; False if there is no such set."""
        title, digest = key
        stored = await component_sets.by_hash(self._pool, digest)
        if stored is None:
            return False
        rules: AnyRules | None = None
        try:
            rules = await asyncio.to_thread(self.titles[title].load, stored.text)
        except ComponentError as error:
            _log.error("the stored component set %s of %s cannot be read: %s", stored.id, title, one_line(str(error)))
        self._loaded[key] = rules
        while len(self._loaded) > MOST_LOADED:
            self._loaded.popitem(last=False)
        return True

    def offered_rules(self, title: str, set_id: str | None) -> AnyRules:
        """The rules of a title bound to an offered set (the default for None); refused as `find` does."""
        return self._pinned[title, self.find(title, set_id)[1]]

    async def _offer(self, name: str, text: str) -> None:
        try:
            tables = component_text.parse(text)
            header = msgspec.convert(tables, type=_Header)
            rules = self._title(header.title).bind(tables)
        except (msgspec.ValidationError, ComponentError) as error:
            raise _bad(name, str(error)) from error
        digest = hashlib.sha256(text.encode()).hexdigest()
        known = self._offered.get((header.title, header.id))
        if known is not None and known != digest:
            raise _bad(name, f"id: there is another component set {header.id} of {header.title}")
        await component_sets.add(self._pool, StoredSet(hash=digest, title=header.title, id=header.id, text=text))
        self._offered[header.title, header.id] = digest
        self._pinned[header.title, digest] = rules

    def _title(self, title: str) -> Title:
        if title not in self.titles:
            raise ComponentError("title", f"there is no title {title}, only {', '.join(self.titles)}")
        return self.titles[title]


def _texts(folder: Path) -> list[tuple[str, str]]:
    """The component files of a folder and below: path and text."""
    if not folder.is_dir():
        raise _bad(str(folder), "not a folder (TABLELOG_COMPONENTS)")
    texts: list[tuple[str, str]] = []
    for path in sorted(folder.glob("**/*.toml")):
        if not path.is_file():
            raise _bad(str(path), "not a file")
        if path.stat().st_size > component_text.LARGEST:
            raise _bad(str(path), f"is larger than {component_text.LARGEST} bytes")
        try:
            texts.append((str(path), path.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError) as error:
            raise _bad(str(path), str(error)) from error
    return texts


def _bad(name: str, wrong: str) -> BadComponentFile:
    """The refusal of a file, in one line whatever stands in it."""
    return BadComponentFile(one_line(f"{name}: {wrong}"))
