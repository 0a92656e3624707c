"""Text that shows what it means: no character in it is invisible or changes how others are read.

Names of accounts and everything in a component set are held to this: both become part of lines that others read.
Letters of different scripts that look alike are not distinguished.
"""

from __future__ import annotations

import unicodedata

MOST_MARKS = 3
"""Combining marks in a row: more than any language writes, fewer than what climbs over the lines above."""

SELECTORS = "\ufe0e\ufe0f"
"""Text or emoji form of the character before: visible, but no difference between two names."""

_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(each) for start, end in ((0x180B, 0x1810), (0xFE00, 0xFE0E), (0xE0000, 0xE1000)) for each in range(start, end)
}
"""Characters that Unicode counts among letters, marks or symbols and that have no glyph."""


def fault(text: str) -> str | None:
    """Why a text is refused, as the end of a sentence that begins with its name; None if it shows what it means.

    Refused are controls, format characters (zero width, right-to-left override), spaces other than U+0020, line ends,
    fillers, private and unassigned characters, and piles of combining marks.
    """
    if text.isascii() and text.isprintable():
        return None
    for character in text:
        if not _is_visible(character):
            return f"may not hold U+{ord(character):04X}, which cannot be seen or changes how others are read"
    marks = 0
    for place, character in enumerate(unicodedata.normalize("NFD", text)):
        marks = marks + 1 if unicodedata.category(character)[0] == "M" and character not in SELECTORS else 0
        if marks > MOST_MARKS or (marks and place == 0):
            return "may not begin with a combining mark, nor pile up more than three"
    return None


def _is_visible(character: str) -> bool:
    if character == " " or character in SELECTORS:
        return True
    return unicodedata.category(character)[0] not in "CZ" and character not in _INVISIBLE
