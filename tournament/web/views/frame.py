"""What every page of an organiser does: find the tournament, mark the section, keep nothing in caches."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournament.base import access
from tournament.base.access import Right
from tournament.base.errors import Refused, Unsettled
from tournament.base.models.tournament import Tournament
from tournament.site.views.what_now import bar_of
from tournament.web.views.common import actor_of, allowed_or_404, tell_refusal
from tournament.web.views.sections import parts_of, sections_for

UNPROCESSABLE = 422
"""The answer to a form with something wrong in it."""


Page = Callable[..., HttpResponse]


def page_for(*rights: Right) -> Callable[[Page], Page]:
    """A view `(request, tournament, …)` for those with one of these rights, under an address with the event's slug.

    What it writes asks the services, which know better than a page which right each of them needs.
    """

    def for_these(view: Page) -> Page:
        @never_cache
        @login_required
        @wraps(view)
        def answer(request: HttpRequest, slug: str, **where: Any) -> HttpResponse:
            return view(request, allowed_or_404(request, slug, rights), **where)

        return answer

    return for_these


organiser_page = page_for(Right.ORGANISE)
"""For organisers only."""
desk_page = page_for(Right.ADMIT)
"""For whoever admits people."""


def show(
    request: HttpRequest,
    template: str,
    tournament: Tournament,
    section: str,
    context: dict[str, Any] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """A page of the tournament; `section` is the link of the navigation that it belongs to."""
    may = rights_of(request, tournament)
    bar = bar_of(tournament, request.path) if may["organise"] else None
    whole = {"tournament": tournament, "section": section, "bar": bar, "may": may, **(context or {})}
    whole["sections"] = sections = sections_for(tournament, may)
    whole["parts"] = parts_of(sections)
    return render(request, f"{template}.html", whole, status=status)


def rights_of(request: HttpRequest, tournament: Tournament) -> dict[str, bool]:
    """For templates: `may.organise` and the like."""
    mine = access.rights_in(actor_of(request), tournament)
    return {right.value: right in mine for right in Right}


def press(
    request: HttpRequest, write: Callable[[], object], done: str, to: str, *where: Any, check: str = ""
) -> HttpResponse:
    """A button: write, say that it is done or why it could not be, and go to a page.

    `check`: the address of the page that says what is still open before this step.
    """
    try:
        write()
    except Unsettled:
        if "reason" in request.POST:
            messages.error(request, _("Look at what is open, and say why you go on all the same."))
        typed = request.POST.get("reason", "").strip()[:300]
        more = f"{'&' if '?' in check else '?'}{urlencode({'reason': typed})}" if typed else ""
        return redirect(check + more)
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, done)
    return redirect(to, *where)
