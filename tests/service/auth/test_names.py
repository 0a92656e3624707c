"""Names: one form that is shown, one normal form that decides whether a name is taken (fault 39)."""

from __future__ import annotations

import pytest

from domain.kernel.rejected import Rejected
from service.auth.names import LONGEST, normal


@pytest.mark.parametrize(
    "one,other",
    [
        pytest.param("Zoë", "Zoe\u0308", id="NFC and NFD"),
        pytest.param("Ada", "ADA", id="case"),
        pytest.param("Straße", "STRASSE", id="folded case"),
        pytest.param("Ada", "Ａｄａ", id="full width"),
        pytest.param("Ada Byron", "  Ada   Byron ", id="spaces"),
        pytest.param("AdaByron", "Ada Byron", id="no space"),
        pytest.param("file", "ﬁle", id="ligature"),
        pytest.param("♥", "♥\ufe0f", id="emoji form"),
    ],
)
def test_names_that_differ_only_in_how_they_are_typed_are_one(one: str, other: str) -> None:
    assert normal(one).key == normal(other).key


def test_a_name_is_shown_in_nfc_with_single_spaces() -> None:
    assert normal("  Zoe\u0308   B. ").shown == "Zoë B."


@pytest.mark.parametrize("name", ["Ada", "愛子", "O'Neil-Å", "नमस्ते", "🦊", "x" * LONGEST, "Ω 7", "ก็ไม่"])
def test_names_of_all_scripts_can_be_used(name: str) -> None:
    assert normal(name).shown == name


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("a\0b", id="NUL"),
        pytest.param("a\r\nb", id="line ends"),
        pytest.param("a\u2028b", id="line separator"),
        pytest.param("a\u200bb", id="zero width space"),
        pytest.param("a\u200db", id="zero width joiner"),
        pytest.param("a\u202eb", id="right-to-left override"),
        pytest.param("a\u2066b", id="isolate"),
        pytest.param("\ufeffa", id="byte order mark"),
        pytest.param("a\u00adb", id="soft hyphen"),
        pytest.param("a\u00a0b", id="no-break space"),
        pytest.param("\u3164", id="Hangul filler"),
        pytest.param("\u2800", id="Braille blank"),
        pytest.param("a\U000e0041", id="tag"),
        pytest.param("a\ue000", id="private use"),
        pytest.param("a\ud800", id="lone surrogate"),
        pytest.param("a\u0378", id="unassigned"),
        pytest.param("a" + "\u0301" * 9, id="marks piled up"),
        pytest.param("\u0301a", id="a mark first"),
        pytest.param("", id="nothing"),
        pytest.param("    ", id="spaces only"),
        pytest.param("\ufe0f", id="a selector only"),
        pytest.param("x" * (LONGEST + 1), id="too long"),
        pytest.param("x" * 10_000, id="much too long"),
    ],
)
def test_a_name_that_cannot_be_seen_or_read_is_refused(name: str) -> None:
    with pytest.raises(Rejected) as caught:
        normal(name)
    assert caught.value.code == "invalid-name"
    assert caught.value.facts["field"] == "name"
