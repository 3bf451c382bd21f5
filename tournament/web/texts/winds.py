"""Winds in words and in characters."""

from django.utils.translation import get_language, gettext_lazy, pgettext_lazy

NAMES = {
    "E": gettext_lazy("East"),
    "S": gettext_lazy("South"),
    "W": gettext_lazy("West"),
    "N": gettext_lazy("North"),
}
ROUNDS = {
    "E": gettext_lazy("East round"),
    "S": gettext_lazy("South round"),
    "W": gettext_lazy("West round"),
    "N": gettext_lazy("North round"),
}
LETTERS = {
    "E": pgettext_lazy("letter of a wind", "E"),
    "S": pgettext_lazy("letter of a wind", "S"),
    "W": pgettext_lazy("letter of a wind", "W"),
    "N": pgettext_lazy("letter of a wind", "N"),
}
CHARACTERS = {"E": "東", "S": "南", "W": "西", "N": "北"}


def in_chinese() -> bool:
    return (get_language() or "").startswith("zh")


def wind_character(wind: str) -> str:
    """東 南 西 北, in simplified characters for a reader of those (东)."""
    if wind == "E" and get_language() == "zh-hans":
        return "东"
    return CHARACTERS[wind]


def wind_letter(wind: str) -> str:
    """E S W N beside the character; nothing for a reader of Chinese."""
    return "" if in_chinese() else str(LETTERS[wind])
