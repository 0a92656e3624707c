"""One PostgreSQL data folder: creates, starts and stops its server, whatever a crash has left behind.

`folder`/data holds the data, `folder`/password the superuser's password, and `folder`/postgres.log PostgreSQL's log.
Only one process may use this at a time: `server` sees to that.
"""

import os
import re
import secrets
import shlex
import shutil
import socket
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import psutil

from service.embedded_postgres.programs import VERSION, EmbeddedPostgresError, Programs

SUPERUSER = "tablelog"
INSTEAD = "Set TABLELOG_DATA to another folder, or DATABASE_URL to a PostgreSQL that you run."

_ATTEMPTS = 6
_READY_SECONDS = 60
_LOG_BYTES = 10_000_000
_DEFAULTS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
_PASSING = ("still in use", "already exists", "Address already in use")
"""Errors of a start that are worth a retry: a killed server's helpers exit within seconds, a port is a guess."""


class Cluster:
    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self._folder = folder
        self._data = folder / "data"
        self._password = folder / "password"
        self._log = folder / "postgres.log"
        self._settings = {**_DEFAULTS, **settings}
        self._programs = Programs(self._data)

    def make(self, keep_open: int) -> None:
        """Create the data if there are none; `keep_open` stays open in initdb even when this process is killed.

        initdb works in a temporary folder, which is then renamed, so that the data are always whole. The password is
        moved first: alone it does no harm, and without it the data are lost.
        """
        for leftover in self._folder.glob("new-*"):
            shutil.rmtree(leftover)
        if self._data.exists():
            self._refuse_unfit_data()
            return
        workshop = Path(tempfile.mkdtemp(prefix="new-", dir=self._folder))
        password = secrets.token_urlsafe(24)
        for name in ("password", "for-initdb"):
            (workshop / name).touch(mode=0o600)
            (workshop / name).write_text(password)
        self._programs.hand_over(workshop / "for-initdb")
        self._programs.hand_over(workshop)
        self._initdb(workshop, keep_open)
        (workshop / "password").replace(self._password)
        (workshop / "data").rename(self._data)
        shutil.rmtree(workshop)

    def _initdb(self, workshop: Path, keep_open: int) -> None:
        options = ["--auth=scram-sha-256", f"--pwfile={workshop / 'for-initdb'}", f"--username={SUPERUSER}"]
        options += ["--encoding=UTF8", "--locale=C", f"--pgdata={workshop / 'data'}"]
        if self._settings.get("fsync") == "off":
            options.append("--no-sync")
        if complaint := self._programs.run("initdb", *options, reach=workshop, keep_open=keep_open):
            message = f"The database could not be created in {self._folder}: {complaint}\n{INSTEAD}"
            raise EmbeddedPostgresError(message)

    def _refuse_unfit_data(self) -> None:
        owner = self._data.stat().st_uid
        if os.geteuid() not in {0, owner}:
            message = f"The data in {self._data} belong to another user ({owner}). {INSTEAD}"
            raise EmbeddedPostgresError(message)
        version_file = self._data / "PG_VERSION"
        version = version_file.read_text().strip() if version_file.exists() else "something else"
        if version != str(VERSION):
            message = (
                f"The data in {self._data} were created by PostgreSQL {version}, and Tablelog brings {VERSION}. "
                f"Dump them with the old version, load them into a new folder and run `tablelog restored`. {INSTEAD}"
            )
            raise EmbeddedPostgresError(message)

    def run(self) -> None:
        """Start the server unless it runs, and wait until it answers; raises `EmbeddedPostgresError`."""
        complaint = ""
        for attempt in range(_ATTEMPTS):
            time.sleep(max(attempt - 1, 0) * 0.5)
            complaint = "" if self.is_running() else self._start(self._last_port() if attempt == 0 else 0)
            if self._is_ready():
                return
            # A server that was stopping is gone by now, and another can be started.
            if self.is_running() or (complaint and not any(passing in complaint for passing in _PASSING)):
                break
        message = f"PostgreSQL does not start on {self._data}: {complaint or 'it does not become ready'}"
        raise EmbeddedPostgresError(f"{message}\nIts log is {self._log}. {INSTEAD}")

    def _last_port(self) -> int:
        """The port of the previous server, so that its clients find the next one there; 0 if unknown."""
        try:
            found = re.search(r'"port=(\d+)"', (self._data / "postmaster.opts").read_text())
        except OSError:
            return 0
        return int(found[1]) if found else 0

    def _start(self, port: int) -> str:
        # After a crash it may name a zombie, or another process with the same id: PostgreSQL would take either for a
        # running server.
        (self._data / "postmaster.pid").unlink(missing_ok=True)
        if self._log.exists() and self._log.stat().st_size > _LOG_BYTES:
            self._log.replace(self._log.with_suffix(".log.1"))
        self._log.touch(mode=0o600)
        self._programs.hand_over(self._log)
        settings = {**self._settings, "port": str(port or _free_port())}
        options = " ".join(f"-c {shlex.quote(f'{name}={value}')}" for name, value in settings.items())
        position = self._log.stat().st_size
        complaint = self._control("start", f"--log={self._log}", f"--options={options}")
        return complaint and f"{complaint}\n{self._log.read_bytes()[position:].decode(errors='replace').strip()}"

    def stop(self, mode: str = "fast") -> None:
        if self.is_running():
            self._control("stop", f"--mode={mode}")

    def _control(self, action: str, *options: str) -> str:
        timeout = f"--timeout={_READY_SECONDS}"
        return self._programs.run("pg_ctl", action, f"--pgdata={self._data}", timeout, *options, reach=self._data)

    def is_running(self) -> bool:
        """Whether the process that the data name exists, and is a server on these data."""
        lines = self._server_lines()
        if not lines or not lines[0].isdigit():
            return False
        try:
            process = psutil.Process(int(lines[0]))
            return process.name().startswith("postgres") and str(self._data) in process.cmdline()
        except psutil.Error:
            return False

    def _is_ready(self) -> bool:
        end = time.monotonic() + _READY_SECONDS
        while time.monotonic() < end and self.is_running():
            lines = self._server_lines()
            if len(lines) > 7 and lines[7].strip() == "ready":
                return True
            time.sleep(0.05)
        return False

    def _server_lines(self) -> list[str]:
        """The lines of its pid file: process, folder, start time, port, socket, host, memory, status."""
        try:
            return (self._data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return []

    def dsn(self, database: str) -> str:
        """The address of a database in the running server."""
        address = self._address()
        return "postgresql://{PGUSER}:{PGPASSWORD}@{PGHOST}:{PGPORT}/".format_map(address) + database

    def create_database(self, name: str) -> None:
        """Create a database unless it exists."""
        absent = "where not exists (select from pg_database where datname = :'name')"
        self._programs.ask(f"select format('create database %I', :'name') {absent} \\gexec", self._address(), name=name)

    def _address(self) -> dict[str, str]:
        lines = self._server_lines()
        if len(lines) < 4:
            message = f"No PostgreSQL runs on {self._data}"
            raise EmbeddedPostgresError(message)
        return {
            "PGHOST": "127.0.0.1",
            "PGPORT": lines[3].strip(),
            "PGUSER": SUPERUSER,
            "PGPASSWORD": self._password.read_text(),
            "PGDATABASE": "postgres",
        }


def _free_port() -> int:
    """A port that is free now; if it is taken before PostgreSQL starts, the start is retried."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
