"""schemathesis sends what it makes of the served document at the running service, as an account (fault 42)."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.harness.entropy import seated
from tests.harness.server import Service, Table, new_game, play

_CONTRACT = Path(__file__).parent
_PROJECT = _CONTRACT.parents[1]


async def test_the_service_does_what_its_document_says(
    shared_service: Service, http: httpx.AsyncClient, tmp_path: Path
) -> None:
    await _run(shared_service, http, tmp_path, "--max-examples", "5", "--seed", "1")


@pytest.mark.fuzz
async def test_the_service_does_what_its_document_says_for_long(
    shared_service: Service, http: httpx.AsyncClient, tmp_path: Path
) -> None:
    await _run(shared_service, http, tmp_path, "--max-examples", "400")


async def _run(service: Service, http: httpx.AsyncClient, folder: Path, *arguments: str) -> None:
    waiting = await new_game(http, seats=3, seated=1)
    running = await new_game(http, title="spacelab")
    finished = await new_game(http)
    await play(finished)
    starting = await seated(await new_game(http, seated=0, reveal_seconds=1))
    tables: list[Table] = [waiting, running, finished, starting.table]
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(_CONTRACT / "schemathesis.toml"), "run"]
    command += [f"{service.url}/openapi.json", "--header", f"Authorization: Bearer {running.seats[0].token}"]
    done = await asyncio.to_thread(
        subprocess.run,
        [*command, "--report-dir", str(folder), "--warnings", "off", "--continue-on-failure", *arguments],
        cwd=_PROJECT,
        env={**os.environ, "TABLELOG_GAMES": " ".join(table.id for table in tables), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2_000:]
    assert " 500 " not in service.log
