"""Prints a digest of some games of a title and of all that was legal in them, to compare one process to another."""

from __future__ import annotations

import hashlib
import sys

import msgspec

from domain.kernel import game as kernel
from domain.kernel.events import encode
from tests.conformance.games import play
from tests.conformance.titles import BY_TITLE, viewers
from tests.conformance.worlds import sight


def fingerprint(title: str) -> str:
    """A digest of events, views and legal moves, in their order."""
    digest = hashlib.sha256()
    for entry in BY_TITLE[title]:
        for number in range(3):
            seats = entry.title.seats[number % 2]
            played = play(entry, seats, entry.title.options(), bytes([number] * 32), (number, number + 7), undo=3)
            for event, game in zip(played.log, played.games, strict=True):
                digest.update(encode(event))
                digest.update(msgspec.json.encode(game.state))
                for viewer in viewers(seats):
                    digest.update(encode(kernel.redact(event, entry.rules, viewer)))
                    digest.update(sight(game, entry, viewer))
    return digest.hexdigest()


if __name__ == "__main__":
    sys.stdout.write(fingerprint(sys.argv[1]))
