"""The command `tablelog` as `python -m tests.harness.serve`, with the toy among the titles."""

from __future__ import annotations

import sys

from domain.catalogue import TITLES
from service.main import main
from tests.toy import TITLE


def run() -> int:
    """Run the command; gives its exit code."""
    return main(titles={**TITLES, "toy": TITLE})


if __name__ == "__main__":
    sys.exit(run())
