"""A copy of the checkout, in which a title can be made."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.ndjson", "*.states", "golden")


def copied(to: Path) -> Path:
    """Copy what the commands and the laws need."""
    for folder in ("domain", "service", "tests", "openapi"):
        shutil.copytree(ROOT / folder, to / folder, ignore=LEFT_OUT)
    for file in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / file, to / file)
    return to


def tablelog(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the copy: what is in the working directory comes before what is installed."""
    command = [sys.executable, "-m", "service", *arguments]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
