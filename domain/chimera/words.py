"""Gains, bonuses and pieces in words, English and Japanese, made from the component set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from domain.chimera.effects import Gain, Kind, Reward
from domain.chimera.material import Board, Material, Space
from domain.chimera.pieces.index import ALL_MODULES, BOARDS, BONUSES, PERKS
from domain.chimera.state import LAB, LOUNGE, POOL, RESERVE, SLOT_PREFIX
from domain.kernel import words
from domain.kernel.words import Names, both, joined, listed, put

_GAINED: Mapping[Reward, tuple[str, str, str]] = {
    "points": ("point", "points", "{}点"),
    "coins": ("coin", "coins", "コイン{}枚"),
    "food": ("food", "food", "食料{}つ"),
    "brain": ("brain", "brains", "頭脳{}つ"),
    "claw": ("claw", "claws", "ハサミ{}つ"),
    "leaf": ("leaf", "leaves", "木の葉{}つ"),
    "tentacle": ("tentacle", "tentacles", "触手{}つ"),
    "any_components": ("component of your choice", "components of your choice", "任意のパーツ{}つ"),
    "workers": ("worker", "workers", "ワーカー{}体"),
    "research": ("research step", "research steps", "研究{}段階"),
    "perks": ("perk", "perks", "特権カード{}枚"),
}
_PLACES = {POOL: both("pool", "ワーカー置き場"), RESERVE: both("reserve", "予備のワーカー")}
"""Where workers are that stand nowhere."""


def counted(what: Reward, number: int) -> Names:
    """A number of something that can be gained."""
    one, many, ja = _GAINED[what]
    return words.counted(number, one, ja, many)


def goods(numbers: Mapping[Reward, int]) -> Names | None:
    """Several things with their numbers: `2 coins and 1 brain`; None if there are none."""
    found = [counted(what, number) for what, number in numbers.items() if number > 0]
    if not found:
        return None
    return listed(found, "と")


def kinds_text(components: Iterable[Kind]) -> Names:
    """Components by their number: `2 claws and 1 leaf`; `nothing` if there are none."""
    return goods(Counter(components)) or both("nothing", "何も")


def gains_text(gains: Iterable[Gain]) -> Names:
    """What is gained: `2 coins and 1 food`."""
    found = [_gain_text(gain) for gain in gains]
    return listed(found) if found else both("nothing", "なし")


def _gain_text(gain: Gain) -> Names:
    if gain.of == "round":
        _, many, ja = _GAINED[gain.what]
        noun = "得点" if gain.what == "points" else ja.partition("{}")[0]
        return both(f"{many} equal to the round number", f"現在のラウンド数に等しい数の{noun}")
    return counted(gain.what, gain.base)


def gain_text(gains: Iterable[Gain]) -> Names:
    """The same as an instruction."""
    return put("Gain {}.", "{}を得る。", gains_text(gains))


def bonus_text(space: Space) -> Names:
    """What is printed on a build space."""
    rules = BONUSES.get(space.bonus)
    return gain_text(space.gains) if rules is None or rules.text is None else rules.text


def perk_text(perk: str) -> Names:
    """What a perk does: on taking it, always or where a worker is placed on it, and at the end of the game."""
    rules = PERKS[perk]
    taken = () if rules.taken is None else (rules.taken.text,)
    return joined(*taken, rules.text, put("End of game: {}", "ゲーム終了時: {}", rules.end.text))


def board_text(board: Board) -> Names:
    """What a board begins with, its power and its track."""
    parts = [BOARDS[board.id].text]
    if board.start_component is not None:
        kind = counted(board.start_component, 1)
        parts.append(put("One worker starts with {}.", "ワーカー1体は{}が組み込まれた状態で開始する。", kind))
    if board.start_perks:
        parts.append(put("Start with {}.", "{}を持って開始する。", counted("perks", board.start_perks)))
    tier = board.start_research
    parts.append(both(f"Research starts at tier {tier}.", f"研究第{tier}段階から開始する。"))
    for tier, gains in enumerate(board.tiers):
        if tier > 1:
            parts.append(put(f"Tier {tier}: {{}}.", f"第{tier}段階: {{}}。", gains_text(gains)))
    return joined(*parts)


def boiler_text(material: Material) -> Names:
    """The table of the Boiler Room."""
    return listed(
        put("{} for each {}", "{1}1つにつき{0}", gains_text(gains), _kind(kind))
        for kind, gains in material.boiler.items()
    )


def _kind(kind: Kind) -> Names:
    return both(_GAINED[kind][0], _GAINED[kind][2].partition("{}")[0])


def name_of(material: Material, piece: str) -> Names:
    """The name of a module, perk, card, board or place, as it stands on the piece."""
    for pieces in (material.modules, material.perks, material.cards, material.boards):
        if piece in pieces:
            return pieces[piece].names
    if piece == LOUNGE:
        return material.names["worker_lounge"]
    if piece == LAB or piece.startswith(SLOT_PREFIX):
        lab, slot = material.names["splicing_lab"], piece.removeprefix(LAB).removeprefix(".")
        return both(f"{lab['en']} {slot}".strip(), f"{lab['ja']}{slot}")
    if piece in material.spaces:
        return both(f"space {piece}", f"スペース{piece}")
    return material.names[piece] if piece in material.names else _PLACES[piece]


def names_of(material: Material, pieces: Iterable[str]) -> Names:
    """The names of several pieces."""
    return listed(name_of(material, piece) for piece in pieces)


def perk_name(material: Material, perk: str) -> Names:
    """A perk in a sentence: `the Vendor perk`, `特権「売店」`."""
    return put("the {} perk", "特権「{}」", name_of(material, perk))


def module_name(material: Material, module: str) -> Names:
    """A module in a sentence: `the Cargo Bay`, but `Hydroponics`."""
    name = name_of(material, module)
    rules = ALL_MODULES.get(module)
    return name if rules is not None and not rules.article else both(f"the {name['en']}", name["ja"])


def place_name(material: Material, place: str) -> Names:
    """Where a worker can stand, in a sentence: `the Refinery`, `Splicing Lab A`."""
    if place in material.perks:
        return perk_name(material, place)
    if place.startswith(SLOT_PREFIX):
        return name_of(material, place)
    return module_name(material, place)


def at(material: Material, place: str) -> Names:
    """A place with its preposition, which Japanese does not need: `at the Refinery`, `in the Worker Lounge`."""
    preposition = "on" if place in material.perks else "in" if place == LOUNGE or place.startswith(LAB) else "at"
    return put(f"{preposition} {{}}", "{}", place_name(material, place))
