"""Run a command as a user other than root: PostgreSQL refuses to be root.

A script of its own and not a hook between fork and exec, which in a process with threads may wait for ever:

    python unprivileged.py UID GID PATH... -- COMMAND...

Root gives up everything and becomes UID. Should that user be unable to reach one of the PATHs, because the project lies
below a folder like /root that nobody else may enter, it keeps one capability of root's: to read and to pass through
folders (CAP_DAC_READ_SEARCH) or, where containers leave only that, to pass over permissions altogether
(CAP_DAC_OVERRIDE). No permission of any folder is changed. The capability is made an ambient one, which is what
outlives exec in a process that is not root.

Runs by `python -I -S`, so nothing but the standard library is at hand.
"""

import ctypes
import os
import stat
import sys
from collections.abc import Sequence

CAP_DAC_OVERRIDE = 1
CAP_DAC_READ_SEARCH = 2

_PR_SET_KEEPCAPS = 8
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_RAISE = 2
_CAPABILITY_VERSION_3 = 0x20080522


class CannotReachError(Exception):
    """The user cannot come to a path, and no capability helps."""


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Half(ctypes.Structure):
    """Thirty-two of the capabilities; the two needed here are both in the lower half."""

    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


def become(uid: int, gid: int, paths: Sequence[str]) -> None:
    """Turn this process, which is root, into `uid`, able to reach the paths."""
    kernel = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
    if kernel is not None:
        kernel.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0)
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)  # leaves nothing effective; what KEEPCAPS has kept is permitted only
    obstacle = _obstacle(paths)
    if kernel is None:
        if obstacle:
            raise CannotReachError(obstacle)
        return
    if not obstacle:
        _hold(kernel, 0)
        return
    for capability in (CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE):
        if _permitted(kernel) & (1 << capability) and not _obstacle_with(kernel, capability, paths):
            _make_ambient(kernel, capability)
            return
    raise CannotReachError(obstacle)


def _obstacle(paths: Sequence[str], *, past_permissions: bool = False) -> str:
    """The first path that this process cannot read or, where it is a program, start; empty when there is none."""
    for path in paths:
        try:
            file = os.open(path, os.O_RDONLY)
        except OSError:
            return path
        mode = os.fstat(file).st_mode
        os.close(file)
        if stat.S_ISREG(mode) and not mode & stat.S_IXOTH and not past_permissions:
            return path
    return ""


def _obstacle_with(kernel: ctypes.CDLL, capability: int, paths: Sequence[str]) -> str:
    """The first path that stays out of reach while the capability is in effect; all permitted ones are kept."""
    _set(kernel, effective=1 << capability, permitted=_permitted(kernel))
    return _obstacle(paths, past_permissions=capability == CAP_DAC_OVERRIDE)


def _make_ambient(kernel: ctypes.CDLL, capability: int) -> None:
    _hold(kernel, 1 << capability)
    if kernel.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, capability, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the capability cannot be made an ambient one")


def _hold(kernel: ctypes.CDLL, capabilities: int) -> None:
    """Keep these capabilities in all three sets, and no others."""
    _set(kernel, effective=capabilities, permitted=capabilities, inheritable=capabilities)


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
    """Become the user and turn into the command; 126 with a reason when that cannot be."""
    divider = arguments.index("--")
    uid, gid, *paths = arguments[:divider]
    command = list(arguments[divider + 1 :])
    try:
        become(int(uid), int(gid), paths)
        os.execv(command[0], command)  # noqa: S606 - to start a process is what this is for
    except CannotReachError as error:
        sys.stderr.write(f"user {uid} cannot reach {error}, and root may not pass on the right to\n")
    except OSError as error:
        sys.stderr.write(f"{command[0]} cannot be run as user {uid}: {error}\n")
    sys.exit(126)


if __name__ == "__main__":
    main(sys.argv[1:])
