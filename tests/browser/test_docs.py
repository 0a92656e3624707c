"""The page at `/docs` tells the whole contract, on a screen and on a telephone, and needs nothing from elsewhere."""

from __future__ import annotations

import json
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from service.app import OPERATIONS
from service.problems import CODES
from tests.browser.chromium import Page
from tests.harness.contract import contract
from tests.harness.server import Service, expect, new_game, serving

pytestmark = pytest.mark.browser

_SHOWN = "document.querySelector('#page h2')"
_IN_VIEW = (
    "(({ top, bottom }) => bottom > 0 && top < innerHeight)(document.querySelector(':target').getBoundingClientRect())"
)


def open_docs(page: Page, service: Service, anchor: str = "") -> None:
    page.open(f"{service.url}/docs{anchor}")
    page.until(_SHOWN)


def test_every_operation_is_shown_and_nothing_is_asked_of_anyone_else(page: Page, shared_service: Service) -> None:
    page.open(f"{shared_service.url}/")
    page.until(_SHOWN)
    assert page.driver.current_url == f"{shared_service.url}/docs"
    shown = page.run("return [...document.querySelectorAll('#page > details > summary')].map((each) => each.innerText)")
    told = contract()["paths"]
    operations = {
        f"{method.upper()} {path} {about['summary']}"
        for path, methods in told.items()
        for method, about in methods.items()
    }
    assert len(operations) == len(OPERATIONS)
    assert {" ".join(each.split()) for each in shown} == operations | set(contract()["components"]["schemas"])
    assert page.complaints() == []
    asked = page.asked()
    assert f"{shared_service.url}/openapi.json" in asked
    assert {urlsplit(url)[:2] for url in asked if not url.startswith("data:")} == {urlsplit(shared_service.url)[:2]}


async def test_a_problem_leads_to_what_the_page_tells_of_it(
    page: Page, shared_service: Service, http: httpx.AsyncClient
) -> None:
    table = await new_game(http)
    stale = {"expected_version": 1, "move": {"type": "toy.lay_card", "card": "ant_1"}}
    problem = expect(await table.seats[0].post(f"{table.path}/moves", stale), 409)
    page.open(urljoin(shared_service.url, problem["type"]))
    page.until("document.querySelector(':target')")
    assert problem["title"] in page.run("return document.querySelector(':target').innerText")
    assert page.run(f"return {_IN_VIEW}")


def test_every_code_has_a_place_in_the_page(page: Page, shared_service: Service) -> None:
    open_docs(page, shared_service)
    for code, kind in CODES.items():
        page.run("scrollTo(0, 0); location.hash = given[0]", code)
        shown, in_view = page.run(f"return [document.querySelector(':target').innerText, {_IN_VIEW}]")
        assert (shown.split("\t"), in_view) == ([code, str(kind.status), kind.title], True)


def test_every_link_leads_somewhere_and_opens_what_it_leads_to(page: Page, shared_service: Service) -> None:
    open_docs(page, shared_service)
    ids = page.run("return [...document.querySelectorAll('[id]')].map((each) => each.id)")
    assert len(ids) == len(set(ids))
    links = set(page.run("return [...document.querySelectorAll('a')].map((each) => each.getAttribute('href'))"))
    assert links - {f"#{each}" for each in ids} == {"/openapi.json"}
    page.run("document.getElementById('make_move').open = true")
    page.run("document.querySelector('#make_move a[href=\"#schema-Problem\"]').click()")
    page.until("document.getElementById('schema-Problem').open")
    assert page.run(f"return {_IN_VIEW}")


def test_a_telephone_shows_everything_without_scrolling_sideways(page: Page, shared_service: Service) -> None:
    page.resize(360, 640)
    try:
        open_docs(page, shared_service)
        for _ in ("folded", "unfolded"):
            assert page.run("return [document.documentElement.clientWidth, document.documentElement.scrollWidth]") == [
                360,
                360,
            ]
            page.run("for (const each of document.querySelectorAll('details')) each.open = true")
    finally:
        page.resize_back()


def test_the_page_sends_requests_also_where_pages_of_other_origins_may_not(page: Page, database: str) -> None:
    with serving(database, {"TABLELOG_ALLOWED_ORIGINS": "https://frontend.example"}) as service:
        open_docs(page, service, "#create_account")
        account = json.loads(sent(page, "create_account", '{"name": "Ada"}', "201 Created"))
        page.run("document.getElementById('token').value = given[0]", account["token"])
        game = json.loads(sent(page, "create_game", '{"title": "toy", "seats": 2}', "201 Created"))
        page.run("document.querySelector('#get_game input[name=game]').value = given[0]", game["id"])
        assert json.loads(sent(page, "get_game", None, "200 OK")) == game


def sent(page: Page, operation: str, body: str | None, status: str) -> str:
    """What the page shows of the answer to a request that was sent from it."""
    page.run(
        "const box = document.getElementById(given[0]);"
        "if (given[1] !== null) box.querySelector('textarea').value = given[1];"
        "box.querySelector('button').click()",
        operation,
        body,
    )
    page.until("document.querySelector(`#${given[0]} div > pre:last-child`).textContent", operation)
    shown: str = page.run("return document.querySelector(`#${given[0]} div > pre:last-child`).textContent", operation)
    told, _, content = shown.partition("\n\n")
    assert told == status, shown
    return content
