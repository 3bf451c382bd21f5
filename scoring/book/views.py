"""The glossary as a page: every word A–Z, searched and narrowed by a plain form."""

from __future__ import annotations

from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from scoring.book.page import book_page, drawn_close
from scoring.book.shelf import shelf, tag_names
from scoring.book.terms import TAGS, glossary

LONGEST = 60
"""Characters of a search that are read."""


@book_page
def glossary_page(request: HttpRequest) -> HttpResponse:
    """GET ?q=meld&tag=mcr narrows it; an unknown tag is none."""
    wanted = " ".join(request.GET.get("q", "")[:LONGEST].split())
    tag = request.GET.get("tag", "")
    tag = tag if tag in TAGS else ""
    language = get_language() or "en"
    context = {
        "wanted": wanted,
        "tag": tag,
        "tags": tag_names().items(),
        "words": len(glossary().terms),
        "letters": _drawn(language, wanted, tag) if wanted else _kept(language, tag),
    }
    return render(request, "book/glossary.html", context)


def _drawn(language: str, wanted: str, tag: str) -> SafeString:
    return drawn_close("book/_letters.html", {"letters": shelf(language, wanted, tag)})


@lru_cache(maxsize=32)
def _kept(language: str, tag: str) -> SafeString:
    """Without a search it is the same for everybody who reads this language, as long as the program runs."""
    return _drawn(language, "", tag)
