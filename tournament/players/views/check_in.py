"""Checking in at the desk, on a phone: a letter, a tap, the next one."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.base import access
from tournament.base.access.own_address import own_address
from tournament.base.access.rights import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.dues.selectors.dues import account_of
from tournament.players.forms.check_in import CheckInForm
from tournament.players.selectors.check_in import (
    SHOWN,
    check_in_desk,
    check_in_ends,
    check_in_of,
    line_of,
    newest_restart,
)
from tournament.players.selectors.door import door_code
from tournament.players.services.check_in import (
    check_in,
    check_in_several,
    restart_check_in,
    set_check_in,
    take_check_in_back,
)
from tournament.web.display.qr import qr_of
from tournament.web.views.common import Request, actor_of, tell_refusal
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, page_for, show


@page_for(Right.ADMIT)
def desk(request: Request, tournament: Tournament) -> HttpResponse:
    """The list, `?show=` who in it and `?q=` whom it fits; a POST of a `player` checks in, of `undo` takes it back."""
    if request.method == "POST":
        return _tapped(request, tournament)
    shown, wanted = _shown(request), request.GET.get("q", "").strip()
    context = {
        "desk": check_in_desk(tournament, shown, wanted),
        "account": account_of(tournament),
        "shown": shown,
        "wanted": wanted,
        "query": urlencode({"show": shown, "q": wanted}),
        "by_themselves": check_in_of(tournament).by_themselves,
        "organises": access.may(actor_of(request), tournament, Right.ORGANISE),
        "before": newest_restart(tournament),
    }
    return show(request, "players/check_in", tournament, "check_in", context)


def _tapped(request: Request, tournament: Tournament) -> HttpResponse:
    number = request.POST.get("player") or request.POST.get("undo", "")
    of_number = {"number": int(number) if number.isdecimal() and len(number) < 6 else 0}
    player = get_object_or_404(tournament.players.select_related("tournament"), **of_number)
    write = check_in if "player" in request.POST else take_check_in_back
    try:
        player = write(player, actor_of(request))
    except Refused as refused:
        tell_refusal(request, refused)
    if request.htmx:
        context = {"line": line_of(player), "account": account_of(tournament), "is_fresh": True}
        return render(request, "players/_check_in_row.html", context | {"tournament": tournament})
    query = urlencode({"show": _shown(request), "q": request.GET.get("q", "")})
    here = reverse("organiser_check_in", args=[tournament.slug])
    return redirect(f"{here}?{query}#p{player.number}")


def _shown(request: HttpRequest) -> str:
    asked = request.GET.get("show", "")
    return asked if asked in SHOWN else SHOWN[0]


@organiser_page
def settings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Until when, how, and beginning anew."""
    plan = check_in_of(tournament)
    form = CheckInForm(tournament, request.POST or None, initial=CheckInForm.of(plan))
    if request.method == "POST" and form.is_valid():
        set_check_in(
            tournament,
            actor_of(request),
            ends_at=form.ends_at(),
            by_themselves=form.cleaned_data["by_themselves"],
        )
        messages.success(request, _("The check-in is saved."))
        return redirect("organiser_check_in", tournament.slug)
    context: dict[str, Any] = {
        "form": form,
        "usual": check_in_ends(tournament, type(plan)(tournament=tournament)),
        "here": tournament.players.exclude(checked_in_at=None),
    }
    status = UNPROCESSABLE if request.method == "POST" else 200
    return show(request, "players/check_in_settings", tournament, "check_in", context, status=status)


@organiser_page
@require_POST
def again(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Nobody is there yet; or, with `back`, those who were when it began anew are."""
    if "back" in request.POST:
        numbers = [player.number for player in newest_restart(tournament)]
        back = check_in_several(tournament, actor_of(request), numbers)
        done = ngettext("%(n)s player is there again.", "%(n)s players are there again.", len(back))
        messages.success(request, done % {"n": len(back)})
    else:
        restart_check_in(tournament, actor_of(request))
        messages.success(request, _("Check-in begins anew."))
    return redirect("organiser_check_in", tournament.slug)


@page_for(Right.ADMIT)
@require_safe
def door(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What hangs at the door: the code of these minutes, to scan or to type, on a screen that asks anew by itself."""
    now = door_code(tournament)
    address = own_address(request) + reverse("check_in", args=[tournament.slug])
    context = {
        "now": now,
        "address": address,
        "code": qr_of(f"{address}?door={now.code}"),
        "open": check_in_of(tournament).by_themselves,
    }
    return show(request, "players/check_in_door", tournament, "check_in", context)
