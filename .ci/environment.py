"""Make the virtual environment .venv from requirements.lock, or bring it up to date; the Makefile starts this.

The stamp .venv/.ready is deleted before anything is touched and written last. An environment without it was
interrupted on the way, may be broken in any manner, and is made anew.
"""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:
    fcntl = None

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / ".ready"
LOCK = ROOT / "requirements.lock"
CLIENT = ROOT / "clients" / "python"
INPUTS = (LOCK, ROOT / "pyproject.toml", CLIENT / "pyproject.toml")
VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"


def refuse_python_without_venv() -> None:
    """Stop with what to do when this Python cannot make environments."""
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        sys.exit(
            f"{sys.executable} (Python {VERSION}) comes without venv or ensurepip.\n"
            "Install them (Debian and Ubuntu: apt-get install python3-venv), or name another Python: "
            "make PYTHON=/path/to/python3 ..."
        )


@contextmanager
def alone() -> Iterator[tuple[int, ...]]:
    """Let one process at a time work on the environment; gives the files to keep open in programs that do.

    The kernel releases the lock of a killed process only when the pip that it has started has gone too.
    """
    if fcntl is None:  # Windows
        yield ()
        return
    folder = os.open(str(ROOT), os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield (folder,)
    finally:
        os.close(folder)


def is_sound() -> bool:
    """Tell whether the environment was finished once, runs, and is of the Python asked for by name (if any was)."""
    if not STAMP.is_file() or not os.access(VENV / "bin" / "python", os.X_OK):
        return False
    return "--exactly-this-python" not in sys.argv or STAMP.read_text() == VERSION


def is_current() -> bool:
    """Tell whether nothing that the environment is made from has changed since."""
    made = STAMP.stat().st_mtime
    return all(path.stat().st_mtime <= made for path in INPUTS if path.exists())


def pip(keep_open: tuple[int, ...], *arguments: str) -> None:
    """Run the environment's own pip, which must ask nothing and install nowhere else."""
    surroundings = {**os.environ, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    for name in ("PIP_TARGET", "PIP_PREFIX", "PYTHONHOME", "PYTHONPATH"):
        surroundings.pop(name, None)
    command = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", *arguments]
    run(command, keep_open, surroundings)


def run(command: list[str], keep_open: tuple[int, ...], surroundings: "dict[str, str] | None" = None) -> None:
    """Run a program; what it complains of is told when it fails, and not when somebody has interrupted it."""
    done = subprocess.run(
        command, env=surroundings, cwd=ROOT, pass_fds=keep_open, stderr=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        done.check_returncode()


def bring_up_to_date(keep_open: tuple[int, ...]) -> None:
    """Install the locked packages and this project's own, the latter as editable."""
    if is_sound():
        version = STAMP.read_text()
        STAMP.unlink()
    else:
        version = VERSION
        print(f"Making the environment .venv with Python {version}; this takes a minute or two.", flush=True)
        run([sys.executable, "-m", "venv", "--clear", str(VENV)], keep_open)
    pip(keep_open, "--require-hashes", "--requirement", str(LOCK))
    for project in (ROOT, CLIENT):
        if (project / "pyproject.toml").exists():
            pip(keep_open, "--no-deps", "--no-build-isolation", "--editable", str(project))
    STAMP.write_text(version)


def main() -> None:
    """Make or refresh the environment, unless somebody else has just done so."""
    refuse_python_without_venv()
    with alone() as keep_open:
        if is_sound() and is_current():
            return
        try:
            bring_up_to_date(keep_open)
        except (subprocess.CalledProcessError, OSError) as error:
            sys.exit(f"The environment could not be made: {error}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Interrupted; the next start makes the environment anew.")
