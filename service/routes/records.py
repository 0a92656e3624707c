"""Records: a whole game as a file, out and in."""

from __future__ import annotations

from domain.kernel.record.form import RecordLine
from service.answers import GameInfo, game_info
from service.auth.guards import Access
from service.http.etags import etag, require_match
from service.http.operation import Answer, Call, Stream, operation
from service.http.paths import game
from service.media_types import NDJSON
from service.play.archive import record_lines
from service.transport.body_budget import LARGEST


@operation(
    "GET",
    "/v1/games/{game}/record",
    tag="records",
    summary="The whole game as a file",
    media=(NDJSON,),
    line=RecordLine,
    etag=True,
)
async def get_record(call: Call) -> Answer[Stream]:
    """The whole game as a file of lines, each JSON: what it was played by, every event, and an end with a digest.

    Of a game that has ended it is complete: with the seed, and each event as it was stored and hashed. Before that it
    is redacted for the caller and says so; its hashes are the true ones all the same, to be held against the complete
    record later.
    """
    table = await game(call)
    tag = etag(call, table, b"record")
    require_match(call, tag)
    lines = record_lines(call.node.pool, call.node.tables, table, call.account_id)
    disposition = (b"content-disposition", f'attachment; filename="{table.id}.ndjson"'.encode())
    return Answer(lines, headers=[disposition], etag=tag)


@operation(
    "POST",
    "/v1/records",
    tag="records",
    summary="Take in the record of a game",
    access=Access.account,
    body=RecordLine,
    takes=NDJSON,
    most_body_bytes=LARGEST,
    body_seconds=60,
    prompt=False,
    status=201,
    known=200,
    location=True,
    problems=(
        "bad-record",
        "unknown-component-set",
        "record-too-costly",
        "overloaded",
        "record-conflict",
        "game-unreadable",
        "idempotency-key-refused",
    ),
)
async def take_record(call: Call, body: bytes) -> Answer[GameInfo]:
    """Take in the complete record of a game that was played elsewhere: verified, then kept as an archived game.

    Its component set must be known here, unless the operator allows foreign ones, and its verification may take no more
    than the time and memory that the service gives it.

    It has its own id and its own hashes, is read by its id, and stands in no list and no history, since its accounts
    are of another service. The same record again changes nothing, and is answered with 200.
    """
    taken = await call.node.archive.take_in(call.caller, body)
    status = call.operation.known if taken.known else None
    return Answer(game_info(taken.table, call.account_id), status, location=f"/v1/games/{taken.table.id}")
