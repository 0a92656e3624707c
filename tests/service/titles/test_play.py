"""`tablelog play`: a random game in words, the same for the same seed."""

from __future__ import annotations

import re

import pytest

from domain.catalogue import TITLES
from service.main import main
from tests.toy import TITLE as TOY

ALL = {**TITLES, "toy": TOY}


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["play", *arguments], ALL) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("title", ALL)
def test_a_game_of_each_title_is_printed_to_its_end(title: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, title)
    assert [line.split()[0] for line in lines] == [str(version) for version in range(1, len(lines) + 1)]
    assert "A table for 2 players is opened." in lines[0]
    assert re.search("Final scores: |The game is over", lines[-1])


def test_the_same_seed_is_the_same_game_and_another_is_another(capsys: pytest.CaptureFixture[str]) -> None:
    games = [printed(capsys, "toy", "--seats", "4", "--seed", seed) for seed in ("5", "5", "6")]
    assert games[0] == games[1] != games[2]


def test_a_seat_is_shown_what_it_may_see(capsys: pytest.CaptureFixture[str]) -> None:
    public, seat = printed(capsys, "toy"), printed(capsys, "toy", "--seat", "0")
    assert "Each player draws 3 cards." in public[2]
    assert re.search("Ann draws [A-Z][a-z]+", seat[2])


def test_another_set_and_another_language_are_played(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "toy", "--set", "toy-court", "--language", "ja")
    assert "テーブル" in lines[0]
    assert not any(re.search("[a-z]{4}", line) for line in lines)


@pytest.mark.parametrize(
    "arguments,said",
    [
        (["go"], "there is no title go, only spacelab, chimera, toy"),
        (["toy", "--seats", "6"], "toy is for 2 to 5 seats"),
        (["toy", "--seats", "1"], "toy is for 2 to 5 seats"),
        (["toy", "--seat", "2"], "the seats are 0 to 1"),
        (["toy", "--set", "none"], "toy has no component set none, only toy-1, toy-court"),
    ],
)
def test_what_cannot_be_played_is_refused_with_what_can(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *arguments], ALL) == 2
    assert capsys.readouterr().err == f"tablelog: {said}\n"
