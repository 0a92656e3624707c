"""What the service refuses, as an exception."""

from __future__ import annotations

from typing import Any

import httpx
import msgspec


class Problem(Exception):
    """A refusal: its HTTP status (0 on the live feed), its stable code, and the facts that came with it."""

    def __init__(self, status: int, code: str, detail: str, facts: dict[str, Any] | None = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.facts = facts or {}

    @property
    def field(self) -> str | None:
        """What of the request was wrong, where the service says so: `move.card`, a parameter, a header."""
        return self.facts.get("field")


def problem_of(answer: httpx.Response) -> Problem:
    """The problem that an answer reports; an intermediary may answer without a code."""
    try:
        facts = msgspec.json.decode(answer.content, type=dict[str, Any])
    except msgspec.DecodeError:
        facts = {}
    code = str(facts.pop("code", f"http-{answer.status_code}"))
    detail = str(facts.pop("detail", answer.reason_phrase))
    return Problem(answer.status_code, code, detail, facts)


def retry_after(answer: httpx.Response) -> float | None:
    """The seconds that an answer asks to wait; None where it names none, or a date."""
    given = answer.headers.get("Retry-After", "")
    return float(given) if given.isascii() and given.isdigit() else None
