"""Where the demo finds the service: the given one, the one that runs here, or one that it starts for itself."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx

_READY = re.compile(r"^ *API +(http://\S+)$")


class ServiceMissing(Exception):
    """There is no service where there should be one, or it could not be started."""


@asynccontextmanager
async def service_url(given: str | None = None) -> AsyncGenerator[str]:
    """The address of a running service; one that is started here is stopped at the end, and its data are deleted."""
    given = given or os.environ.get("TABLELOG_URL")
    if given:
        if not await _serves(given):
            message = f"no service answers at {given}"
            raise ServiceMissing(message)
        yield given
        return
    here = f"http://127.0.0.1:{os.environ.get('PORT') or 8000}"
    if await _serves(here):
        yield here
        return
    with tempfile.TemporaryDirectory(prefix="tablelog-demo-", ignore_cleanup_errors=True) as folder:
        async with _started(folder) as url:
            yield url


async def _serves(url: str) -> bool:
    """Whether a service of this kind answers at an address."""
    try:
        async with httpx.AsyncClient(timeout=5, trust_env=False) as http:
            answer = await http.get(f"{url.rstrip('/')}/v1/titles")
    except (httpx.HTTPError, httpx.InvalidURL):
        return False
    return answer.status_code == 200 and "titles" in answer.text


@asynccontextmanager
async def _started(folder: str) -> AsyncGenerator[str]:
    """A service on a free port, with a database of its own in a folder."""
    environment = {**os.environ, "PORT": "0", "HOST": "127.0.0.1", "TABLELOG_DATA": f"{folder}/postgres"}
    environment.pop("DATABASE_URL", None)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "service", "serve"),
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        # A Ctrl-C is for the demo, which then stops the service.
        start_new_session=True,
    )
    try:
        yield await _ready(process)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


async def _ready(process: asyncio.subprocess.Process) -> str:
    """Wait until the service says where it serves."""
    if process.stdout is not None:
        async for line in process.stdout:
            if found := _READY.match(line.decode()):
                return found[1]
    message = "the service did not start"
    raise ServiceMissing(message)
