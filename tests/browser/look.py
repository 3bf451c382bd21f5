"""One look at a page after another: each size of window, by day and by night, with text of both sizes."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize

SIZES: tuple[ViewportSize, ...] = (
    {"width": 320, "height": 640},
    {"width": 390, "height": 844},
    {"width": 844, "height": 390},
    {"width": 1280, "height": 800},
    {"width": 1920, "height": 1080},
)
LOOK = (Path(__file__).parent / "look.js").read_text()
READ = (Path(__file__).parent / "read.js").read_text()
LETTERS = "size => { document.documentElement.style.fontSize = size }"
BY_AXE = (390, 1280)
"""Widths at which axe reads the page, by day and by night."""
SERIOUS = ("serious", "critical")
QUICK = {"resultTypes": ["violations"]}
COLOURS = QUICK | {"runOnly": ["color-contrast"]}
"""Colours alone are other at night; the structure was read by day."""


LETTERS_BY = {"light": ("100%", "200%"), "dark": ("100%",)}
"""Sizes of text; at night nothing but the colours is other."""


def look_at(page: Page) -> dict[str, list[str]]:
    """What is wrong at any size, by kind. Each is said once, where it is first seen."""
    found: dict[str, dict[str, str]] = {"sideways": {}, "small": {}, "covered": {}, "barriers": {}}
    page.keyboard.press("Tab")
    found |= {kind: dict.fromkeys(sentences, "") for kind, sentences in page.evaluate(READ).items()}
    found["twice"] = dict.fromkeys(heard_twice(page), "")
    page.evaluate(Axe().axe_script)
    for size, scheme in product(SIZES, ("light", "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        where = f"{size['width']}×{size['height']} {scheme}"
        if size["width"] in BY_AXE:
            _keep(found["barriers"], where, told_by_axe(page, QUICK if scheme == "light" else COLOURS))
        for letters in LETTERS_BY[scheme]:
            page.evaluate(LETTERS, letters)
            for kind, sentences in page.evaluate(LOOK).items():
                _keep(found[kind], f"{where} {letters}", sentences)
        page.evaluate(LETTERS, "")
    return {
        kind: [f"{at}: {what}".removeprefix(": ") for what, at in said.items()]
        for kind, said in found.items()
    }


def told_by_axe(page: Page, options: dict[str, Any] = QUICK) -> list[str]:
    """What would keep somebody from using the page, with the first element of each kind."""
    found = page.evaluate("options => axe.run(options).then(found => found.violations)", options)
    return [
        f"{one['id']}, {len(one['nodes'])} times: {one['nodes'][0]['html'][:160]}"
        for one in found
        if one["impact"] in SERIOUS
    ]


TWICE = re.compile(r"\b([^\W\d]{3,})\W+\1\b", re.IGNORECASE)
NO_NAMES = ("StaticText", "InlineTextBox")
"""Roles of mere text: a sentence may come back to a word, as "20 points, dead hand · hand 3"."""
ITS_OWN = ("Day Day", "Month Month", "Year Year", "Hours Hours", "Minutes Minutes", "AM/PM AM/PM")
"""How Chromium calls the parts of its own fields for dates and times."""
A_NAME = ("Team: Team", "Chan-Chan")
"""What follows the word is a name that begins with it, or the name says it twice."""

TONED = set("āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ")
"""Pinyin says a syllable as often as the word has it: pèng pèng hú."""


def heard_twice(page: Page) -> list[str]:
    """The names of things that say a word twice running."""
    line = page.context.new_cdp_session(page)
    nodes = line.send("Accessibility.getFullAXTree")["nodes"]
    line.detach()
    said = {
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"]
    }
    heard = {
        (role, name)
        for role, name in said
        if role not in NO_NAMES and name not in ITS_OWN and not any(one in name for one in A_NAME)
    }
    return sorted(
        f"{role}: {name}"
        for role, name in heard
        if any(not TONED & set(found[1]) for found in TWICE.finditer(name))
    )


def _keep(known: dict[str, str], where: str, sentences: list[str]) -> None:
    for sentence in sentences:
        known.setdefault(sentence, where)
