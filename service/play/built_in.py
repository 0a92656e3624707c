"""The component sets that come with a title: the TOML files in the folder `components` of its package."""

from __future__ import annotations

from importlib.resources import files

from domain.kernel.rules import Title


class NoComponentSets(Exception):
    """A title without a built-in component set; the message says where one was expected."""


def built_in(title: Title) -> list[tuple[str, str]]:
    """Names and texts of the files, in the order of names; raises `NoComponentSets`."""
    try:
        folder = files(title.package) / "components"
    except ModuleNotFoundError as error:
        raise _missing(title, "there is no such package") from error
    if not folder.is_dir():
        raise _missing(title, "it has no folder components")
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".toml"))
    if not names:
        raise _missing(title, "its folder components holds no .toml file")
    return [(name, (folder / name).read_text(encoding="utf-8")) for name in names]


def _missing(title: Title, why: str) -> NoComponentSets:
    return NoComponentSets(f"no component sets for the title {title.id} in the package {title.package!r}: {why}")
