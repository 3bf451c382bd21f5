"""The documentation as pages, for the "?" of organisers' and umpires' pages, and its search."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.help.order import INDEX
from tournament.help.selectors import FOLDERS, MAX_SEARCH_LENGTH, contents, help_page, search


@require_safe
def page(request: HttpRequest, folder: str, name: str = "") -> HttpResponse:
    shown = help_page(folder, name or INDEX, _language(), _address)
    if shown is None or name == INDEX:
        raise Http404
    pages = contents(_language())[folder]
    place = [link.name for link in pages].index(name)
    context = {"page": shown, "following": pages[place + 1] if place + 1 < len(pages) else None}
    return render(request, "help/page.html", _parts() | context)


@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    """Show the sections that have every word of `?q=`."""
    query = request.GET.get("q", "").strip()[:MAX_SEARCH_LENGTH]
    context = {"query": query, "hits": search(query, _language())}
    return render(request, "help/search.html", _parts() | context)


def _parts() -> dict[str, Any]:
    return {"parts": [(FOLDERS[folder], links) for folder, links in contents(_language()).items()]}


def _language() -> str:
    return get_language() or "en"


def _address(folder: str, name: str) -> str:
    return reverse("help_page", args=[folder, name]) if name else reverse("help_folder", args=[folder])
