"""Whether what is owed could be owed: the course of the game, the actions under way, and the effects in between.

The flow of a game has a grammar. In each phase the flow effects of the agenda, read from the top, are a turn under way
(or none) followed by what is left of the phase; everything else in the agenda lies within that turn. For each action
under way there is one `ActionEnd` or `ActionClose`. Effects must name what there is.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import get_args

from domain.chimera import agenda as a
from domain.chimera.agenda import Flow, Owed
from domain.chimera.impossible import refuse, require
from domain.chimera.legal import answers
from domain.chimera.material import Material
from domain.chimera.state import LAB, LOUNGE, State, is_in_play, seat_of
from domain.chimera.station import station
from domain.chimera.verbs.table import VERBS

_FLOW = get_args(Flow)


def check_agenda(material: Material, state: State) -> None:
    """Refuse an agenda that no game could have."""
    if state.phase == "over":
        require(not state.agenda and not state.actions and not state.specimen, "agenda", "nothing is owed any more")
        return
    require(state.agenda, "agenda", "is empty, and the game is not over")
    places = frozenset(
        {
            *station(material, state),
            LAB,
            LOUNGE,
            *(perk for each in state.players for perk in each.perks),
        }
    )
    pieces = places.union(material.spaces, material.cards, material.boards)
    for owed in state.agenda:
        _owed(material, state, owed, places, pieces)
    flow = [owed for owed in state.agenda if isinstance(owed.effect, _FLOW)]
    in_turn = any(isinstance(owed.effect, a.TurnClose) for owed in flow)
    _flow(material, state, flow)
    _actions(state, in_turn=in_turn)
    require(in_turn or not state.specimen, "specimen", "there is no turn")
    _within(state, flow)
    first = state.agenda[0].effect
    asked = first.module if isinstance(first, a.Space) else None
    require(asked == state.drawn, "drawn", "goes with the question where to build it")
    sliding = any(isinstance(owed.effect, a.Slide) for owed in state.agenda)
    gaps = state.reactor.count(None)
    slid = all(module is None for module in state.reactor[:gaps])
    require(slid or sliding, "reactor", "its empty spaces are the left-most")
    _question(material, state)


def _owed(material: Material, state: State, owed: Owed, places: Collection[str], pieces: Collection[str]) -> None:
    """Everything that an owed effect names is there: where something can be done, and what can ask for it."""
    verb = VERBS[type(owed.effect)]
    require(owed.seat in range(len(state.players)), "agenda", "owed by no seat")
    for name in (owed.worker, owed.acting):
        require(name is None or is_in_play(state, name), "agenda", f"{name} is no worker in play")
    if owed.worker is not None:
        own = seat_of(owed.worker) == owed.seat
        require(own or verb.worker == "foreign", "agenda", "another seat's worker")
        require(owed.acting is not None or verb.worker == "idle", "agenda", "a worker without an action")
    require(owed.place is None or owed.place in places, "agenda", f"nobody can be on {owed.place}")
    require(all(link in places for link in owed.chain), "agenda", "a chain of what does not stand")
    require(owed.piece is None or owed.piece in pieces, "agenda", f"{owed.piece} asks nothing")
    require(owed.worker is not None or not verb.needs_worker, "agenda", "an effect of no worker")
    if verb.fits is not None:
        verb.fits(material, state, owed, owed.effect)


def _flow(material: Material, state: State, flow: list[Owed]) -> None:
    """The grammar of a phase: what is left of it after the turn under way."""
    kinds = [type(owed.effect) for owed in flow]
    match state.phase:
        case "draft":
            _draft(material, state, flow)
        case "start":
            fits = kinds in ([a.RoundOpening], [a.Turns])
            require(fits, "agenda", "a round does not begin so")
        case "placement":
            rest = _after_turn(flow)
            require([type(owed.effect) for owed in rest] == [a.Turns], "agenda", "a placement phase is not so")
            require(all(owed.effect != a.Turn(None) or owed == flow[0] for owed in flow), "agenda", "two turns at once")
            again = any(isinstance(owed.effect, a.Turn) and owed.effect.again is not None for owed in flow)
            require(not again, "agenda", "nobody is re-placed in the placement phase")
        case "splicing_lab":
            rest = _after_turn(flow)
            while rest and rest[0].effect == a.Turn():
                rest = rest[1:]
            whole: list[object] = []
            for slot in material.slots:
                whole += [a.SlotTurn(slot), a.Passes()]
            whole += [a.Redispatch(), a.Passes(), a.Feeding()]
            left = [owed.effect for owed in rest]
            require(left and whole[-len(left) :] == left, "agenda", "a splicing lab phase is not so")
            passing = len(rest) < len(_after_turn(flow)) or (flow and flow[0].effect == a.Turn())
            require(not passing or left[0] == a.Passes(), "agenda", "a pass without its end")
        case _:  # feeding: of a finished game nothing is looked at here
            meals = kinds[1:] if kinds[:1] == [a.Hunger] else kinds
            fits = meals[-1:] == [a.RoundEnd] and all(kind is a.Meal for kind in meals[:-1])
            seats = [owed.seat for owed in flow[:-1]]
            require(fits and len(set(seats)) == len(seats), "agenda", "a meal is not so")


def _after_turn(flow: list[Owed]) -> list[Owed]:
    """What is left after the turn under way: a question for a worker, or what comes at its end."""
    kinds = [type(owed.effect) for owed in flow]
    if kinds[:1] == [a.Turn]:
        return flow[1:]
    for head in ([a.TurnEnd, a.TurnClose], [a.TurnClose]):
        if kinds[: len(head)] == head:
            require(flow[0].seat == flow[len(head) - 1].seat, "agenda", "two seats in one turn")
            return flow[len(head) :]
    return flow


def _draft(material: Material, state: State, flow: list[Owed]) -> None:
    """Anticlockwise from the right of the start player; the hand is what was dealt less what was taken."""
    require(len(flow) == 1, "agenda", "a draft is not so")
    seats = len(state.players)
    order = [(state.start - 1 - step) % seats for step in range(seats)]
    has = [state.players[seat].card is not None for seat in order]
    taken = sum(has)
    require(has == [True] * taken + [False] * (seats - taken), "players", "cards were not taken in turn")
    effect = flow[0].effect
    if isinstance(effect, a.RoundStart):
        require(taken == seats, "agenda", "the draft is not over")
        return
    require(isinstance(effect, a.Draft) and taken < seats, "agenda", "a draft is not so")
    held = {player.card for player in state.players}
    dealt = tuple(card.id for card in material.cards.values() if card.min_players <= seats and card.id not in held)
    require(effect == a.Draft(dealt) and flow[0].seat == order[taken], "agenda", "another hand of cards is due")


def _within(state: State, flow: list[Owed]) -> None:
    """All that is no flow comes before what is left of the phase, and a question for a worker comes first."""
    places = [place for place, owed in enumerate(state.agenda) if isinstance(owed.effect, _FLOW)]
    last = len(state.agenda) - len(flow)
    require(places == list(range(last, len(state.agenda))), "agenda", "effects after the turn that they belong to")
    turns = isinstance(flow[0].effect, a.Turn | a.Hunger)
    require(not turns or last == 0 or state.phase == "start", "agenda", "effects before a turn")


def _actions(state: State, *, in_turn: bool) -> None:
    """One end for each action, the innermost first, all of the seat whose turn it is."""
    ends = [owed for owed in state.agenda if isinstance(owed.effect, a.ActionEnd | a.ActionClose)]
    require(len(ends) == len(state.actions), "actions", f"{len(ends)} of {len(state.actions)} end")
    require(in_turn or not ends, "actions", "there is no turn")
    turn = next((owed.seat for owed in state.agenda if isinstance(owed.effect, a.TurnClose)), None)
    for owed, action in zip(ends, reversed(state.actions), strict=True):
        fits = (owed.worker, owed.acting, owed.seat) == (action.worker, action.worker, action.seat)
        require(fits and action.seat == turn, "actions", "of another worker than the one that ends it")
        require(action.kinds == tuple(sorted(set(action.kinds))), "actions", "kinds in disorder")


def _question(material: Material, state: State) -> None:
    """What stands first is a question with more than one answer, or one for a worker (R25)."""
    owed = state.agenda[0]
    question = VERBS[type(owed.effect)].asks
    if question is None:
        refuse("agenda", "what stands first asks nothing")
    elif question.asked_if is not None:
        require(question.asked_if(state, owed, owed.effect), "agenda", "there is no worker to place")
    else:
        number = answers(material, state, owed).count()
        require(number > 1, "agenda", f"what stands first has {number} answers")
