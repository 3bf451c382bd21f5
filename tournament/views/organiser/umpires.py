"""Umpires: who they are, where they may write, a new one, and taking the role back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.errors import Refused
from tournament.forms.passes import own_address
from tournament.forms.problems import add_problems
from tournament.forms.umpires import ScopeForm, UmpireForm
from tournament.models import Membership, Role, Tournament
from tournament.selectors.organiser import passes_of, umpires_of
from tournament.services.accounts import make_umpire
from tournament.services.tournaments import grant_umpire, revoke_umpire
from tournament.views.common import actor_of
from tournament.views.organiser.frame import UNPROCESSABLE, organiser_page, press, show


@organiser_page
@require_safe
def listing(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    context = {
        "umpires": umpires_of(tournament),
        "passes": passes_of(tournament),
        "now": timezone.now(),
    }
    return show(request, "umpires", tournament, "umpires", context)


@organiser_page
def new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Name an umpire. A new account's password is on the answer to this and nowhere else."""
    form = UmpireForm(tournament, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            membership, password = _name(request, tournament, form)
        except Refused as refused:
            add_problems(form, refused)
        else:
            if password:
                context = {
                    "umpire": membership.user,
                    "password": password,
                    "address": own_address(request),
                }
                return show(request, "umpire_made", tournament, "umpires", context)
            messages.success(request, _("%(name)s is an umpire.") % {"name": membership.user.get_username()})
            return redirect("organiser_umpires", tournament.slug)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "umpire_new", tournament, "umpires", {"form": form}, status=status)


def _name(request: HttpRequest, tournament: Tournament, form: UmpireForm) -> tuple[Membership, str]:
    """The umpire's role, and the password when the account is new."""
    actor = actor_of(request)
    if not form.makes_account:
        return grant_umpire(tournament, actor, form.user(), **form.scope()), ""
    about: dict[str, Any] = {name: form.cleaned_data[name] for name in ("username", "full_name")}
    return make_umpire(tournament, actor, **about, **form.scope())


@organiser_page
def edit(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Where an umpire may write."""
    membership = _umpire(tournament, pk)
    form = ScopeForm(tournament, request.POST or None, initial=ScopeForm.scope_of(membership))
    if request.method == "POST" and form.is_valid():
        grant_umpire(tournament, actor_of(request), membership.user, **form.scope())
        messages.success(request, _("Saved."))
        return redirect("organiser_umpires", tournament.slug)
    context = {"form": form, "umpire": membership}
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "umpire", tournament, "umpires", context, status=status)


@organiser_page
@require_POST
def revoke(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    membership = _umpire(tournament, pk)
    done = _("%(name)s is no longer an umpire.") % {"name": membership.user.get_username()}
    return press(
        request,
        lambda: revoke_umpire(membership, actor_of(request)),
        done,
        "organiser_umpires",
        tournament.slug,
    )


def _umpire(tournament: Tournament, pk: int) -> Membership:
    return get_object_or_404(tournament.memberships.select_related("user"), pk=pk, role=Role.UMPIRE)
