"""The suits are called alike everywhere: 万, 条 and 饼."""

from __future__ import annotations

from pathlib import Path

import scoring.book
from scoring.book.terms import glossary

BOOK = Path(scoring.book.__file__).parent


def test_dots_are_bing_wherever_the_book_speaks_of_them() -> None:
    said = [
        f"{path.name}: {line}"
        for path in sorted(BOOK.rglob("*.toml"))
        for line in path.read_text("utf-8").splitlines()
        if "筒" in line
    ]
    assert said == ['d.toml:   { hans = "筒子", hant = "筒子", pinyin = "tǒng zi" },']


def test_the_glossary_keeps_tong_as_the_other_word_for_dots() -> None:
    dots = glossary().by_key["dots"]
    assert [word.hans for word in dots.chinese] == ["饼子", "筒子"]
