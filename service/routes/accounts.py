"""Accounts: a name and a bearer token, which is shown once."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from domain.kernel.ids import AccountId
from domain.kernel.rejected import Rejected
from service.auth import accounts
from service.auth.accounts import Account
from service.auth.guards import Access
from service.auth.names import normal
from service.auth.tokens import new_token, token_hash
from service.http.operation import Answer, Call, operation


class NewAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """What an account is made from."""

    name: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=200,
            description="At most 40 visible characters; unique whatever its case, spaces and encoding.",
            examples=["Ada"],
        ),
    ]


class AccountInfo(Struct, frozen=True):
    """An account."""

    id: str
    name: str
    created_at: datetime


class AccountCreated(AccountInfo, frozen=True):
    """A new account and its bearer token, which is shown here and never again."""

    token: str


@operation(
    "POST",
    "/v1/accounts",
    tag="accounts",
    summary="Make an account",
    access=Access.anyone,
    example=lambda _: {"name": "Ada"},
    status=201,
    location=True,
    problems=("invalid-name", "name-taken", "idempotency-key-refused", "unavailable"),
)
async def create_account(call: Call, body: NewAccount) -> Answer[AccountCreated]:
    """Make an account. Keep the token: it is the only key to the account, and cannot be asked for again.

    When the answer is lost, its token is, and the name may be taken by an account that nobody has the key to: make
    another one, by another name.
    """
    name = normal(body.name)
    call.node.limits.new_account(call.address)
    token = new_token()
    account = Account(id=AccountId(f"a{secrets.token_hex(10)}"), name=name.shown, created_at=call.node.clock.now())
    if not await accounts.add(call.node.pool, account, name.key, token_hash(token)):
        detail = f"the name {name.shown} is taken; case, spaces and encoding make no other name of it"
        raise Rejected("name-taken", detail, field="name")
    made = AccountCreated(id=account.id, name=account.name, created_at=account.created_at, token=token)
    return Answer(made, location="/v1/accounts/me")


@operation("GET", "/v1/accounts/me", tag="accounts", summary="My account", access=Access.account)
async def get_my_account(call: Call) -> Answer[AccountInfo]:
    """The account that the token belongs to."""
    account = call.caller
    return Answer(AccountInfo(id=account.id, name=account.name, created_at=account.created_at))
