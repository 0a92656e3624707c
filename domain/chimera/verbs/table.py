"""All verbs: each effect that can be owed has its declaration, or this cannot be imported."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, get_args

from domain.chimera.agenda import Flow, Resolving
from domain.chimera.effects import Effect
from domain.chimera.verbs import (
    building,
    gains,
    interaction,
    moving,
    placing,
    reactor,
    rounds,
    splicing,
    turns,
    using,
)
from domain.chimera.verbs.verb import VERBS as DECLARED
from domain.chimera.verbs.verb import Verb

FAMILIES = (building, gains, interaction, moving, placing, reactor, rounds, splicing, turns, using)
"""Each declares its verbs as it is imported."""
_UNIONS = {"effect": Effect, "consequence": Resolving, "phase": Flow}


def complete(declared: Mapping[type, Verb[Any]]) -> Mapping[type, Verb[Any]]:
    """The verbs, if they are those of the three unions of effects."""
    for kind, union in _UNIONS.items():
        found = {verb.effect for verb in declared.values() if verb.kind == kind}
        wrong = sorted(each.__name__ for each in found ^ set(get_args(union)))
        if wrong:
            raise TypeError(f"declared as another kind of verb than {kind}, or not at all: {', '.join(wrong)}")
    return MappingProxyType(dict(declared))


VERBS = complete(DECLARED)
