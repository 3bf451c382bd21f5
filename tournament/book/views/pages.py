"""The pages: contents and search, a chapter, the whole to print, the disputed rules, the history."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.book import decisions, history, sources
from scoring.book.page import book_page
from scoring.book.rules import Chapter, chapters
from scoring.engine import MCR, RULEBOOKS
from scoring.texts import rulebook_name
from tournament.book.views.figures import figure
from tournament.book.views.search import LONGEST, search

Laid = list[dict[str, Any]]


@book_page
def contents(request: HttpRequest) -> HttpResponse:
    """The chapters; with ?q= what was found instead."""
    query = request.GET.get("q", "").strip()[:LONGEST]
    context = {
        "chapters": chapters(),
        "query": query,
        "hits": search(query),
        "books": sources.books().values(),
    }
    return render(request, "book/contents.html", context)


@book_page
def chapter(request: HttpRequest, key: str) -> HttpResponse:
    """One chapter, its neighbours, and what its drawings are asked."""
    every = chapters()
    at = next((at for at, one in enumerate(every) if one.key == key), None)
    if at is None:
        raise Http404
    context = {
        "chapter": every[at],
        "number": at + 1,
        "sections": _laid_out(every[at], request.GET),
        "previous": every[at - 1] if at else None,
        "next": every[at + 1] if at + 1 < len(every) else None,
        "trail": _trail(),
    }
    return render(request, "book/chapter.html", context)


@book_page
def whole(request: HttpRequest) -> HttpResponse:
    """All chapters on one page, to be printed."""
    return render(request, "book/whole.html", {"chapters": _whole(get_language() or "en")})


@book_page
def disputed(request: HttpRequest) -> HttpResponse:
    """Every decision: what each text says, what Hule does, and why."""
    context = {
        "rulebooks": decisions.rulebooks(),
        "rules": [(rule, _readings(rule.key)) for rule in decisions.rules()],
        "groups": decisions.groups(),
        "books": sources.books().values(),
        "trail": _trail(),
    }
    return render(request, "book/decisions.html", context)


@book_page
def story(request: HttpRequest) -> HttpResponse:
    """Where the game comes from, by source, and its variants."""
    context = {
        "questions": history.questions(),
        "variants": history.variants(),
        "books": sources.books().values(),
    }
    return render(request, "book/history.html", context)


@lru_cache(maxsize=len(settings.LANGUAGES))
def _whole(_language: str) -> SafeString:
    """It is the same for everybody who reads this language, as long as the program runs."""
    every = [(one, _laid_out(one, QueryDict())) for one in chapters()]
    return render_to_string("book/_whole.html", {"chapters": every, "books": sources.books().values()})


def _trail() -> list[tuple[str, str]]:
    return [(_("Rules"), reverse("rules"))]


def _laid_out(one: Chapter, asked: QueryDict) -> Laid:
    """Each section with what its drawing needs."""
    return [
        {
            "section": section,
            "template": f"book/drawings/{section.drawing}.html" if section.drawing else "",
            "figure": figure(section.drawing, asked) if section.drawing else {},
            "decision": decisions.passages().get(section.decision),
        }
        for section in one.sections
    ]


def _readings(key: str) -> list[dict[str, Any]]:
    """What each rulebook reads, and whether that is what MCR reads."""
    return [
        {
            "name": rulebook_name(book),
            "clause": decisions.clauses()[book.clauses[key]],
            "as_mcr": book != MCR and book.clauses[key] == MCR.clauses[key],
        }
        for book in RULEBOOKS
    ]
