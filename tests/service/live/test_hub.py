"""The hub: a watched game is sent whole and in order."""

import random

from tests.harness.living import living


async def test_a_game_is_sent_from_the_hello_to_its_end(database: str) -> None:
    picks = random.Random(1)
    async with living(database) as process:
        players = (await process.player("Ada"), await process.player("Bo"))
        table = await process.started(*players)
        async with process.watching(f"/v1/games/{table.id}/live", {"type": "auth"}) as feed:
            hello = await feed.next()
            assert hello["type"] == "hello"
            assert hello["version"] == table.version
            while table.game.status.value == "running":
                table = (await process.moved(table, players, picks)).table
            frames = await feed.through(table.version)
        assert [frame["version"] for frame in frames] == list(range(hello["version"] + 1, table.version + 1))
