"""Text that shows what it means; `tests/service/auth/test_names.py` holds names of accounts to the same cases."""

from __future__ import annotations

import pytest

from domain.kernel import visible


@pytest.mark.parametrize("text", ["", "Ada", "愛子（大）", "नमस्ते", "🦊", "♥\ufe0f", "ก็ไม่", "a b"])
def test_text_that_shows_what_it_means_has_no_fault(text: str) -> None:
    assert visible.fault(text) is None


@pytest.mark.parametrize(
    "text,named",
    [
        ("a\u202eb", "U+202E"),
        ("a\u200bb", "U+200B"),
        ("a\u2066b", "U+2066"),
        ("\ufeffa", "U+FEFF"),
        ("a\nb", "U+000A"),
        ("a\x7fb", "U+007F"),
        ("a\u2028b", "U+2028"),
        ("a\u3164b", "U+3164"),
        ("a\u3000b", "U+3000"),
        ("\u0301a", "combining mark"),
        ("a" + "\u0301" * 4, "combining mark"),
    ],
)
def test_text_with_an_invisible_character_or_piled_up_marks_is_refused_with_what_it_holds(
    text: str, named: str
) -> None:
    fault = visible.fault(text)
    assert fault is not None
    assert named in fault
