"""What keeps a database from being worked with is told by the variable that names it, and nothing in it is changed."""

from __future__ import annotations

import re
from pathlib import Path

import asyncpg
import pytest

from service.database import connect
from service.database.connect import UnfitDatabase, place
from service.database.migrate import migrate
from tests.harness.postgres import OwnServer

UNREADABLE = "cannot connect to the server that it names: the address cannot be read"


@pytest.mark.parametrize(
    "dsn,why",
    [
        ("postgresql://127.0.0.1:1/x", "cannot connect to 127.0.0.1:1: Connection refused"),
        ("postgresql://ada:secret@127.0.0.1:1/x", "cannot connect to 127.0.0.1:1: Connection refused"),
        ("postgresql:///x?host=/nowhere", "cannot connect to /nowhere: No such file or directory"),
        ("postgresql://127.0.0.1:port/x", "cannot connect to 127.0.0.1:port: the address cannot be read"),
        (
            "postgresql://ada:sec/ret@127.0.0.1/x",
            "cannot connect to the server that it names: the address cannot be read",
        ),
        ("postgresql://[::1/x", "cannot connect to the server that it names: the address cannot be read"),
    ],
)
async def test_a_database_that_cannot_be_reached_is_told_with_its_place_and_without_its_password(
    dsn: str, why: str
) -> None:
    with pytest.raises(UnfitDatabase) as unfit:
        await migrate(dsn)
    assert str(unfit.value) == f"DATABASE_URL: {why}"


def test_a_place_is_told_without_name_and_password() -> None:
    assert place("postgresql://ada:se@cret@db.example:5433/tablelog?sslmode=require") == "db.example:5433"


async def test_a_server_that_is_too_old_is_told(empty_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "LEAST_VERSION", 99)
    with pytest.raises(UnfitDatabase, match=r"^DATABASE_URL: PostgreSQL 99 or newer is required, not \d+\.\d+$"):
        await migrate(empty_database)


def test_the_readme_and_the_code_name_the_same_least_version() -> None:
    readme = (Path(__file__).resolve().parents[3] / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"PostgreSQL (\d+) or newer", readme) == [str(connect.LEAST_VERSION)]


async def test_a_database_of_another_encoding_is_told_before_anything_is_made(own_postgres: OwnServer) -> None:
    connection = await asyncpg.connect(own_postgres.dsn())
    await connection.execute("create database old template template0 encoding 'LATIN1' locale 'C'")
    await connection.close()
    with pytest.raises(UnfitDatabase, match="the database old is encoded in LATIN1, and Tablelog needs UTF8"):
        await migrate(own_postgres.dsn("old"))
    assert await tables(own_postgres.dsn("old")) == set()


@pytest.mark.parametrize("theirs", ["events", "migrations", "imports"])
async def test_a_database_of_somebody_else_is_left_as_it_is(empty_database: str, theirs: str) -> None:
    connection = await asyncpg.connect(empty_database)
    await connection.execute(f"create table {theirs} (id int)")
    await connection.close()
    with pytest.raises(UnfitDatabase, match=f"the database has a table {theirs} that is not Tablelog's"):
        await migrate(empty_database)
    assert await tables(empty_database) == {theirs}


async def tables(dsn: str) -> set[str]:
    connection = await asyncpg.connect(dsn)
    found = await connection.fetch("select tablename from pg_tables where schemaname = 'public'")
    await connection.close()
    return {row["tablename"] for row in found}
