"""Gains, bonuses and pieces in words, English and Japanese, made from the component set."""

from __future__ import annotations

from collections.abc import Iterable

from domain.chimera.effects import Gain, Reward
from domain.chimera.material import Board, Material, Names, Space
from domain.chimera.perks.triggers import SCORING_WHEN_TAKEN
from domain.chimera.state import LAB, LOUNGE, SLOT_PREFIX
from domain.chimera.texts import BOARD_TEXTS, ENDS, PERK_TEXTS, PLACE_NAMES

_GAINED: dict[Reward, tuple[str, str, str]] = {
    "points": ("point", "points", "{}点"),
    "coins": ("coin", "coins", "コイン{}"),
    "food": ("food", "food", "食料{}"),
    "brain": ("brain", "brains", "頭脳{}個"),
    "claw": ("claw", "claws", "ハサミ{}個"),
    "leaf": ("leaf", "leaves", "木の葉{}個"),
    "tentacle": ("tentacle", "tentacles", "触手{}個"),
    "any_components": ("component of any kind", "components of any kind", "任意のパーツ{}個"),
    "workers": ("worker", "workers", "ワーカー{}体"),
    "research": ("step of research", "steps of research", "研究{}段階"),
    "perks": ("perk", "perks", "特権{}枚"),
}


def both(en: str, ja: str) -> Names:
    """A text in both languages."""
    return {"en": en, "ja": ja}


def counted(what: Reward, number: int) -> Names:
    """So many of something that can be gained."""
    one, many, ja = _GAINED[what]
    return both(f"{number} {one if number == 1 else many}", ja.format(number))


def listed(texts: Iterable[Names]) -> Names:
    """Several texts one after the other."""
    texts = tuple(texts)
    return both(", ".join(text["en"] for text in texts), "、".join(text["ja"] for text in texts))


def gains_text(gains: Iterable[Gain]) -> Names:
    """What is gained; `per round` where it is the number of the round."""
    found = [_gain_text(gain) for gain in gains]
    return listed(found) if found else both("nothing", "なし")


def _gain_text(gain: Gain) -> Names:
    if gain.of == "round":
        _, many, ja = _GAINED[gain.what]
        return both(f"as many {many} as the number of the round", ja.format("(ラウンド数)"))
    return counted(gain.what, gain.base)


def bonus_text(space: Space) -> Names:
    """What is printed on a build space."""
    match space.bonus:
        case "recall":
            return both("recall an own placed worker", "配置済の自分のワーカー1体を呼び戻す")
        case "reactor":
            return both("the current reactor rewards", "現在の反応炉報酬")
        case "adjacent_module":
            return both(
                "the effect of an adjacent module, without a worker", "隣接するモジュール1つの効果を、ワーカーなしで"
            )
        case _:
            return gains_text(space.gains)


def perk_text(perk: str) -> Names:
    """What a perk does: on taking it, always or where a worker is placed on it, and at the end of the game."""
    en, ja = PERK_TEXTS[perk]
    end_en, end_ja = ENDS[perk]
    if perk in SCORING_WHEN_TAKEN:
        en = f"on taking: points as the number of the round. {en}"
        ja = f"入手時: ラウンド数と同じ点数。{ja}"
    return both(f"{en}. At game end: {end_en}", f"{ja}。ゲーム終了時: {end_ja}")


def board_text(material: Material, board: Board) -> Names:
    """What a board begins with, its power and its track."""
    parts = [both(*BOARD_TEXTS[board.id])]
    if board.start_component is not None:
        kind = material.names[board.start_component]
        parts.append(both(f"one worker starts with a {kind['en']}", f"ワーカー1体が{kind['ja']}付きで開始"))
    if board.start_perks:
        perks = counted("perks", board.start_perks)
        parts.append(both(f"starts with {perks['en']}", f"{perks['ja']}を持って開始"))
    parts.append(both(f"research starts at tier {board.start_research}", f"研究第{board.start_research}段階から開始"))
    for tier, gains in enumerate(board.tiers):
        if tier > 1:
            text = gains_text(gains)
            parts.append(both(f"tier {tier}: {text['en']}", f"第{tier}段階: {text['ja']}"))
    return both("; ".join(part["en"] for part in parts), "。".join(part["ja"] for part in parts))


def boiler_text(material: Material) -> Names:
    """The table of the Boiler Room."""
    rows = [(material.names[kind], gains_text(gains)) for kind, gains in material.boiler.items()]
    return listed(both(f"{name['en']}: {text['en']}", f"{name['ja']}: {text['ja']}") for name, text in rows)


def name_of(material: Material, piece: str) -> Names:
    """The name of a module, perk, card, board or place."""
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
    return material.names[piece] if piece in material.names else both(*PLACE_NAMES[piece])


def names_of(material: Material, pieces: Iterable[str]) -> Names:
    """The names of several pieces."""
    return listed(name_of(material, piece) for piece in pieces)
