"""The client waits as long as the service asks, and then sends the request again."""

from __future__ import annotations

import time

import httpx
import pytest

from tablelog_client import Client, Problem


def answering(*answers: httpx.Response) -> httpx.AsyncClient:
    """Something that gives these answers, one after another."""
    left = list(answers)
    return httpx.AsyncClient(transport=httpx.MockTransport(lambda _: left.pop(0)))


@pytest.mark.parametrize("status", [429, 503])
async def test_a_request_is_sent_again_after_the_seconds_that_the_service_names(status: int) -> None:
    refused = httpx.Response(status, headers={"Retry-After": "1"}, json={"code": "rate-limited"})
    begun = time.monotonic()
    async with Client("http://here", http=answering(refused, httpx.Response(200, json={"titles": []}))) as visitor:
        assert await visitor.titles() == ()
    assert time.monotonic() - begun >= 0.99


async def test_a_limit_that_is_used_up_for_longer_is_raised_at_once() -> None:
    refused = httpx.Response(429, headers={"Retry-After": "3600"}, json={"code": "rate-limited", "detail": "later"})
    async with Client("http://here", http=answering(refused)) as visitor:
        with pytest.raises(Problem, match="rate-limited"):
            await visitor.create_account("Ada")
