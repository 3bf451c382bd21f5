"""The documentation as pages, for the "?" of organisers' and umpires' pages."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.help.selectors import FOLDERS, INDEX, contents, help_page


@require_safe
def page(request: HttpRequest, folder: str, name: str = "") -> HttpResponse:
    language = get_language() or "en"
    shown = help_page(folder, name or INDEX, language, _address)
    if shown is None or name == INDEX:
        raise Http404
    context = {"page": shown, "parts": [(FOLDERS[key], pages) for key, pages in contents(language).items()]}
    return render(request, "help/page.html", context)


def _address(folder: str, name: str) -> str:
    return reverse("help_page", args=[folder, name]) if name else reverse("help_folder", args=[folder])
