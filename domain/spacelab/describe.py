"""One readable line for an event, from what its viewer sees of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.kernel.events import GameEnded
from domain.kernel.terms import Seat
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
from domain.spacelab.material import Material, Names
from domain.spacelab.moves import EndPlacing
from domain.spacelab.words import both, capsule_name, counted, lab_name, listed, objective_name, slot_name


def describe(
    material: Material, seat: Seat, move: Struct | None, facts: Sequence[Struct], *, names: Sequence[str], language: str
) -> str:
    """What happened, in the order of the facts. A clause names its seat where it is not the one before's."""
    joint = "。" if language == "ja" else "; "
    clauses: list[str] = []
    last: Seat | None = None
    for actor, words in _clauses(material, seat, move, facts, names):
        if actor is None or actor == last:
            clauses.append(words[language])
        else:
            clauses.append(f"{names[actor]}は{words['ja']}" if language == "ja" else f"{names[actor]} {words['en']}")
        last = actor
    return joint.join(clauses)


def _clauses(
    material: Material, seat: Seat, move: Struct | None, facts: Sequence[Struct], names: Sequence[str]
) -> Iterator[tuple[Seat | None, Names]]:
    """Clauses with the seat that is their subject, None where there is none."""
    if isinstance(move, EndPlacing):
        # The one move that may bring about nothing that is seen.
        yield seat, both("places no more labs", "ラボの配置を終える")
    for fact in facts:
        words = _done(material, fact)
        if words is not None:
            yield getattr(fact, "seat", seat), words
        elif (told := _told(fact, names)) is not None:
            yield None, told


def _done(material: Material, fact: Struct) -> Names | None:
    """What a seat did, without its name; None for what is no seat's doing."""
    match fact:
        case ObjectivesAssigned(_, tiles):
            return _with("puts the objective {}", "目標{}置く", _assigned(material, tiles))
        case LabsRevealed(cards):
            return _with("reveals {}", "{}を公開する", _labs(material, cards))
        case LabsTaken(_, agency, cards, rest):
            return _taken(material, agency, len(cards), len(rest))
        case LabsRecruited(_, agency, cards):
            words = both(f"recruits {counted(len(cards), '{} card')}", f"{{}}のカードを{len(cards)}枚リクルートする")
            return _with(words["en"], words["ja"], material.agencies[agency].names)
        case LabsDrawn(_, cards):
            return _with("draws {}", "{}を引く", _labs(material, cards))
        case LabsDrawnUnseen(_, count):
            return both(f"draws {counted(count, 'lab card')}", f"ラボカードを{count}枚引く")
        case LabPlaced(_, card, slot, paid):
            place = slot_name(material, slot)
            words = _with(f"places {{}} {place['en']}", f"{{}}を{place['ja']}に配置する", lab_name(material, card))
            if not paid:
                return words
            return both(f"{words['en']}, paying {counted(len(paid), 'card')}", f"{len(paid)}枚払って{words['ja']}")
        case ProjectsDrawn(_, cards):
            return _with("draws {}", "{}を引く", _projects(material, cards))
        case ProjectsDrawnUnseen(_, count):
            return both(f"draws {counted(count, 'project')}", f"プロジェクトを{count}枚引く")
        case ProjectKept(_, card):
            return _with("keeps {}", "{}を残す", _projects(material, (card,)))
        case ProjectKeptUnseen():
            return both("keeps a project", "プロジェクトを1枚残す")
        case ObjectiveCompleted(_, capsule, boost):
            return _completed(material, capsule, boost)
        case EndTriggered():
            return both("triggers the end of the game", "ゲーム終了の条件を満たす")
        case Passed():
            return both("passes", "パスする")
        case _:
            return None


def _told(fact: Struct, names: Sequence[str]) -> Names | None:
    """What happened by itself; None for what needs no words."""
    match fact:
        case GameSetUp() | GameSetUpUnseen():
            return both(f"{names[fact.start]} is the start player", f"{names[fact.start]}がスタートプレイヤー")
        case LabsReshuffled():
            return _reshuffled(len(fact.lab_deck))
        case LabsReshuffledUnseen():
            return _reshuffled(fact.lab_deck)
        case GameScored():
            return both("hands and projects are revealed and the game is scored", "手札とプロジェクトを公開し得点計算")
        case GameEnded():
            return _won(fact, names)
        case _:
            return None


def _assigned(material: Material, tiles: Sequence[str]) -> Names:
    """Tiles with their capsules, which they are in the order of."""
    placed: list[Names] = []
    for tile, capsule in zip(tiles, material.capsules, strict=False):
        wanted, on = objective_name(material, tile), capsule_name(material, capsule)
        placed.append(both(f"{wanted['en']} on the {on['en']}", f"「{wanted['ja']}」を{on['ja']}に"))
    return listed(placed)


def _taken(material: Material, agency: str, taken: int, rest: int) -> Names:
    of = material.agencies[agency].names
    en, ja = f"takes {counted(taken, of['en'] + ' card')}", f"{of['ja']}のカードを{taken}枚取る"
    if rest:
        en += f", leaving {rest} in the Recruitment Center"
        ja += f" (残り{rest}枚はリクルートセンターへ)"
    return both(en, ja)


def _completed(material: Material, capsule: str, boost: str | None) -> Names:
    name = capsule_name(material, capsule)
    en, ja = f"completes the objective on the {name['en']}", f"{name['ja']}の目標を達成する"
    if boost is None:
        return both(f"{en}: no boost is left", f"{ja} (ブーストなし)")
    points = material.boosts[boost].points
    return both(f"{en}: boost {points}", f"{ja} (ブースト{points})")


def _reshuffled(count: int) -> Names:
    return both(f"the discards become a deck of {counted(count, 'lab card')}", f"捨て札{count}枚を新しい山札にする")


def _won(ended: GameEnded, names: Sequence[str]) -> Names:
    winners = [names[seat] for seat in ended.result.winners]
    best = max(score.points for score in ended.result.scores)
    points = counted(best, "point")
    if len(winners) == 1:
        return both(f"{winners[0]} wins with {points}", f"{winners[0]}が{best}点で勝利")
    return both(
        f"{' and '.join(winners)} share the victory with {points}", f"{'と'.join(winners)}が{best}点で勝利を分け合う"
    )


def _labs(material: Material, cards: Sequence[str]) -> Names:
    return listed(lab_name(material, card) for card in cards)


def _projects(material: Material, cards: Sequence[str]) -> Names:
    return listed(material.projects[card].names for card in cards)


def _with(en: str, ja: str, words: Names) -> Names:
    """Both languages with their words in the gap."""
    return both(en.format(words["en"]), ja.format(words["ja"]))
