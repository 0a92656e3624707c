"""The client waits as long as the service asks, and then sends the request again."""

from __future__ import annotations

from tablelog_client import Client
from tests.harness.server import serving


async def test_a_request_over_the_limit_is_sent_again_when_the_service_says_so(database: str) -> None:
    with serving(database, {"TABLELOG_REQUESTS_PER_ADDRESS": "3"}) as service:
        async with Client(service.url) as visitor:
            for _ in range(4):  # the fourth is answered 429 at first
                assert await visitor.titles()
