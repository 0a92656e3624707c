"""A client of the board-game service Tablelog, with no rules inside."""

from tablelog_client.client import Client
from tablelog_client.connection import FeedClosed
from tablelog_client.feed import Feed
from tablelog_client.live import Live
from tablelog_client.models import (
    Account,
    ComponentSet,
    Event,
    EventFrame,
    EventPage,
    Following,
    Game,
    Hello,
    LegalMoves,
    ListedGame,
    ListedSeat,
    Moment,
    Notice,
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
    "Feed",
    "FeedClosed",
    "Following",
    "Game",
    "Hello",
    "LegalMoves",
    "ListedGame",
    "ListedSeat",
    "Live",
    "Moment",
    "Notice",
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
