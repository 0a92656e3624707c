"""The header fields of a refusal by a limit: Retry-After, and those of draft-ietf-httpapi-ratelimit-headers-10."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def fields(details: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The fields for the details of a `rate-limited`: the wait, the policy, and that nothing is left."""
    name, wait = details.get("limit", "default"), details.get("retry_after", 1)
    window = f";w={details['seconds']}" if "seconds" in details else ""
    return [
        ("Retry-After", str(wait)),
        ("RateLimit-Policy", f'"{name}";q={details.get("most", 0)}{window}'),
        ("RateLimit", f'"{name}";r=0;t={wait}'),
    ]
