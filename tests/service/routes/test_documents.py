"""The document as it is served, and the page to read it on."""

from __future__ import annotations

import re

import httpx

from tests.harness.contract import contract


async def test_the_document_of_the_very_process_is_served(http: httpx.AsyncClient) -> None:
    for path in ("/openapi.json", "/openapi.yaml"):
        assert (await http.get(path)).json() == contract(), "JSON is YAML 1.2 as well"


async def test_the_page_needs_nothing_from_anywhere_else(http: httpx.AsyncClient) -> None:
    page = (await http.get("/docs")).text
    assert set(re.findall(r"""(?:src|href)=["']([^"'$]+)""", page)) <= {"/openapi.json", "/openapi.yaml", "data:,"}
    assert "://" not in page


async def test_who_comes_to_the_front_is_led_to_the_page(http: httpx.AsyncClient) -> None:
    answer = await http.get("/")
    assert (answer.status_code, answer.headers["location"]) == (307, "/docs")
