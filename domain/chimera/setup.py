"""The facts that set a game up, down to the question of the starting draft."""

from __future__ import annotations

from domain.chimera import facts as f
from domain.chimera.agenda import Draft, Owed
from domain.chimera.decide import go_on
from domain.chimera.evolve import evolve
from domain.chimera.material import Material
from domain.chimera.moves import FACTIONS, Options
from domain.chimera.state import Supply
from domain.chimera.verbs import decks
from domain.chimera.verbs.resolution import Resolution
from domain.kernel.chance import Chance
from domain.kernel.rejected import Rejected


def begin(material: Material, options: Options, seats: int, chance: Chance) -> tuple[f.Fact, ...]:
    """Boards, decks and the start player are drawn; B sides bring their beginnings; the first card is asked for."""
    drawn = options.sides == "factions" and options.factions is None
    factions = chance.shuffle("factions", FACTIONS) if drawn else ()
    first = f.GameSetUp(
        beginnings=tuple(_beginning(material, board, seats) for board in _boards(options, factions, seats)),
        supply=Supply(*(material.components_per_kind,) * 4),
        spaces=len(material.reactor),
        order=chance.shuffle("start", range(seats)),
        factions=factions,
        deck=chance.shuffle("deck", material.tiles),
        perk_deck=chance.shuffle("perk_deck", material.perks),
    )
    resolution = Resolution(material, evolve(None, first), chance, (first,))
    for seat in range(seats):
        resolution.emit(f.PointsScored(seat, material.start_score, "start", None))
    _bring_beginnings(resolution)
    decks.refill(resolution)
    decks.show_perks(resolution, material.perks_on_display)
    # Perks drawn now count as taken in round 1 (R36).
    resolution.settle()
    # Anticlockwise, beginning to the right of the start player and ending with the start player.
    dealt = tuple(card.id for card in material.cards.values() if card.min_players <= seats)
    resolution.agenda.append(Owed((resolution.state.start - 1) % seats, Draft(dealt)))
    go_on(resolution)
    return resolution.finish()


def check_options(options: Options, seats: int) -> None:
    """Refuse boards that do not fit the seats: each seat has a different one (R35)."""
    factions = options.factions
    if factions is None:
        return
    if options.sides != "factions":
        raise Rejected("bad-options", "factions are listed, but sides are standard", field="options.sides")
    if len(factions) != seats or len(set(factions)) != seats:
        detail = f"{seats} seats need as many different factions"
        raise Rejected("bad-options", detail, field="options.factions", seats=seats)


def _boards(options: Options, drawn: tuple[str, ...], seats: int) -> tuple[str, ...]:
    if options.sides == "standard":
        return ("standard",) * seats
    return (options.factions or drawn)[:seats]


def _beginning(material: Material, board: str, seats: int) -> f.Beginning:
    tier = material.boards[board].start_research
    return f.Beginning(board, tier, material.workers[seats], material.reserve)


def _bring_beginnings(resolution: Resolution) -> None:
    """A B side's first worker carries its component; Brainiacs draw the top perk of the deck."""
    for seat, player in enumerate(resolution.state.players):
        board = resolution.material.boards[player.board]
        if board.start_component is not None:
            resolution.emit(f.ComponentImplanted(f"{seat}-0", board.start_component))
        for _ in range(board.start_perks):
            decks.draw_perk(resolution, seat)
