"""The rota of the umpires: to read and print, and to change, from a proposal or by hand."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.staff.forms.rota import RotaForm
from tournament.staff.selectors.rota import proposed, rota_of
from tournament.staff.services.rota import set_rota
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, page_for, show


@page_for(Right.READ)
@require_safe
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Umpires by sessions, the tables of each; what nobody umpires."""
    return show(request, "staff/rota", tournament, "rota", {"rota": rota_of(tournament)})


@page_for(Right.RULE)
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """`?propose`: starts from an even one instead of from what is set. Nothing is kept until it is saved."""
    is_proposal = "propose" in request.GET
    rota = proposed(tournament) if is_proposal else rota_of(tournament)
    if not rota.lines or not rota.sessions:
        return redirect("organiser_rota", tournament.slug)
    form = RotaForm(tournament, rota, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            set_rota(tournament, actor_of(request), form.rows())
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("The rota is set. Each umpire sees their tables."))
            return redirect("organiser_rota", tournament.slug)
    status = UNPROCESSABLE if form.errors else 200
    context = {"form": form, "rota": rota, "is_proposal": is_proposal}
    return show(request, "staff/rota_edit", tournament, "rota", context, status=status)
