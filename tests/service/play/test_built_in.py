"""The component sets that come with a title."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from domain.catalogue import TITLES
from service.main import EXPLAINED, main
from service.play.built_in import NoComponentSets, built_in
from tests.toy import TITLE


def test_the_sets_of_a_title_are_those_in_the_folder_of_its_package() -> None:
    for title in (*TITLES.values(), TITLE):
        names = [name for name, text in built_in(title) if title.load(text)]
        assert names == sorted(names) != []


@pytest.mark.parametrize(
    "package,why",
    [
        ("domain.chess", "there is no such package"),
        ("tests.harness", "it has no folder components"),
    ],
)
def test_a_title_without_component_sets_is_told_with_its_package(
    package: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    title = replace(TITLE, package=package)
    told = f"no component sets for the title toy in the package '{package}': {why}"
    with pytest.raises(NoComponentSets) as error:
        built_in(title)
    assert str(error.value) == told
    # Neither the settings nor a database are looked at before.
    assert main(["serve"], {"toy": title}) == EXPLAINED
    assert capsys.readouterr().err == f"tablelog: {told}\n"


def test_an_empty_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty" / "components").mkdir(parents=True)
    (tmp_path / "empty" / "__init__.py").touch()
    (tmp_path / "empty" / "components" / "notes.txt").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(NoComponentSets, match=r"its folder components holds no \.toml file"):
        built_in(replace(TITLE, package="empty"))
