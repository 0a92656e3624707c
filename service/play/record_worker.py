"""A process of its own in which records of strangers are checked, with limits on its time and memory.

It talks in frames, each a length of 8 bytes and as many bytes: first its setup, then a record and the answer to it in
turn. It ends when its input does, so none outlives the service, however that ends.
"""

from __future__ import annotations

import os
import pickle
import resource
import signal
import sys
from typing import BinaryIO

import msgspec
from msgspec import Struct

from domain.kernel.rules import Title
from service.play.record_check import Checked, Unfit, check

LENGTH_BYTES = 8
MEMORY_BYTES = 512 * 1024 * 1024
"""Address space of the process, which itself needs 60 MiB."""

SHARE = 0.8
"""Of the CPU time for a record, what its check may use: the rest is for the start of the next worker."""

TOO_COSTLY = "record-too-costly"


class Setup(Struct, frozen=True):
    """What a worker works with. `titles` is a pickle: it comes from the service itself."""

    titles: bytes
    most_events: int
    seconds: int
    """CPU time for one record."""


answers = msgspec.msgpack.Decoder(Checked)
setups = msgspec.msgpack.Decoder(Setup)
encode = msgspec.msgpack.encode


def main() -> None:
    """Answer until the input ends."""
    given = sys.stdin.buffer
    with os.fdopen(os.dup(1), "wb") as answered:
        os.dup2(2, 1)  # what anything prints is no answer
        setup = setups.decode(_frame(given) or b"")
        titles: dict[str, Title] = pickle.loads(setup.titles)  # noqa: S301 - see `Setup`
        os.nice(10)
        _limit(resource.RLIMIT_AS, MEMORY_BYTES)
        _limit(resource.RLIMIT_CORE, 0)
        while (data := _frame(given)) is not None:
            _begin_time(setup.seconds)
            answer = _answer(data, titles, setup.most_events)
            signal.setitimer(signal.ITIMER_PROF, 0)
            answered.write(len(answer).to_bytes(LENGTH_BYTES, "big"))
            answered.write(answer)
            answered.flush()


def _answer(data: bytes, titles: dict[str, Title], most_events: int) -> bytes:
    try:
        return encode(check(data, titles, most_events))
    except MemoryError:
        pass
    return encode(Unfit(TOO_COSTLY, f"its verification takes more than {MEMORY_BYTES >> 20} MiB of memory", {}))


def _begin_time(seconds: int) -> None:
    """End this process once it has used `seconds` of CPU time, by a timer or, failing that, a limit.

    SIGPROF ends a process that does not handle it.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + seconds + 2)
    signal.setitimer(signal.ITIMER_PROF, seconds * SHARE)


def _limit(of: int, soft: int) -> None:
    _, hard = resource.getrlimit(of)
    resource.setrlimit(of, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _frame(given: BinaryIO) -> bytes | None:
    """The next frame; None at the end of the input."""
    head = given.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    size = int.from_bytes(head, "big")
    data = given.read(size)
    return data if len(data) == size else None


if __name__ == "__main__":
    main()
