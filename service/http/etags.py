"""The entity tag of a game as one caller sees it: `"version.viewer.digest"`.

Strong: two answers with one tag are equal byte for byte. What a viewer sees is a function of the game's version, the
viewer's seat and what the query asks for; the digest covers the last, and the release and the epoch of the log, since
another release may word an answer otherwise and a log that was put back may reach the same version another way.
"""

from __future__ import annotations

import hashlib
from importlib.metadata import version

from domain.kernel.rejected import Rejected
from service.http import headers
from service.http.operation import Call
from service.play.game_cache import LoadedGame
from service.play.writer import Match

_RELEASE = version("tablelog")


def etag(call: Call, table: LoadedGame, asked: bytes = b"") -> str:
    """The tag; `asked` tells apart what a query may ask for, empty for the plain answer."""
    seat = table.game.seat_of(call.account_id)
    viewer = "public" if seat is None else str(seat)
    known = f"{_RELEASE} {table.title.rules_version} {table.epoch} ".encode() + asked
    return f'"{table.version}.{viewer}.{hashlib.sha256(known).hexdigest()[:16]}"'


def require_match(call: Call, tag: str) -> None:
    """Pass if there is no If-Match or it names the tag; else `precondition-failed`."""
    wanted = call.headers.get(b"if-match")
    if wanted is not None and not headers.matches(wanted, tag, weakly=False):
        detail = "the game, as you see it, has another entity tag"
        raise Rejected("precondition-failed", detail, field="If-Match", current_etag=tag)


def match_of(call: Call) -> Match | None:
    """What a command's If-Match demands of the game that it is decided on, None without the header."""
    if b"if-match" not in call.headers:
        return None
    return lambda table: require_match(call, etag(call, table))
