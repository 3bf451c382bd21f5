"""Steps over many registrations: looked at with every name, done, and taken back in one; and lists, likewise."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from scoring.engine.problems import Problem
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.players.exports.players_wish import Wish
from tournament.players.forms.player_lists import PlayerListForm
from tournament.registration.exports.registrations_list import Row, read_registrations
from tournament.registration.selectors.registration_steps import TO, Step, preview
from tournament.registration.selectors.registrations import matching
from tournament.registration.services.admissions import add_registrations, decide, enter_registered, undo_step
from tournament.registration.texts.registration import done_text, step_title
from tournament.registration.views.registrations import SECTION
from tournament.web.forms.problems import add_problems
from tournament.web.texts.problems import sentence
from tournament.web.views.common import actor_of, tell_refusal
from tournament.web.views.frame import UNPROCESSABLE, desk_page, show

MOST_DIGITS = 9


@desk_page
@require_POST
def step(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What would come of a step; with `do` it is done."""
    if request.POST.get("step") not in list(Step):
        messages.error(request, _("Choose what is to be done."))
        return redirect("organiser_registrations", tournament.slug)
    wanted = Step(request.POST["step"])
    numbers = _numbers(tournament, request.POST)
    if "do" in request.POST:
        return _do(request, tournament, wanted, numbers)
    seen = preview(tournament, wanted, numbers)
    if not seen.people:
        messages.error(request, _("Nobody is left for whom that would change anything. Choose at least one."))
        return redirect("organiser_registrations", tournament.slug)
    context = {
        "seen": seen,
        "title": step_title(wanted, len(seen.people)),
        "problems": [{"text": sentence(one)} for one in seen.problems],
    }
    return show(request, "registration/registration_step", tournament, SECTION, context)


def _numbers(tournament: Tournament, data: QueryDict) -> list[int]:
    """Who was ticked; with `all` everybody whom the list showed, on its other pages too."""
    if "all" in data:
        return [one.number for one in matching(tournament, data.get("state", ""), data.get("q", ""))]
    return [int(one) for one in data.getlist("number") if one.isdecimal() and len(one) <= MOST_DIGITS]


def _do(request: HttpRequest, tournament: Tournament, wanted: Step, numbers: Sequence[int]) -> HttpResponse:
    actor = actor_of(request)
    try:
        if wanted is Step.ENTER:
            n = len(enter_registered(tournament, actor, numbers))
        else:
            n = len(decide(tournament, actor, numbers, TO[wanted]))
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, done_text(wanted, n))
    back = request.POST.get("back", "")
    if back.isdecimal() and len(back) <= MOST_DIGITS:
        return redirect("organiser_registration", tournament.slug, int(back))
    return redirect("organiser_registrations", tournament.slug)


@desk_page
@require_POST
def undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    said = request.POST.get("step", "")
    try:
        undo_step(
            tournament, actor_of(request), int(said) if said.isdecimal() and len(said) <= MOST_DIGITS else 0
        )
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, _("Taken back: everybody is where they were before."))
    return redirect("organiser_registrations", tournament.slug)


@desk_page
def import_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """GET: where to put the list. POST: its preview; with `enter` it is entered, but for the rows that cannot be."""
    if "list" in request.POST:
        return _sent_again(request, tournament)
    form = PlayerListForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        wish = form.wish()
        try:
            return _look(request, tournament, wish, read_registrations(tournament, wish.data))
        except Refused as refused:
            add_problems(form, [Problem(one.code, "file", one.params) for one in refused.problems])
    status = UNPROCESSABLE if form.errors else 200
    return show(
        request, "registration/registration_import", tournament, SECTION, {"form": form}, status=status
    )


def _sent_again(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    try:
        rows = read_registrations(tournament, Wish.from_json(str(request.POST["list"])).data)
        people = [row.applicant for row in rows if row.is_wanted]
        if people:
            add_registrations(tournament, actor_of(request), people)
    except Refused as refused:
        tell_refusal(request, refused)
        return redirect("organiser_registrations_import", tournament.slug)
    said = ngettext("%(n)s person is registered.", "%(n)s people are registered.", len(people))
    messages.success(request, said % {"n": len(people)})
    return redirect("organiser_registrations", tournament.slug)


def _look(request: HttpRequest, tournament: Tournament, wish: Wish, rows: Sequence[Row]) -> HttpResponse:
    context = {
        "list": wish.to_json(),
        "wanted": [row for row in rows if row.is_wanted],
        "known": [row for row in rows if row.is_known and not row.problems],
        "faulty": [(row, [sentence(problem) for problem in row.problems]) for row in rows if row.problems],
    }
    return show(request, "registration/registration_import_preview", tournament, SECTION, context)
