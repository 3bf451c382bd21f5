"""The style sheets: each value of a token stands once, whoever asks for it."""

import re
from pathlib import Path

import pytest

from tournament.display.appearance import SHEETS

STYLES = Path(__file__).parents[2] / "static" / "css"
TOKENS = ("tokens", *SHEETS)


@pytest.mark.parametrize("sheet", TOKENS)
def test_a_token_is_set_once_in_a_sheet(sheet: str) -> None:
    """But for what moves less for those who ask for that."""
    text = (STYLES / f"{sheet}.css").read_text().split("@media (prefers-reduced-motion")[0]
    names = re.findall(r"(--[\w-]+):", text)
    assert sorted(names) == sorted(set(names))
    assert "@media" not in text


@pytest.mark.parametrize("path", sorted(STYLES.glob("*.css")), ids=lambda path: path.name)
def test_links_alone_say_whether_it_is_dark(path: Path) -> None:
    assert (
        re.findall(r"prefers-color-scheme|prefers-contrast|data-theme=.?dark|data-contrast", path.read_text())
        == []
    )
