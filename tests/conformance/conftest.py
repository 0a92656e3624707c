"""Keeps one fault of a title from turning all of its laws red.

A title that fails its preflight is not tried any further, and one that has broken a few laws is not either: what else
it breaks is most likely the same fault seen from elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from pathlib import Path, PurePath

import pytest
from pluggy import Result

import domain
from domain.kernel.rules import Title
from tests.conformance.preflight import fault_of
from tests.conformance.titles import BY_TITLE, Entry

DOMAIN = Path(domain.__file__).parent
MOST_BROKEN = 3
"""Laws of one title that a run reports as broken."""
FIRST = ("preflight", "fold", "legality", "turns", "draws", "conservation", "secrets", "memory")
"""The files in the order in which a fault is most likely to be called by its name; all others follow."""

OF_ALL = {"test_no_two_things_share_a_tag"}
"""Laws of all titles together, which each of them can break."""

_broken: Counter[str] = Counter()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--title", metavar="ID", help="try only the laws of this title")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=_rank)  # stable: all else stays as it was collected
    title = config.getoption("--title", None)
    if title is not None:
        items[:] = [item for item in items if _title_of(item) == title or item.name in OF_ALL]


def _rank(item: pytest.Item) -> int:
    name = item.path.stem.removeprefix("test_")
    if not _is_law(item):
        return -1
    return FIRST.index(name) if name in FIRST else len(FIRST)


def _is_law(item: pytest.Item) -> bool:
    return PurePath(__file__).parent in item.path.parents


def pytest_runtest_setup(item: pytest.Item) -> None:
    title = _title_of(item)
    if title is None or title not in BY_TITLE or item.path.stem == "test_preflight":
        return
    if fault_of(title) is not None:
        pytest.skip(f"{title} fails its preflight")
    if _broken[title] >= MOST_BROKEN:
        pytest.skip(f"{title} has broken {MOST_BROKEN} laws: mend those first")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Result[pytest.TestReport], None]:
    report = (yield).get_result()
    title = _title_of(item)
    if title is not None and report.failed:
        _broken[title] += 1


def _title_of(item: pytest.Item) -> str | None:
    """The title that a test is about."""
    callspec = getattr(item, "callspec", None)
    for of in () if callspec is None or not _is_law(item) else callspec.params.values():
        if isinstance(of, Entry):
            return of.title.id
        if isinstance(of, Title):
            return of.id
        if isinstance(of, Path):
            return of.parts[len(DOMAIN.parts)] if of.is_relative_to(DOMAIN) else None
    return None
