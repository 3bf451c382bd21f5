"""What each kind of page is made of: scripts and style sheets by their names under static/, in their order."""

from __future__ import annotations

from typing import Final

HTMX: Final = "django_htmx/htmx-2.min.js"
MORPH: Final = "vendor/idiomorph/idiomorph.min.js"
THEME: Final = "js/theme.js"
"""Runs before anything is painted, on every page; so it is in none of the joined files."""
_EVERYWHERE: Final = tuple(
    f"js/{name}.js"
    for name in ("fonts", "live", "dialog", "arrive", "toast", "once", "nav", "calls", "organiser")
)
_REFRESHED: Final = (MORPH, *_EVERYWHERE, "js/refresh.js")
_ORGANISER: Final = (HTMX, *_REFRESHED, "js/clock.js", "js/zone.js", "js/swap.js")

SCRIPTS: Final[dict[str, tuple[str, ...]]] = {
    "site": _EVERYWHERE,
    "event": (*_REFRESHED, "js/phone/mine.js", "js/clock.js", "js/phone/phone.js"),
    "organiser": _ORGANISER,
    "screen-preview": (*_ORGANISER, "js/screen.js"),
    "umpire": (HTMX, *_REFRESHED, "js/clock.js"),
    "desk": (*_EVERYWHERE, "js/desk/main.js"),
    "calculator": (HTMX, *_EVERYWHERE, "js/calculator/main.js"),
    "classical": (*_EVERYWHERE, "js/classical/evening.js"),
    "hall": (MORPH, *_EVERYWHERE, "js/screen.js"),
    "ceremony": _REFRESHED,
    "book": (*_EVERYWHERE, "js/book/terms.js"),
    "glossary": (*_EVERYWHERE, "js/book/narrow.js"),
    "quiz": (*_EVERYWHERE, "js/book/quiz.js"),
}
"""Kind of page → what it runs. What these import comes with them; htmx is where pages ask by it."""

TOKENS: Final = "css/tokens.css"
_COMMON: Final = tuple(
    f"css/{name}.css"
    for name in ("base", "tiles", "controls", "forms", "signs", "score", "umpire", "ranking", "organiser")
)
PRINT: Final = "css/print.css"
_OWN: Final = {
    "site": (),
    "event": ("public",),
    "event-fouls": ("public", "desk"),
    "event-ceremony": ("public", "ceremony"),
    "organiser-ceremony": ("ceremony",),
    "umpire": ("desk",),
    "desk": ("desk", "landscape"),
    "calculator": ("desk", "calculator", "landscape"),
    "systems": ("desk", "calculator"),
    "classical": ("desk", "classical"),
    "hall": ("hall", "slides"),
    "hall-ceremony": ("hall", "slides", "ceremony"),
    "account": ("account",),
    "book": ("desk", "terms", "rules"),
    "glossary": ("glossary",),
    "fans": ("fans",),
    "fan": ("desk", "terms", "rules", "calculator", "fans"),
    "fans-sheet": ("fans-sheet",),
    "quiz": ("desk", "terms", "rules", "calculator", "quiz"),
}
SHEETS: Final[dict[str, tuple[str, ...]]] = {
    kind: (*_COMMON, PRINT, *(f"css/{name}.css" for name in own)) for kind, own in _OWN.items()
}
"""Kind of page → its sheets, over the tokens and those for the dark and for high contrast."""


def joined_script(kind: str) -> str:
    """The name of the joined file under static/."""
    return f"joined/{kind}.js"


def joined_sheet(kind: str) -> str:
    return f"joined/{kind}.css"
