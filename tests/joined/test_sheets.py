"""Style sheets in one: nothing is lost, and it is dark for the same people as with links of their own."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

from config.joined import SHEETS, join_sheets, themed
from tournament.base.requests import SHEETS as THEMES

STATIC = Path(settings.BASE_DIR, "static")
SUM = re.compile(r"(?:calc|clamp|min|max)\(.*?(?=[;}])")
WITHIN = re.compile(r"([.\w\])-]+) (::?[a-z-]+)")


def read(name: str) -> str:
    return (STATIC / name).read_text("utf-8")


def without_comments(css: str) -> str:
    return re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)


def test_a_theme_is_for_who_chose_it_and_for_whose_device_did() -> None:
    assert themed(":root { --ink: #fff; }", ("theme",)) == (
        ':root:where([data-theme="dark"]) { --ink: #fff; }\n'
        "@media (prefers-color-scheme: dark) {\n:root:where(:not([data-theme])) { --ink: #fff; }\n}"
    )
    # Of two wishes each may be chosen or the device's.
    css = themed(":root { --ink: #fff; }", ("theme", "contrast"))
    assert css.count("--ink") == 4
    assert ':root:where([data-theme="dark"]:not([data-contrast]))' in css
    assert "@media (prefers-color-scheme: dark) and (prefers-contrast: more)" in css


def test_themes_hold_tokens_alone() -> None:
    """Only the root is asked about in a joined sheet."""
    selectors = {
        name: re.findall(r"([^{}]+)\{", without_comments(read(f"css/{name}.css"))) for name in THEMES
    }
    assert selectors == {name: ["\n:root "] for name in THEMES}


def test_every_value_is_still_there() -> None:
    """Sums keep the spaces without which they mean nothing."""
    lost, sums = [], 0
    for kind, names in SHEETS.items():
        css = join_sheets(names, read).replace(" * ", "*")
        for name in names:
            values = SUM.findall(read(name))
            sums += len(values)
            short = (value.replace(", ", ",").replace(" * ", "*").strip() for value in values)
            lost += [(kind, name, value) for value in short if value not in css]
    assert lost == []
    assert sums


def test_what_lies_within_still_does() -> None:
    """`.a :is(b)` is another thing than `.a:is(b)`, in the rules of a container too."""
    lost, pairs = [], 0
    for kind, names in SHEETS.items():
        css = join_sheets(names, read)
        for name in names:
            for outer, inner in WITHIN.findall(without_comments(read(name))):
                pairs += 1
                lost += [(kind, name, outer, inner)] * (f"{outer} *{inner}" not in css)
    assert lost == []
    assert pairs
