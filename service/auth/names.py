"""Names of accounts: one form that is shown, and one normal form that decides whether a name is taken.

Shown is what was asked for, in NFC, with the spaces around it cut off and those within it made single. The normal form
is NFKC with case folded and spaces and variation selectors left out, so that names that differ only in how they are
encoded or typed are one name. Characters that cannot be seen, or that change how others are read, are refused, not
dropped (`domain/kernel/visible.py`).
"""

from __future__ import annotations

import unicodedata

from msgspec import Struct

from domain.kernel import visible
from domain.kernel.rejected import Rejected

LONGEST = 40
"""Code points of a name as it is shown."""


class Name(Struct, frozen=True):
    """A name as it is shown and the key by which it is unique."""

    shown: str
    key: str


def normal(text: str) -> Name:
    """The two forms of a name; raises `invalid-name`."""
    shown = " ".join(unicodedata.normalize("NFC", text).split(" ")).strip(" ")
    shown = " ".join(part for part in shown.split(" ") if part)
    if len(shown) > LONGEST:
        raise _refused(f"a name has at most {LONGEST} characters")
    fault = visible.fault(shown)
    if fault is not None:
        raise _refused(f"a name {fault}")
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", shown).casefold())
    key = "".join(each for each in folded if each not in visible.SELECTORS and not each.isspace())
    if not key:
        raise _refused("a name has at least one character that can be seen")
    return Name(shown=shown, key=key)


def _refused(detail: str) -> Rejected:
    return Rejected("invalid-name", detail, field="name")
