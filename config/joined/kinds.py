"""What each kind of page is made of: scripts and style sheets by their names under static/, in their order."""

from __future__ import annotations

from typing import Final

HTMX: Final = "django_htmx/htmx-2.min.js"
MORPH: Final = "vendor/idiomorph/idiomorph.min.js"
THEME: Final = "js/theme.js"
"""Runs before anything is painted, on every page; so it is in none of the joined files."""
_EVERYWHERE: Final = tuple(
    f"js/{name}.js"
    for name in ("fonts", "live", "dialog", "arrive", "been", "toast", "once", "nav", "calls", "organiser")
)
_REFRESHED: Final = (MORPH, *_EVERYWHERE, "js/refresh.js")
_ORGANISER: Final = (HTMX, *_REFRESHED, "js/clock.js", "js/zone.js", "js/swap.js")

SCRIPTS: Final[dict[str, tuple[str, ...]]] = {
    "site": _EVERYWHERE,
    "event": (*_REFRESHED, "js/phone/mine.js", "js/clock.js", "js/phone/phone.js"),
    "organiser": _ORGANISER,
    "check-in": (*_ORGANISER, "js/check-in.js"),
    "screen-preview": (*_ORGANISER, "js/screen.js"),
    "umpire": (HTMX, *_REFRESHED, "js/clock.js"),
    "paper": (HTMX, *_REFRESHED, "js/totals.js"),
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
_GROUND: Final = ("base", "tiles", "controls", "forms", "signs", "score")
_PARTS: Final = ("picture", "entry", "board", "umpire")
"""What the desk is made of, in order; other pages take one of them or two."""
_STAFF: Final = (*_PARTS, "ranking", "organiser")
_PICTURE: Final = ("picture", "ranking")
_EVENT: Final = ("picture", "board", "ranking")
_READ: Final = ("ranking",)
_OWN: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "site": (_READ, ()),
    "event": (_EVENT, ("public", "event")),
    "event-fouls": (_READ, ("public", "desk")),
    "event-ceremony": (_READ, ("public", "ceremony")),
    "fouls": (_READ, ("desk",)),
    "organiser": (_STAFF, ("event",)),
    "organiser-ceremony": (_STAFF, ("ceremony",)),
    "umpire": (_STAFF, ("desk",)),
    "paper": (_STAFF, ("desk", "totals")),
    "desk": (_STAFF, ("desk", "landscape")),
    "calculator": (("entry", "ranking"), ("desk", "calculator", "landscape")),
    "systems": (_READ, ("desk", "calculator")),
    "classical": (_PICTURE, ("desk", "classical")),
    "hall": (_READ, ("hall", "slides")),
    "overlay": (_READ, ("overlay",)),
    "hall-ceremony": (_READ, ("hall", "slides", "ceremony")),
    "account": (_STAFF, ("account",)),
    "book": (_READ, ("desk", "terms", "rules")),
    "glossary": (_READ, ("glossary",)),
    "fans": (_READ, ("fans",)),
    "fan": (_READ, ("desk", "terms", "rules", "calculator", "fans")),
    "fans-sheet": (_READ, ("fans-sheet",)),
    "quiz": (_READ, ("desk", "terms", "rules", "calculator", "quiz")),
}
"""Kind of page → the sheets it shares, and its own. What staff alone look at is in none that the public loads."""
PRINT: Final = "css/print.css"


def _sheets(shared: tuple[str, ...], own: tuple[str, ...]) -> tuple[str, ...]:
    return (*(f"css/{name}.css" for name in (*_GROUND, *shared)), PRINT, *(f"css/{name}.css" for name in own))


SHEETS: Final[dict[str, tuple[str, ...]]] = {kind: _sheets(*parts) for kind, parts in _OWN.items()}
"""Kind of page → its sheets, over the tokens and those for the dark and for high contrast."""


def joined_script(kind: str) -> str:
    """The name of the joined file under static/."""
    return f"joined/{kind}.js"


def joined_sheet(kind: str) -> str:
    return f"joined/{kind}.css"
