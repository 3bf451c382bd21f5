"""Names in the order in which a reader looks for them."""

from __future__ import annotations

from django.utils.translation import get_language

from scoring.texts.folding import folded

BY_SOUND, BY_STROKES = "gb2312", "big5"
"""Both character sets list what is usual in the order of its dictionaries: simplified characters by sound (pinyin),
traditional ones by strokes."""


def by_name(name: str) -> tuple[str, bytes, str]:
    """A sort key: Latin letters without accents first, then Chinese names in the reader's order."""
    codes = BY_STROKES if get_language() == "zh-hant" else BY_SOUND
    plain = folded(name)
    if plain[:1] < "\u2e80":
        return plain, b"", name
    return "\uffff", plain.encode(codes, "replace"), name
