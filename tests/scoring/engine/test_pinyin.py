"""The names of the fans as they are typed without Chinese."""

import pytest

from scoring.engine import Fan
from scoring.engine.fans import FANS
from scoring.engine.pinyin import SYLLABLES, pinyin, typed


@pytest.mark.parametrize("fan", FANS, ids=lambda fan: fan.key)
def test_every_fan_has_a_syllable_a_character(fan: Fan) -> None:
    assert len(pinyin(fan)) == len(fan.zh_hans)
    assert all(syllable.isalpha() for syllable in pinyin(fan))


def test_no_reading_is_kept_that_no_fan_needs() -> None:
    assert sorted(SYLLABLES) == sorted(set("".join(fan.zh_hans for fan in FANS)))


def test_a_name_is_typed_with_and_without_tones_and_spaces_and_by_initials() -> None:
    assert typed(Fan.HALF_FLUSH) == ("hùn yī sè", "hùnyīsè", "hun yi se", "hunyise", "hys")


def test_hu_is_read_as_at_the_table() -> None:
    assert "pinghu" in typed(Fan.ALL_CHOWS)


def test_the_dotted_u_is_typed_in_three_ways() -> None:
    assert {"lüyise", "luyise", "lvyise", "lǜyīsè"} < set(typed(Fan.ALL_GREEN))


def test_no_two_fans_have_the_same_pinyin() -> None:
    names = [pinyin(fan) for fan in FANS]
    assert len(set(names)) == len(names)
