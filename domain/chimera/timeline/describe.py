"""Events in words, from what a viewer sees of them: the move, the facts, and the views before and after."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.chimera import facts as f
from domain.chimera.material import Material
from domain.chimera.state import seat_of
from domain.chimera.timeline import course, workers
from domain.chimera.timeline.account import Account
from domain.chimera.timeline.moves import decision, with_nothing
from domain.chimera.timeline.scene import Scene
from domain.chimera.view import View
from domain.chimera.words import counted, kinds_text, module_name, name_of, names_of, perk_name
from domain.kernel.sentences import sentences
from domain.kernel.terms import Seat
from domain.kernel.words import both, put


def describe(
    material: Material,
    seat: Seat,
    move: Struct | None,
    facts: Sequence[Struct],
    *,
    names: Sequence[str],
    language: str,
    before: Struct | None = None,
    after: Struct | None = None,
) -> str:
    """What happened, in the order of the facts."""
    views = [view if isinstance(view, View) else None for view in (before, after)]
    scene = Scene(material, names, seat, move, *views)
    account = Account(scene, facts)
    decided, used = decision(scene, facts, account.crew)
    for words in decided:
        account.say(seat, words)
    for _ in range(used):
        account.next()
    while (fact := account.next()) is not None:
        write = WRITE.get(type(fact))
        if write is not None:
            write(account, fact)
        account.crew.follow(fact)
    clauses = account.clauses()
    return sentences(with_nothing(scene, clauses, account.effect_end), names, language)


def _resources(account: Account, fact: f.ResourcesChanged) -> None:
    if account.feeding and fact.food > 0:
        account.say(fact.seat, put("produces {}", "{}を生産する", counted("food", fact.food)))
        return
    if fact.coins < 0 or fact.food < 0:
        account.pay(fact.seat, max(-fact.coins, 0), max(-fact.food, 0))
    account.haul(fact.seat).gain("coins", max(fact.coins, 0))
    account.haul(fact.seat).gain("food", max(fact.food, 0))


def _joined(account: Account, fact: f.WorkerJoined) -> None:
    account.haul(seat_of(fact.worker)).gain("workers")


def _returned(account: Account, fact: f.ComponentsReturned) -> None:
    account.say(fact.seat, put("returns {} to the supply", "{}をサプライに戻す", kinds_text(fact.components)))


def _commanded(account: Account, fact: f.Commanded) -> None:
    scored = account.take(f.PointsScored, where=lambda each: (each.seat, each.source) == (fact.seat, "command"))
    if not fact.modules:
        account.say(fact.seat, both("commands nothing", "何も指揮しない"))
        return
    modules = names_of(account.material, fact.modules)
    points = counted("points", 0 if scored is None else scored.points)
    account.say(fact.seat, put("commands {} for {}", "{}を指揮して{}を得る", modules, points))


def _marker(account: Account, fact: f.MarkerTaken) -> None:
    previous = account.scene.names[fact.previous]
    en, ja = f"takes the start player marker from {previous}", f"{previous}からスタートプレイヤーマーカーを取る"
    account.say(fact.seat, both(en, ja))


def _research(account: Account, fact: f.ResearchAdvanced) -> None:
    """Consecutive steps are described by the last one."""
    last = fact
    while (step := account.take(f.ResearchAdvanced, where=lambda each: each.seat == fact.seat)) is not None:
        last = step
    account.say(fact.seat, both(f"reaches research tier {last.tier}", f"研究第{last.tier}段階に進む"))


def _built(account: Account, fact: f.ModuleBuilt) -> None:
    haul = account.haul(fact.seat)
    paid, points = haul.take_payment(), haul.take_points("build", fact.module)
    module, space = module_name(account.material, fact.module), both(fact.space, fact.space)
    words = put("builds {} at {}", "{}を{}に建設する", module, space)
    if paid is not None:
        words = put("builds {} at {} for {}", "{2}を払って{0}を{1}に建設する", module, space, paid)
    account.say(fact.seat, words)
    if points:
        account.say(fact.seat, put("scores {}", "{}を得る", counted("points", points)))


def _spent(account: Account, fact: f.CardSpent) -> None:
    discarded = account.take(f.ModulesDiscarded)
    if discarded is None:
        en, ja = "spends the starting card to refill the reactor", "初期資源カードを捨てて反応炉を充填する"
        account.say(fact.seat, both(en, ja))
    else:
        en, ja = "spends the starting card to flush {} from the reactor", "初期資源カードを捨てて反応炉の{}を流す"
        account.say(fact.seat, put(en, ja, names_of(account.material, discarded.modules)))


def _scored(account: Account, fact: f.PointsScored) -> None:
    account.haul(fact.seat).score(fact.source, fact.piece, fact.points)


def _component(account: Account, fact: f.ComponentGained) -> None:
    account.haul(fact.seat).gain(fact.component)


def _perk_discarded(account: Account, fact: f.PerkDiscarded) -> None:
    haul = account.haul(fact.seat)
    points, perk = haul.take_points("union_hall", fact.perk), perk_name(account.material, fact.perk)
    en, ja = "discards {} for {}", "{}を捨てて{}を得る"
    account.say(fact.seat, put(en, ja, perk, counted("points", points)))


def _perk_taken(account: Account, fact: f.PerkTaken) -> None:
    en, ja = ("draws {}", "山札から{}を引く") if fact.drawn else ("takes {}", "{}を得る")
    account.say(fact.seat, put(en, ja, perk_name(account.material, fact.perk)))
    scored = account.take(f.PointsScored, where=lambda each: (each.seat, each.piece) == (fact.seat, fact.perk))
    if scored is not None:
        account.say(fact.seat, put("scores {}", "{}を得る", counted("points", scored.points)))


def _card(account: Account, fact: f.CardTaken) -> None:
    en, ja = "takes the starting card {}", "初期資源カード「{}」を取る"
    account.say(fact.seat, put(en, ja, name_of(account.material, fact.card)))


def _all(en: str, ja: str, field: str) -> Callable[[Account, Any], None]:
    """A sentence about the pieces in a field of a fact, which no seat is the subject of."""

    def write(account: Account, fact: Any) -> None:
        pieces: str | tuple[str, ...] = getattr(fact, field)
        pieces = (pieces,) if isinstance(pieces, str) else pieces
        verb = en.format(s="s" if len(pieces) == 1 else "", are="is" if len(pieces) == 1 else "are")
        account.say(None, put(f"{{}} {verb}", ja, names_of(account.material, pieces)))

    return write


def _shuffled(en: str, ja: str) -> Callable[[Account, Any], None]:
    def write(account: Account, fact: Any) -> None:
        account.say(None, both(en.format(fact.deck), ja.format(fact.deck)))

    return write


WRITE: Mapping[type, Callable[[Account, Any], None]] = {
    **course.WRITE,
    **workers.WRITE,
    f.CardTaken: _card,
    f.CardSpent: _spent,
    f.PointsScored: _scored,
    f.ResourcesChanged: _resources,
    f.ComponentGained: _component,
    f.ComponentsReturned: _returned,
    f.WorkerJoined: _joined,
    f.Commanded: _commanded,
    f.MarkerTaken: _marker,
    f.ResearchAdvanced: _research,
    f.ModuleBuilt: _built,
    f.ModuleDrawn: _all("{are} drawn from the deck", "山札から{}が引かれる", "module"),
    f.ModulesDiscarded: _all("{are} discarded from the reactor", "反応炉の{}が捨てられる", "modules"),
    f.ReactorFilled: _all("enter{s} the reactor", "反応炉に{}が並ぶ", "drawn"),
    f.PerksShown: _all("join{s} the perk display", "公開中の特権に{}が加わる", "perks"),
    f.DeckShuffledUnseen: _shuffled(
        "the {} discarded modules are shuffled into a new deck",
        "捨て札のモジュール{}枚をシャッフルして新しい山札にする",
    ),
    f.PerkTaken: _perk_taken,
    f.PerkDiscarded: _perk_discarded,
    f.PerkDeckShuffledUnseen: _shuffled(
        "the {} discarded perks are shuffled into a new deck", "捨て札の特権{}枚をシャッフルして新しい山札にする"
    ),
}
"""What is written of each fact. Not a word on `ReactorSlid`, which follows from every build and refill, on
`WorkersReturned`, which the feeding phase says, and on the kernel's start of the game."""
