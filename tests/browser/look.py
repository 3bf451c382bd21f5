"""Find problems of a page's layout and accessibility, at several sizes, themes and languages."""

import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize

LOOK_SCRIPT = (Path(__file__).parent / "look.js").read_text()
READ_SCRIPT = (Path(__file__).parent / "read.js").read_text()
SET_FONT_SIZE = "size => { document.documentElement.style.fontSize = size }"
SERIOUS = ("serious", "critical")
AXE_WIDTHS = (390, 1280)
"""The widths at which axe is run; it takes a second, and other widths and font sizes show the same elements."""


@dataclass(frozen=True)
class Look:
    """A size, theme, font size and language."""

    width: int = 390
    height: int = 844
    scheme: str = "light"
    font_size: str = "100%"
    language: str = "en"

    @property
    def size(self) -> ViewportSize:
        return {"width": self.width, "height": self.height}

    def __str__(self) -> str:
        return f"{self.width}×{self.height} {self.scheme} {self.font_size} {self.language}"


SIZES = ((320, 640), (390, 844), (844, 390), (768, 1024), (1280, 800), (1920, 1080))
THEMES = (("light", "100%"), ("light", "200%"), ("dark", "100%"))
LOOKS = tuple(
    Look(*size, scheme, font_size, language)
    for size, (scheme, font_size), language in product(SIZES, THEMES, ("en", "zh-hans", "zh-hant"))
)


END_TRANSITIONS = """() => document.getAnimations()
  .filter((animation) => animation instanceof CSSTransition).forEach((transition) => transition.finish())"""
"""Another theme fades in, with colours that are of neither."""


def problems_of(page: Page, look: Look, *, minor: bool = False) -> list[str]:
    """Return every problem of the page at this size, theme and font size; `minor` ones of axe too."""
    page.set_viewport_size(look.size)
    page.emulate_media(color_scheme=look.scheme)  # type: ignore[arg-type]
    page.evaluate(SET_FONT_SIZE, look.font_size)
    page.evaluate(END_TRANSITIONS)
    problems = []
    if look.width in AXE_WIDTHS and look.font_size == "100%":
        violations = axe_violations(page, colours_only=look.scheme == "dark", minor=minor)
        problems += [f"axe: {violation}" for violation in violations]
    for kind, sentences in page.evaluate(LOOK_SCRIPT).items():
        problems += [f"{kind}: {sentence}" for sentence in sentences]
    page.evaluate(SET_FONT_SIZE, "")
    return [f"{look}: {problem}" for problem in problems]


LETTERS = "Gjpqyç Орлова"
"""Letters with descenders in two scripts."""


def clips_letters(page: Page, selector: str) -> bool:
    """Return whether the first such element cuts off descenders, by comparing pixels without its clipping."""
    element = page.locator(selector).first
    element.evaluate("(element, letters) => { element.textContent = letters }", LETTERS)
    box = element.bounding_box()
    assert box
    area = {"x": box["x"], "y": box["y"] - 4, "width": box["width"], "height": box["height"] + 8}
    clipped = page.screenshot(clip=area)  # type: ignore[arg-type]
    element.evaluate("element => { element.style.overflow = 'visible' }")
    return clipped != page.screenshot(clip=area)  # type: ignore[arg-type]


def structural_problems(page: Page) -> list[str]:
    """Return problems that do not depend on the size: names of tables, focus rings, skip link, repeated words."""
    page.keyboard.press("Tab")
    problems = [
        f"{kind}: {sentence}"
        for kind, sentences in page.evaluate(READ_SCRIPT).items()
        for sentence in sentences
    ]
    return problems + [f"repeated: {name}" for name in repeated_words(page)]


def axe_violations(page: Page, *, colours_only: bool = False, minor: bool = False) -> list[str]:
    """Return the serious axe violations, and the `minor` ones if asked, each with its first element."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    options = {"resultTypes": ["violations"], "selectors": False} | (
        {"runOnly": ["color-contrast"]} if colours_only else {}
    )
    violations: list[dict[str, Any]] = page.evaluate(
        "options => axe.run(options).then((result) => result.violations)", options
    )
    return [
        f"{violation['id']}, {len(violation['nodes'])} times: {violation['nodes'][0]['html'][:160]}"
        for violation in violations
        if minor or violation["impact"] in SERIOUS
    ]


TWICE = re.compile(r"\b([^\W\d]{3,})\W+\1\b", re.IGNORECASE)
MERE_TEXT = ("StaticText", "InlineTextBox")
"""Roles of text, which may repeat a word: "20 points, dead hand · hand 3"."""
CHROMIUM_FIELDS = ("Day Day", "Month Month", "Year Year", "Hours Hours", "Minutes Minutes", "AM/PM AM/PM")
"""Names of the parts of Chromium's fields for dates and times."""
NAMES = ("Team: Team", "Chan-Chan")
"""Names that repeat a word or begin with the word before them."""
TONED = set("āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ")
"""Vowels of Pinyin, which may repeat a syllable: pèng pèng hú."""


def repeated_words(page: Page) -> list[str]:
    """Return the names in the accessibility tree in which a word is repeated."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    names = {
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"]
    }
    return sorted(
        f"{role}: {name}"
        for role, name in names
        if role not in MERE_TEXT and name not in CHROMIUM_FIELDS and not any(known in name for known in NAMES)
        if any(not TONED & set(match[1]) for match in TWICE.finditer(name))
    )
