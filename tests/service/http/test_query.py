"""Query parameters: each at most once, none unknown, every value in its one spelling."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from msgspec import UNSET, Meta, Struct, UnsetType

from domain.kernel.rejected import Rejected
from service.http.query import QueryDecoder


class Query(Struct, forbid_unknown_fields=True):
    version: Annotated[int, Meta(ge=1, le=2**53 - 1)] | UnsetType = UNSET
    reveal: bool = False
    status: Literal["waiting", "running"] | UnsetType = UNSET
    name: Annotated[str, Meta(pattern=r"^[a-z]+(?![\s\S])")] | UnsetType = UNSET


def test_parameters_become_the_struct() -> None:
    wanted = Query(version=7, reveal=True, status="waiting", name="ab")
    assert QueryDecoder(Query).decode(b"version=7&reveal=true&status=waiting&name=%61b") == wanted


def test_what_is_left_out_has_its_default() -> None:
    assert QueryDecoder(Query).decode(b"") == Query()


@pytest.mark.parametrize(
    "raw,field",
    [
        *((b"version=" + value, "version") for value in (b"", b"0", b"-1", b"1.0", b"1e3", b"+1", b"01", b"%31%30x")),
        *(
            (b"version=" + value, "version")
            for value in (b"%201", b"1+", b"true", b"null", b"NaN", b"0x1", "１".encode())
        ),
        *((b"version=%d" % value, "version") for value in (2**53, 2**63, 2**64, 10**400)),
        *((b"reveal=" + value, "reveal") for value in (b"", b"1", b"True", b"yes")),
        (b"status=finished", "status"),
        (b"name=a%0A", "name"),
        (b"name=a%00", "name"),
        (b"name=%ff", "name"),
        (b"name=%ed%a0%80", "name"),
        (b"name=%4", "name"),
        (b"name=%zz", "name"),
        (b"version=1&version=1", "version"),
        (b"version=1&%76ersion=2", "version"),
        (b"unknown=1", "unknown"),
        (b"=1", ""),
        (b"version=1&", ""),
        (b"&", ""),
        (b"version", "version"),
    ],
)
def test_a_parameter_that_is_not_exactly_right_is_refused_by_name(raw: bytes, field: str) -> None:
    with pytest.raises(Rejected) as caught:
        QueryDecoder(Query).decode(raw)
    assert caught.value.code == "invalid-query"
    assert caught.value.facts["field"] == field


def test_where_there_are_no_parameters_every_one_is_refused() -> None:
    assert QueryDecoder(None).decode(b"") is None
    with pytest.raises(Rejected, match="invalid-query"):
        QueryDecoder(None).decode(b"a=1")
