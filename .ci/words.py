"""Checks public text and names for phrases that readers of the project had to read twice; prints each with its place.

Public text is what users meet: the Markdown pages, the descriptions of the OpenAPI document, and docstrings and
messages of the sources. Names are all that the sources give. Exits with 1 if anything was found.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
SOURCES = ("domain", "service", "clients")
PAGES = ("README.md", "CHANGELOG.md", "service/README.md", "service/live/PROTOCOL.md", "domain/README.md", "clients")

PHRASES = re.compile(
    r"\b(told|tells? of|anew|so many|whoever|of which|is wanted|comes? of|in vain|for ever|what [a-z]+ of it)\b",
    re.IGNORECASE,
)
NAMES = re.compile(
    r"(?<![a-z])(told|anew|whoever|for_ever|in_vain|demand|sightings?|happenings?|telling|noticing)(?![a-z])"
)
Finding = tuple[str, int, str]


def main() -> int:
    found = [*_in_pages(), *_in_document(), *_in_sources()]
    for place, line, text in found:
        print(f"{place}:{line}: {text}")
    if found:
        print(f"{len(found)} phrases or names that are hard to read: say it as an experienced engineer would")
    return 1 if found else 0


def _in_pages() -> Iterator[Finding]:
    pages = [path for each in PAGES for path in ([TOP / each] if each.endswith(".md") else (TOP / each).rglob("*.md"))]
    for page in pages:
        for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
            yield from _phrases(str(page.relative_to(TOP)), number, line)


def _in_document() -> Iterator[Finding]:
    document = json.loads((TOP / "openapi/tablelog.json").read_bytes())
    pending: list[tuple[str, object]] = [("", document)]
    while pending:
        place, value = pending.pop()
        if isinstance(value, dict):
            pending += [(f"{place}/{key}", below) for key, below in value.items()]
        elif isinstance(value, list):
            pending += [(f"{place}/{index}", below) for index, below in enumerate(value)]
        elif isinstance(value, str) and place.rpartition("/")[2] in {"description", "summary", "title"}:
            yield from _phrases(f"openapi/tablelog.json{place}", 1, value)


def _in_sources() -> Iterator[Finding]:
    for source in sorted(path for folder in SOURCES for path in (TOP / folder).rglob("*.py")):
        place = str(source.relative_to(TOP))
        for node in ast.walk(ast.parse(source.read_bytes())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from _phrases(place, node.lineno, node.value)
            elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _name(place, node.lineno, node.name)
            elif isinstance(node, ast.arg):
                yield from _name(place, node.lineno, node.arg)
            elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
                yield from _name(place, node.lineno, node.id if isinstance(node, ast.Name) else node.attr)


def _phrases(place: str, line: int, text: str) -> Iterator[Finding]:
    for match in PHRASES.finditer(text):
        yield place, line + text.count("\n", 0, match.start()), match[0]


def _name(place: str, line: int, name: str) -> Iterator[Finding]:
    if (match := NAMES.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower())) is not None:
        yield place, line, f"{name} ({match[0]})"


if __name__ == "__main__":
    sys.exit(main())
