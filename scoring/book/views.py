"""Glossary and fan pages: public, revalidated by ETag.

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
    MAX_SEARCH_LENGTH,
    POINTS,
    Example,
    FanEntry,
    FanFilter,
    FanStatistics,
    barred_by,
    bars,
    by_points,
    entries,
    fan_statistics,
    points_by_rulebook,
    principles,
)
from scoring.book.glossary_index import glossary_index, tag_names
from scoring.book.rules import chapters
from scoring.book.terms import TAGS, glossary
from scoring.calculator import analyse
from scoring.engine.fans import FANS, Fan, FanType, find_fan
from scoring.texts import FAN_TYPES, clause_text, translated

View = Callable[..., HttpResponse]


def book_page(view: View) -> View:
    """Wrap a view whose page depends only on its URL and the reader's language and look."""

    @require_safe
    @vary_on_headers("Cookie", "Accept-Language")
    @wraps(view)
    def answer(request: HttpRequest, *args: object, **where: object) -> HttpResponse:
        response = view(request, *args, **where)
        patch_cache_control(response, private=True, no_cache=True)
        return _not_modified_or(request, response)

    return answer


def _not_modified_or(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return 304 when the reader has this page. Pages of signed-in readers contain a token and are never equal."""
    if request.method != "GET" or request.user.is_authenticated:
        return response
    set_response_etag(response)
    not_modified = get_conditional_response(request, etag=response["ETag"], response=response)
    return response if not_modified is None else not_modified


def render_compact(template: str, context: dict[str, Any]) -> SafeString:
    """Render a long list without the indentation of its template, which is a third of it."""
    return SafeString(re.sub(r"\s*\n\s*", "\n", render_to_string(template, context)))


@book_page
def glossary_page(request: HttpRequest) -> HttpResponse:
    """Show the glossary; ?q=meld&tag=mcr filters it. An unknown tag is ignored."""
    words = " ".join(request.GET.get("q", "")[:MAX_SEARCH_LENGTH].split())
    tag = request.GET.get("tag", "")
    tag = tag if tag in TAGS else ""
    language = get_language() or "en"
    context = {
        "filter": words,
        "tag": tag,
        "tags": tag_names().items(),
        "words": len(glossary().terms),
        "letters": _glossary_letters(language, words, tag) if words else _whole_glossary(language, tag),
    }
    return render(request, "book/glossary.html", context)


def _glossary_letters(language: str, words: str, tag: str) -> SafeString:
    return render_compact("book/_letters.html", {"letters": glossary_index(language, words, tag)})


@lru_cache(maxsize=32)
def _whole_glossary(language: str, tag: str) -> SafeString:
    """Render the unfiltered glossary, cached by language and tag."""
    return _glossary_letters(language, "", tag)


Context = dict[str, Any]
MAX_PLOTTED: Final = 15
"""How many fans the plot shows before it is unfolded."""


@book_page
def fans_page(request: HttpRequest) -> HttpResponse:
    """Show all fans; ?q=&points=&type=&hand= filters them."""
    chosen = FanFilter.from_query(request.GET)
    context = {
        "filter": chosen,
        "points": POINTS,
        "types": [(kind.value, FAN_TYPES[kind]) for kind in FanType],
        "hands": [(CONCEALED, _("Concealed hands only")), (ANY_HAND, _("Any hand"))],
        "fans": _render_fans(chosen.fans()) if chosen.narrows else _render_all_fans(get_language() or "en"),
    }
    if not chosen.narrows:
        context |= _statistics_context(fan_statistics())
    return render(request, "book/fans.html", context)


@book_page
def fans_sheet(request: HttpRequest) -> HttpResponse:
    """Show all fans on one sheet to print, each with its tiles."""
    return render(
        request, "book/fans_sheet.html", {"fans": _render_sheet(get_language() or "en"), "trail": _trail()}
    )


@book_page
def fan_page(request: HttpRequest, key: str) -> HttpResponse:
    """Show a fan: definition, points, exclusions with their reasons, and example hands."""
    try:
        fan = find_fan(key)
    except KeyError:
        raise Http404 from None
    entry, at, statistics = entries()[fan], FANS.index(fan), fan_statistics()
    context = {
        "entry": entry,
        "type": FAN_TYPES[entry.type] if entry.type else "",
        "points_by_rulebook": points_by_rulebook(fan),
        "bars": bars(fan),
        "barred_by": barred_by(fan),
        "principles": _principles(fan),
        "frequency": statistics.fans.get(key),
        "statistics": statistics,
        "examples": [_score_example(example) for example in entry.examples],
        "previous": FANS[at - 1] if at else None,
        "next": FANS[at + 1] if at + 1 < len(FANS) else None,
        "trail": _trail(),
    }
    return render(request, "book/fan.html", context)


def _statistics_context(statistics: FanStatistics) -> Context:
    """Return all fans by frequency: the first ones, the rarer ones, and those that nobody made."""
    fans = statistics.by_frequency
    return {
        "statistics": statistics,
        "often": fans[:MAX_PLOTTED],
        "rarer": fans[MAX_PLOTTED:],
        "maximum": fans[0][1] if fans else 0,
        "never": statistics.never(FANS),
    }


def _trail() -> list[tuple[str, str]]:
    return [(_("Fans"), reverse("book-fans"))]


def _score_example(example: Example) -> Context:
    """Return an example with its current score under MCR and its title."""
    ruling = decisions.passages()[example.ruling] if example.ruling else None
    title = clause_text(example.source) if example.source else ""
    score = analyse(example.hand.to_json()).to_json()
    others = [other for other in score["rulebooks"] if other["points"] != score["points"]]
    return {"result": score, "title": title, "ruling": ruling, "others": others}


def _principles(fan: Fan) -> list[tuple[int, str]]:
    """Return (number, sentence) of the principles that limit this fan."""
    numbers = principles(fan)
    if not numbers:
        return []
    sections = (section for chapter in chapters() for section in chapter.sections)
    passage = next(section.passage for section in sections if section.key == "principles")
    sentences = next(blocks(translated(passage.text).strip())).lines
    return [(number, sentences[number - 1]) for number in numbers]


def _render_fans(entries_: list[FanEntry]) -> SafeString:
    return (
        render_compact("book/_fans.html", {"groups": _with_examples(entries_)}) if entries_ else SafeString()
    )


@lru_cache(maxsize=len(settings.LANGUAGES))
def _render_all_fans(_language: str) -> SafeString:
    """Render the unfiltered fan list, cached by language."""
    return _render_fans(list(entries().values()))


@lru_cache(maxsize=len(settings.LANGUAGES))
def _render_sheet(_language: str) -> SafeString:
    return render_compact("book/_fans_sheet.html", {"groups": _with_examples(list(entries().values()))})


def _with_examples(entries_: list[FanEntry]) -> list[tuple[int, list[tuple[FanEntry, Context]]]]:
    """Return the fans by points, each with its first example, scored."""
    return [
        (points, [(entry, _score_example(entry.examples[0])["result"]) for entry in fans])
        for points, fans in by_points(entries_)
    ]
