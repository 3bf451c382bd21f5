"""The glossary and the fans as pages: read by anybody, and not sent again to who has them.

The glossary is every word A–Z, searched and narrowed by a plain form. The fans are a list by points, a page of each
with all that is to be said of it, and a sheet to print.
"""

import re
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control, set_response_etag
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from scoring.book import decisions
from scoring.book.data import blocks
from scoring.book.fans import (
    ANY_HAND,
    CONCEALED,
    LONGEST_SEARCH,
    POINTS,
    Example,
    FanEntry,
    FanFilter,
    MadeHere,
    barred_by,
    bars,
    by_points,
    entries,
    made_here,
    principles,
    worths,
)
from scoring.book.rules import chapters
from scoring.book.shelf import shelf, tag_names
from scoring.book.terms import TAGS, glossary
from scoring.calculator import consult
from scoring.engine.fans import FANS, Fan, FanType, find_fan
from scoring.texts import FAN_TYPES, clause_text, translated

View = Callable[..., HttpResponse]


def book_page(view: View) -> View:
    """A view `(request, …)` of a page that follows from its address and the reader's language and look."""

    @require_safe
    @vary_on_headers("Cookie", "Accept-Language")
    @wraps(view)
    def answer(request: HttpRequest, *args: object, **where: object) -> HttpResponse:
        response = view(request, *args, **where)
        patch_cache_control(response, private=True, no_cache=True)
        return _unless_known(request, response)

    return answer


def _unless_known(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """304 for a reader who has this very page; who is signed in has a token of their own in every page."""
    if request.method != "GET" or request.user.is_authenticated:
        return response
    set_response_etag(response)
    known = get_conditional_response(request, etag=response["ETag"], response=response)
    return response if known is None else known


def drawn_close(template: str, context: dict[str, Any]) -> SafeString:
    """A long list without the indentation of its template: that is a third of it."""
    return SafeString(re.sub(r"\s*\n\s*", "\n", render_to_string(template, context)))


@book_page
def glossary_page(request: HttpRequest) -> HttpResponse:
    """GET ?q=meld&tag=mcr narrows it; an unknown tag is none."""
    words = " ".join(request.GET.get("q", "")[:LONGEST_SEARCH].split())
    tag = request.GET.get("tag", "")
    tag = tag if tag in TAGS else ""
    language = get_language() or "en"
    context = {
        "wanted": words,
        "tag": tag,
        "tags": tag_names().items(),
        "words": len(glossary().terms),
        "letters": _glossary_letters(language, words, tag) if words else _whole_glossary(language, tag),
    }
    return render(request, "book/glossary.html", context)


def _glossary_letters(language: str, words: str, tag: str) -> SafeString:
    return drawn_close("book/_letters.html", {"letters": shelf(language, words, tag)})


@lru_cache(maxsize=32)
def _whole_glossary(language: str, tag: str) -> SafeString:
    """Without a search it is the same for everybody who reads this language, as long as the program runs."""
    return _glossary_letters(language, "", tag)


Shown = dict[str, Any]
SHOWN: Final = 15
"""How many fans the plot shows before the rest is asked for."""


@book_page
def fans_page(request: HttpRequest) -> HttpResponse:
    """All fans; ?q=&points=&type=&hand= narrows them."""
    chosen = FanFilter.from_query(request.GET)
    context = {
        "wanted": chosen,
        "points": POINTS,
        "types": [(kind.value, FAN_TYPES[kind]) for kind in FanType],
        "hands": [(CONCEALED, _("Concealed hands only")), (ANY_HAND, _("Any hand"))],
        "fans": _listed(chosen.fans()) if chosen.narrows else _all_listed(get_language() or "en"),
    }
    if not chosen.narrows:
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
    fans = here.by_frequency
    return {
        "here": here,
        "often": fans[:SHOWN],
        "rarer": fans[SHOWN:],
        "most": fans[0][1] if fans else 0,
        "never": here.never(FANS),
    }


def _trail() -> list[tuple[str, str]]:
    return [(_("Fans"), reverse("book-fans"))]


def _scored(example: Example) -> Shown:
    """An example under MCR, as the engine counts it now, with what it is called."""
    ruling = decisions.passages()[example.ruling] if example.ruling else None
    title = clause_text(example.source) if example.source else ""
    score = consult(example.hand.to_json()).to_json()
    others = [other for other in score["rulebooks"] if other["points"] != score["points"]]
    return {"found": score, "title": title, "ruling": ruling, "others": others}


def _principles(fan: Fan) -> list[tuple[int, str]]:
    """(number, sentence) of the principles behind it, as the rules retell them."""
    numbers = principles(fan)
    if not numbers:
        return []
    sections = (section for chapter in chapters() for section in chapter.sections)
    passage = next(section.passage for section in sections if section.key == "principles")
    sentences = next(blocks(translated(passage.text).strip())).lines
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
        (points, [(entry, _scored(entry.examples[0])["found"]) for entry in fans])
        for points, fans in by_points(some)
    ]
