"""Accounts over HTTP."""

from __future__ import annotations

import secrets

import httpx
import pytest

from tests.harness.server import Client, account, expect


def fresh() -> str:
    return f"name {secrets.token_hex(6)}"


async def test_an_account_is_made_and_told_from_its_token(http: httpx.AsyncClient) -> None:
    name = fresh()
    made = await http.post("/v1/accounts", json={"name": name})
    ada = expect(made, 201)
    assert ada["name"] == name
    me = await Client(http, ada["token"]).get(made.headers["location"])
    assert expect(me, 200) == {key: value for key, value in ada.items() if key != "token"}


async def test_a_name_that_looks_the_same_is_taken(http: httpx.AsyncClient) -> None:
    name = fresh()
    await account(http, name)
    for same in (name, name.upper(), f"  {name} ", name.replace(" ", "   ")):
        refused = expect(await http.post("/v1/accounts", json={"name": same}), 409)
        assert (refused["code"], refused["field"]) == ("name-taken", "name")
        assert "case, spaces and encoding make no other name" in refused["detail"]


@pytest.mark.parametrize("name", ["", " ", "a\0b", "a\u202eb", "a\r\nb", "x" * 41, "x" * 10_000, "\u200b"])
async def test_a_name_that_cannot_be_used_is_refused_by_its_field(http: httpx.AsyncClient, name: str) -> None:
    refused = await http.post("/v1/accounts", json={"name": name})
    assert refused.status_code in {400, 422}
    assert refused.json()["field"] == "name"


async def test_a_token_is_shown_once_so_no_key_replays_it(http: httpx.AsyncClient) -> None:
    name = fresh()
    refused = await http.post("/v1/accounts", json={"name": name}, headers={"Idempotency-Key": '"k"'})
    assert expect(refused, 400)["code"] == "idempotency-key-refused"
    await account(http, name)


async def test_nobody_is_me_without_a_token(http: httpx.AsyncClient) -> None:
    refused = await http.get("/v1/accounts/me")
    assert expect(refused, 401)["code"] == "token-required"
    assert refused.headers["www-authenticate"] == 'Bearer realm="tablelog"'
    wrong = await http.get("/v1/accounts/me", headers={"Authorization": "Bearer tl_nobody"})
    assert expect(wrong, 401)["code"] == "invalid-token"
    assert 'error="invalid_token"' in wrong.headers["www-authenticate"]
