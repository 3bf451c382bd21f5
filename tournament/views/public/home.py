"""The start page: which tournaments there are."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament import access
from tournament.access import setup_code
from tournament.selectors.public import listing
from tournament.views.common import actor_of


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Tournaments being played, coming and past; before there is any account, the way to make the first one."""
    if setup_code.is_open():
        return HttpResponseRedirect(reverse("setup"))
    actor = actor_of(request)
    found = listing(actor, timezone.localdate())
    return render(request, "public/home.html", {"listing": found, "may_create": access.can_create(actor)})
