"""The style sheets: each value of a token stands once, whoever asks for it."""

import re
from pathlib import Path

from tournament.display.appearance import SHEETS

STYLES = Path(__file__).parents[2] / "static" / "css"


def test_a_token_is_set_once_in_a_sheet() -> None:
    """But for what moves less for those who ask for that."""
    for sheet in ("tokens", *SHEETS):
        text = (STYLES / f"{sheet}.css").read_text().split("@media (prefers-reduced-motion")[0]
        names = re.findall(r"(--[\w-]+):", text)
        assert sorted(names) == sorted(set(names)), sheet
        assert "@media" not in text, sheet


def test_links_alone_say_whether_it_is_dark() -> None:
    dark = re.compile("prefers-color-scheme|prefers-contrast|data-theme=.?dark|data-contrast")
    assert [path.name for path in STYLES.glob("*.css") if dark.search(path.read_text())] == []
