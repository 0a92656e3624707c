"""The serving process: a listening socket, a running process, and uvicorn over the application.

The socket is bound first, so that a port in use is reported before anything is started. uvicorn answers a signal by
closing what is open and then raises it again; here it meets a handler that does nothing, so that the node and the
embedded database are stopped in their order. A signal that comes earlier ends the start in the same way.
"""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Mapping
from types import FrameType

import uvicorn
import uvloop

from domain.kernel.rules import Title
from service.app import application
from service.database.pool import impatient
from service.memory import make_collections_rare, map_large_blocks
from service.process import Process, running
from service.settings import Settings
from service.transport.connections import bind
from service.transport.file_descriptors import room
from service.transport.http_protocol import RequestProtocol
from service.transport.websocket_protocol import KERNEL_BYTES, uvicorn_options

_SIGNALS = (signal.SIGINT, signal.SIGTERM)

_WELCOME = """\
Tablelog is ready.

  API             {url}
  Documentation   {url}/docs
  OpenAPI         {url}/openapi.json

To begin with, make an account; the token in the answer is shown once:

  curl -s {url}/v1/accounts -H 'Content-Type: application/json' -d '{{"name": "Ada"}}'

Ctrl-C stops it.
"""


class PortTaken(Exception):
    """The address cannot be listened on."""


class _Server(uvicorn.Server):
    """Says when it listens, and where; and does not wait long for a database when it stops."""

    def __init__(self, config: uvicorn.Config, process: Process) -> None:
        super().__init__(config)
        self._process = process
        bind(self.server_state, process.resources.peers)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        print(_WELCOME.format(url=_url(self.config.host, _port(sockets))), flush=True)  # noqa: T201 - for a newcomer

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer pending requests; those that wait for the database get an error before uvicorn would cut them off."""
        async with impatient(self._process.node.pool, lambda: bool(self.server_state.tasks)):
            await super().shutdown(sockets)


def serve(settings: Settings, titles: Mapping[str, Title]) -> None:
    """Serve until a signal comes; raises `PortTaken`."""
    map_large_blocks()
    for each in _SIGNALS:
        signal.signal(each, _interrupted)
    listening = bound(settings.host, settings.port)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_serve(settings, titles, listening))
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()


async def _serve(settings: Settings, titles: Mapping[str, Title], listening: socket.socket) -> None:
    async with running(settings, titles) as process:
        config = uvicorn.Config(
            application(process),
            host=settings.host,
            http=RequestProtocol,
            lifespan="off",  # the node is started and stopped around the server, where errors can be reported
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,  # nobody asks where a request comes from
            timeout_keep_alive=75,
            timeout_graceful_shutdown=5,
            **uvicorn_options(),
        )
        for each in _SIGNALS:
            signal.signal(each, _heard)
        make_collections_rare()
        process.on_restart(lambda _: make_collections_rare())
        peers = process.resources.peers
        peers.most = min(peers.most, room(settings.database_connections - process.node.pool.get_size()))
        await _Server(config, process).serve([listening])


def bound(host: str, port: int) -> socket.socket:
    """A socket at the address; raises `PortTaken`."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        message = f"HOST: {host!r} is no address to listen on: {error.strerror or error}"
        raise PortTaken(message) from error
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # What the kernel holds for a connection, which inherits this, would grow to megabytes for a peer that stalls.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, KERNEL_BYTES)
    try:
        listening.bind(address)
        # Listening is what finds out that another process does.
        listening.listen(2048)
    except OSError as error:
        listening.close()
        message = f"PORT: {host}:{port} cannot be listened on: {error.strerror}"
        raise PortTaken(message) from error
    return listening


def _port(sockets: list[socket.socket] | None) -> int:
    return sockets[0].getsockname()[1] if sockets else 0


def _url(host: str, port: int) -> str:
    """An address by which this machine reaches the service."""
    local = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104 - compared, not bound
    return f"http://[{local}]:{port}" if ":" in local else f"http://{local}:{port}"


def _interrupted(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _heard(_signal: int, _frame: FrameType | None) -> None:
    """Do nothing: the server has heard it and has stopped."""
