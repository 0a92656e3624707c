"""Tests of the way from root to an ordinary user; started by anybody else, it is refused every time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.embedded_postgres import unprivileged

REFUSED = "refused"
BY_SHELL = ["/bin/sh", "-c", "id -u; grep CapEff /proc/self/status; echo True"]
ASK_ACCESS = """
import os, sys
print(os.getuid(), *[line for line in open("/proc/self/status") if line.startswith("CapEff")])
print(all(os.access(path, os.R_OK | os.X_OK) for path in sys.argv[1:]))
"""

_DROP_FROM_BOUNDING_SET = 24
_BEREFT = """
import ctypes, os, sys
for capability in sys.argv[1].split():
    ctypes.CDLL(None).prctl({drop}, int(capability), 0, 0, 0)
os.execv(sys.argv[2], sys.argv[2:])
"""


def _become_nobody(*paths: Path | str, command: list[str] | None = None, bereft_of: str = "") -> str:
    """Tell whom a root without some capabilities becomes, what is left in effect, and whether all paths open."""
    needed = [str(path) for path in paths]
    if command is None:
        needed.append(sys.executable)
        command = [sys.executable, "-I", "-S", "-c", ASK_ACCESS, *needed]
    bereft = [sys.executable, "-c", _BEREFT.format(drop=_DROP_FROM_BOUNDING_SET), bereft_of]
    become = [sys.executable, "-I", "-S", unprivileged.__file__, "65534", "65534", *needed, "--"]
    done = subprocess.run([*bereft, *become, *command], cwd="/", capture_output=True, text=True, check=False)
    if done.returncode == 126:
        return f"{REFUSED}: {done.stderr.strip()}"
    uid, _, capabilities, reached = done.stdout.split()
    return f"{uid} with {int(capabilities, 16)}, reached: {reached}"


def _told_to(root: str) -> str:
    return root if os.geteuid() == 0 else REFUSED


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """Give a folder below one that only its owner may enter."""
    (tmp_path / "closed" / "inner").mkdir(parents=True)
    (tmp_path / "closed").chmod(0o700)
    return tmp_path / "closed" / "inner"


def test_root_gives_up_every_right_where_nothing_is_in_the_way() -> None:
    assert _become_nobody("/", "/bin/sh", command=BY_SHELL).startswith(_told_to("65534 with 0, reached: True"))


def test_root_keeps_the_right_to_pass_through_folders_where_one_is_closed(closed: Path) -> None:
    assert _become_nobody(closed, bereft_of=str(unprivileged.CAP_DAC_OVERRIDE)).startswith(
        _told_to(f"65534 with {1 << unprivileged.CAP_DAC_READ_SEARCH}, reached: True")
    )


def test_root_of_a_container_keeps_what_it_has_to_pass_a_closed_folder(closed: Path) -> None:
    assert _become_nobody(closed, bereft_of=str(unprivileged.CAP_DAC_READ_SEARCH)).startswith(
        _told_to(f"65534 with {1 << unprivileged.CAP_DAC_OVERRIDE}, reached: True")
    )


def test_a_program_that_only_root_may_start_needs_the_greater_right(tmp_path: Path) -> None:
    (tmp_path / "program").touch(mode=0o700)
    expected = _told_to(f"65534 with {1 << unprivileged.CAP_DAC_OVERRIDE}, reached: True")
    assert _become_nobody(tmp_path / "program").startswith(expected)


def test_a_path_that_stays_out_of_reach_is_named(closed: Path) -> None:
    both = f"{unprivileged.CAP_DAC_READ_SEARCH} {unprivileged.CAP_DAC_OVERRIDE}"
    assert _become_nobody(closed, bereft_of=both).startswith(
        _told_to(f"{REFUSED}: user 65534 has no access to {closed}, and root cannot pass it on")
    )
