"""The fans as pages: all of them by points, one with all that is to be said of it, and a sheet to print."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.book import decisions
from scoring.book.fan_filter import ANY_HAND, CONCEALED, POINTS, Wanted
from scoring.book.fans import Example, FanEntry, barred_by, bars, by_points, entries, principles, worths
from scoring.book.made import MadeHere, made_here
from scoring.book.page import book_page, drawn_close
from scoring.book.passages import blocks
from scoring.book.rules import chapters
from scoring.book.texts import said
from scoring.calculator import consult
from scoring.engine.fans import FANS, Fan, FanType, find_fan
from scoring.texts import clause_text
from scoring.texts.names import FAN_TYPES

Shown = dict[str, Any]
SHOWN: Final = 15
"""How many fans the plot shows before the rest is asked for."""


@book_page
def fans_page(request: HttpRequest) -> HttpResponse:
    """All fans; ?q=&points=&type=&hand= narrows them."""
    wanted = Wanted.asked(request.GET)
    context = {
        "wanted": wanted,
        "points": POINTS,
        "types": [(kind.value, FAN_TYPES[kind]) for kind in FanType],
        "hands": [(CONCEALED, _("Concealed hands only")), (ANY_HAND, _("Any hand"))],
        "fans": _listed(wanted.found()) if wanted.narrows else _all_listed(get_language() or "en"),
    }
    if not wanted.narrows:
        context |= _made(made_here())
    return render(request, "book/fans.html", context)


@book_page
def fans_sheet(request: HttpRequest) -> HttpResponse:
    """All fans on one sheet of paper, each with its tiles."""
    return render(
        request, "book/fans_sheet.html", {"fans": _on_a_sheet(get_language() or "en"), "trail": _trail()}
    )


@book_page
def fan_page(request: HttpRequest, key: str) -> HttpResponse:
    """A fan: what it is and is worth, what it does not combine with and why, and hands that count it."""
    try:
        fan = find_fan(key)
    except KeyError:
        raise Http404 from None
    entry, at, made = entries()[fan], FANS.index(fan), made_here()
    context = {
        "entry": entry,
        "type": FAN_TYPES[entry.type] if entry.type else "",
        "worths": worths(fan),
        "bars": bars(fan),
        "barred_by": barred_by(fan),
        "principles": _principles(fan),
        "made": made.fans.get(key),
        "here": made,
        "examples": [_scored(one) for one in entry.examples],
        "previous": FANS[at - 1] if at else None,
        "next": FANS[at + 1] if at + 1 < len(FANS) else None,
        "trail": _trail(),
    }
    return render(request, "book/fan.html", context)


def _made(here: MadeHere) -> Shown:
    """All fans by how often they were made: the first of them, the rarer ones, and those that nobody made."""
    made = here.by_frequency
    return {
        "here": here,
        "often": made[:SHOWN],
        "rarer": made[SHOWN:],
        "most": made[0][1] if made else 0,
        "never": here.never(FANS),
    }


def _trail() -> list[tuple[str, str]]:
    return [(_("Fans"), reverse("book-fans"))]


def _scored(example: Example) -> Shown:
    """An example under MCR, as the engine counts it now, with what it is called."""
    ruling = decisions.passages()[example.ruling] if example.ruling else None
    title = clause_text(example.source) if example.source else ""
    found = consult(example.hand.to_json()).to_json()
    others = [one for one in found["rulebooks"] if one["points"] != found["points"]]
    return {"found": found, "title": title, "ruling": ruling, "others": others}


def _principles(fan: Fan) -> list[tuple[int, str]]:
    """(number, sentence) of the principles behind it, as the rules retell them."""
    numbers = principles(fan)
    if not numbers:
        return []
    sections = (section for chapter in chapters() for section in chapter.sections)
    passage = next(section.passage for section in sections if section.key == "principles")
    sentences = next(blocks(said(passage.text).strip())).lines
    return [(number, sentences[number - 1]) for number in numbers]


def _listed(some: list[FanEntry]) -> SafeString:
    return drawn_close("book/_fans.html", {"groups": _with_examples(some)}) if some else SafeString()


@lru_cache(maxsize=len(settings.LANGUAGES))
def _all_listed(_language: str) -> SafeString:
    """It is the same for everybody who reads this language, as long as the program runs; so is the sheet."""
    return _listed(list(entries().values()))


@lru_cache(maxsize=len(settings.LANGUAGES))
def _on_a_sheet(_language: str) -> SafeString:
    return drawn_close("book/_fans_sheet.html", {"groups": _with_examples(list(entries().values()))})


def _with_examples(some: list[FanEntry]) -> list[tuple[int, list[tuple[FanEntry, Shown]]]]:
    """The fans by points, each with its first example, scored."""
    return [
        (points, [(entry, _scored(entry.examples[0])["found"]) for entry in found])
        for points, found in by_points(some)
    ]
