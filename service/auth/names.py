"""Names of accounts: one form that is shown, and one normal form that decides whether a name is taken.

Shown is what was asked for, in NFC, with the spaces around it cut off and those within it made single. The normal form
is NFKC with case folded and spaces and variation selectors left out, so that names that differ only in how they are
encoded or typed are one name. Characters that cannot be seen, or that change how others are read (controls, formats
such as zero width and right-to-left override, line ends, fillers), are refused, not dropped: a name means what it
shows. Letters of different scripts that look alike are not told apart from one another here.
"""

from __future__ import annotations

import unicodedata

from msgspec import Struct

from domain.kernel.rejected import Rejected

LONGEST = 40
"""Code points of a name as it is shown."""

_MARKS = 3
"""Combining marks in a row: more than any language writes, fewer than what climbs over the lines above."""

_SELECTORS = "\ufe0e\ufe0f"
"""Text or emoji form of the character before: seen, but no difference between two names."""

_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(each) for start, end in ((0x180B, 0x1810), (0xFE00, 0xFE0E), (0xE0000, 0xE1000)) for each in range(start, end)
}
"""What Unicode counts among letters, marks or symbols and nobody sees."""


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
    for character in shown:
        _demand_visible(character)
    _demand_few_marks(shown)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", shown).casefold())
    key = "".join(each for each in folded if each not in _SELECTORS and not each.isspace())
    if not key:
        raise _refused("a name has at least one character that can be seen")
    return Name(shown=shown, key=key)


def _demand_visible(character: str) -> None:
    category = unicodedata.category(character)
    if character == " " or character in _SELECTORS:
        return
    if category[0] in "CZ" or character in _UNSEEN:
        detail = f"a name may not hold U+{ord(character):04X}, which cannot be seen or changes how others are read"
        raise _refused(detail)


def _demand_few_marks(shown: str) -> None:
    marks = 0
    for place, character in enumerate(unicodedata.normalize("NFD", shown)):
        marks = marks + 1 if unicodedata.category(character)[0] == "M" and character not in _SELECTORS else 0
        if marks > _MARKS or (marks and place == 0):
            raise _refused("a name may not begin with a combining mark, nor pile up more than three")


def _refused(detail: str) -> Rejected:
    return Rejected("invalid-name", detail, field="name")
