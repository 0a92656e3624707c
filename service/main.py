"""The command `tablelog`: serve, demo, openapi, verify, rebuild, migrate, restored, new-title, check-title, play.

What a command needs is imported when it runs: `migrate` starts without the web framework, `openapi` without Postgres.
"""

# ruff: noqa: T201, PLC0415 - the command talks to the person at the terminal; the docstring says why it imports late
from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import asyncpg

from domain.catalogue import TITLES
from domain.kernel.rules import Title
from service.database.connect import UnfitDatabase
from service.database.errors import NotPrepared
from service.database.migrate import MigrationChanged, migrate
from service.embedded_postgres.programs import EmbeddedPostgresError
from service.embedded_postgres.server import EmbeddedPostgres
from service.logs import log_lines
from service.play.built_in import NoComponentSets, built_in
from service.play.component_sets import BadComponentFile
from service.settings import BadSetting, Settings, from_environment

EXPLAINED = 2
"""The exit code when the command cannot do its work for a reason that it has printed."""

UNREAD = 0
"""The exit code when nobody reads the end of what is printed."""

_REASONS = (
    BadSetting,
    BadComponentFile,
    EmbeddedPostgresError,
    MigrationChanged,
    NoComponentSets,
    NotPrepared,
    UnfitDatabase,
)


def main(arguments: Sequence[str] | None = None, titles: Mapping[str, Title] = TITLES) -> int:
    """Run the command; gives its exit code."""
    parsed = _parsed(arguments)
    log_lines()
    try:
        code = _COMMANDS[parsed.command](parsed, titles)
        sys.stdout.flush()  # what cannot be written any more is to be known here, and not when Python has gone
        return code  # noqa: TRY300 - not written, it does not count
    except BrokenPipeError:
        # As in `tablelog demo | head`: the reader has seen enough. Write nothing more to it, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except _REASONS as error:
        print(f"tablelog: {error}", file=sys.stderr)
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        print(f"tablelog: the database cannot be used: {str(error) or 'it does not answer'}", file=sys.stderr)
    return EXPLAINED


def _serve(_parsed: argparse.Namespace, titles: Mapping[str, Title]) -> int:
    from service.server import PortTaken, serve

    for title in titles.values():
        built_in(title)  # fails for a title without component sets, before a database is made
    with _settings() as settings:
        try:
            serve(settings, titles)
        except PortTaken as error:
            print(f"tablelog: {error}", file=sys.stderr)
            return EXPLAINED
    return 0


def _demo(parsed: argparse.Namespace, _titles: Mapping[str, Title]) -> int:
    from service.demo import main as demo

    return demo(parsed.arguments)


def _openapi(parsed: argparse.Namespace, titles: Mapping[str, Title]) -> int:
    from service.app import OPERATIONS
    from service.openapi.document import as_text, document

    text = as_text(document(titles, OPERATIONS))
    if not parsed.write:
        print(text, end="")
        return 0
    path = Path(__file__).resolve().parents[1] / "openapi" / "tablelog.json"
    path.write_text(text, encoding="utf-8")
    print(f"wrote {path}")
    return 0


def _verify(parsed: argparse.Namespace, titles: Mapping[str, Title]) -> int:
    from service.verify import main as verify

    return verify(parsed.file, titles, parsed.hash)


def _new_title(parsed: argparse.Namespace, _titles: Mapping[str, Title]) -> int:
    from service.titles.new_title import main as new_title

    return new_title(parsed.title, parsed.name, parsed.japanese)


def _check_title(parsed: argparse.Namespace, titles: Mapping[str, Title]) -> int:
    from service.titles.check_title import main as check_title

    return check_title(parsed.title, titles)


def _play(parsed: argparse.Namespace, titles: Mapping[str, Title]) -> int:
    from service.titles.play import Playthrough
    from service.titles.play import main as play

    chosen = Playthrough(parsed.title, parsed.seats, parsed.seed, parsed.set, parsed.language, parsed.seat)
    return play(chosen, titles)


def _rebuild(_parsed: argparse.Namespace, titles: Mapping[str, Title]) -> int:
    from service.projections.rebuild import RebuildRunning, rebuild

    with _settings() as settings:
        try:
            listed = asyncio.run(rebuild(settings.database_url, titles))
        except RebuildRunning as error:
            print(f"tablelog: {str(error) or RebuildRunning.__doc__}", file=sys.stderr)
            return EXPLAINED
    print(f"rebuilt the lists: {listed} games")
    return 0


def _migrate(_parsed: argparse.Namespace, _titles: Mapping[str, Title]) -> int:
    with _settings() as settings:
        applied = asyncio.run(migrate(settings.database_url))
    print("applied " + ", ".join(applied) if applied else "the database is up to date")
    return 0


def _restored(_parsed: argparse.Namespace, _titles: Mapping[str, Title]) -> int:
    from service.log.restore import NoTablelog, restored

    with _settings() as settings:
        try:
            done = asyncio.run(restored(settings.database_url))
        except NoTablelog as error:
            print(f"tablelog: {error}", file=sys.stderr)
            return EXPLAINED
    print(f"the log has {done.events} events of {done.games} games")
    if done.rebased:
        print("they were written by another server: they have new transaction ids, in the same order")
    print(f"the epoch is {done.epoch}, and no longer {done.before}: processes at work on this database restart")
    return 0


@contextmanager
def _settings() -> Generator[Settings]:
    """The settings, with an embedded server for as long as they are used unless DATABASE_URL is set."""
    if os.environ.get("DATABASE_URL"):
        yield from_environment()
        return
    from_environment(database_url="postgresql://")  # reports a bad setting before a database is made
    with EmbeddedPostgres() as postgres:
        yield from_environment(database_url=postgres.dsn())


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command with its arguments; the demo reads its own."""
    parser = _parser()
    parsed, others = parser.parse_known_args(arguments)
    if others and parsed.command != "demo":
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    parsed.arguments = others
    return parsed


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tablelog", description="An event-sourced service for board games.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("serve", help="serve the API, with a PostgreSQL of its own unless DATABASE_URL is set")
    commands.add_parser("demo", help="show a game being played from the contract alone", add_help=False)
    openapi = commands.add_parser("openapi", help="print the OpenAPI document")
    openapi.add_argument("--write", action="store_true", help="write it to openapi/ instead")
    verify = commands.add_parser(
        "verify",
        help="check the record of a game, without any service",
        description="Check the record of a game: its form, its hash chain, its draws and every move.",
        epilog="Exit codes: 0 verified in full; 1 something is wrong; 2 the file cannot be read; 3 nothing is wrong,"
        " but not everything could be checked (the record is redacted, or the rules that decided it are not installed);"
        " 4 cut short (the record says that it is not complete, and nothing in it is redacted: its last events are"
        " missing, or its game had not started). A redacted record that was cut looks like one made earlier: only"
        " --hash with the last version that you know of shows it.",
    )
    verify.add_argument("file", metavar="FILE", help="a record, as GET /v1/games/{game}/record gives it; - for stdin")
    verify.add_argument(
        "--hash",
        metavar="VERSION:HASH",
        action="append",
        default=[],
        help="a hash that was served while the game ran: the record must have this version with this hash, so the last"
        " version that you know of shows whether the record was cut before it (may be given again)",
    )
    commands.add_parser("rebuild", help="rebuild the lists from the log, also while the service runs")
    commands.add_parser("migrate", help="bring the database up to date")
    commands.add_parser(
        "restored", help="prepare a database that was restored from a backup, before the service works on it"
    )
    new_title = commands.add_parser("new-title", help="start a title: a small game that runs, to be made into yours")
    new_title.add_argument("title", metavar="ID", help="small letters and digits; names its folder, tags and URLs")
    new_title.add_argument("name", metavar="NAME", help="its name in English")
    new_title.add_argument("japanese", metavar="名前", help="its name in Japanese")
    check_title = commands.add_parser("check-title", help="try the laws of a title, and list what is out of date")
    check_title.add_argument("title", metavar="ID")
    play = commands.add_parser("play", help="play a random game of a title and print it in words")
    play.add_argument("title", metavar="ID")
    play.add_argument("--seats", type=int, metavar="N", help="number of players; by default the least")
    play.add_argument("--seed", type=int, default=1, metavar="N", help="another seed is another game")
    play.add_argument("--set", metavar="SET", help="component set; by default the first")
    play.add_argument("--seat", type=int, metavar="SEAT", help="as this seat sees it, and not as the public does")
    play.add_argument("--language", choices=("en", "ja"), default="en")
    return parser


_COMMANDS: Mapping[str, Callable[[argparse.Namespace, Mapping[str, Title]], int]] = {
    "serve": _serve,
    "demo": _demo,
    "openapi": _openapi,
    "verify": _verify,
    "rebuild": _rebuild,
    "migrate": _migrate,
    "restored": _restored,
    "new-title": _new_title,
    "check-title": _check_title,
    "play": _play,
}
