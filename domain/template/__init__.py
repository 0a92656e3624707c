"""Template: the game that `tablelog new-title` copies. Replace this with the rules of yours.

Some cards of a shuffled deck lie in an open row. In turn, each seat takes one of them, and the top card of the deck
fills its place. When the row is empty the game ends, and the highest sum of values wins.
"""

from domain.template.rules import TITLE

__all__ = ["TITLE"]
