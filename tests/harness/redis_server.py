"""A redis-server of a test's own, which keeps nothing on disk."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager

PROGRAM = "redis-server"
_START_SECONDS = 30


def is_installed() -> bool:
    """Whether this machine has the program."""
    return shutil.which(PROGRAM) is not None


class RedisServer:
    """A server on a port of this machine, the same one after each start."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port: int = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The URL for clients."""
        return f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = ("--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")
        self._process = subprocess.Popen([PROGRAM, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + _START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > end:
                message = f"redis-server did not start on port {self._port}"
                raise RuntimeError(message)
            time.sleep(0.02)

    def kill(self) -> None:
        """Kill it, hanging or not; everything it counted is lost."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def hang(self) -> None:
        """Keep its port open and answer nothing."""
        self._send(signal.SIGSTOP)

    def go_on(self) -> None:
        """End `hang`."""
        self._send(signal.SIGCONT)

    def _send(self, sent: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(sent)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self._port), timeout=1) as client:
                client.sendall(b"PING\r\n")
                return client.recv(16) == b"+PONG\r\n"
        except OSError:
            return False


@contextmanager
def redis_running() -> Generator[RedisServer]:
    """Run a server."""
    server = RedisServer()
    try:
        server.start()
        yield server
    finally:
        server.kill()
