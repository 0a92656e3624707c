"""Events in words, for any title: made of what is served, with no idea of what it means.

A move or fact becomes the words of its type and its fields; ids of pieces become their names. Of the facts
of an event only news is printed: what the move or an earlier fact has said already is left out. Facts with something
nested in them are bookkeeping for programs, and are left out as well.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, cast

from tablelog_client import ComponentSet, Event, Result, SeatScore

WIDTH = 100


class Narrator:
    """Narrates a game to the public; `names` are the players' by seat."""

    def __init__(self, components: ComponentSet, names: Sequence[str]) -> None:
        self._pieces = {piece.id: piece.names["en"] for piece in components.pieces}
        self._names = names
        self._bookkeeping: set[str] = set()

    def lines(self, event: Event) -> list[str]:
        """An event, on as many lines as it needs."""
        data, seat = event.data, event.data.get("seat")
        who = self._names[seat] if seat is not None else ""
        move: Mapping[str, Any] = data.get("move") or {}
        said = _values(move)
        news = [words for fact in data.get("facts", ()) if (words := self._news(fact, seat, said))]
        text = self._in_words(move) if move else _other(event)
        start = f"{event.version:3}  {who:{max(map(len, self._names))}}  "
        return _wrapped(start, f"{text} → {'; '.join(news)}" if news else text)

    def scores(self, result: Result) -> list[str]:
        """The final scores, best first, with the lines that they are made of."""
        lines: list[str] = []
        for score in sorted(result.scores, key=lambda each: each.rank):
            wins = "wins with " if score.seat in result.winners else ""
            lines.append(f"{self._names[score.seat]} {wins}{score.points} points")
            for source, points, pieces in _sources(score):
                names = ", ".join(f"{of} {self._value(piece)}" for piece, of in pieces)
                lines += _wrapped(f"  {points:4}  {source.replace('_', ' '):9}  ", names)
        return lines

    def _news(self, fact: Mapping[str, Any], seat: int | None, said: list[Any]) -> str:
        """What a fact adds to what was said, if anything."""
        if any(_is_nested(value) for value in fact.values()):
            self._bookkeeping.add(fact["type"])
        if fact["type"] in self._bookkeeping:
            return ""
        fresh = {name: value for name, value in fact.items() if name in {"type", "seat"} or value not in said}
        if _values(fact) and not _values(fresh):
            return ""
        said += _values(fresh)
        other: int | None = fact.get("seat")
        whose = "" if other is None or other == seat else f"{self._names[other]}: "
        return whose + self._in_words(fresh)

    def _in_words(self, thing: Mapping[str, Any]) -> str:
        """A move or a fact: the words of its type, then its fields but for the seat."""
        words = str(thing["type"]).rpartition(".")[2].replace("_", " ")
        fields = [(name, value) for name, value in thing.items() if name not in {"type", "seat"} and value != []]
        parts = [f"{name.replace('_', ' ')} {self._value(value)}" for name, value in fields]
        if fields and not isinstance(fields[0][1], int):
            words += f" {self._value(fields[0][1])}"  # "recruit Red Rocket": what comes first needs no word of its own
            del parts[0]
        return ", ".join([words, *parts])

    def _value(self, value: Any) -> str:
        match value:
            case str() if self._pieces.get(value, value) == value:
                return value.replace("_", " ")
            case str():
                return self._pieces[value]
            case list():
                return " + ".join(map(self._value, cast("list[Any]", value)))
            case _:
                return str(value)


def _other(event: Event) -> str:
    """An event without a move that the public may see."""
    match event.type:
        case "game_created":
            return f"a table for {event.data['seats']}, component set {event.data['component_set']}"
        case "seat_taken":
            return f"takes seat {event.data['seat']}"
        case "seat_left":
            return f"leaves seat {event.data['seat']}"
        case _:
            return "makes a hidden move"


def _values(thing: Mapping[str, Any]) -> list[Any]:
    return [value for name, value in thing.items() if name not in {"type", "seat"}]


def _is_nested(value: Any) -> bool:
    if isinstance(value, list):
        return any(isinstance(each, dict | list) for each in cast("list[Any]", value))
    return isinstance(value, dict)


def _sources(score: SeatScore) -> Iterator[tuple[str, int, list[tuple[str, int]]]]:
    """The score lines by their source, in the order given."""
    for source, lines in groupby(score.lines, key=lambda line: line.source):
        found = list(lines)
        yield source, sum(line.points for line in found), [(line.piece, line.points) for line in found if line.piece]


def _wrapped(start: str, text: str) -> list[str]:
    wrapped = textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=" " * len(start))
    return wrapped or [start.rstrip()]
