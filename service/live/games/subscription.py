"""One connection that watches: who it is, its outbox and form, and its subscription to each game."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from domain.kernel.ids import AccountId
from service.limits.delivery import Charge, Delivery, free_of_charge
from service.live.encodings import Encoding
from service.live.frames import ServerFrame
from service.live.outbox import Outbox

if TYPE_CHECKING:
    from service.live.games.room import Audience, Room


class Watcher:
    """A connection. `account` is None for the public."""

    __slots__ = ("account", "charge", "form", "outbox", "subscriptions")

    def __init__(self, outbox: Outbox, form: Encoding, charge: Charge = free_of_charge) -> None:
        """`charge` counts what it is sent to catch up."""
        self.outbox = outbox
        self.form = form
        self.charge = charge
        self.account: AccountId | None = None
        self.subscriptions: dict[str, Subscription] = {}

    def tell(self, frame: ServerFrame, epoch: str = "") -> None:
        """Send a frame that is for this watcher alone; `epoch` is that of the position in it, if there is one."""
        self.outbox.put(self.form.pack(frame, epoch))


class Subscription:
    """A watcher's place in a game: all events up to `version` have been put into its outbox.

    `audience` is set while it is sent what happens as it happens, `catching_up` while it is on its way there.
    """

    __slots__ = ("audience", "catching_up", "delivery", "room", "version", "watcher")

    def __init__(self, watcher: Watcher, room: Room, version: int) -> None:
        self.watcher = watcher
        self.room = room
        self.version = version
        self.audience: Audience | None = None
        self.catching_up: asyncio.Task[None] | None = None
        self.delivery: Delivery | None = None
        """Counts what it is sent while it catches up, if it asked for that itself."""
