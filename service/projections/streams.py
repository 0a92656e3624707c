"""The statements that find the games of a list: several, each led by an index that holds only what may be shown.

Each stream gives rows of the lobby, newest first and at most as many as the page has, and no row is in two of them. So
whatever sandboxes, unlisted games and games of other titles there are, a page visits a few times its own length. Only
among an account's own games, or the public ones of the account that is asked for, are some passed over by a filter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from domain.kernel.game import Status

_GENERATION = "generation = (select generation from projection)"

# Looked up for each game: a join would be planned as if all games had to be gone through.
_READABLE = "coalesce((select false from unreadable_games as u where u.game_id = l.game_id), true)"

_LOBBY = "lobby as l"
_HISTORY = "history as h join lobby as l using (generation, game_id)"


class Filters(Struct, frozen=True):
    """What a list is asked for; None where it does not matter."""

    title: str | None = None
    status: Status | None = None
    account: str | None = None
    open_seats: bool | None = None
    sandbox: bool = False


class Streams:
    """Writes the streams of a list, whose values go into `values`."""

    def __init__(self, filters: Filters, caller: str | None, before: int | None, limit: int) -> None:
        self.values: list[Any] = []
        self._filters = filters
        self._limit = self._value(limit)
        self._own = caller is not None and caller == filters.account
        self._caller = None if caller is None or self._own else self._value(caller)
        self._account = None if filters.account is None else self._value(filters.account)
        self._title = None if filters.title is None else self._value(filters.title)
        self._before = None if before is None else self._value(before)

    def __str__(self) -> str:
        return " union all ".join(f"({stream})" for stream in self._all())

    def _all(self) -> Iterator[str]:
        if self._account is None:
            yield from self._public()
        elif self._own:
            yield self._stream(_HISTORY, "h", [f"h.account = {self._account}", *self._rest()])
        else:
            unlike = "false" if self._filters.sandbox else "true"
            yield self._stream(
                _HISTORY,
                "h",
                [
                    f"h.account = {self._account}",
                    f"h.unlisted is not true and h.sandbox is not {unlike}",
                    "l.visibility = 'public'",
                    *self._rest(),
                ],
            )
        if self._caller is not None:
            yield from self._unlisted(self._caller)

    def _public(self) -> Iterator[str]:
        """One stream for each range of an index: by status and whether seats are free, if one of these matters."""
        wanted = self._filters
        base = ["l.visibility = 'public'", self._sandbox()]
        if self._title is not None:
            base.append(f"l.title = {self._title}")
        if wanted == Filters(sandbox=wanted.sandbox):
            yield self._stream(_LOBBY, "l", base)
            return
        for status in Status if wanted.status is None else (wanted.status,):
            for free in (0, 1) if wanted.open_seats is None else (int(wanted.open_seats),):
                yield self._stream(
                    _LOBBY, "l", [*base, f"l.status = '{status.value}'", f"least(l.open_seats, 1) = {free}"]
                )

    def _unlisted(self, caller: str) -> Iterator[str]:
        """Unlisted games that the caller has opened, and further ones where it sits."""
        conditions = ["l.visibility <> 'public'", *self._rest()]
        if self._account is not None:
            conditions.append(
                "exists (select from history as other where other.generation = l.generation"
                f" and other.game_id = l.game_id and other.account = {self._account})"
            )
        yield self._stream(_LOBBY, "l", [f"l.creator = {caller}", *conditions])
        sits = [f"h.account = {caller}", "h.unlisted is not false", f"l.creator <> {caller}"]
        yield self._stream(_HISTORY, "h", [*sits, *conditions])

    def _rest(self) -> Iterator[str]:
        """All filters but that of the account, as conditions on the lobby."""
        wanted = self._filters
        yield self._sandbox()
        if self._title is not None:
            yield f"l.title = {self._title}"
        if wanted.status is not None:
            yield f"l.status = '{wanted.status.value}'"
        if wanted.open_seats is not None:
            yield f"least(l.open_seats, 1) = {int(wanted.open_seats)}"

    def _sandbox(self) -> str:
        return "l.sandbox" if self._filters.sandbox else "not l.sandbox"

    def _stream(self, source: str, order: str, conditions: Sequence[str]) -> str:
        before = [] if self._before is None else [f"{order}.position < {self._before}"]
        where = " and ".join([f"{order}.{_GENERATION}", *conditions, *before, _READABLE])
        return f"select l.* from {source} where {where} order by {order}.position desc limit {self._limit}"  # noqa: S608 - constants and numbers of values

    def _value(self, of: object) -> str:
        self.values.append(of)
        return f"${len(self.values)}"
