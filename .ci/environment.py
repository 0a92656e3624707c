"""Make the virtual environment .venv from requirements.lock, or bring it up to date.

Started by the Makefile with whatever Python it found, so it must say what is wrong even on an old one: nothing newer
than Python 3.6 stands in here, and nothing but the standard library is used.

The stamp .venv/.ready is deleted before anything is touched and written last. An environment without it was
interrupted on the way, may be broken in any manner, and is made anew.
"""

import contextlib
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:
    fcntl = None

OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / ".ready"
LOCK = ROOT / "requirements.lock"
CLIENT = ROOT / "clients" / "python"
INPUTS = (LOCK, ROOT / "pyproject.toml", CLIENT / "pyproject.toml")


def refuse_unfit_python() -> None:
    """Stop with what to do when this Python is too old or cannot make environments."""
    found = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info < OLDEST:
        sys.exit(
            f"tablelog needs Python 3.11 or newer, and {sys.executable} is Python {found}.\n"
            "Name a newer one: make PYTHON=python3.12 ..."
        )
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        sys.exit(
            f"{sys.executable} (Python {found}) comes without venv or ensurepip.\n"
            "Install them (Debian and Ubuntu: apt-get install python3-venv), or name another Python: "
            "make PYTHON=/path/to/python3 ..."
        )


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Let one process at a time work on the environment; the kernel releases the lock of a killed one."""
    if fcntl is None:  # Windows
        yield
        return
    folder = os.open(str(ROOT), os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def wanted_version() -> str:
    """Name the version of this Python as the stamp keeps it."""
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def is_sound() -> bool:
    """Tell whether the environment was finished once, runs, and is of the Python asked for by name (if any was)."""
    if not STAMP.is_file() or not os.access(str(VENV / "bin" / "python"), os.X_OK):
        return False
    return "--exactly-this-python" not in sys.argv or STAMP.read_text().strip() == wanted_version()


def is_current() -> bool:
    """Tell whether nothing that the environment is made from has changed since."""
    made = STAMP.stat().st_mtime
    return all(path.stat().st_mtime <= made for path in INPUTS if path.exists())


def pip(*arguments: str) -> None:
    """Run the environment's own pip, which must ask nothing and install nowhere else."""
    surroundings = dict(os.environ, PIP_USER="0", PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1")
    for name in ("PIP_TARGET", "PIP_PREFIX", "PYTHONHOME", "PYTHONPATH"):
        surroundings.pop(name, None)
    subprocess.check_call(
        [str(VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", *arguments], env=surroundings, cwd=str(ROOT)
    )


def bring_up_to_date() -> None:
    """Install the locked packages and this project's own, the latter as editable."""
    if is_sound():
        version = STAMP.read_text()
        STAMP.unlink()
    else:
        version = wanted_version()
        print(f"Making the environment .venv with Python {version}; this takes a minute or two.", flush=True)
        subprocess.check_call([sys.executable, "-m", "venv", "--clear", str(VENV)])
    pip("--require-hashes", "--requirement", str(LOCK))
    for project in (ROOT, CLIENT):
        if (project / "pyproject.toml").exists():
            pip("--no-deps", "--no-build-isolation", "--editable", str(project))
    STAMP.write_text(version)


def main() -> None:
    """Make or refresh the environment, unless somebody else has just done so."""
    refuse_unfit_python()
    with alone():
        if is_sound() and is_current():
            return
        try:
            bring_up_to_date()
        except subprocess.CalledProcessError as error:
            sys.exit(f"The environment could not be made: {error}")


if __name__ == "__main__":
    main()
