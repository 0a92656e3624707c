"""Run a command as a user other than root, since PostgreSQL refuses to run as root.

A separate script, since a hook between fork and exec may deadlock in a process with threads:

    python unprivileged.py UID GID PATH... -- COMMAND...

Root drops all privileges and becomes UID. If that user has no access to one of the PATHs, because the project is in a
folder like /root, it keeps one capability: to read files and traverse folders (CAP_DAC_READ_SEARCH) or, where a
container has only that, to bypass permissions altogether (CAP_DAC_OVERRIDE). No folder's permissions are changed. The
capability becomes an ambient one, which survives exec in a process that is not root.

Runs by `python -I -S`, with the standard library alone.
"""

import ctypes
import os
import sys
from collections.abc import Sequence

CAP_DAC_OVERRIDE = 1
CAP_DAC_READ_SEARCH = 2

_CAP_SETPCAP = 8
_PR_SET_KEEPCAPS = 8
_PR_SET_SECUREBITS = 28
_NO_SETUID_FIXUP = 1 << 2
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_RAISE = 2
_CAPABILITY_VERSION_3 = 0x20080522


class CannotReachError(Exception):
    """The user has no access to a path, and no capability helps."""


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Half(ctypes.Structure):
    """Half of the capabilities; those needed here are in the lower half."""

    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


def become(uid: int, gid: int, paths: Sequence[str]) -> None:
    """Change the user of this process from root to `uid`, with access to the paths."""
    kernel = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
    if kernel is not None:
        kernel.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0)
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)  # no capability is effective now; those that KEEPCAPS kept are permitted only
    obstacle = _obstacle(paths)
    if kernel is None and obstacle:
        raise CannotReachError(obstacle)
    if kernel is not None:
        _hold(kernel, _least_capability(kernel, paths) if obstacle else None)


def _obstacle(paths: Sequence[str]) -> str:
    """The first path that this process may not read and traverse (or execute); empty if there is none."""
    return next((path for path in paths if not os.access(path, os.R_OK | os.X_OK)), "")


def _least_capability(kernel: ctypes.CDLL, paths: Sequence[str]) -> int:
    """The least capability that gives access to all paths.

    PostgreSQL asks by access(2) whether it may execute its own programs. There the kernel ignores the capabilities of a
    process that is not root, unless NO_SETUID_FIXUP is set, which takes CAP_SETPCAP.
    """
    permitted = _permitted(kernel)
    if permitted & (1 << _CAP_SETPCAP):
        _set(kernel, effective=1 << _CAP_SETPCAP, permitted=permitted)
        kernel.prctl(_PR_SET_SECUREBITS, _NO_SETUID_FIXUP, 0, 0, 0)
    for capability in (CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE):
        if permitted & (1 << capability):
            _set(kernel, effective=1 << capability, permitted=permitted)
            if not _obstacle(paths):
                return capability
    raise CannotReachError(_obstacle(paths))


def _hold(kernel: ctypes.CDLL, capability: int | None) -> None:
    """Keep this capability alone, also across exec."""
    kept = 0 if capability is None else 1 << capability
    _set(kernel, effective=kept, permitted=kept, inheritable=kept)
    if capability is not None and kernel.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, capability, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the capability cannot be made ambient")


def _set(kernel: ctypes.CDLL, *, effective: int, permitted: int, inheritable: int = 0) -> None:
    header = _Header(_CAPABILITY_VERSION_3, 0)
    halves = (_Half * 2)(_Half(effective, permitted, inheritable))
    if kernel.capset(ctypes.byref(header), ctypes.byref(halves)) != 0:
        raise OSError(ctypes.get_errno(), "the capabilities cannot be set")


def _permitted(kernel: ctypes.CDLL) -> int:
    header = _Header(_CAPABILITY_VERSION_3, 0)
    halves = (_Half * 2)()
    if kernel.capget(ctypes.byref(header), ctypes.byref(halves)) != 0:
        raise OSError(ctypes.get_errno(), "the capabilities cannot be read")
    return int(halves[0].permitted)


def main(arguments: Sequence[str]) -> None:
    """Become the user and exec the command; exits with 126 and a reason if that fails."""
    divider = arguments.index("--")
    uid, gid, *paths = arguments[:divider]
    command = list(arguments[divider + 1 :])
    try:
        become(int(uid), int(gid), paths)
        os.execv(command[0], command)  # noqa: S606 - its purpose
    except CannotReachError as error:
        sys.stderr.write(f"user {uid} has no access to {error}, and root cannot pass it on\n")
    except OSError as error:
        sys.stderr.write(f"{command[0]} cannot be run as user {uid}: {error}\n")
    sys.exit(126)


if __name__ == "__main__":
    main(sys.argv[1:])
