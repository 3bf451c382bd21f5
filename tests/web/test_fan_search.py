"""What the desk searches the fans by."""

import pytest

from scoring.engine import MCR, find_fan
from scoring.engine.pinyin import typed
from tournament.views.umpire.fan_list import fan_list

LISTED = fan_list(MCR)


@pytest.mark.parametrize("fan", LISTED, ids=lambda fan: fan["key"])
def test_every_fan_is_found_by_its_pinyin(fan: dict[str, str]) -> None:
    for form in typed(find_fan(fan["key"])):
        assert all(word in fan["search"] for word in form.split())


def test_a_whole_name_in_pinyin_finds_that_fan_alone() -> None:
    assert [fan["key"] for fan in LISTED if "hunyise" in fan["search"]] == ["half_flush"]


def test_a_number_finds_points_alone() -> None:
    assert {fan["points"] for fan in LISTED if "88" in fan["search"]} == {88}
