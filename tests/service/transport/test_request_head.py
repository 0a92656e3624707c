"""What is read from the head of a request before it is anybody's."""

from __future__ import annotations

import time

import pytest

from domain.kernel.rejected import Rejected
from service.transport.request_head import HEAD_BYTES, check_handshake, origin_of


@pytest.mark.parametrize(
    "raw,origin",
    [
        (b"GET / HTTP/1.1\r\nOrigin: https://a.example\r\n", b"https://a.example"),
        (b"GET / HTTP/1.1\nORIGIN:\t https://a.example \t\n", b"https://a.example"),
        (b"GET / HTTP/1.1\r\nOrigin: \r\n", b""),
        (b"GET / HTTP/1.1\r\nOrigin: https://a.exam", None),
        (b"GET / HTTP/1.1\r\nX-Origin: https://a.example\r\n", None),
    ],
)
def test_the_origin_is_found_in_a_head_that_could_not_be_parsed(raw: bytes, origin: bytes | None) -> None:
    assert origin_of(None, raw) == origin


@pytest.mark.parametrize("repeated", [b" ", b" \t", b" x", b"\nOrigin:", b"\r\nOrigin: "])
def test_an_origin_that_never_ends_takes_no_time_to_be_refused(repeated: bytes) -> None:
    raw = b"GET / HTTP/1.1\r\nOrigin:" + repeated * (HEAD_BYTES // len(repeated)) + b"\rx\r\n\r\n"
    begun = time.process_time()
    origin_of(None, raw)
    assert time.process_time() - begun < 4  # trying each blank again for each other takes hours


HANDSHAKE = [(b"sec-websocket-version", b"13"), (b"sec-websocket-key", b"AAAAAAAAAAAAAAAAAAAAAA==")]


@pytest.mark.parametrize(
    "header,field",
    [
        ((b"content-length", b"1"), "Content-Length"),
        ((b"content-length", b"10"), "Content-Length"),
        ((b"transfer-encoding", b"chunked"), "Transfer-Encoding"),
    ],
)
def test_a_handshake_with_a_body_is_refused_by_the_header_that_announces_it(
    header: tuple[bytes, bytes], field: str
) -> None:
    with pytest.raises(Rejected, match="no request body") as refused:
        check_handshake([*HANDSHAKE, header])
    assert (refused.value.code, refused.value.facts["field"]) == ("invalid-request", field)


def test_a_handshake_may_say_that_its_body_is_empty() -> None:
    check_handshake([*HANDSHAKE, (b"content-length", b"0")])
