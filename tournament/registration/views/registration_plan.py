"""When registration is open, how many may come, and what they are asked."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scoring.engine.problems import Problem
from tournament.base.access.own_address import own_address
from tournament.base.access.rights import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.registration.forms.registration_plan import PlanForm, QuestionsForm
from tournament.registration.selectors.registration_plan import (
    PlanWish,
    asked_by,
    plan_of,
    registering,
    wish_of,
)
from tournament.registration.services.registration_plan import set_plan, set_questions
from tournament.web.forms.problems import add_problems
from tournament.web.texts import countries
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, page_for, show

organising = page_for(Right.ORGANISE)


@organising
def plan(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    known = plan_of(tournament)
    if request.method == "POST":
        form = PlanForm.sent(request.POST)
        if form.is_valid() and _save(request, tournament, form):
            messages.success(request, _("Saved."))
            return redirect("organiser_registrations", tournament.slug)
    else:
        form = PlanForm.of(wish_of(known) if known else PlanWish())
    context = {
        "form": form,
        "is_new": known is None,
        "now": registering(tournament),
        "countries": [name for _code, name in countries.choices()],
    }
    status = UNPROCESSABLE if form.errors else 200
    return show(
        request, "registration/registration_plan", tournament, "registrations", context, status=status
    )


def _save(request: HttpRequest, tournament: Tournament, form: PlanForm) -> bool:
    try:
        set_plan(tournament, actor_of(request), form.wish(), site=f"{own_address(request)}/")
    except Refused as refused:
        add_problems(
            form, [Problem(one.code, form.field_at(one.where), one.params) for one in refused.problems]
        )
        return False
    return True


@organising
def questions(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    known = plan_of(tournament)
    if known is None:
        return redirect("organiser_registration_plan", tournament.slug)
    if request.method == "POST":
        form = QuestionsForm.sent(request.POST)
        if form.is_valid() and _save_questions(request, tournament, form):
            messages.success(request, _("Saved."))
            return redirect("organiser_registration_questions", tournament.slug)
    else:
        form = QuestionsForm.of(asked_by(known))
    status = UNPROCESSABLE if form.errors else 200
    return show(
        request,
        "registration/registration_questions",
        tournament,
        "registrations",
        {"form": form},
        status=status,
    )


def _save_questions(request: HttpRequest, tournament: Tournament, form: QuestionsForm) -> bool:
    try:
        set_questions(
            tournament,
            actor_of(request),
            form.wishes(),
            drop_answers=form.cleaned_data["drop_answers"],
        )
    except Refused as refused:
        add_problems(
            form, [Problem(one.code, form.field_at(one.where), one.params) for one in refused.problems]
        )
        return False
    return True
