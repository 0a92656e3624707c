"""Close codes of sockets, each to retry or final; the reason sent with a code is its name.

After a code to retry a client connects again and resumes by (epoch, version), and loses nothing. After a final one the
same request would end the same way.
"""

from __future__ import annotations

from msgspec import Struct


class Close(Struct, frozen=True):
    """`retry` says whether to connect again, `when` why the code is sent."""

    code: int
    name: str
    retry: bool
    when: str


GOING_AWAY = Close(
    4001, "going-away", retry=True, when="this process stops or restarts: connect again, to any, and resume"
)
SLOW_READER = Close(4002, "slow-reader", retry=True, when="too much waited for a peer that reads too slowly: resume")
UNAVAILABLE = Close(4003, "unavailable", retry=True, when="the database is out of reach: try again in a few seconds")
FAILED = Close(4004, "internal-error", retry=True, when="a fault of the service, which is in its log")
RATE_LIMITED = Close(
    4005, "rate-limited", retry=True, when="a limit was passed again and again: wait a minute, and send less"
)
INVALID_QUERY = Close(4400, "invalid-query", retry=False, when="a query parameter is unknown, repeated or malformed")
INVALID_TOKEN = Close(4401, "invalid-token", retry=False, when="nobody has the token that was sent")
ORIGIN_REFUSED = Close(4403, "origin-refused", retry=False, when="pages of this origin may not connect")
NO_SUCH_GAME = Close(4404, "no-such-game", retry=False, when="the socket of one game, and there is no such game")
GAME_UNREADABLE = Close(4409, "game-unreadable", retry=False, when="the socket of one game, whose log cannot be read")

CLOSES = (
    Close(1000, "-", retry=False, when="answers a client that closed with it"),
    Close(1002, "-", retry=False, when="the client broke the websocket protocol"),
    Close(1006, "-", retry=True, when="never sent: the connection was cut, also when a peer does not read its close"),
    Close(1007, "-", retry=False, when="a text frame was not UTF-8"),
    Close(1009, "-", retry=False, when="a frame of the client was larger than 65,536 bytes"),
    Close(1011, "-", retry=True, when="a ping was not answered within 20 seconds"),
    GOING_AWAY, SLOW_READER, UNAVAILABLE, FAILED, RATE_LIMITED,
    INVALID_QUERY, INVALID_TOKEN, ORIGIN_REFUSED, NO_SUCH_GAME, GAME_UNREADABLE,
)  # fmt: skip
"""All codes; of our own, those below 4400 are to retry and the others final."""


def as_markdown() -> str:
    lines = ["| code | name | then | when |", "|---|---|---|---|"]
    lines += [f"| {each.code} | {each.name} | {'retry' if each.retry else 'final'} | {each.when} |" for each in CLOSES]
    return "\n".join(lines)
