"""What happens to workers in words: whose worker, with which components, from where to where."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from domain.chimera import facts as f
from domain.chimera.effects import Kind
from domain.chimera.state import LOUNGE, seat_of
from domain.chimera.timeline.account import Account
from domain.chimera.words import at, kinds_text, place_name
from domain.kernel.words import both, put


def _placed(account: Account, fact: f.WorkerPlaced) -> None:
    material, owner, origin = account.material, seat_of(fact.worker), account.crew.place(fact.worker)
    worker, to = account.crew.name(fact.worker, account.scene.names, owner), place_name(material, fact.to)
    if origin is None:
        words = put("places {} {}", "{}を{}に配置する", worker, at(material, fact.to))
    else:
        words = put("moves {} from {} to {}", "{}を{}から{}に再配置する", worker, place_name(material, origin), to)
    if account.ejected is not None:
        victim, account.ejected = account.ejected, None
        en, ja = "{}, ejecting {} to {}", "{3}の{1}を{2}に追い出し、{0}"
        words = put(en, ja, words, victim, place_name(material, LOUNGE), to)
    account.say(owner, words)
    account.last, account.here = fact.worker, fact.to


def _ejected(account: Account, fact: f.WorkerEjected) -> None:
    """By a claw, which the placing that follows tells; or by an effect."""
    crew, names = account.crew, account.scene.names
    if fact.by is not None:
        account.ejected = crew.name(fact.worker, names, seat_of(fact.by), "another of their own workers")
        return
    actor, origin = account.scene.actor, crew.place(fact.worker)
    worker = crew.name(fact.worker, names, actor, "one of their own workers")
    lounge = place_name(account.material, LOUNGE)
    if origin is None:
        account.say(actor, put("ejects {} to {}", "{}を{}に追い出す", worker, lounge))
    else:
        place = place_name(account.material, origin)
        account.say(actor, put("ejects {} from {} to {}", "{1}の{0}を{2}に追い出す", worker, place, lounge))


def _moved(account: Account, fact: f.WorkerMoved) -> None:
    worker = account.crew.name(fact.worker, account.scene.names, seat_of(fact.worker))
    to = place_name(account.material, fact.to)
    account.say(seat_of(fact.worker), put("moves {} onto {}", "{}を{}に移動させる", worker, to))
    account.last, account.here = fact.worker, fact.to


def _recalled(account: Account, fact: f.WorkerRecalled) -> None:
    owner, origin = seat_of(fact.worker), account.crew.place(fact.worker)
    worker = account.crew.name(fact.worker, account.scene.names, owner)
    if origin is None:
        account.say(owner, put("recalls {}", "{}を呼び戻す", worker))
    else:
        place = place_name(account.material, origin)
        account.say(owner, put("recalls {} from {}", "{1}から{0}を呼び戻す", worker, place))


def _swapped(account: Account, fact: f.WorkersSwapped) -> None:
    """Each worker stood where the other one stands now."""
    owner, crew, names = seat_of(fact.own), account.crew, account.scene.names
    own, other = crew.name(fact.own, names, owner), crew.name(fact.other, names, owner)
    here, there = place_name(account.material, fact.other_to), place_name(account.material, fact.own_to)
    en, ja = "swaps {0} from {1} with {2} from {3}", "{1}の{0}を{3}の{2}と入れ替える"
    account.say(owner, put(en, ja, own, here, other, there))


def _protected(account: Account, fact: f.WorkerProtected) -> None:
    worker, place = account.crew.name(fact.worker, account.scene.names, None), account.crew.place(fact.worker)
    name = worker if place is None else put("{} {}", "{1}の{0}", worker, at(account.material, place))
    en, ja = "{} can be neither ejected nor recalled until it leaves", "{}は離れるまで追い出されず、呼び戻されない"
    account.say(None, put(en, ja, name))


def _spliced(account: Account, fact: f.WorkerSpliced) -> None:
    """What was attached and detached, as far as it is known what the worker carried."""
    owner, crew = seat_of(fact.worker), account.crew
    if crew.components(fact.worker) is None:
        account.say(owner, put("leaves a worker with {}", "ワーカーに{}を持たせる", kinds_text(fact.components)))
        return
    attached, detached = crew.changed(fact.worker, fact.components)
    if detached:
        _change(account, fact.worker, "detaches {} from {}", "{1}から{0}を外す", detached)
    if attached:
        _change(account, fact.worker, "attaches {} to {}", "{1}に{0}を付ける", attached)


def _implanted(account: Account, fact: f.ComponentImplanted) -> None:
    if account.scene.before is None and account.scene.move is None:
        words = put("starts with {} on a worker", "{}の付いたワーカーを持って開始する", kinds_text((fact.component,)))
        account.say(seat_of(fact.worker), words)
    else:
        en, ja = "attaches {} from the supply to {}", "{1}にサプライの{0}を付ける"
        _change(account, fact.worker, en, ja, (fact.component,))


def _removed(account: Account, fact: f.ComponentsRemoved) -> None:
    en, ja = "removes {} from {}", "{1}から{0}を除去する"
    if account.feeding:
        en, ja = f"{en} for missing food", f"食料不足で{ja}"
    _change(account, fact.worker, en, ja, fact.components)


def _change(account: Account, worker: str, en: str, ja: str, components: Sequence[Kind]) -> None:
    """A clause about components and their worker, which is `it` if the clause before was about it as well."""
    place, kinds = account.crew.place(worker), kinds_text(components)
    if account.last == worker:
        name = both("it", "そのワーカー")
    elif place is None:
        name = both("a worker", "ワーカー")
    else:
        name = put("the worker {}" if place != LOUNGE else "a worker {}", "{}のワーカー", at(account.material, place))
    account.say(seat_of(worker), put(en, ja, kinds, name))
    account.last = worker


WRITE: Mapping[type, Callable[[Account, Any], None]] = MappingProxyType(
    {
        f.WorkerPlaced: _placed,
        f.WorkerEjected: _ejected,
        f.WorkerMoved: _moved,
        f.WorkerRecalled: _recalled,
        f.WorkersSwapped: _swapped,
        f.WorkerProtected: _protected,
        f.WorkerSpliced: _spliced,
        f.ComponentImplanted: _implanted,
        f.ComponentsRemoved: _removed,
    }
)
