"""The game in words: a line for each event, in English and Japanese, from what one viewer sees of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.kernel.events import GameEnded, GameStarted
from domain.kernel.redaction import unseen
from domain.kernel.sentences import Clause, final_scores, sentences
from domain.kernel.terms import Seat
from domain.kernel.words import Names, counted, listed, put
from domain.template.game import CardTaken, GameSetUp, Material, RowFilled

GameSetUpUnseen = unseen(GameSetUp)


def describe(  # noqa: PLR0917 - the kernel calls it like this
    material: Material,
    seat: Seat,
    move: Struct | None,
    facts: Sequence[Struct],
    names: Sequence[str],
    language: str,
    *,
    before: Struct | None = None,
    after: Struct | None = None,
) -> str:
    """Sentences in one line for an event as some viewer sees it; `move` is None for the start and where it is hidden.

    `before` and `after` are the viewer's views, for what the event itself does not say.
    """
    del seat, move, before, after
    return sentences(_clauses(material, facts, names), names, language)


def _clauses(material: Material, facts: Sequence[Struct], names: Sequence[str]) -> Iterator[Clause]:
    """What seats do, as verb phrases that follow one another; sentences are made of them."""
    for fact in facts:
        match fact:
            case GameSetUpUnseen():
                cards = counted(fact.deck, "card", "カード{}枚")
                yield Clause(None, put("a deck of {} is shuffled", "{}の山札を切り混ぜる", cards))
            case CardTaken(seat, card):
                yield Clause(seat, put("takes {}", "{}を取る", _name(material, card)))
            case GameStarted():
                pass  # the kernel says so
            case GameEnded():
                yield from (Clause(None, each) for each in final_scores(fact.result, names))
            case RowFilled(cards):
                yield Clause(
                    None, put("the row gets {}", "{}が場に出る", listed(_name(material, each) for each in cards))
                )
            case _:
                raise TypeError(f"there are no words for {fact}")


def _name(material: Material, card: str) -> Names:
    return material.cards[card].names.both
