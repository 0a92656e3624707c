"""The least that a move can cost: a bare Litestar route that does one INSERT. Run as a process; prints its port."""

from __future__ import annotations

import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import uvicorn
from litestar import Litestar, post
from litestar.datastructures import State

from service.database.pool import open_pool


@post("/moves")
async def move(data: dict[str, Any], state: State) -> dict[str, int]:
    """Insert a row."""
    await state.pool.execute("insert into bare (move) values ($1)", str(data["move"]["type"]))
    return {"version": 1}


@asynccontextmanager
async def connected(app: Litestar) -> AsyncGenerator[None]:
    """Hold a pool of the same kind as the service's."""
    connection = await asyncpg.connect(sys.argv[1])
    await connection.execute("create table if not exists bare (id bigint generated always as identity, move text)")
    await connection.close()
    async with open_pool(sys.argv[1], 10) as pool:
        app.state.pool = pool
        yield


def main() -> None:
    """Serve until stopped."""
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    app = Litestar([move], lifespan=[connected], openapi_config=None)
    config = uvicorn.Config(app, http="httptools", loop="uvloop", access_log=False, log_level="warning")
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
