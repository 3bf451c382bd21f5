"""Style sheets in one: nothing is lost, and it is dark for the same people as with links of their own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from config.joined.kinds import SHEETS
from config.joined.sheets import joined, themed
from tournament.display.appearance import SHEETS as THEMES

STATIC = Path(settings.BASE_DIR, "static")


def read(name: str) -> str:
    return (STATIC / name).read_text("utf-8")


def test_a_theme_is_for_who_chose_it_and_for_whose_device_did() -> None:
    assert themed(":root { --ink: #fff; }", ("theme",)) == (
        ':root:where([data-theme="dark"]) { --ink: #fff; }\n'
        "@media (prefers-color-scheme: dark) {\n:root:where(:not([data-theme])) { --ink: #fff; }\n}"
    )


def test_of_two_wishes_each_may_be_chosen_or_the_device_s() -> None:
    found = themed(":root { --ink: #fff; }", ("theme", "contrast"))
    assert found.count("--ink") == 4
    assert ':root:where([data-theme="dark"]:not([data-contrast]))' in found
    assert "@media (prefers-color-scheme: dark) and (prefers-contrast: more)" in found


@pytest.mark.parametrize("name", THEMES)
def test_themes_hold_tokens_alone(name: str) -> None:
    """Only the root is asked about in a joined sheet."""
    assert re.findall(r"([^{}]+)\{", re.sub(r"/\*.*?\*/", "", read(f"css/{name}.css"))) == ["\n:root "]


@pytest.mark.parametrize("kind", SHEETS)
def test_every_value_is_still_there(kind: str) -> None:
    """Sums keep the spaces without which they mean nothing."""
    made = joined(SHEETS[kind], read)
    for name in SHEETS[kind]:
        for value in re.findall(r"(?:calc|clamp|min|max)\(.*?(?=[;}])", read(name)):
            assert value.replace(", ", ",").replace(" * ", "*").strip() in made.replace(" * ", "*"), (
                name,
                value,
            )


@pytest.mark.parametrize("kind", SHEETS)
def test_what_lies_within_still_does(kind: str) -> None:
    """`.a :is(b)` is another thing than `.a:is(b)`, in the rules of a container too."""
    made = joined(SHEETS[kind], read)
    for name in SHEETS[kind]:
        for outer, inner in re.findall(
            r"([.\w\])-]+) (::?[a-z-]+)", re.sub(r"/\*.*?\*/", "", read(name), flags=re.S)
        ):
            assert f"{outer} *{inner}" in made, (name, outer, inner)
