"""The address that a client is limited by: the peer's, or what trusted proxies report."""

from __future__ import annotations

import time

import pytest

from service.limits.address import BadNetwork, TrustedProxies, key

PROXIES = TrustedProxies(("10.0.0.0/8", "2001:db8:ffff::/48"))


def forwarded(value: str) -> list[tuple[bytes, bytes]]:
    return [(b"forwarded", value.encode())]


def x_forwarded(*values: str) -> list[tuple[bytes, bytes]]:
    return [(b"x-forwarded-for", value.encode()) for value in values]


def test_an_ipv6_address_counts_by_its_64_and_a_mapped_one_as_ipv4() -> None:
    assert key("2001:db8:1:2:3::4") == key("2001:db8:1:2::9") == "2001:db8:1:2::/64"
    assert key("2001:db8:1:3::9") != key("2001:db8:1:2::9")
    assert key("::ffff:192.0.2.1") == key("192.0.2.1") == "192.0.2.1"


def test_headers_of_a_peer_that_is_no_trusted_proxy_mean_nothing() -> None:
    assert PROXIES.client("192.0.2.1", x_forwarded("198.51.100.7")) == "192.0.2.1"
    assert TrustedProxies().client("10.0.0.1", forwarded("for=198.51.100.7")) == "10.0.0.1"


@pytest.mark.parametrize(
    "headers",
    [
        x_forwarded("198.51.100.7"),
        x_forwarded("203.0.113.9, 198.51.100.7"),
        x_forwarded("203.0.113.9", "198.51.100.7, 10.1.1.1"),
        x_forwarded("junk, 198.51.100.7:4711"),
        forwarded("for=198.51.100.7"),
        forwarded('for="203.0.113.9";proto=http, proto=https;FOR="198.51.100.7:4711";by=10.0.0.1'),
        [*forwarded("for=198.51.100.7"), *x_forwarded("198.51.100.7")],
    ],
)
def test_the_right_most_hop_that_is_not_trusted_is_the_client(headers: list[tuple[bytes, bytes]]) -> None:
    assert PROXIES.client("10.0.0.1", headers) == "198.51.100.7"


def test_an_ipv6_hop_is_read_with_brackets_and_port() -> None:
    assert PROXIES.client("10.0.0.1", forwarded('for="[2001:db8::1]:443"')) == "2001:db8::/64"


@pytest.mark.parametrize(
    "headers",
    [
        [],
        x_forwarded(""),
        x_forwarded("unknown"),
        x_forwarded("198.51.100.7, "),
        forwarded("for=_hidden"),
        forwarded("proto=https"),
        forwarded('for="198.51.100.7'),
        forwarded('for=198.51.100.7"'),
        forwarded("for=198.51.100.7, for="),
        [*forwarded("for=203.0.113.9"), *x_forwarded("198.51.100.7")],
    ],
)
def test_where_the_headers_name_no_client_the_proxy_is_limited(headers: list[tuple[bytes, bytes]]) -> None:
    """That is as well what a client gets who sends the header that its proxy does not set."""
    assert PROXIES.client("10.0.0.1", headers) == "10.0.0.1"


def test_a_unix_socket_is_trusted_if_it_is_named() -> None:
    assert TrustedProxies(("unix",)).client(None, x_forwarded("198.51.100.7")) == "198.51.100.7"
    assert PROXIES.client(None, x_forwarded("198.51.100.7")) == "unix"


@pytest.mark.parametrize("network", ["proxy.example", "10.0.0.1/8", "10.0.0.0/40"])
def test_what_is_no_network_is_refused(network: str) -> None:
    with pytest.raises(BadNetwork):
        TrustedProxies((network,))


@pytest.mark.parametrize(
    "value",
    ["a" * 65_000 + '"', '"\\",' * 16_000, 'a"' * 32_500 + '"', ";for=" * 13_000],
    ids=["words", "commas", "quotes", "pairs"],
)
def test_a_header_that_is_hard_to_divide_takes_no_time_and_hides_no_hop(value: str) -> None:
    begun = time.process_time()
    assert PROXIES.client("10.0.0.1", forwarded(f"{value}, for=198.51.100.7")) == "198.51.100.7"
    assert time.process_time() - begun < 4  # trying each place again for each other takes minutes
