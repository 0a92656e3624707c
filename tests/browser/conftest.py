"""A browser for all tests here, a page for each, and a web server of somebody else's, whose pages use the service."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.browser.chromium import Page, missing_programs, running
from tests.browser.elsewhere import Elsewhere, elsewhere_serving


def pytest_collection_finish(session: pytest.Session) -> None:
    """End the run at once, and not with an error for each test, where there is no browser."""
    wanted = any(item.get_closest_marker("browser") for item in session.items)
    if wanted and (missing := missing_programs()):
        message = f"no {' and no '.join(missing)} here; on Debian: apt-get install chromium chromium-driver"
        raise pytest.UsageError(message)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Generator[Page]:
    """Give the one browser of the run."""
    with running(tmp_path_factory.mktemp("chromium")) as page:
        yield page


@pytest.fixture
def page(browser: Page) -> Generator[Page]:
    """Give an empty page, of which nothing has been told yet."""
    browser.open("about:blank")
    browser.complaints()
    browser.asked()
    yield browser
    browser.open("about:blank")  # lets go of every connection


@pytest.fixture(scope="session")
def elsewhere() -> Generator[Elsewhere]:
    """Give a web server that has nothing to do with the service."""
    with elsewhere_serving() as server:
        yield server
