"""What happened, as outcomes: the facts that are logged, what they hide from whom, and their draws."""

from __future__ import annotations

from typing import TypeAlias

from domain.kernel.chance import Draw
from domain.kernel.redaction import unseen
from domain.kernel.terms import Seat
from domain.kernel.value import Hides, Value
from domain.spacelab.effects import Owed
from domain.spacelab.state import Pile, State


class GameSetUp(Value, frozen=True, tag="spacelab.game_set_up"):
    """Decks were shuffled, objective tiles dealt to each seat, boosts piled, and a start seat drawn."""

    start: Seat
    lab_deck: tuple[str, ...]
    project_deck: tuple[str, ...]
    dealt: tuple[tuple[str, ...], ...]
    spare: tuple[str, ...]
    piles: tuple[Pile, ...]

    hides = Hides(
        "The set-up without the order of the decks and without the tiles left in the box.",
        counts=("lab_deck", "project_deck", "spare"),
    )


class ObjectivesAssigned(Value, frozen=True, tag="spacelab.objectives_assigned"):
    """A seat put its tiles on the capsules, left to right."""

    seat: Seat
    tiles: tuple[str, ...]


class LabsRevealed(Value, frozen=True, tag="spacelab.labs_revealed"):
    """The top cards of the lab deck were turned up."""

    cards: tuple[str, ...]


class LabsReshuffled(Value, frozen=True, tag="spacelab.labs_reshuffled"):
    """The discards became the lab deck, in this order. No event has two: nothing is discarded after its first fact."""

    lab_deck: tuple[str, ...]

    hides = Hides("The discards became the lab deck, in an order that nobody sees.", counts=("lab_deck",))


class LabsTaken(Value, frozen=True, tag="spacelab.labs_taken"):
    """A seat took an agency of the revealed cards; the rest went to the Recruitment Center."""

    seat: Seat
    agency: str
    cards: tuple[str, ...]
    rest: tuple[str, ...]


class LabsRecruited(Value, frozen=True, tag="spacelab.labs_recruited"):
    """A seat took an agency from the Recruitment Center."""

    seat: Seat
    agency: str
    cards: tuple[str, ...]


class LabsDrawn(Value, frozen=True, tag="spacelab.labs_drawn"):
    """A seat drew the top cards of the lab deck, unseen by the others."""

    seat: Seat
    cards: tuple[str, ...]

    hides = Hides("Another seat drew lab cards.", counts={"cards": "count"}, unless=("seat",))


class LabPlaced(Value, frozen=True, tag="spacelab.lab_placed"):
    """A seat placed a lab and discarded `paid` for it: from now on all of these lie open."""

    seat: Seat
    card: str
    slot: str
    paid: tuple[str, ...]


class ProjectsDrawn(Value, frozen=True, tag="spacelab.projects_drawn"):
    """A seat drew the top cards of the project deck, to keep one."""

    seat: Seat
    cards: tuple[str, ...]

    hides = Hides("Another seat drew projects.", counts={"cards": "count"}, unless=("seat",))


class ProjectKept(Value, frozen=True, tag="spacelab.project_kept"):
    """A seat kept a project; the others went under the deck in this order."""

    seat: Seat
    card: str
    returned: tuple[str, ...]

    hides = Hides(
        "Another seat kept a project and put the others back.", counts=("returned",), drops=("card",), unless=("seat",)
    )


class ObjectiveCompleted(Value, frozen=True, tag="spacelab.objective_completed"):
    """A seat completed a capsule's objective and covered it with a boost, if the pile had one (S7)."""

    seat: Seat
    capsule: str
    boost: str | None


class EndTriggered(Value, frozen=True, tag="spacelab.end_triggered"):
    """A seat completed its last objective or filled its last slot; the others have one last action each."""

    seat: Seat


class Passed(Value, frozen=True, tag="spacelab.passed"):
    """A seat could do nothing."""

    seat: Seat


class AgendaSet(Value, frozen=True, tag="spacelab.agenda_set"):
    """What is still owed, the next first, and the seat that owes it. It holds nothing hidden."""

    active: Seat
    agenda: tuple[Owed, ...]


class GameScored(Value, frozen=True, tag="spacelab.game_scored"):
    """The game is over: all hands and projects were laid open, by seat."""

    hands: tuple[tuple[str, ...], ...]
    projects: tuple[tuple[str, ...], ...]


_Open: TypeAlias = (
    ObjectivesAssigned
    | LabsRevealed
    | LabsTaken
    | LabsRecruited
    | LabPlaced
    | ObjectiveCompleted
    | EndTriggered
    | Passed
    | AgendaSet
    | GameScored
)
_OwnerOnly: TypeAlias = LabsDrawn | ProjectsDrawn | ProjectKept
Fact: TypeAlias = _Open | GameSetUp | LabsReshuffled | _OwnerOnly

GameSetUpUnseen = unseen(GameSetUp)
LabsReshuffledUnseen = unseen(LabsReshuffled)
LabsDrawnUnseen = unseen(LabsDrawn)
ProjectsDrawnUnseen = unseen(ProjectsDrawn)
ProjectKeptUnseen = unseen(ProjectKept)


def reveals(state: State, fact: Fact) -> bool:
    """Whether a fact tells anyone what was hidden from them: the top of a deck, or a card that was held unseen."""
    match fact:
        case LabsRevealed() | LabsDrawn() | ProjectsDrawn() | GameScored():
            return True
        case LabPlaced():
            unseen = state.players[fact.seat].unseen
            return any(card in unseen for card in (fact.card, *fact.paid))
        case _:
            return False


def draws(fact: Fact) -> tuple[Draw, ...]:
    """The draws that a fact records, in the order they were made."""
    match fact:
        case GameSetUp():
            tiles = tuple(tile for hand in fact.dealt for tile in hand) + fact.spare
            return (
                Draw("start", tuple(range(len(fact.dealt))), (fact.start,)),
                _shuffle("labs", fact.lab_deck),
                _shuffle("projects", fact.project_deck),
                _shuffle("objectives", tiles),
            )
        case LabsReshuffled():
            return (_shuffle("labs", fact.lab_deck),)
        case _:
            return ()


def _shuffle(purpose: str, order: tuple[str, ...]) -> Draw:
    return Draw(purpose, tuple(sorted(order)), order)
