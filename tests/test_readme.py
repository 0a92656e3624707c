"""The README tells the truth: what it shows is done here as it stands, against a running service."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any, cast

import asyncpg
import httpx
import pytest

from domain.catalogue import TITLES
from service import settings
from service.database.connect import ENCODING, LEAST_VERSION
from service.database.migrate import migrate
from service.limits.limit_settings import VARIABLES, LimitSettings
from service.log.epoch import enter_epoch
from service.transport.close_codes import as_markdown
from tests.harness.postgres import OwnServer
from tests.harness.server import Service, Table, expect, new_game, play, public

PROJECT = Path(__file__).resolve().parents[1]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
SHOWN_URL = "http://127.0.0.1:8000"


def blocks(language: str) -> list[str]:
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [text for of, text in fenced if of == language]


class Shell:
    """Runs what the README's reader types: curl, and variables that take something from the answer before."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.variables: dict[str, str] = {}
        self.answers: list[httpx.Response] = []

    def run(self, block: str) -> None:
        for line in block.replace("\\\n", " ").splitlines():
            if assigned := re.fullmatch(r"([A-Z]+)=(.*)", line):
                self.variables[assigned[1]] = self.taken(assigned[2])
            else:
                self.answers.append(self.curl(shlex.split(self.filled_in(line))))

    def taken(self, shown: str) -> str:
        """What the reader puts where the README shows what its author got."""
        last = self.answers[-1].json()
        match shown[0]:
            case "t":
                return last["token"]
            case "g":
                return last["id"]
            case "$":
                return self.variables[("ADA", "BO")[last["to_move"][0]]]
            case "'":
                return json.dumps(last["moves"][0]["example"])
            case _:
                pytest.fail(f"the README shows {shown} without saying where it comes from")

    def filled_in(self, line: str) -> str:
        """A line with its variables as a shell fills them in: between double quotes they stay one word."""
        for name, value in self.variables.items():
            line = line.replace(f"${name}", value.replace('"', '\\"'))
        return line

    def curl(self, words: list[str]) -> httpx.Response:
        assert words[:2] == ["curl", "-s"]
        method, headers, body, url = "", dict[str, str](), None, ""
        rest = iter(words[2:])
        for word in rest:
            match word:
                case "-X":
                    method = next(rest)
                case "-H":
                    name, _, value = next(rest).partition(": ")
                    headers[name] = value
                case "-d":
                    body = next(rest)
                case _:
                    url = word
        assert url.startswith(f"{SHOWN_URL}/")
        method = method or ("GET" if body is None else "POST")
        return httpx.request(method, self.url + url[len(SHOWN_URL) :], headers=headers, content=body, trust_env=False)


def test_the_curl_lines_do_what_is_shown_and_the_answers_have_the_fields_that_are_shown(
    service: Service,
) -> None:
    shell = Shell(service.url)
    for language, block in re.findall(r"^```(sh|json)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL):
        if language == "sh":
            shell.run(block)
        else:
            assert_has_fields(shell.answers[-1].json(), json.loads(with_gaps(block)))
    assert [answer.status_code for answer in shell.answers if answer.is_error] == [409]
    assert len(shell.answers) == len(re.findall(r"^curl ", README, re.MULTILINE)) == 12


LEFT_OUT = "…"


def with_gaps(shown: str) -> str:
    """JSON with `…` for what is left out, as JSON."""
    return re.sub(r", …(?=([}\]]))", lambda gap: f', "{LEFT_OUT}"' + (": null" if gap[1] == "}" else ""), shown)


def assert_has_fields(answer: Any, shown: Any) -> None:
    """What is shown says where it leaves out fields or items, and has none that are not there."""
    if isinstance(shown, dict):
        told = cast("dict[str, Any]", shown)
        fields = [name for name in told if name != LEFT_OUT]
        assert set(fields) <= answer.keys()
        assert (len(fields) < len(answer)) == (LEFT_OUT in told), answer
        for name in fields:
            assert_has_fields(answer[name], told[name])
    elif isinstance(shown, list):
        items = cast("list[Any]", shown)
        assert len(items) == len(answer) or LEFT_OUT in items, answer
        for value, item in zip(answer, items, strict=False):
            if item != LEFT_OUT:
                assert_has_fields(value, item)
    else:
        assert type(answer) is type(shown)


def test_the_python_programs_run_as_they_stand(service: Service) -> None:
    play, watch = blocks("python")
    assert len([line for line in play.splitlines() if line.startswith("    ")]) <= 10
    for _ in range(2):
        assert "Result(winners=" in python(play, service)
    watched = python(watch, service).splitlines()
    assert [int(line.split()[0]) for line in watched] == list(range(1, len(watched) + 1))


def test_the_program_in_the_readme_of_the_client_runs_as_it_stands(service: Service) -> None:
    text = (PROJECT / "clients" / "python" / "README.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    python(program, service)


def python(program: str, service: Service) -> str:
    assert SHOWN_URL in program
    command = [sys.executable, "-W", "error", "-c", program.replace(SHOWN_URL, service.url)]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_draws_of_a_game_are_checked_as_shown(service: Service) -> None:
    play, _ = blocks("python")
    python(play, service)
    games: dict[str, Any] = {"games": []}
    while not games["games"]:  # lists follow a moment after the fact
        games = httpx.get(f"{service.url}/v1/games?status=finished&title=spacelab", trust_env=False).json()
    done = check_draws(service.url, games["games"][0]["id"])
    assert done.returncode == 0, done.stderr
    assert done.stdout in README


def check_draws(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = PROJECT / "clients" / "python" / "examples" / "check_draws.py"
    return subprocess.run([sys.executable, str(program), *arguments], capture_output=True, text=True, check=False)


async def test_draws_that_cannot_be_checked_are_told_in_a_line(service: Service) -> None:
    async with public(service.url) as anyone:
        running = (await new_game(anyone.http, 2, "spacelab")).id
        table = await new_game(anyone.http, 2, "spacelab")
        version = (await play(table, picks=Random(1)))["version"] - 3
        made = expect(await table.seats[0].post(f"{table.path}/forks", {"version": version}), 201)
        sandbox = Table(made["id"], table.seats)
        for player in table.seats:
            expect(await player.post(f"{sandbox.path}/seats", {}), 201)
        await play(sandbox, picks=Random(1))
    for game, why in (
        (running, "the game has not ended: its seed is published at the end"),
        (sandbox.id, "this checks only Space Lab games that began at the start, not this one"),
        (f"g{'0' * 20}", f"no-such-game: there is no game g{'0' * 20}"),
    ):
        done = await asyncio.to_thread(check_draws, service.url, game)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", f"check_draws: {why}\n")
    gone = check_draws("http://127.0.0.1:9", running)
    assert gone.stderr.startswith("check_draws: ")
    assert "Traceback" not in gone.stderr
    assert check_draws().stderr.startswith("Check the draws")


async def test_the_query_gives_the_columns_that_are_shown(database: str) -> None:
    (query,) = blocks("sql")
    connection = await asyncpg.connect(database)
    statement = await connection.prepare(query)
    columns = [attribute.name for attribute in statement.get_attributes()]
    await connection.close()
    shown = next(line for line in README.splitlines() if line.startswith(" version |"))
    assert [name.strip() for name in shown.split("|")] == columns


def test_every_setting_is_told_with_its_default() -> None:
    source = Path(settings.__file__).read_text(encoding="utf-8")
    read = set(re.findall(r'environment(?:\.get\(|, )"([A-Z_]+)"', source))
    assert {"DATABASE_URL", "PORT", "TABLELOG_OUTBOX_BYTES"} <= read
    told: dict[str, str] = {}
    for names, defaults in re.findall(r"^\| (`[A-Z_`, ]+`) \| (.*?) \| .* \|$", README, re.MULTILINE):
        told |= dict(zip(re.findall(r"`(.*?)`", names), re.findall(r"`(.*?)`", defaults) or [""] * 9, strict=False))
    assert told.keys() == read | {"TABLELOG_DATA", "TABLELOG_URL", *VARIABLES.values()}
    assert f"a PostgreSQL {LEAST_VERSION} or newer, in {ENCODING};" in README
    standing = settings.from_environment({}, database_url="postgresql://")
    assert (told["HOST"], told["PORT"]) == (standing.host, str(standing.port))
    for name in ("database_connections", "hot_games", "heartbeat_seconds", "outbox_frames", "outbox_bytes"):
        assert float(told[f"TABLELOG_{name.upper()}"]) == getattr(standing, name)
    for name, variable in VARIABLES.items():
        assert int(told[variable]) == getattr(LimitSettings(), name)


def test_the_close_codes_are_those_of_the_service() -> None:
    assert as_markdown() in README


def test_the_demo_is_shown_as_it_is_on_lines_that_fit() -> None:
    shown = next(block for block in blocks("") if block.startswith("$ make demo"))
    assert max(map(len, shown.splitlines())) <= 100
    assert "play Space Lab at http://127.0.0.1:8000. They know no rules." in shown


def test_the_commands_and_files_that_are_named_are_there() -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"make ([a-z]+)", "\n".join(re.findall(r"`(.*?)`", README))):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    told = subprocess.run(
        [sys.executable, "-m", "service", "--help"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    for command in re.findall(r"`tablelog ([a-z]+)`", README):
        assert re.search(rf"^ +{command} ", told.stdout, re.MULTILINE), command
    for path in re.findall(r"\]\(([^)#:]+)\)", README) + re.findall(r"^\| `(\w+/[\w/]*)`", README, re.MULTILINE):
        assert (PROJECT / path).exists(), path
    assert all(title.names["en"] in README for title in TITLES.values())


async def test_a_backup_is_made_and_put_back_as_shown(own_postgres: OwnServer, tmp_path: Path) -> None:
    await migrate(own_postgres.dsn())
    before = await enter_epoch(own_postgres.dsn())
    named, program = (block for block in blocks("") if block.startswith(("export PATH", "pg_dump")))
    (afterwards,) = re.findall(r"^When all is well: `(.*)`\.$", README, re.MULTILINE)
    (tmp_path / ".venv").symlink_to(Path(sys.executable).parents[1])
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"TABLELOG_DATA": str(own_postgres.folder), "PYTHONPATH": str(PROJECT)}
    done = await asyncio.to_thread(
        subprocess.run,
        ["/bin/bash", "-e", "-c", named + program + afterwards],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    after = await enter_epoch(own_postgres.dsn())
    assert f"the epoch is {after.name}, and no longer {before.name}" in done.stdout
    connection = await asyncpg.connect(own_postgres.dsn())
    databases = {row["datname"] for row in await connection.fetch("select datname from pg_database")}
    await connection.close()
    assert databases >= {"tablelog"}
    assert not databases & {"replaced", "restored"}


def test_a_record_is_verified_as_shown() -> None:
    (block,) = (block for block in blocks("") if block.startswith("$ .venv/bin/tablelog verify"))
    command, _, shown = block.replace("\\\n", "").removeprefix("$ .venv/bin/tablelog ").partition("\n")
    done = subprocess.run(
        [sys.executable, "-m", "service", *shlex.split(command)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, shown)


def test_every_shown_option_of_a_command_is_taken_as_it_is_shown() -> None:
    """Also in the text between the blocks: an abbreviated hash would be refused."""
    for option in re.findall(r"`(--[a-z]+ [^`]+)`", README):
        assert option.startswith("--hash ")
        assert re.fullmatch(r"--hash \d+:[0-9a-f]{64}", option), option
