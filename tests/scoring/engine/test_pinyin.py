"""The names of the fans as they are typed without Chinese."""

from scoring.engine import FANS, Fan
from scoring.engine.fans import SYLLABLES, pinyin, typed


def test_every_fan_has_a_syllable_a_character() -> None:
    names = {fan.zh_hans: pinyin(fan) for fan in FANS}
    assert [name for name, syllables in names.items() if len(name) != len(syllables)] == []
    assert [name for name, syllables in names.items() if not all(map(str.isalpha, syllables))] == []
    assert len(set(names.values())) == len(names), "no two fans have the same pinyin"
    assert set(SYLLABLES) == set("".join(fan.zh_hans for fan in FANS))


def test_a_name_is_typed_with_and_without_tones_and_spaces_and_by_initials() -> None:
    assert typed(Fan.HALF_FLUSH) == ("hùn yī sè", "hùnyīsè", "hun yi se", "hunyise", "hys")
    assert "pinghu" in typed(Fan.ALL_CHOWS), "as it is read at the table"
    assert {"lüyise", "luyise", "lvyise", "lǜyīsè"} < set(typed(Fan.ALL_GREEN))
