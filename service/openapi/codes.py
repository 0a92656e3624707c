"""Which problems an operation may answer with: those that it names, and those that follow from what it takes."""

from __future__ import annotations

from service.auth.guards import Access
from service.http.operation import Operation
from service.limits.weights import EXEMPT
from service.media_types import JSON
from service.problems import CODES


def codes(operation: Operation) -> dict[int, list[str]]:
    """The codes of an operation's problems by status, both ascending."""
    by_status: dict[int, list[str]] = {}
    for code in sorted(_all_codes(operation), key=lambda each: (CODES[each].status, each)):
        by_status.setdefault(CODES[code].status, []).append(code)
    return by_status


def _all_codes(operation: Operation) -> set[str]:
    found = {"invalid-request", "request-timeout", "headers-too-large", "overloaded", *operation.problems}
    found |= {"invalid-header", "invalid-query", "not-acceptable"}
    found |= set() if operation.name in EXEMPT else {"rate-limited"}
    if operation.access is not Access.anyone:
        found |= {"invalid-token", "unavailable"}
    if operation.access is Access.account:
        found.add("token-required")
    if operation.body is not None:
        found |= {"body-too-large", "unsupported-media-type"}
        found |= {"invalid-body"} if operation.takes == JSON else set()
    if operation.line is not None:
        found.add("http-version-not-supported")
    if operation.idempotent:
        found.add("idempotency-key-reused")
    if operation.etag or operation.if_match:
        found.add("precondition-failed")
    if operation.method != "GET" or not operation.etag:
        found.add("precondition-refused")
    if "{" in operation.path:
        found.add("not-found")
    if "{game}" in operation.path:
        found |= {"no-such-game", "game-unreadable"}
    return found
