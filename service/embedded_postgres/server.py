"""The bundled PostgreSQL, shared by all processes that use one data folder.

Two lock files decide, and no process id is trusted. Every process that uses the server holds a shared lock on
`folder`/users, which the kernel releases when it is killed. A process that leaves and gets the exclusive lock was the
last, and stops the server. Starting and stopping are serialized by an exclusive lock on `folder`/gate.

A server whose users were all killed runs on, and the next user finds it. One that crashed is started again and recovers
from its write-ahead log.
"""

import fcntl
import os
import signal
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType, MappingProxyType, TracebackType
from typing import Self

from service.embedded_postgres.cluster import INSTEAD, Cluster
from service.embedded_postgres.programs import EmbeddedPostgresError

DATABASE = "tablelog"

_GATE_SECONDS = 120
_NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


def default_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The data folder: TABLELOG_DATA, else .data/postgres in the project or the current folder."""
    if given := environment.get("TABLELOG_DATA"):
        return Path(given)
    project = Path(__file__).resolve().parents[2]
    return (project if (project / "pyproject.toml").exists() else Path.cwd()) / ".data" / "postgres"


class EmbeddedPostgres:
    """A user of the server on one data folder; `settings` of PostgreSQL count for the process that starts it."""

    def __init__(self, folder: Path | None = None, *, settings: Mapping[str, str] = _NO_SETTINGS) -> None:
        self._folder = (folder or default_folder()).resolve()
        self._settings = settings
        self._users: int | None = None

    def start(self) -> None:
        """Create the data if there are none, start the server unless it runs, and count as its user until `stop`."""
        if self._users is not None:
            return
        self._make_folder()
        with self._gate() as gate:
            self._users = self._open("users")
            fcntl.flock(self._users, fcntl.LOCK_SH)
            try:
                with _undisturbed():
                    self._bring_up(gate)
            except BaseException:
                with _undisturbed():
                    self._leave()
                raise

    def _bring_up(self, gate: int) -> None:
        cluster = self._cluster()
        cluster.make(keep_open=gate)
        cluster.run()
        cluster.create_database(DATABASE)

    def dsn(self, database: str = DATABASE) -> str:
        """The address of a database in the server."""
        return self._cluster().dsn(database)

    def stop(self) -> None:
        """Stop counting as a user, and stop the server if there is no other."""
        if self._users is None:
            return
        with self._gate(), _undisturbed():
            self._leave()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _leave(self) -> None:
        """Release the users lock; stop the server first if nobody else holds it. To be called inside the gate."""
        users, self._users = self._users, None
        if users is None:
            return
        try:
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._cluster().stop()
        except BlockingIOError:
            pass  # it has other users
        finally:
            os.close(users)

    def _cluster(self) -> Cluster:
        return Cluster(self._folder, self._settings)

    def _make_folder(self) -> None:
        try:
            self._folder.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                self._folder.mkdir()
                # The user that PostgreSQL runs as instead of root must traverse it, but not list it.
                self._folder.chmod(0o711 if os.geteuid() == 0 else 0o700)
            os.close(self._open("gate"))
        except OSError as error:
            message = f"The data folder {self._folder} cannot be written ({error.strerror}). {INSTEAD}"
            raise EmbeddedPostgresError(message) from error

    def _open(self, name: str) -> int:
        return os.open(self._folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    @contextmanager
    def _gate(self) -> Generator[int]:
        """Exclude others from starting and stopping the server; raises `EmbeddedPostgresError` after two minutes."""
        gate = self._open("gate")
        try:
            end = time.monotonic() + _GATE_SECONDS
            while not _locked(gate):
                if time.monotonic() > end:
                    message = f"Timed out waiting for another process to start or stop the database in {self._folder}"
                    raise EmbeddedPostgresError(message)
                time.sleep(0.02)
            yield gate
        finally:
            os.close(gate)


@contextmanager
def _undisturbed() -> Generator[None]:
    """Delay Ctrl-C until the end; a second one goes through.

    Raised during the start of the server it would leave one running without users.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # Python raises it in the main thread only
        return
    pressed: list[int] = []

    def remember(number: int, _: FrameType | None) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)

    before = signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)
    if pressed:
        signal.raise_signal(signal.SIGINT)


def _locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
