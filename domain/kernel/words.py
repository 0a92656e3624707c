"""Words in English and Japanese: pairs of texts, numbers of things, lists, and sentences joined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

Names: TypeAlias = Mapping[str, str]
"""A text by its language."""


def both(en: str, ja: str) -> Names:
    """A text in both languages."""
    return {"en": en, "ja": ja}


def put(en: str, ja: str, *words: Names) -> Names:
    """Both texts with words in their gaps, `{}` or `{0}`."""
    return both(en.format(*(each["en"] for each in words)), ja.format(*(each["ja"] for each in words)))


def plural(number: int, one: str, many: str | None = None) -> str:
    """A number of things in English: `1 card`, `2 cards`; `many` is for what does not take an s."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def counted(number: int, one: str, ja: str, many: str | None = None) -> Names:
    """A number of things: `2 cards`; Japanese has a gap for the number, as in `カード{}枚`."""
    return both(plural(number, one, many), ja.format(number))


def listed(texts: Iterable[Names], comma: str = "、") -> Names:
    """A list: `a, b, and c`; `a、b、c`, or with another word between, as in `aとbとc`."""
    texts = tuple(texts)
    return both(enumerated([text["en"] for text in texts]), comma.join(text["ja"] for text in texts))


def enumerated(words: Sequence[str]) -> str:
    """A list in English, with a comma before `and` from three on."""
    if len(words) < 3:
        return " and ".join(words)
    return f"{', '.join(words[:-1])}, and {words[-1]}"


def joined(*texts: Names) -> Names:
    """Sentences one after the other: Japanese has no space between them."""
    return both(" ".join(text["en"] for text in texts), "".join(text["ja"] for text in texts))
