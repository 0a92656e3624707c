"""Processes of their own that use an embedded server, to be left in peace, asked to leave, or killed."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import asyncpg

from service.embedded_postgres import unprivileged
from service.embedded_postgres.programs import EmbeddedPostgresError, find_programs
from service.embedded_postgres.server import EmbeddedPostgres

PROJECT = Path(__file__).resolve().parents[2]
NOBODY = (65534, 65534)


def as_ordinary_user(command: Sequence[str]) -> list[str]:
    """Have a command run as an ordinary user: as it is, unless these tests run as root."""
    if os.geteuid() != 0:
        return list(command)
    needed = (sys.executable, str(PROJECT / "service"), str(PROJECT / "tests"), str(find_programs() / "postgres"))
    user = [str(number) for number in NOBODY]
    return [sys.executable, "-I", "-S", unprivileged.__file__, *user, *needed, "--", *command]


class Holder:
    """A process that starts the server on a folder and uses it until it is told to leave."""

    def __init__(self, folder: Path, *, rounds: int = 1, ordinary: bool = False) -> None:
        command = [sys.executable, "-m", "tests.harness.holder", str(folder), str(rounds)]
        self.process = subprocess.Popen(
            as_ordinary_user(command) if ordinary else command,
            cwd="/",
            # A home of another user may be closed to this one.
            env={**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONDONTWRITEBYTECODE": "1"}
            | ({"HOME": "/"} if ordinary else {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def dsn(self) -> str:
        """Wait until the server runs; gives the address that the process was given."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        assert line, self.complaint()
        return line

    def leave(self) -> None:
        """Let the process go, and see that it went well."""
        _, complaint = self.process.communicate()
        assert self.process.returncode == 0, complaint

    def complaint(self) -> str:
        """Wait for the end of a process that fails; gives what it complained of."""
        _, complaint = self.process.communicate()
        assert self.process.returncode != 0
        return complaint

    def kill(self) -> None:
        """Kill the process as the kernel does when memory runs out."""
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


async def _answer(dsn: str) -> None:
    connection = await asyncpg.connect(dsn)
    await connection.execute("select 1")
    await connection.close()


def main(folder: Path, rounds: int) -> None:
    """Use the server on a folder, several times over; the last time until standard input ends."""
    for left in reversed(range(rounds)):
        with EmbeddedPostgres(folder, settings={"fsync": "off"}) as postgres:
            asyncio.run(_answer(postgres.dsn()))
            if not left:
                sys.stdout.write(postgres.dsn() + "\n")
                sys.stdout.flush()
                sys.stdin.read()


if __name__ == "__main__":
    # Who runs the tests in the background hands down that SIGINT is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        main(Path(sys.argv[1]), int(sys.argv[2]))
    except EmbeddedPostgresError as error:
        sys.exit(str(error))
