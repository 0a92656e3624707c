"""Check the draws of a finished Space Lab game: that nothing was chosen after the fact.

    python check_draws.py http://127.0.0.1:8000 g0123456789abcdef0123

Needs nothing but what the service tells to anyone. While a game runs, only the commitment to its secret seed is known;
its last event tells the seed. Then everyone can see that it is the one that was committed to, and draw again.
"""

import asyncio
import hashlib
import hmac
import sys
from collections.abc import Iterator

import httpx

from tablelog_client import Client, Event, Problem


class CannotCheck(Exception):
    """The game is not one whose draws can be checked here, or not yet."""


def joined(*parts: bytes) -> bytes:
    """Parts with their lengths, so that no two lists of parts give the same bytes."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def words(key: bytes, ordinal: int, purpose: str) -> Iterator[int]:
    """The random numbers of a draw: 64 bits each, without end."""
    block = 0
    while True:
        digest = hmac.digest(key, f"{ordinal}:{purpose}:0:{block}".encode(), "sha256")
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8))
        block += 1


def below(stream: Iterator[int], limit: int) -> int:
    """A number below a limit, each as likely as any other."""
    fair = 2**64 - 2**64 % limit
    return next(word for word in stream if word < fair) % limit


def shuffled(stream: Iterator[int], items: list[str]) -> list[str]:
    """The items in their drawn order."""
    items = sorted(items)
    for last in range(len(items) - 1, 0, -1):
        other = below(stream, last + 1)
        items[last], items[other] = items[other], items[last]
    return items


def facts(events: list[Event], wanted: str) -> Iterator[tuple[Event, dict[str, object]]]:
    """The facts of a type, each with its event."""
    for event in events:
        yield from ((event, fact) for fact in event.data.get("facts", ()) if fact["type"] == wanted)


def entropies(events: list[Event]) -> tuple[dict[int, str], bool]:
    """What each seat added to the draws, and whether each reveal was what the seat had committed to."""
    added: dict[int, str] = {}
    committed: dict[int, str] = {}
    honest = True
    for event in events:
        data, seat = event.data, int(event.data.get("seat", 0))
        if event.type == "seat_taken":
            committed.pop(seat, None)  # by somebody who sat there before
            added[seat] = data["entropy"]
        elif event.type == "seat_freed":  # the start was aborted: every commitment and reveal is void
            added |= dict.fromkeys(committed, "")
            committed.clear()
        elif event.type == "entropy_revealed":
            added[seat] = data["entropy"]
            parts = (b"tablelog/entropy/1", data["account"].encode(), data["entropy"].encode())
            honest = honest and hashlib.sha256(joined(*parts)).hexdigest() == committed[seat]
        if "entropy_commitment" in data:
            committed[seat], added[seat] = data["entropy_commitment"], ""
    return added, honest


async def check(url: str, game_id: str) -> bool:
    """Check a game, and say what was found."""
    async with Client(url) as visitor:
        game = await visitor.game(game_id)
        if game.status != "finished":
            raise CannotCheck("the game has not ended: its seed is published at the end")
        events = [event async for event in visitor.events(game_id)]
        if game.title != "spacelab" or events[0].data.get("sandbox"):
            raise CannotCheck("this checks only Space Lab games that began at the start, not this one")
        pieces = (await visitor.components(game.title, game.component_hash)).pieces
    seed = bytes.fromhex(next(str(fact["seed"]) for _, fact in facts(events, "game.ended")))
    entropy, honest = entropies(events)
    scheme = events[0].data.get("scheme", 1)
    label = f"tablelog/draws/{scheme}".encode()
    key = hmac.digest(seed, joined(label, *(entropy[seat].encode() for seat in range(len(game.seats)))), "sha256")
    begun, set_up = next(facts(events, "spacelab.game_set_up_unseen"))
    ordinal = 0 if scheme == 2 else begun.version
    tiles = shuffled(words(key, ordinal, "objectives"), [piece.id for piece in pieces if piece.kind == "objective"])
    labs = shuffled(words(key, ordinal, "labs"), [piece.id for piece in pieces if piece.kind == "lab"])
    _, turned_up = next(facts(events, "spacelab.labs_revealed"))
    dealt = [tiles[seat * 3 : seat * 3 + 3] for seat in range(len(game.seats))]
    committed = hashlib.sha256(joined(b"tablelog/commitment/1", game_id.encode(), seed)).hexdigest()
    found = {
        "the seed is the one that the game was opened with": committed == game.commitment,
        "each seat revealed the entropy that it had committed to": honest,
        "the start seat was drawn": set_up["start"] == below(words(key, ordinal, "start"), len(game.seats)),
        "the objective tiles were dealt as drawn": set_up["dealt"] == dealt,
        "the first labs turned up lay on top of the shuffled deck": turned_up["cards"] == labs[:3],
    }
    for claim, holds in found.items():
        print(f"{'yes' if holds else 'NO '}  {claim}")
    return all(found.values())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        sys.exit(0 if asyncio.run(check(sys.argv[1], sys.argv[2])) else 1)
    except (CannotCheck, Problem, httpx.HTTPError) as error:
        sys.exit(f"check_draws: {error}")
