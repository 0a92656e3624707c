"""`tablelog check-title`: what it refuses, and what it finds out of date. The laws themselves: `test_new_title.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.catalogue import TITLES
from service.main import main
from service.titles.check_title import out_of_date
from tests.toy import TITLE as TOY

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("title", TITLES.values(), ids=lambda title: title.id)
def test_nothing_is_out_of_date_for_the_titles_that_are_served(title: object) -> None:
    served = next(each for each in TITLES.values() if each is title)
    assert list(out_of_date(served, TITLES, ROOT)) == []


def test_what_is_out_of_date_is_listed_with_its_command() -> None:
    found = dict(out_of_date(TOY, {**TITLES, "toy": TOY}, ROOT))
    assert found["openapi/tablelog.json is out of date"] == "make openapi"
    assert not any("records" in what for what in found)
    assert "domain/toy/RULES.md is missing" in found


def test_a_title_that_is_not_there_is_refused_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-title", "go"]) == 2
    assert capsys.readouterr().err == f"tablelog: there is no title go, only {', '.join(TITLES)}\n"
