"""A player that knows no rules: whenever the game waits for it, it asks for its legal moves and makes one of them.

python -m service.demo.player URL GAME SEED, with the account's token in TABLELOG_TOKEN
"""

from __future__ import annotations

import asyncio
import os
import sys
from random import Random

from tablelog_client import Client, Problem


async def play(url: str, token: str, game: str, picks: Random) -> None:
    """Play a game to its end, choosing over all values of all fields of the legal moves."""
    async with Client(url, token) as player, player.live(game) as feed:
        seat, known = (await player.game(game)).seat, 0
        async for frame in feed:
            if frame.status == "finished":
                return
            # The feed also repeats the moves that were made here, which are no news by then.
            if seat in frame.to_move and frame.version >= known:
                played = await player.play(game, picks)
                known = played.version if played is not None else known


def main(url: str, game: str, seed: str) -> int:
    """Play; gives 1 when anything was refused."""
    try:
        asyncio.run(play(url, os.environ["TABLELOG_TOKEN"], game, Random(seed)))  # noqa: S311 - a choice, no secret
    except Problem as refused:
        print(f"refused: {refused}", file=sys.stderr)  # noqa: T201 - for a person at a terminal
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
