"""What a seat pays and gains in a row, summed up: `pays 2 coins for 1 brain`, `gets 3 coins and 2 food`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from domain.chimera.effects import Reward, Source
from domain.chimera.material import Material
from domain.chimera.words import counted, goods, name_of, perk_name, place_name
from domain.kernel.terms import Seat
from domain.kernel.words import Names, both, put

_SOURCES: Mapping[Source, Names] = {
    "start": both("at the start", "開始時に"),
    "brain": both("for the brain", "頭脳で"),
    "command": both("for the command", "指揮で"),
    "effect": both("for the effect", "効果で"),
    "build": both("for building", "建設で"),
    "bonus": both("as the build bonus", "建設ボーナスで"),
    "reactor": both("from the reactor", "反応炉報酬で"),
    "research": both("for research", "研究で"),
    "card": both("from the starting card", "初期資源カードで"),
    "perk": both("from a perk", "特権で"),
    "shortage": both("in place of a component that the supply lacks", "サプライにないパーツの代わりに"),
    "hunger": both("for missing food", "食料不足で"),
    "union_hall": both("for a perk", "特権の得点計算で"),
    "coins": both("for coins", "コインで"),
    "food": both("for food", "食料で"),
    "components": both("for components", "パーツで"),
    "perk_end": both("for a perk", "特権で"),
}


class Haul:
    """What a seat has paid and gained since the last clause."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self._paid: Counter[Reward] = Counter()
        self._points: Counter[tuple[Source, str | None]] = Counter()
        self._gained: Counter[Reward] = Counter()

    def pay(self, coins: int, food: int) -> None:
        """Add a payment."""
        self._paid.update(coins=coins, food=food)

    def gain(self, what: Reward, number: int = 1) -> None:
        """Add a gain of anything but points."""
        self._gained[what] += number

    def score(self, source: Source, piece: str | None, points: int) -> None:
        """Add points; negative ones are lost."""
        self._points[source, piece] += points

    def has_gained(self) -> bool:
        """Whether there is more than a payment."""
        return bool(+self._gained) or bool(self._points)

    def take_payment(self) -> Names | None:
        """Take the payment out, for another clause that says what it was for."""
        paid = goods(self._paid)
        self._paid.clear()
        return paid

    def take_points(self, source: Source, piece: str) -> int:
        """Take points of a source out, for another clause that says what they are for."""
        return self._points.pop((source, piece), 0)

    def clauses(self, material: Material, here: str | None) -> Sequence[Names]:
        """What is left, in words; `here` is a place that has just been named."""
        paid, gained = goods(self._paid), goods(self._gained)
        found: list[Names] = []
        if paid and gained and not self._points:
            return [put("pays {} for {}", "{}を払って{}を得る", paid, gained)]
        if paid:
            found.append(put("pays {}", "{}を払う", paid))
        found += [_scored(material, here, *key, points) for key, points in self._points.items() if points]
        if gained:
            found.append(put("gets {}", "{}を得る", gained))
        return found


def _scored(material: Material, here: str | None, source: Source, piece: str | None, points: int) -> Names:
    if source == "effect" and piece == here:
        return put("scores {}", "{}を得る", counted("points", points))
    where = _where(material, source, piece)
    if points < 0:
        return put("loses {} {}", "{1}{0}を失う", counted("points", -points), where)
    return put("scores {} {}", "{1}{0}を得る", counted("points", points), where)


def _where(material: Material, source: Source, piece: str | None) -> Names:
    if piece is not None and piece in material.perks:
        return put("from {}", "{}で", perk_name(material, piece))
    if source == "effect" and piece is not None and piece in material.modules:
        return put("from {}", "{}で", place_name(material, piece))
    if source == "build" and piece is not None:
        return put("for building {}", "{}の建設で", name_of(material, piece))
    return _SOURCES[source]
