"""Log lines: one line per record, whatever a client has sent that ends up in it."""

from __future__ import annotations

import logging


class OneLine(logging.Formatter):
    """Writes a record with its traceback as one line; what could begin another or steer a terminal is escaped."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        return one_line(super().format(record))


def one_line(text: str) -> str:
    """A text with what could begin another line or steer a terminal escaped."""
    return "".join(each if each.isprintable() else _escaped(each) for each in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()


def log_lines(level: int = logging.INFO) -> None:
    """Send all logs to standard error, a line each. There is no access log: no path or token is written."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)  # it reports its start and stop, which `server` does
