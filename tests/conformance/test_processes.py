"""A game is the same in every process: nothing depends on how Python hashes strings, which differs from run to run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from domain.kernel.rules import Title
from tests.conformance.titles import ALL_TITLES

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("title", ALL_TITLES, ids=lambda title: title.id)
def test_games_and_the_order_of_legal_moves_are_the_same_in_every_process(title: Title) -> None:
    digests = {_fingerprint(title.id, hash_seed) for hash_seed in ("1", "2", "3")}
    assert len(digests) == 1


def _fingerprint(title: str, hash_seed: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "tests.conformance.fingerprint", title],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
