"""Events in words, from what a viewer sees of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.kernel.events import GameEnded
from domain.kernel.sentences import Clause, final_scores, sentences
from domain.kernel.terms import Seat
from domain.kernel.words import Names, both, counted, listed, plural, put
from domain.spacelab.effects import Recruitment
from domain.spacelab.facts import (
    EndTriggered,
    GameScored,
    GameSetUp,
    GameSetUpUnseen,
    LabPlaced,
    LabsDrawn,
    LabsDrawnUnseen,
    LabsRecruited,
    LabsReshuffled,
    LabsReshuffledUnseen,
    LabsRevealed,
    LabsTaken,
    ObjectiveCompleted,
    ObjectivesAssigned,
    Passed,
    ProjectKept,
    ProjectKeptUnseen,
    ProjectsDrawn,
    ProjectsDrawnUnseen,
)
from domain.spacelab.material import Material
from domain.spacelab.moves import EndPlacing
from domain.spacelab.view import View
from domain.spacelab.words import capsule_name, lab_name, objective_name, slot_name


def describe(
    material: Material,
    seat: Seat,
    move: Struct | None,
    facts: Sequence[Struct],
    *,
    names: Sequence[str],
    language: str,
    before: Struct | None = None,
) -> str:
    """What happened, in the order of the facts."""
    # A center that is empty stays so while labs are placed.
    is_empty = isinstance(before, View) and not before.center
    return sentences(_clauses(material, seat, move, facts, names, is_empty=is_empty), names, language)


def _clauses(
    material: Material,
    seat: Seat,
    move: Struct | None,
    facts: Sequence[Struct],
    names: Sequence[str],
    *,
    is_empty: bool,
) -> Iterator[Clause]:
    if isinstance(move, EndPlacing):
        # The one move that may bring about nothing that is seen.
        yield Clause(seat, both("places no more labs", "ラボの配置を終える"))
    for fact in _joined(facts):
        for words in _done(material, fact):
            yield Clause(getattr(fact, "seat", seat), words)
        yield from (Clause(None, words) for words in _happened(material, fact, names))
        if is_empty and _recruits(material, fact):
            yield Clause(seat, both("finds the Recruitment Center empty", "リクルートセンターからは何も取らない"))


def _joined(facts: Sequence[Struct]) -> Iterator[Struct]:
    """The facts with draws in a row made one, as when a lab and the boost that it completes both draw."""
    waiting: Struct | None = None
    for fact in facts:
        match waiting, fact:
            case LabsDrawn(seat, cards), LabsDrawn(other, more) if seat == other:
                waiting = LabsDrawn(seat, (*cards, *more))
            case LabsDrawnUnseen(), LabsDrawnUnseen() if waiting.seat == fact.seat:
                waiting = LabsDrawnUnseen(fact.seat, waiting.count + fact.count)
            case _:
                if waiting is not None:
                    yield waiting
                waiting = fact
    if waiting is not None:
        yield waiting


def _recruits(material: Material, fact: Struct) -> bool:
    """Whether the effect of a lab or boost is to recruit."""
    match fact:
        case LabPlaced(_, card):
            return isinstance(material.labs[card].effect, Recruitment)
        case ObjectiveCompleted(_, _, str() as boost):
            return isinstance(material.boosts[boost].effect, Recruitment)
        case _:
            return False


def _done(material: Material, fact: Struct) -> Sequence[Names]:
    """What a seat did, without its name; nothing for what no seat does."""
    match fact:
        case ObjectivesAssigned(_, tiles):
            return [_assigned(material, tiles)]
        case LabsRevealed(cards):
            return [put("reveals {}", "{}を公開する", _labs(material, cards))]
        case LabsTaken(_, agency, cards, rest):
            return _taken(material, agency, len(cards), rest)
        case LabsRecruited(_, agency, cards):
            return [put("recruits {}", "{}をリクルートする", _cards_of(material, agency, len(cards)))]
        case LabsDrawn(_, cards):
            return [put("draws {}", "{}を引く", _labs(material, cards))]
        case LabsDrawnUnseen():
            return [put("draws {}", "{}を引く", counted(fact.count, "lab card", "ラボカード{}枚"))]
        case LabPlaced(_, card, slot, paid):
            return [_placed(material, card, slot, paid)]
        case ProjectsDrawn(_, cards):
            return [put("draws {}", "{}を引く", _projects(material, cards))]
        case ProjectsDrawnUnseen():
            return [put("draws {}", "{}を引く", counted(fact.count, "project card", "プロジェクトカード{}枚"))]
        case ProjectKept(_, card, returned):
            return _kept(_projects(material, (card,)), _projects(material, returned), len(returned))
        case ProjectKeptUnseen():
            returned = fact.returned
            kept = counted(1, "project card", "プロジェクトカード{}枚")
            others = "the other one" if returned == 1 else f"the other {returned}"
            return _kept(kept, both(others, f"他の{returned}枚"), returned)
        case ObjectiveCompleted(_, capsule, boost):
            return [_completed(material, capsule, boost)]
        case EndTriggered():
            return [both("triggers the end of the game", "ゲーム終了の条件を満たす")]
        case Passed():
            return [both("passes", "パスする")]
        case _:
            return []


def _happened(material: Material, fact: Struct, names: Sequence[str]) -> Sequence[Names]:
    """What no seat did, as sentences; nothing for what needs no words: the agenda, and the kernel's start."""
    match fact:
        case GameSetUp() | GameSetUpUnseen():
            start = names[fact.start]
            return [both(f"{start} is the start player", f"スタートプレイヤーは{start}")]
        case LabsReshuffled():
            return [_reshuffled(len(fact.lab_deck))]
        case LabsReshuffledUnseen():
            return [_reshuffled(fact.lab_deck)]
        case GameScored(_, projects):
            ends = both(
                "the game ends, and all hands and projects are revealed", "ゲームが終了し、手札とプロジェクトを公開する"
            )
            return [ends, *(_shown(material, name, own) for name, own in zip(names, projects, strict=False) if own)]
        case GameEnded():
            return final_scores(fact.result, names)
        case _:
            return []


def _assigned(material: Material, tiles: Sequence[str]) -> Names:
    """Tiles with their capsules, which they are in the order of."""
    placed = [
        put("{} on the {}", "{1}に「{0}」", objective_name(material, tile), capsule_name(material, capsule))
        for tile, capsule in zip(tiles, material.capsules, strict=False)
    ]
    noun = "objectives" if len(placed) > 1 else "objective"
    return put(f"places the {noun} {{}}", "目標タイルを選び、{}を置く", listed(placed))


def _taken(material: Material, agency: str, taken: int, rest: Sequence[str]) -> Sequence[Names]:
    words = [put("takes {}", "{}を取る", _cards_of(material, agency, taken))]
    if rest:
        en, ja = "sends {} to the Recruitment Center", "{}をリクルートセンターに送る"
        words.append(put(en, ja, _labs(material, rest)))
    return words


def _cards_of(material: Material, agency: str, number: int) -> Names:
    of = material.agencies[agency].names
    return both(plural(number, f"{of['en']} card"), f"{of['ja']}のカード{number}枚")


def _placed(material: Material, card: str, slot: str, paid: Sequence[str]) -> Names:
    lab, place = lab_name(material, card), slot_name(material, slot)
    if not paid:
        return put("places {} {}", "{}を{}に配置する", lab, place)
    return put("places {} {}, discarding {}", "{2}を捨て、{0}を{1}に配置する", lab, place, _labs(material, paid))


def _kept(kept: Names, returned: Names, number: int) -> Sequence[Names]:
    if not number:
        return [both("keeps it", "それを残す")]
    return [put("keeps {}", "{}を残す", kept), put("puts {} under the deck", "{}を山札の一番下に戻す", returned)]


def _completed(material: Material, capsule: str, boost: str | None) -> Names:
    name = capsule_name(material, capsule)
    if boost is None:
        return put(
            "completes the objective on the {} but finds no boost left",
            "{}の目標を達成するが、ブーストは残っていない",
            name,
        )
    points = material.boosts[boost].points
    worth = counted(points, "point", "{}点")
    en, ja = "completes the objective on the {} for a boost worth {}", "{}の目標を達成し、{}のブーストを得る"
    return put(en, ja, name, worth)


def _reshuffled(count: int) -> Names:
    cards = counted(count, "card", "捨て札{}枚")
    return put("the discard pile of {} is shuffled into a new lab deck", "{}をシャッフルして新しい山札にする", cards)


def _shown(material: Material, name: str, projects: Sequence[str]) -> Names:
    return put("{} has {}", "{}のプロジェクトは{}", both(name, name), _projects(material, projects))


def _labs(material: Material, cards: Sequence[str]) -> Names:
    return listed(lab_name(material, card) for card in cards)


def _projects(material: Material, cards: Sequence[str]) -> Names:
    return listed(material.projects[card].names for card in cards)
