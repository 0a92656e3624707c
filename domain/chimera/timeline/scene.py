"""What is known about an event besides its facts: the seat, its move, and the views before and after."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.chimera import moves as m
from domain.chimera.agenda import Owed
from domain.chimera.material import Material
from domain.chimera.state import Action
from domain.chimera.view import View
from domain.kernel.terms import Seat


class Scene(Struct, frozen=True):
    """An event as a viewer sees it. Without views nothing is known of what was asked and who stood where."""

    material: Material
    names: Sequence[str]
    seat: Seat
    move: Struct | None
    before: View | None = None
    after: View | None = None

    @property
    def owed(self) -> Sequence[Owed]:
        """What was owed before the move, the question first."""
        return () if self.before is None else self.before.owed

    @property
    def asked(self) -> Owed | None:
        """The question that the move answers."""
        return self.owed[0] if self.owed else None

    @property
    def actor(self) -> Seat:
        """The seat whose action is under way, which need not be the one that was asked."""
        return self.before.actions[-1].seat if self.before is not None and self.before.actions else self.seat

    @property
    def finished(self) -> Action | None:
        """The innermost action, begun by this move or under way before it, if nothing more is owed in it."""
        if self.after is None:
            return None
        if isinstance(self.move, m.PlaceWorker):
            action = Action(self.seat, self.move.worker)
        elif self.before is not None and self.before.actions:
            action = self.before.actions[-1]
        else:
            return None
        open_now = {(each.seat, each.worker) for each in self.after.actions}
        return None if (action.seat, action.worker) in open_now else action
