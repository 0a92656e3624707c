"""Chromium, as Debian packages it, without a window; and the page in it that a test looks at."""

from __future__ import annotations

import json
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome, ChromeOptions, ChromeService

PROGRAMS = ("chromium", "chromedriver")
SCRIPT_SECONDS = 30

_ARGUMENTS = (
    "--headless",
    "--no-sandbox",  # which the root of a container cannot have
    "--window-size=1280,800",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
_LOGS = {"browser": "ALL", "performance": "ALL"}


def missing_programs() -> list[str]:
    """Those of the programs that this machine does not have."""
    return [program for program in PROGRAMS if shutil.which(program) is None]


@dataclass(frozen=True)
class Page:
    """The one page that is open. What it shows, it is asked; what it asks of the network, the browser tells."""

    driver: Chrome

    def open(self, url: str) -> None:
        """Go to an address, and wait until what is there has been loaded."""
        self.driver.get(url)

    def run(self, script: str, *given: object) -> Any:
        """Run the body of an asynchronous function in the page and give its result; `given` holds what it is given."""
        text = f"return (async (...given) => {{ {script} }})(...arguments)"
        return self.driver.execute_script(text, *given)  # pyright: ignore[reportUnknownMemberType] - half typed

    def until(self, condition: str, *given: object) -> None:
        """Wait until an expression is true in the page; selenium's TimeoutException if it never is."""
        wait = "await new Promise((next) => setTimeout(next, 20))"
        self.run(f"while (!({condition})) {wait}", *given)

    def resize(self, width: int, height: int) -> None:
        """Look at the page on a telephone of this size."""
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
        self._command("Emulation.setDeviceMetricsOverride", screen)

    def resize_back(self) -> None:
        """Look at the page on a screen again."""
        self._command("Emulation.clearDeviceMetricsOverride", {})

    def complaints(self) -> list[str]:
        """What was written to the console since this was asked last, of any level."""
        return [entry["message"] for entry in self._log("browser")]

    def asked(self) -> list[str]:
        """The addresses that were asked for since this was asked last, by whatever part of the browser."""
        messages = [json.loads(entry["message"])["message"] for entry in self._log("performance")]
        requests = [each["params"] for each in messages if each["method"] == "Network.requestWillBeSent"]
        return [each["request"]["url"] for each in requests]

    def _command(self, name: str, arguments: dict[str, Any]) -> None:
        self.driver.execute_cdp_cmd(name, arguments)  # pyright: ignore[reportUnknownMemberType] - as above

    def _log(self, name: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.driver.get_log(name)  # pyright: ignore[reportUnknownMemberType] - as above
        return found


@contextmanager
def running(profile: Path) -> Generator[Page]:
    """Run Chromium with a new profile."""
    chromium, chromedriver = (shutil.which(program) for program in PROGRAMS)
    assert chromium
    options = ChromeOptions()
    options.binary_location = chromium
    for argument in (*_ARGUMENTS, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", _LOGS)
    # With both paths given, selenium looks for nothing on the network.
    driver = Chrome(options, ChromeService(chromedriver))
    try:
        driver.set_script_timeout(SCRIPT_SECONDS)
        yield Page(driver)
    finally:
        driver.quit()
