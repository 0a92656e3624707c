"""A client of the board-game service Tablelog, with no rules inside."""

from tablelog_client.client import Client
from tablelog_client.live import FeedClosed, Live
from tablelog_client.models import (
    Account,
    ComponentSet,
    Event,
    EventFrame,
    EventPage,
    Game,
    Hello,
    LegalMoves,
    ListedGame,
    ListedSeat,
    Moment,
    Offer,
    Piece,
    Played,
    Result,
    ScoreLine,
    Seat,
    SeatScore,
    Status,
    Title,
)
from tablelog_client.problems import Problem

__all__ = [
    "Account",
    "Client",
    "ComponentSet",
    "Event",
    "EventFrame",
    "EventPage",
    "FeedClosed",
    "Game",
    "Hello",
    "LegalMoves",
    "ListedGame",
    "ListedSeat",
    "Live",
    "Moment",
    "Offer",
    "Piece",
    "Played",
    "Problem",
    "Result",
    "ScoreLine",
    "Seat",
    "SeatScore",
    "Status",
    "Title",
]
