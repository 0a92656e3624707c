"""Sentences from clauses, in English and Japanese.

A clause is a verb phrase without its subject: `gets 2 coins`, `コイン2枚を得る`. Clauses of one seat that follow one
another become one sentence, and seats that do the same share one. English verbs stand in the third person singular;
Japanese ones in the dictionary form, from which the form that goes on (`得て`, `払い`) is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from domain.kernel.results import Result
from domain.kernel.terms import Seat
from domain.kernel.words import Names, both, enumerated

_CLAUSES = 3
"""A sentence has at most this many; a longer list is cut into sentences of about the same length."""
_STEM_BEFORE_RU = "えけせてねへめれげぜでべぺ"
"""Before る these end the stem of a verb, which is then the form that goes on: 捨てる, 捨て."""
_GODAN = {"う": "い", "く": "き", "ぐ": "ぎ", "す": "し", "つ": "ち", "ぬ": "に", "ぶ": "び", "む": "み", "る": "り"}


class Clause(NamedTuple):
    """What a seat does, or a whole sentence where `seat` is None."""

    seat: Seat | None
    words: Names


def sentences(clauses: Iterable[Clause], names: Sequence[str], language: str) -> str:
    """The clauses as sentences in one line; `names` are the seats'."""
    write = _japanese if language == "ja" else _english
    runs = [(seat, [each.words[language] for each in run]) for seat, run in groupby(clauses, lambda each: each.seat)]
    found: list[str] = []
    for seats, verbs in _shared(runs):
        if not seats:
            found += [write("", [verb]) for verb in verbs]
            continue
        subject = _subject(seats, names, language)
        is_plural = language == "en" and 1 < len(seats) < len(names)
        found += [write(subject, part) for part in _cut([_plural(verb) for verb in verbs] if is_plural else verbs)]
    return ("" if language == "ja" else " ").join(found)


def final_scores(result: Result, names: Sequence[str]) -> tuple[Names, Names]:
    """The points of all seats in their order, and who wins."""
    en = ", ".join(f"{names[score.seat]} {score.points}" for score in result.scores)
    ja = "、".join(f"{names[score.seat]}が{score.points}点" for score in result.scores)
    scores, winners = both(f"final scores: {en}", f"最終得点は{ja}"), [names[seat] for seat in result.winners]
    if len(winners) == 1:
        return scores, both(f"{winners[0]} wins", f"{winners[0]}の勝利")
    return scores, both(f"{enumerated(winners)} share the victory", f"{'と'.join(winners)}が勝利を分け合う")


def _shared(runs: Iterable[tuple[Seat | None, list[str]]]) -> list[tuple[list[Seat], list[str]]]:
    """Neighboring runs of different seats that do one and the same thing, with all of these seats."""
    found: list[tuple[list[Seat], list[str]]] = []
    for seat, verbs in runs:
        if seat is None:
            found.append(([], verbs))
        elif found and found[-1][0] and len(verbs) == 1 and found[-1][1] == verbs and seat not in found[-1][0]:
            found[-1][0].append(seat)
        else:
            found.append(([seat], verbs))
    return found


def _subject(seats: Sequence[Seat], names: Sequence[str], language: str) -> str:
    if language == "ja":
        if len(seats) == 1:
            return f"{names[seats[0]]}は"
        return "全員が" if len(seats) == len(names) else f"{'と'.join(names[seat] for seat in seats)}はそれぞれ"
    if len(seats) == 1:
        return names[seats[0]]
    return "Each player" if len(seats) == len(names) else f"{enumerated([names[seat] for seat in seats])} each"


def _cut(verbs: Sequence[str]) -> list[Sequence[str]]:
    parts = -(-len(verbs) // _CLAUSES)
    size = -(-len(verbs) // parts)
    return [verbs[start : start + size] for start in range(0, len(verbs), size)]


def _english(subject: str, verbs: Sequence[str]) -> str:
    if not subject:
        return f"{verbs[0][:1].upper()}{verbs[0][1:]}."
    plain = len(verbs) == 2 and not any(" and " in verb or ", " in verb for verb in verbs)
    joined = " and ".join(verbs) if plain or len(verbs) == 1 else f"{', '.join(verbs[:-1])}, and {verbs[-1]}"
    return f"{subject} {joined}."


def _japanese(subject: str, verbs: Sequence[str]) -> str:
    return f"{subject}{'、'.join([*map(going_on, verbs[:-1]), verbs[-1]])}。"


def _plural(verb: str) -> str:
    """A verb phrase for several subjects: `pays 2 food`, `pay 2 food`."""
    word, space, rest = verb.partition(" ")
    ends: Callable[[str], bool] = word.endswith
    stem = word[:-2] if ends("ches") or ends("shes") or ends("sses") else word[:-1]
    return f"{stem}{space}{rest}"


def going_on(phrase: str) -> str:
    """A Japanese verb phrase as it stands before a further one: 払う, 払い; 得る, 得て; 建設する, 建設し."""
    for ending, form in (("する", "し"), ("得る", "得て"), ("しない", "せず"), ("ない", "ず")):
        if phrase.endswith(ending):
            return phrase.removesuffix(ending) + form
    if phrase[-1:] == "る" and phrase[-2:-1] in _STEM_BEFORE_RU:
        return phrase[:-1]
    return phrase[:-1] + _GODAN[phrase[-1]]
