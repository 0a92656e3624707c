"""A watcher's place in a feed: the lobby, or what concerns its own account."""

from __future__ import annotations

import asyncio
from collections import deque

from service.live.frames import Feed
from service.live.games.subscription import Watcher
from service.log.safe_order import START, LogPosition

PENDING = 500
"""Notices that may wait for one who catches up; if there are more, it reads them from the log as well."""


class Batch:
    """Notices that come next, with their places in the log: the same bytes for all who are sent them."""

    __slots__ = ("data", "notices")

    def __init__(self, notices: list[tuple[LogPosition, bytes]]) -> None:
        self.notices = notices
        self.data = b"".join([data for _, data in notices])

    def after(self, place: LogPosition) -> list[tuple[LogPosition, bytes]]:
        """Those after a place."""
        return [each for each in self.notices if each[0] > place]


class Follow:
    """All notices up to `place` have been put into the watcher's outbox, or were none of its business.

    While it is on its way there (`catching_up`), what the reader hands out in the meantime waits in `pending`.
    """

    __slots__ = ("account", "catching_up", "feed", "pending", "place", "too_many", "watcher")

    def __init__(self, watcher: Watcher, feed: Feed) -> None:
        self.watcher = watcher
        self.feed: Feed = feed
        self.account = watcher.account if feed == "account" else None
        self.place: LogPosition = START
        self.pending: deque[tuple[LogPosition, bytes]] | None = None
        self.too_many = False
        """Whether something that should wait in `pending` found no room there."""
        self.catching_up: asyncio.Task[None] | None = None

    def hand(self, batch: Batch) -> None:
        """Take what comes next in the log; what was sent before, from the log, is passed over."""
        fresh = batch.notices if batch.notices[0][0] > self.place else batch.after(self.place)
        if not fresh:
            return
        if self.pending is None:
            self.place = fresh[-1][0]
            data = batch.data if fresh is batch.notices else b"".join([each for _, each in fresh])
            self.watcher.outbox.put(data, len(fresh))
        elif len(self.pending) + len(fresh) <= PENDING:
            self.pending += fresh
        else:
            self.too_many = True
