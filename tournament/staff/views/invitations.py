"""Inviting somebody: whom to what, the link to pass on, and taking it back. A link is on the answer to its making."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.base.access.own_address import own_address
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.staff.forms.staff import InviteForm
from tournament.staff.invitations import Letter, NewInvitation
from tournament.staff.selectors.staff import invitations_of
from tournament.staff.services.invitations import invite, revoke_invitation
from tournament.staff.views.passes import QUIET_ZONE
from tournament.web.display.qr import qr_of
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, press, show


@organiser_page
def new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask whom to invite, and give the link."""
    initial = {"expires_on": max(tournament.ends_on, timezone.localdate())}
    form = InviteForm(tournament, actor_of(request), request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            made = invite(tournament, actor_of(request), form.offer(), _letter(request, form))
        except Refused as refused:
            add_problems(form, refused)
        else:
            return _made(request, tournament, made)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "staff/invite", tournament, "staff", {"form": form}, status=status)


@organiser_page
@require_POST
def revoke(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    invitation = get_object_or_404(invitations_of(tournament), pk=pk)
    return press(
        request,
        lambda: revoke_invitation(invitation, actor_of(request)),
        _("Taken back. The link opens nothing any more."),
        "organiser_staff",
        tournament.slug,
    )


def _letter(request: HttpRequest, form: InviteForm) -> Letter | None:
    to = form.cleaned_data["email"]
    return Letter(to, get_language() or "en", lambda token: _link(request, token)) if to else None


def _link(request: HttpRequest, token: str) -> str:
    return own_address(request) + reverse("invitation", args=[token])


def _made(request: HttpRequest, tournament: Tournament, made: NewInvitation) -> HttpResponse:
    link = _link(request, made.token)
    context = {"invitation": made.invitation, "link": link, "code": qr_of(link, QUIET_ZONE)}
    return show(request, "staff/invited", tournament, "staff", context)
