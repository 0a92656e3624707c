"""Where workers stand and what they carry while the facts of one event go by, as far as a viewer knows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from domain.chimera import facts as f
from domain.chimera.effects import Kind
from domain.chimera.state import LOUNGE, POOL, RESERVE, seat_of, worker_id
from domain.chimera.view import View
from domain.chimera.words import kinds_text
from domain.kernel.terms import Seat
from domain.kernel.words import Names, both


class Crew:
    """The workers by their names; empty where no view is known."""

    def __init__(self, view: View | None) -> None:
        self._places: dict[str, str] = {}
        self._components: dict[str, tuple[Kind, ...]] = {}
        for seat, player in enumerate(view.players if view is not None else ()):
            for number, worker in enumerate(player.workers):
                name = worker_id(seat, number)
                self._places[name] = worker.place
                self._components[name] = worker.components

    def place(self, worker: str) -> str | None:
        """Where a worker stands; None in a pool, in the reserve, or where that is not known."""
        place = self._places.get(worker)
        return None if place in {POOL, RESERVE} else place

    def components(self, worker: str) -> tuple[Kind, ...] | None:
        """What a worker carries; None where that is not known."""
        return self._components.get(worker)

    def name(self, worker: str, names: Sequence[str], speaker: Seat | None, own: str = "a worker") -> Names:
        """A worker by its owner and by what it carries; `own` if the owner is the subject of the clause (`speaker`)."""
        owner, carried = seat_of(worker), self._components.get(worker, ())
        en = f"{names[owner]}'s worker" if owner != speaker else own
        ja = f"{names[owner]}の" if owner != speaker else "自分の" if "own" in own else ""
        if not carried:
            return both(en, f"{ja}ワーカー")
        kinds = kinds_text(carried)
        return both(f"{en} with {kinds['en']}", f"{ja}{kinds['ja']}を持つワーカー")

    def changed(self, worker: str, components: Sequence[Kind]) -> tuple[list[Kind], list[Kind]]:
        """What a worker gets and loses that carries these components from now on."""
        now, then = Counter(components), Counter(self._components.get(worker, ()))
        return list((now - then).elements()), list((then - now).elements())

    def follow(self, fact: Struct) -> None:
        """Let a fact happen to the workers."""
        match fact:
            case f.WorkerPlaced(worker, to) | f.WorkerMoved(worker, to):
                self._places[worker] = to
            case f.WorkerEjected(worker):
                self._places[worker] = LOUNGE
            case f.WorkerRecalled(worker) | f.WorkerJoined(worker):
                self._places[worker] = POOL
            case f.WorkersSwapped(own, own_to, other, other_to):
                self._places |= {own: own_to, other: other_to}
            case f.WorkersReturned():
                self._places = {name: POOL if place != RESERVE else place for name, place in self._places.items()}
            case f.WorkerSpliced(worker, components):
                self._components[worker] = components
            case f.ComponentImplanted(worker, component):
                self._components[worker] = (*self._components.get(worker, ()), component)
            case f.ComponentsRemoved(worker, components):
                left = Counter(self._components.get(worker, ())) - Counter(components)
                self._components[worker] = tuple(left.elements())
            case _:
                pass
