"""The command `tablelog new-title`: a copy of `domain/template` under another name, which is a title that runs."""

# ruff: noqa: T201 - a command prints
from __future__ import annotations

import json
import keyword
import re
import subprocess
import sys
from pathlib import Path

from domain.kernel.visible import fault

ROOT = Path(__file__).resolve().parents[2]
TAKEN = frozenset({"kernel", "catalogue", "toy"})
"""Names that are something else in `domain`, or a title of the tests."""
_ID = re.compile(r"[a-z][a-z0-9]{1,19}")


class CannotMake(Exception):
    """The title cannot be made; the message says why."""


def main(title: str, name: str, japanese: str, root: Path = ROOT) -> int:
    """Write a title and say what comes next; gives the exit code."""
    try:
        written = make(title, name, japanese, root)
    except CannotMake as error:
        print(f"tablelog: {error}", file=sys.stderr)
        return 2
    for path in written:
        print(f"wrote {path.relative_to(root)}")
    print(f"next: tablelog play {title}, tablelog check-title {title}, and domain/README.md")
    return 0


def make(title: str, name: str, japanese: str, root: Path) -> list[Path]:
    """Copy the template, and add the title to the catalogue; gives the files that were written or changed."""
    if not _ID.fullmatch(title) or keyword.iskeyword(title) or title in TAKEN:
        raise CannotMake(f"{title} cannot be an id: it is 2 to 20 small letters and digits, and no other name here")
    for each in (name, japanese):
        why = fault(each) if each.strip() else "is empty"
        if why is not None:
            raise CannotMake(f"the name {each!r} {why}")
    folder, subjects = root / "domain" / title, root / "tests" / "conformance" / "subjects"
    if not (subjects / "template.py").is_file():
        raise CannotMake("a title is made in a checkout, with its tests: there are none here")
    if folder.exists() or (subjects / f"{title}.py").exists():
        raise CannotMake(f"there is a title {title} already")
    catalogue = root / "domain" / "catalogue.py"
    listed = add_to(catalogue.read_text(encoding="utf-8"), title)
    template = root / "domain" / "template"
    copies = {path: folder / path.relative_to(template) for path in sorted(template.rglob("*.*")) if _is_source(path)}
    copies[subjects / "template.py"] = subjects / f"{title}.py"
    for source, copy in copies.items():
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(renamed(source.read_text(encoding="utf-8"), title, name, japanese), encoding="utf-8")
    catalogue.write_text(listed, encoding="utf-8")
    written = [*copies.values(), catalogue]
    _format([path for path in written if path.suffix == ".py"], root)
    return written


def renamed(text: str, title: str, name: str, japanese: str) -> str:
    """A text of the template with the names of another title."""
    text = text.replace('"Template"', json.dumps(name, ensure_ascii=False))
    text = text.replace('"ひな形"', json.dumps(japanese, ensure_ascii=False))
    text = text.replace("TemplateRules", f"{title.capitalize()}Rules").replace("Template", name)
    return re.sub(r"\btemplate\b", title, text)


def add_to(catalogue: str, title: str) -> str:
    """The text of the catalogue with one more title."""
    imported = re.search(r"^from domain import ([\w, ]+)$", catalogue, re.MULTILINE)
    last = list(re.finditer(r'("\w+": )?\b\w+\.TITLE\b', catalogue))[-1:]
    if imported is None or not last:
        raise CannotMake("domain/catalogue.py does not read as expected: copy domain/template and name it there")
    entry = f'"{title}": {title}.TITLE' if last[0][1] else f"{title}.TITLE"
    modules = ", ".join(sorted([*imported[1].split(", "), title]))
    text = f"{catalogue[: last[0].end()]}, {entry}{catalogue[last[0].end() :]}"
    return text.replace(imported[0], f"from domain import {modules}")


def _is_source(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts


def _format(paths: list[Path], root: Path) -> None:
    """Names of another length break lines elsewhere."""
    for command in (["check", "--fix-only", "--quiet", "--select", "I"], ["format", "--quiet"]):
        subprocess.run([sys.executable, "-m", "ruff", *command, *map(str, paths)], cwd=root, check=False)
