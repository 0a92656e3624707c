"""Smaller sets, and stations on the verge of something."""

from __future__ import annotations

from domain.spacelab.rules import SpaceLab
from tests.domain.spacelab.table import Has, loaded, written

ALL_TILES = ("objective_01", "objective_02", "objective_03")
OTHER_TILES = ALL_TILES[1:]
"""What lies on center and right where only the left capsule matters."""
ALL_COMPLETE = {
    "top_left": "gp_05",
    "side_1": "rr_05",
    "bottom_left": "bf_05",
    "top_center": "rr_09",
    "bottom_center": "bf_09",
    "side_3": "ge_09",
    "top_right": "bf_01",
    "side_4": "gp_09",
}
"""Labs that satisfy `ALL_TILES`, with two slots left."""
TWO_COMPLETE = {"left": "left_8", "center": "center_8"}
OTHERS_WITH_RIGHT_BOOSTS = (
    Has(
        labs={"top_right": "ge_05", "side_4": "ge_02", "side_3": "gp_02"},
        tiles=("objective_05", "objective_06", "objective_08"),
        completed={"right": "right_8"},
    ),
    Has(
        labs={"top_right": "bf_03", "side_4": "bf_04", "side_3": "ge_03"},
        tiles=("objective_09", "objective_10", "objective_07"),
        completed={"right": "right_6"},
        known=("rr_01",),
    ),
)
"""Two seats that took the upper two boosts of the right pile."""
NOTHING_SCORES = {
    "top_left": "rr_01",
    "bottom_left": "rr_04",
    "side_1": "rr_08",
    "side_2": "bf_01",
    "top_center": "bf_04",
    "bottom_center": "bf_08",
    "side_3": "gp_01",
    "top_right": "gp_04",
    "bottom_right": "gp_08",
    "side_4": "bf_14",
}
"""A full station of labs that score nothing."""


def single_boosts() -> SpaceLab:
    """The house set with a single boost in each pile."""
    data = written()
    data["boosts"] = [boost for boost in data["boosts"] if boost["points"] == 8]
    return loaded(data)


def unaffordable_labs(number: int) -> SpaceLab:
    """The house set with so few labs, each of the highest cost, that none can ever be paid for."""
    data = written()
    data["labs"] = [{**lab, "cost": 4} for lab in data["labs"][:number]]
    return loaded(data)


def one_objective_left(*known: str) -> Has:
    """A seat with two objectives completed, which completes the third with a golden lab on the right."""
    labs = {slot: card for slot, card in ALL_COMPLETE.items() if card != "gp_09"}
    return Has(known=known, labs=labs, tiles=ALL_TILES, completed=TWO_COMPLETE)


def one_slot_left(*known: str) -> Has:
    """A seat with all slots filled but `side_1`, which completes nothing by filling it."""
    labs = {
        "top_left": "gp_05",
        "bottom_left": "gp_09",
        "side_2": "rr_05",
        "top_center": "rr_09",
        "bottom_center": "rr_02",
        "side_3": "bf_05",
        "top_right": "bf_09",
        "bottom_right": "bf_02",
        "side_4": "bf_04",
    }
    return Has(known=known, labs=labs, tiles=("objective_12", "objective_08", "objective_05"))


def one_capsule() -> SpaceLab:
    """A smaller set: one capsule with four slots around it."""
    data = written()
    data["boosts"] = [boost for boost in data["boosts"] if boost["pile"] == "left"]
    data["slots"] = [{**slot, "capsules": ["left"]} for slot in data["slots"] if "left" in slot["capsules"]]
    return loaded(data)
