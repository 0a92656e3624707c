"""Log lines: one line per record (fault 39)."""

from __future__ import annotations

import logging

import pytest

from service.logs import OneLine


@pytest.mark.parametrize("junk", ["a\nINFO forged", "a\rb", "\x1b[2J", "a\u2028b", "\0", "a\u202eb", "\ud800"])
def test_whatever_a_client_sends_stays_on_one_line(junk: str) -> None:
    record = logging.LogRecord("tablelog", logging.INFO, "", 0, "got %s", (junk,), None)
    line = OneLine().format(record)
    assert line.isprintable()
    line.encode()


def test_a_traceback_stays_on_the_line_of_its_record() -> None:
    try:
        int("x\ny")
    except ValueError as error:
        record = logging.LogRecord(
            "tablelog", logging.ERROR, "", 0, "failed", (), (type(error), error, error.__traceback__)
        )
        line = OneLine().format(record)
        assert "test_logs.py" in line
        assert len(line.splitlines()) == 1


def test_other_scripts_are_left_readable() -> None:
    record = logging.LogRecord("tablelog", logging.INFO, "", 0, "愛子 Zoë", (), None)
    assert OneLine().format(record).endswith("愛子 Zoë")
