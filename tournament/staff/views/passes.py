"""Passes: making the cards, one anew, taking them back. A token is on the answer to its making and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from segno.helpers import make_wifi

from tournament.base.access.own_address import LOOPBACK, own_address
from tournament.base.errors import Refused
from tournament.base.models.tournament import Pass, Tournament
from tournament.play.selectors.organiser import passes_of
from tournament.staff.forms.passes import PassForm
from tournament.staff.passes import NewPass
from tournament.staff.services.passes import make_passes, renew_pass, revoke_passes
from tournament.web.display.qr import qr_of, qr_svg
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, press, show

QUIET_ZONE = 2
"""Modules of white around a code; the card is white around it, too."""


@organiser_page
def new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask for passes, and get their cards to print."""
    form = PassForm(tournament, request)
    if request.method == "POST" and form.is_valid():
        try:
            made = make_passes(tournament, actor_of(request), form.reaches(), form.expires_at())
        except Refused as refused:
            add_problems(form, refused)
        else:
            return _cards(request, tournament, made, **form.printed())
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "staff/pass_new", tournament, "staff", {"form": form}, status=status)


@organiser_page
@require_POST
def renew(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """A new card for a lost one."""
    made = renew_pass(_pass(tournament, pk), actor_of(request))
    return _cards(request, tournament, [made], address=own_address(request))


@organiser_page
@require_POST
def revoke(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    return _take_back(request, tournament, [_pass(tournament, pk)])


@organiser_page
@require_POST
def revoke_all(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _take_back(request, tournament, list(passes_of(tournament)))


def _take_back(request: HttpRequest, tournament: Tournament, passes: Sequence[Pass]) -> HttpResponse:
    actor = actor_of(request)
    return press(
        request,
        lambda: revoke_passes(tournament, actor, passes),
        _("Taken back. The links open nothing any more."),
        "organiser_staff",
        tournament.slug,
    )


def _pass(tournament: Tournament, pk: int) -> Pass:
    return get_object_or_404(passes_of(tournament), pk=pk)


def _cards(
    request: HttpRequest,
    tournament: Tournament,
    made: Sequence[NewPass],
    *,
    address: str,
    network: str = "",
    network_password: str = "",
) -> HttpResponse:
    context: dict[str, Any] = {
        "cards": [_card(new, address) for new in made],
        "address": address,
        "is_local": urlsplit(address).hostname in LOOPBACK,
        "network": network,
        "network_password": network_password,
        "network_code": _network_code(network, network_password) if network else "",
    }
    return show(request, "staff/passes_made", tournament, "staff", context)


def _card(new: NewPass, address: str) -> dict[str, Any]:
    url = address + reverse("pass", args=[new.token])
    return {"pass": new.desk_pass, "url": url, "code": qr_of(url, QUIET_ZONE)}


def _network_code(network: str, password: str) -> SafeString:
    code = make_wifi(ssid=network, password=password or None, security="WPA" if password else None)
    return qr_svg(code, QUIET_ZONE)
