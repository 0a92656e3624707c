"""The environment is made by a script of its own, which whoever clones the project meets first."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

# Who runs the tests in the background hands down that SIGINT is ignored.
_HEARING = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_path(".ci/environment.py", run_name="__main__")
"""

PROJECT = Path(__file__).resolve().parents[1]


def test_who_interrupts_the_making_of_the_environment_is_told_what_comes_of_it(tmp_path: Path) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(PROJECT / ".ci" / "environment.py", tmp_path / ".ci")
    for name in ("requirements.lock", "pyproject.toml"):
        shutil.copy(PROJECT / name, tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", _HEARING],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as making:
        assert making.stdout is not None
        assert making.stdout.readline().startswith("Making the environment .venv")
        os.killpg(making.pid, signal.SIGINT)  # as a terminal does it: the programs that it has started hear it too
        try:
            _, told = making.communicate(timeout=60)
        finally:
            making.kill()
    assert (making.returncode, told) == (1, "Interrupted; the next start makes the environment anew.\n")
