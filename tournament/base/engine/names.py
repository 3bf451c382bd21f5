"""How a person's name is written.

As entered, in any script. The family name stands first, without a space, only when both names are Chinese.
"""

import unicodedata


def is_chinese(text: str) -> bool:
    """True when every character is a Han character: 张, 欧阳; false for '', 'Li' and 'ひろ'."""
    return bool(text) and all(unicodedata.name(char, "").startswith("CJK") for char in text)


def display_name(first_name: str, last_name: str) -> str:
    """
    >>> display_name("伟", "张"), display_name("Mātīss", "陈"), display_name("", "Nowak")
    ('张伟', 'Mātīss 陈', 'Nowak')
    """
    if is_chinese(first_name) and is_chinese(last_name):
        return last_name + first_name
    return f"{first_name} {last_name}".strip()
