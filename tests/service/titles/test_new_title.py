"""`tablelog new-title`: a title that runs and holds all laws as it is made."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.titles.new_title import CannotMake, add_to, make, renamed
from tests.service.titles.checkout import copied, tablelog


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a checkout of the tests' own, with the title `lovers` in it."""
    root = copied(tmp_path_factory.mktemp("checkout"))
    made = tablelog(root, "new-title", "lovers", "Love Letters", "恋文")
    assert made.returncode == 0, made.stderr
    assert "wrote domain/lovers/rules.py\n" in made.stdout
    return root


def test_a_new_title_is_played_in_words_under_its_own_names(checkout: Path) -> None:
    played = tablelog(checkout, "play", "lovers", "--seats", "3")
    assert played.returncode == 0, played.stderr
    assert "Final scores: Ann " in played.stdout.splitlines()[-1]
    texts = [path.read_text(encoding="utf-8") for path in (checkout / "domain" / "lovers").rglob("*.*")]
    assert not any("emplate" in text or "ひな形" in text for text in texts)
    assert any('names={"en": "Love Letters", "ja": "恋文"}' in text for text in texts)


def test_a_new_title_holds_all_laws_at_once_and_what_does_not_know_it_yet_is_listed(checkout: Path) -> None:
    checked = tablelog(checkout, "check-title", "lovers")
    assert " passed" in checked.stdout
    assert " failed" not in checked.stdout, checked.stdout
    assert " skipped" not in checked.stdout, checked.stdout
    assert checked.stdout.splitlines()[-4:] == [
        "openapi/tablelog.json is out of date: make openapi",
        "there are no records of lovers/1 in tests/logs: make golden ARGS=tests/logs",
        "README.md does not name Love Letters: add it to the first line",
        "domain/lovers/RULES.md is missing: write down the rules, and how you read them",
    ]
    assert checked.returncode == 1


def test_a_title_that_cannot_be_played_fails_one_test_that_names_the_move(checkout: Path) -> None:
    rules = checkout / "domain" / "lovers" / "rules.py"
    right = rules.read_text(encoding="utf-8")
    try:
        rules.write_text(right.replace("CardTaken(seat, move.card)", "CardTaken(move.seat, move.card)"), "utf-8")
        checked = tablelog(checkout, "check-title", "lovers")
    finally:
        rules.write_text(right, encoding="utf-8")
    assert "1 failed, " in checked.stdout
    assert "AttributeError: 'TakeCard' object has no attribute 'seat'" in checked.stdout
    assert 'when seat 0 made the move {"type": "lovers.take_card", "card": ' in checked.stdout


@pytest.mark.parametrize("title", ["", "Go", "go-1", "1go", "class", "kernel", "toy", "chimera", "x" * 21, "../go"])
def test_an_id_that_cannot_be_one_is_refused_and_nothing_is_written(checkout: Path, title: str) -> None:
    before = sorted(checkout.rglob("*.py"))
    with pytest.raises(CannotMake):
        make(title, "Go", "囲碁", checkout)
    assert sorted(checkout.rglob("*.py")) == before


@pytest.mark.parametrize("name", ["", " ", "G\u202eo", "two\nlines"])
def test_a_name_that_does_not_show_what_it_means_is_refused(checkout: Path, name: str) -> None:
    with pytest.raises(CannotMake, match="the name"):
        make("go", name, "囲碁", checkout)
    with pytest.raises(CannotMake, match="the name"):
        make("go", "Go", name, checkout)


def test_where_there_are_no_tests_no_title_is_made(tmp_path: Path) -> None:
    with pytest.raises(CannotMake, match="in a checkout"):
        make("go", "Go", "囲碁", tmp_path)


def test_names_with_quotes_stay_text() -> None:
    assert renamed('"""Template."""\nnames={"en": "Template"}', "go", 'A "B"', "碁").splitlines()[1] == (
        'names={"en": "A \\"B\\""}'
    )


@pytest.mark.parametrize(
    "imports,entries,expected",
    [
        ("a", '{"a": a.TITLE}', 'from domain import a, go\nTITLES = {"a": a.TITLE, "go": go.TITLE}\n'),
        ("a, z", "of(z.TITLE, a.TITLE)", "from domain import a, go, z\nTITLES = of(z.TITLE, a.TITLE, go.TITLE)\n"),
    ],
)
def test_a_title_is_added_to_the_end_of_the_catalogue(imports: str, entries: str, expected: str) -> None:
    assert add_to(f"from domain import {imports}\nTITLES = {entries}\n", "go") == expected


def test_a_catalogue_that_reads_otherwise_is_left_alone() -> None:
    with pytest.raises(CannotMake, match="catalogue"):
        add_to("TITLES = {}\n", "go")
