"""The demo: programs that know no rules play a game from the contract alone, and another one watches and narrates it.

Each player is a process of its own (`player.py`) that asks for its legal moves and makes one of them. This process is
the spectator: it prints what the live feed says, in words that it makes from the events and the component set as they
are served (`narration.py`). All of it goes by way of the Python client, which has no rules either.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import secrets
import sys
from collections.abc import Coroutine, Sequence
from typing import Any

import httpx

from service.demo.address import ServiceMissing, service_url
from service.demo.narration import Narrator
from tablelog_client import Client, EventFrame, FeedClosed, Problem

NAMES = ("Ann", "Bob", "Cid", "Dee")


class GameBrokenOff(Exception):
    """A player was refused something, or the game did not come to its end."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Show a game being played; gives 0 when it came to its end and nothing was refused."""
    parsed = _parser().parse_args(arguments)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # what is shown is the game
    try:
        asyncio.run(_show(parsed))
    except BrokenPipeError:
        raise  # the reader of the output has seen enough: no fault of the service
    except (ServiceMissing, GameBrokenOff, Problem, FeedClosed, httpx.TransportError, OSError) as error:
        print(f"tablelog demo: {str(error) or type(error).__name__}", file=sys.stderr)  # noqa: T201 - for a person at a terminal
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


async def _show(parsed: argparse.Namespace) -> None:
    async with service_url(parsed.url) as url, Client(url) as visitor:
        names = NAMES[: parsed.seats]
        # Names are unique in a service, and this one may have seen a demo before.
        players = [await visitor.join(f"{name} {secrets.token_hex(3)}") for name in names]
        game = await players[0].create_game(parsed.title, len(players))
        teller = Narrator(await visitor.components(game.title, game.component_hash), names)
        called = {title.id: title.names["en"] for title in await visitor.titles()}[game.title]
        _say(f"{' and '.join(names)} play {called} at {url}. They know no rules.\n")
        for seat, player in enumerate(players):
            await player.take_seat(game.id, seat)
        playing = [_play(player, game.id, f"{parsed.seed}:{seat}") for seat, player in enumerate(players)]
        await _all(_watch(visitor, game.id, teller), *playing)
        over = await visitor.game(game.id)
        if over.result is None:
            message = f"the game stopped at version {over.version}"
            raise GameBrokenOff(message)
        _say("")
        for line in teller.scores(over.result):
            _say(line)


async def _watch(visitor: Client, game: str, teller: Narrator) -> None:
    """Print every event of a game as a spectator sees it, from the first one to the end."""
    async with visitor.live(game, after=0) as feed:
        async for frame in feed:
            if isinstance(frame, EventFrame):
                for line in teller.lines(frame.event):
                    _say(line)
            if frame.status == "finished":
                return


async def _play(player: Client, game: str, seed: str) -> None:
    """Have a process of its own play for an account until the game is over."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "service.demo.player", player.url, game, seed),
        env={**os.environ, "TABLELOG_TOKEN": player.token or ""},
    )
    try:
        if await process.wait() != 0:
            message = "a player broke off"
            raise GameBrokenOff(message)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _all(*work: Coroutine[Any, Any, None]) -> None:
    """Do all of it at once; when some of it fails, the rest is given up."""
    tasks = [asyncio.create_task(each) for each in work]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - for a person at a terminal


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tablelog demo", description="Show a game being played from the contract alone."
    )
    parser.add_argument("--title", default="spacelab", help="what is played (default: spacelab)")
    parser.add_argument(
        "--seats", type=int, choices=range(2, len(NAMES) + 1), default=2, help="how many play (default: 2)"
    )
    parser.add_argument("--seed", default="0", help="what the players' choices are drawn from")
    parser.add_argument(
        "--url", help="the service (default: TABLELOG_URL, else one on this machine, else one for itself)"
    )
    return parser
