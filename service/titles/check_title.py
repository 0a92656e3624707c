"""The command `tablelog check-title`: the laws of one title, and then what else has to be made again for it."""

# ruff: noqa: T201 - a command prints
from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from domain.kernel.rules import Title
from service.app import OPERATIONS
from service.openapi.document import as_text, document

ROOT = Path(__file__).resolve().parents[2]
BROKEN = 1
UNKNOWN = 2


def main(title_id: str, titles: Mapping[str, Title], root: Path = ROOT) -> int:
    """Try the laws, print what is out of date; gives 0 if the laws hold and nothing is."""
    laws = root / "tests" / "conformance"
    if title_id not in titles:
        print(f"tablelog: there is no title {title_id}, only {', '.join(titles)}", file=sys.stderr)
        return UNKNOWN
    if not laws.is_dir():
        print("tablelog: the laws are in tests/conformance of a checkout, and there is none here", file=sys.stderr)
        return UNKNOWN
    options = ["-q", "-n", "0", "-p", "no:cacheprovider", "--no-header", "--title", title_id]
    tried = subprocess.run([sys.executable, "-m", "pytest", *options, str(laws)], cwd=root, check=False)
    stale = list(out_of_date(titles[title_id], titles, root))
    for what, command in stale:
        print(f"{what}: {command}")
    if tried.returncode != 0:
        print(f"{title_id} breaks laws")
    elif not stale:
        print(f"{title_id} holds all laws, and nothing is out of date")
    return BROKEN if tried.returncode != 0 or stale else 0


def out_of_date(title: Title, titles: Mapping[str, Title], root: Path) -> Iterator[tuple[str, str]]:
    """What does not know this title as it is, with the command or the work that mends it."""
    written = root / "openapi" / "tablelog.json"
    if written.read_text(encoding="utf-8") != as_text(document(titles, OPERATIONS)):
        yield "openapi/tablelog.json is out of date", "make openapi"
    records = f"{title.rules_version.replace('/', '-')}-*.ndjson"
    if not any((root / "tests" / "logs").glob(records)):
        yield f"there are no records of {title.rules_version} in tests/logs", "make golden ARGS=tests/logs"
    if title.names["en"] not in (root / "README.md").read_text(encoding="utf-8"):
        yield f"README.md does not name {title.names['en']}", "add it to the first line"
    if not (root / "domain" / title.id / "RULES.md").is_file():
        yield (
            f"domain/{title.id}/RULES.md is missing",
            "write down the rules, and how you read them",
        )
