"""The link of an invitation: whoever opens it signs in or makes an account, and has the role. Once."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from scoring.engine.problems import Problem
from tournament.accounts.sign_in import known
from tournament.base.access.address import place_of
from tournament.base.errors import Refused, TooMany
from tournament.base.limits import Guesses
from tournament.staff.forms.joining import JoinForm
from tournament.staff.invitations import Standing, find_invitation, standing_of
from tournament.staff.models import Invitation
from tournament.staff.services.invitations import accept_invitation, join
from tournament.web.forms.problems import add_problems
from tournament.web.texts.problems import sentence
from tournament.web.texts.roles import role_name
from tournament.web.views.common import actor_of, turned_away
from tournament.web.views.landing import landing_in

GONE, UNPROCESSABLE = 410, 422
LINKS = Guesses.at("invitations", freely=30, seconds=5)


@sensitive_post_parameters()
@sensitive_variables()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def opened(request: HttpRequest, token: str) -> HttpResponse:
    """What one is invited to, and one button; a sentence where the link opens nothing. Wrong ones are counted."""
    try:
        LINKS.require(place_of(request), Problem("guessed_too_often", "", {"seconds": LINKS.pace.within}))
    except TooMany as many:
        return turned_away(request, many)
    found, user = find_invitation(token), _account(request)
    stands = standing_of(found, user)
    if found is not None:
        LINKS.was_right(place_of(request))
    if found is None or stands is not Standing.OPEN:
        return _over(request, Problem(f"invitation_{stands.value}"), found, stands)
    if request.method != "POST":
        return _page(request, found, None if user else JoinForm())
    return _accept(request, found) if user else _join(request, found)


def _account(request: HttpRequest) -> Any:
    """Who is signed in with an account of their own: a pass is none."""
    user = request.user
    return user if user.is_authenticated and user.has_usable_password() else None


def _accept(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    try:
        accept_invitation(invitation, actor_of(request))
    except Refused as refused:
        return _over(request, refused.problems[0])
    return _in(request, invitation)


def _join(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    form = JoinForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        try:
            user = join(
                invitation,
                username=data["username"],
                password=data["password1"],
                full_name=data["full_name"],
            )
        except Refused as refused:
            if refused.problems[0].where not in form.fields:
                return _over(request, refused.problems[0])
            add_problems(form, refused)
        else:
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            response = _in(request, invitation)
            known.remember(request, response, user.username)
            return response
    return _page(request, invitation, form, status=UNPROCESSABLE)


def _in(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    role = role_name(invitation.role)
    messages.success(request, _("Welcome. Your role here: %(role)s.") % {"role": role})
    return redirect(landing_in(actor_of(request), invitation.tournament))


def _page(
    request: HttpRequest, invitation: Invitation, form: JoinForm | None, *, status: int = 200
) -> HttpResponse:
    context = {"invitation": invitation, "form": form}
    return render(request, "staff/invitation.html", context, status=status)


def _over(
    request: HttpRequest,
    problem: Problem,
    invitation: Invitation | None = None,
    stands: Standing | None = None,
) -> HttpResponse:
    """Its sentence; who has accepted it before is led on."""
    mine = invitation is not None and stands is Standing.USED_BY_YOU
    go_on = landing_in(actor_of(request), invitation.tournament) if mine and invitation else ""
    context = {"said": sentence(problem), "go_on": go_on}
    return render(request, "staff/invitation_over.html", context, status=GONE)
