"""Component sets: which are offered, and how a file that cannot be used is refused."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from domain.catalogue import TITLES
from domain.kernel.rejected import Rejected
from service.database.pool import open_pool
from service.database.types import Pool
from service.log import component_sets
from service.log.component_sets import StoredSet
from service.play.component_sets import BadComponentFile, ComponentSets
from service.play.game_cache import GameCache, Unreadable
from tests import toy
from tests.harness.writing import writing

TEXT = (Path(toy.__file__).parent / "components" / "toy-1.toml").read_text(encoding="utf-8")
OTHER = TEXT.replace('id = "toy-1"', 'id = "toy-2"')
PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture
async def pool(database: str) -> AsyncGenerator[Pool]:
    async with open_pool(database, 2) as made:
        yield made


def sets(pool: Pool) -> ComponentSets:
    return ComponentSets(pool, {**TITLES, "toy": toy.TITLE})


async def test_sets_of_a_folder_and_below_are_offered_after_those_that_come_along(pool: Pool, tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "mine.toml").write_text(OTHER, encoding="utf-8")
    (tmp_path / "below" / "copy.toml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not a set", encoding="utf-8")
    made = sets(pool)
    await made.load(tmp_path)
    assert made.offered("toy") == ("toy-1", "toy-court", "toy-2")
    assert made.find("toy", None)[0] == "toy-1"
    assert await pool.fetchval("select count(*) from component_sets where title = 'toy'") == 3


def with_id(written: str) -> bytes:
    return TEXT.replace('id = "toy-1"', f"id = {written}").encode()


BROKEN_FILES: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "id"),
    "no TOML": (b"= = =", "line 1"),
    "another encoding": (OTHER.encode("utf-16"), "codec"),
    "half a character": (OTHER.encode()[:-20] + b"\xc3", "codec"),
    "a byte order mark": (b"\xef\xbb\xbf" + OTHER.encode(), "line 1"),
    "NUL": (OTHER.encode() + b"\0", "line 62"),
    "a thousand brackets": (b"a = " + b"[" * 20_000, "nests"),
    "a thousand braces": (b"a = " + b"{a=" * 20_000, "nests"),
    "a number of 6,000 digits": (OTHER.replace("hand = 3", "hand = " + "9" * 6_000).encode(), "TOML"),
    "a date that is none": (OTHER.replace("hand = 3", "hand = 2020-13-45").encode(), "line"),
    "a key of a thousand parts": (b".".join([b"a"] * 1_000) + b" = 1", "parts"),
    "too large": (OTHER.encode() + b"#" * 65_536, "larger than 65536 bytes"),
    "a name that turns the line": (
        OTHER.replace('"Ant"', r'"A\u202ent"').encode(),
        "cards[0] ant.names.en: may not hold U+202E",
    ),
    "no id": (TEXT.replace('id = "toy-1"\n', "", 1).encode(), "id"),
    "an id that is a number": (with_id("5"), "id"),
    "an empty id": (with_id('""'), "id"),
    "an id with a slash": (with_id('"a/b"'), "id"),
    "an id with NUL": (with_id(r'"a\u0000b"'), "id"),
    "an id of two lines": (with_id(r'"a\nb"'), "id"),
    "an id as long as a hash": (with_id(f'"{"a" * 64}"'), "id"),
    "the id of another set": (TEXT.replace("hand = 3", "hand = 2").encode(), "toy-1"),
    "no title": (OTHER.replace('title = "toy"', "").encode(), "title"),
    "a title that nobody plays": (OTHER.replace('"toy"', '"chess"').encode(), "chess"),
    "a title of two lines": (OTHER.replace('"toy"', r'"che\nss"').encode(), "title: may not hold U+000A"),
    "the title of another game": (OTHER.replace('"toy"', '"spacelab"').encode(), "unknown"),
    "an entry that is wrong": (OTHER.replace("copies = 3", "copies = 300", 1).encode(), "copies"),
}


@pytest.mark.parametrize("written,named", BROKEN_FILES.values(), ids=BROKEN_FILES)
async def test_a_file_that_cannot_be_used_is_refused_in_one_line_that_names_it_and_what_is_wrong(
    pool: Pool, tmp_path: Path, written: bytes, named: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(written)
    with pytest.raises(BadComponentFile) as caught:
        await sets(pool).load(tmp_path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert named in message.removeprefix(f"{path}: ")
    assert message.isprintable()


BROKEN_FOLDERS: dict[str, Callable[[Path], object]] = {
    "is a file": lambda path: path.write_text("", encoding="utf-8"),
    "is not there": lambda _: None,
    "holds a folder like a set": lambda path: (path / "mine.toml").mkdir(parents=True),
    "holds a link to nowhere": lambda path: (path.mkdir(), (path / "mine.toml").symlink_to("nowhere")),
    "holds a link to itself": lambda path: (path.mkdir(), (path / "mine.toml").symlink_to("mine.toml")),
    "holds a pipe": lambda path: (path.mkdir(), os.mkfifo(path / "mine.toml")),
}


@pytest.mark.parametrize("make", BROKEN_FOLDERS.values(), ids=BROKEN_FOLDERS)
async def test_a_folder_that_cannot_be_read_is_refused_in_one_line(
    pool: Pool, tmp_path: Path, make: Callable[[Path], object]
) -> None:
    make(tmp_path / "sets")
    with pytest.raises(BadComponentFile, match=f"^{tmp_path}/sets.*: not a f"):
        await sets(pool).load(tmp_path / "sets")


def test_a_process_says_so_and_does_not_start(database: str, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("hand = ", encoding="utf-8")
    environment = {**os.environ, "DATABASE_URL": database, "TABLELOG_COMPONENTS": str(tmp_path), "PORT": "0"}
    run = [sys.executable, "-m", "tests.harness.serve", "serve"]
    ended = subprocess.run(run, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 2
    assert ended.stderr == f"tablelog: {tmp_path}/mine.toml: text: is not TOML: Invalid value (at end of document)\n"


async def test_a_game_whose_stored_set_cannot_be_read_any_more_is_unreadable_and_no_other(
    database: str, pool: Pool, caplog: pytest.LogCaptureFixture
) -> None:
    """A later release may refuse what an earlier one took: a set is stored, whatever becomes of the code."""
    async with writing(database) as process:
        ann, bob = await process.account("Ann"), await process.account("Bob")
        lost, kept = await process.started("toy", ann, bob), await process.started("spacelab", ann, bob)
        await pool.execute("update component_sets set text = replace(text, 'copies = 3', 'copies = 300')")
        later = GameCache(pool, ComponentSets(pool, process.sets.titles), 10)
        with pytest.raises(Unreadable):
            await later.fresh(lost.id)
        assert (await later.fresh(kept.id)).version == kept.version
        assert "the stored component set toy-1 of toy cannot be read" in caplog.text


async def test_rules_of_stored_sets_are_kept_for_the_last_used_ones_and_those_offered_always(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.play.component_sets.MOST_LOADED", 2)
    made, loaded = counting(pool)
    await made.load(None)
    digests = [await stored(pool, TEXT.replace('id = "toy-1"', f'id = "toy-{number}"')) for number in (2, 3, 4)]
    offered = await made.rules("toy", made.find("toy", None)[1])
    before = len(loaded)
    for digest in (*digests, digests[2], digests[1], digests[0], digests[0]):
        assert await made.rules("toy", digest) is not None
    assert len(loaded) - before == 4, "the first one again, after two others"
    assert await made.rules("toy", made.find("toy", None)[1]) is offered
    assert len(loaded) - before == 4


async def test_a_set_over_the_limits_costs_its_readers_nothing_but_the_first_look(
    pool: Pool, caplog: pytest.LogCaptureFixture
) -> None:
    made, loaded = counting(pool)
    await made.load(None)
    before = len(loaded)
    digest = await stored(pool, ".".join(["a"] * 30_000) + " = 1")
    for _ in range(5):
        assert await made.rules("toy", digest) is None
    assert len(loaded) == before, "the scan refuses it, so nothing was bound"
    assert len([record for record in caplog.records if "cannot be read" in record.message]) == 1


async def test_readers_of_one_stored_set_at_once_load_it_once(pool: Pool) -> None:
    made, loaded = counting(pool)
    await made.load(None)
    digest = await stored(pool, OTHER)
    before = len(loaded)
    found = await asyncio.gather(*(made.rules("toy", digest) for _ in range(20)))
    assert len({id(rules) for rules in found}) == 1
    assert len(loaded) - before == 1


def counting(pool: Pool) -> tuple[ComponentSets, list[str]]:
    """Sets of the toy, and the ids of those whose rules were bound."""
    loaded: list[str] = []

    def bind(tables: Mapping[str, Any]) -> Any:
        loaded.append(tables["id"])
        return toy.TITLE.bind(tables)

    bind.__module__ = toy.TITLE.bind.__module__  # where its built-in sets are found
    return ComponentSets(pool, {"toy": dataclasses.replace(toy.TITLE, bind=bind)}), loaded


async def stored(pool: Pool, text: str) -> str:
    """The hash of a set that is stored as an earlier release might have done it."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    await component_sets.add(pool, StoredSet(hash=digest, title="toy", id="old", text=text))
    return digest


async def test_what_is_not_offered_is_refused_with_what_is(pool: Pool) -> None:
    made = sets(pool)
    await made.load(None)
    with pytest.raises(Rejected, match="no-such-title") as caught:
        made.find("chess", None)
    assert caught.value.facts["titles"] == [*TITLES, "toy"]
    with pytest.raises(Rejected, match="no-such-component-set") as caught:
        made.find("toy", "none")
    assert caught.value.facts["component_sets"] == ["toy-1", "toy-court"]
