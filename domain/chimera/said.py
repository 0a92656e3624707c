"""What a seat decided, in words: for where the facts alone do not show it, or show it only by what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from domain.chimera import facts as f
from domain.chimera import moves as m
from domain.chimera.effects import Reward
from domain.chimera.material import Material, Names
from domain.chimera.state import seat_of
from domain.chimera.texts import OPTION_TEXTS
from domain.chimera.words import both, counted, listed, name_of, names_of
from domain.kernel.terms import Seat

_AS_SAID: Mapping[type, Names] = MappingProxyType(
    {
        m.ApplyEffect: both("applies the effect", "効果を適用する"),
        m.Decline: both("declines", "見送る"),
        m.EndTurn: both("ends the turn", "手番を終える"),
    }
)
_SHOWN: Mapping[type, tuple[type, ...]] = MappingProxyType(
    {
        m.TakeCard: (f.CardTaken,),
        m.PlaceWorker: (f.WorkerPlaced,),
        m.Flush: (f.CardSpent,),
        m.TakeCoinsAndFood: (f.ResourcesChanged,),
        m.TakeComponent: (f.ComponentGained, f.ComponentImplanted),
        m.TakePerk: (f.PerkTaken,),
        m.BuildModule: (f.ModuleBuilt,),
        m.RecallWorker: (f.WorkerRecalled,),
        m.SwapWorkers: (f.WorkersSwapped,),
        m.SpliceWorker: (f.WorkerSpliced,),
        m.RemoveComponents: (f.ComponentsRemoved,),
        m.ReturnComponents: (f.ComponentsReturned,),
        m.DiscardPerk: (f.PerkDiscarded,),
    }
)
"""Moves that a fact of such a kind tells as well, where there is one."""
_MAY_CHANGE_NOTHING = (m.TakeCoinsAndFood, m.TakeComponent, m.SpliceWorker, m.RemoveComponents)
"""If they change something they do so first: a later fact of that kind is of what came after them."""


def said(material: Material, seat: Seat, move: Struct | None, facts: Sequence[Struct], names: Sequence[str]) -> Names:
    """What a seat decided, without its name; nothing where its facts tell it."""
    found = facts[:1] if isinstance(move, _MAY_CHANGE_NOTHING) else facts
    if move is None or any(isinstance(fact, _SHOWN.get(type(move), ())) for fact in found):
        return both("", "")
    return _AS_SAID.get(type(move)) or _about(material, move) or _with(seat, move, names)


def _about(material: Material, move: Struct) -> Names | None:
    """What is decided about pieces."""
    match move:
        case m.ChooseOption(option):
            return both(*OPTION_TEXTS[option])
        case m.ChooseModule(module):
            return _put("applies {}", "{}の効果を適用する", name_of(material, module))
        case m.ChooseSpace(space):
            return _put("chooses {}", "{}を選ぶ", name_of(material, space))
        case m.TakeComponent(component):
            return _put("chooses {}", "{}を選ぶ", name_of(material, component))
        case m.AttachComponents(components):
            return _some(material, components, "attaches", "を付ける", "付けない")
        case m.DetachComponents(components):
            return _some(material, components, "detaches", "を外す", "外さない")
        case m.RemoveComponents(_, components):
            return _some(material, components, "removes", "を除去する", "除去しない")
        case m.SpliceWorker(components):
            return _spliced(material, components)
        case _:
            return None


def _with(seat: Seat, move: Struct, names: Sequence[str]) -> Names:
    """What is decided about other seats and about coins and food."""
    match move:
        case m.TakeCoinsAndFood(coins, food):
            return _put("takes {}", "{}を取る", _resources(coins, food))
        case m.EjectWorker(worker):
            owner = seat_of(worker)
            if owner == seat:
                return both("ejects an own worker", "自分のワーカーを追い出す")
            return both(f"ejects a worker of {names[owner]}", f"{names[owner]}のワーカーを追い出す")
        case m.Give(resource):
            return _put("gives {}", "{}を渡す", _resources(*((1, 0) if resource == "coin" else (0, 1))))
        case m.TakeTribute(seats, coins):
            givers, taken = [names[each] for each in seats], counted("coins", coins)
            each = both(" each", "ずつ") if len(seats) > 1 else both("", "")
            return both(
                f"takes {taken['en']}{each['en']} from {' and '.join(givers)}",
                f"{'と'.join(givers)}から{taken['ja']}{each['ja']}を取る",
            )
        case _:
            # A move whose facts always tell it. Were there none, it would at least be said who moved.
            return both("moves", "行動する")


def _spliced(material: Material, components: Sequence[str]) -> Names:
    """A worker that carries what it carried before."""
    if not components:
        return both("splices nothing", "何も組み込まない")
    return _put("leaves the worker with {}", "ワーカーのパーツを変えない: {}", names_of(material, components))


def _some(material: Material, components: Sequence[str], en: str, ja: str, ja_nothing: str) -> Names:
    if not components:
        return both(f"{en} nothing", f"何も{ja_nothing}")
    return _put(f"{en} {{}}", f"{{}}{ja}", names_of(material, components))


def _resources(coins: int, food: int) -> Names:
    amounts: tuple[tuple[Reward, int], ...] = (("coins", coins), ("food", food))
    return listed(counted(what, number) for what, number in amounts if number)


def _put(en: str, ja: str, words: Names) -> Names:
    """Both languages with their words in the gap."""
    return both(en.format(words["en"]), ja.format(words["ja"]))
