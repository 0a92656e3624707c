"""A small title with everything that can bend the kernel: the example for whoever adds a title.

Each round every seat lays a card face down, all at once and in secret. When the last has chosen, the cards are turned
up; the highest value wins, ties go to the lowest seat. The winner resolves its card's effects: draw cards from the
hidden deck; demand one from the next seat, which chooses what to give in the middle of the winner's action; trade
cards from hand for the card that won, or for new ones. Then the laid cards are discarded and hands are filled up; the
discards are shuffled when the deck runs out. After the last round kept cards score their value, cards in hand a point.
"""

from tests.toy.rules import TITLE

__all__ = ["TITLE"]
