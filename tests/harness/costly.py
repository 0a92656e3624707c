"""The toy with component sets that cost their worker whatever they are named for."""

from __future__ import annotations

import dataclasses
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.harness.recording import recorded
from tests.toy import TITLE as TOY
from tests.toy.rules import ToyRules, bind

TEXT = (Path(__file__).parents[1] / "toy" / "components" / "toy-1.toml").read_text(encoding="utf-8")
SLEEP_SECONDS = 3


def costly(tables: Mapping[str, Any]) -> ToyRules:
    """The rules of the toy, after the cost that the id of the set says."""
    match tables["id"]:
        case "toy-time":
            while True:
                pass
        case "toy-memory":
            held = [bytes(1_000_000)]
            while True:
                held.append(bytes(1_000_000))
        case "toy-crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "toy-sleep":
            time.sleep(SLEEP_SECONDS)
        case _:
            pass
    return bind(tables)


COSTLY = {"toy": dataclasses.replace(TOY, bind=costly)}


def record(cost: str, number: int = 1) -> bytes:
    """A record whose component set has a cost (`1`: none)."""
    text = TEXT.replace('id = "toy-1"', f'id = "toy-{cost}"')
    return recorded(TOY, text, 2, number).record
