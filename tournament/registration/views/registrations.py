"""Who registered: the list of them, one in full, and one by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.base.access import may
from tournament.base.access.rights import Right
from tournament.base.errors import Refused
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.people.selectors.known_people import proposals_for
from tournament.people.texts.persons import proposed_lines
from tournament.registration.exports.registrations_sheet import registrations_csv, registrations_sheet
from tournament.registration.forms.registration import DeskRegistrationForm
from tournament.registration.selectors.applicants import warnings_of
from tournament.registration.selectors.registration_link import token_of
from tournament.registration.selectors.registration_plan import asked_by, plan_of, registering
from tournament.registration.selectors.registration_steps import next_up
from tournament.registration.selectors.registrations import (
    counts,
    last_step,
    matching,
    places_in_line,
    position_of,
)
from tournament.registration.services.admissions import add_registrations
from tournament.registration.services.registrations import edit_registration
from tournament.registration.texts.registration import answers_of
from tournament.web.exports.spreadsheets import CONTENT_TYPE
from tournament.web.forms.problems import add_problems
from tournament.web.texts import countries
from tournament.web.texts.problems import sentence
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, desk_page, show

SECTION = "registrations"
A_PAGE = 100
State = Registration.State


@desk_page
@require_safe
def listing(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Those in a state (`?state=`), and those whom `?q=` fits."""
    now, state, wanted = (
        registering(tournament),
        request.GET.get("state", ""),
        request.GET.get("q", "").strip(),
    )
    state = state if state in State.values else ""
    found, n = matching(tournament, state, wanted), counts(tournament)
    context = {
        "now": now,
        "counts": [(code, label, n[code]) for code, label in State.choices],
        "all": sum(n[code] for code in State.values),
        "to_enter": n["to_enter"],
        "next_up": len(next_up(tournament)),
        "state": state,
        "wanted": wanted,
        "found": len(found),
        "in_line": places_in_line(tournament),
        "page": Paginator(found, A_PAGE).get_page(request.GET.get("page")),
        "undoable": last_step(tournament),
        "can_plan": may(actor_of(request), tournament, Right.ORGANISE),
    }
    return show(request, "registration/registrations", tournament, SECTION, context)


@desk_page
@require_safe
def one(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Everything about one, and what can be done with it."""
    found = get_object_or_404(tournament.registrations.select_related("player", "tournament"), number=number)
    plan = plan_of(tournament)
    context = {
        "registration": found,
        "position": position_of(found),
        "answers": answers_of(found, asked_by(plan) if plan else []),
        "warnings": [sentence(one) for one in warnings_of(found)],
        "mails": list(found.mails.all()),
        "link": _link(request)(found),
        "proposed": () if found.player else proposed_lines(proposals_for([found], actor_of(request))[0]),
    }
    return show(request, "registration/registration", tournament, SECTION, context)


def _link(request: HttpRequest) -> Callable[[Registration], str]:
    """The address of somebody's own page, to be copied."""

    def link(one: Registration) -> str:
        path = reverse("registration", args=[one.tournament.slug, token_of(one)])
        return request.build_absolute_uri(path)

    return link


@desk_page
def new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Somebody who wrote, called or stands at the desk."""
    form = DeskRegistrationForm(plan_of(tournament), request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            tells = form.cleaned_data["tells"]
            (made,) = add_registrations(tournament, actor_of(request), [form.applicant()], tells=tells)
        except Refused as refused:
            found = [type(one)(one.code, one.where.partition(".")[2], one.params) for one in refused.problems]
            add_problems(form, found)
        else:
            said = {"name": made.name, "state": made.get_state_display()}
            messages.success(request, _("%(name)s is registered: %(state)s.") % said)
            return redirect("organiser_registration", tournament.slug, made.number)
    return _form(request, tournament, form, None)


@desk_page
def edit(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    known = get_object_or_404(tournament.registrations.select_related("player", "tournament"), number=number)
    data = request.POST if request.method == "POST" else None
    form = DeskRegistrationForm(plan_of(tournament), data, known=known)
    if form.is_valid():
        try:
            edit_registration(known, actor_of(request), form.applicant())
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("organiser_registration", tournament.slug, number)
    return _form(request, tournament, form, known)


def _form(
    request: HttpRequest, tournament: Tournament, form: DeskRegistrationForm, known: Registration | None
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "registration": known,
        "countries": [name for _code, name in countries.choices()],
    }
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "registration/registration_form", tournament, SECTION, context, status=status)


@desk_page
@require_safe
def download(request: HttpRequest, tournament: Tournament, kind: str) -> HttpResponse:
    """Everybody, with what they answered and their links."""
    plan = plan_of(tournament)
    write, content_type = {
        "xlsx": (registrations_sheet, CONTENT_TYPE),
        "csv": (registrations_csv, "text/csv; charset=utf-8"),
    }[kind]
    people = tournament.registrations.select_related("player", "tournament").order_by("number")
    return HttpResponse(
        write(people, asked_by(plan) if plan else [], _link(request)),
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{tournament.slug}-registrations.{kind}"'},
    )
