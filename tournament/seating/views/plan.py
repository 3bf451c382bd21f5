"""A plan of seats from a file: send it, see all that is wrong or what it does, take it; and the seats as a file."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.engine.problems import Problem
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.players.forms.players import ListForm
from tournament.seating.engine import fingerprint
from tournament.seating.exports import read_plan, write_plan
from tournament.seating.selectors.draws import certificate_of, compared, named, people_of, quality_rows
from tournament.seating.selectors.reseatings import PlannedSessions, planned
from tournament.seating.selectors.seatings import seats_of_all
from tournament.seating.services.seatings import take_plan
from tournament.web.forms.problems import add_problems
from tournament.web.texts.problems import sentence
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """GET: where to put the plan. POST of one: what it does, or what is wrong. POST with what was `seen`: take it."""
    if request.method != "POST":
        return show(request, "seating/plan", tournament, "draw", {"form": ListForm()})
    form, context = ListForm(request.POST, request.FILES), dict[str, Any]()
    if form.is_valid():
        content = form.content()
        try:
            found = read_plan(content, list(tournament.players.all()))
            context = {"problems": [{"text": _said(problem)} for problem in found.problems]}
            if not found.problems:
                if "seen" in request.POST:
                    return _taken(request, tournament, found.tables())
                context |= _effect(tournament, found.tables())
        except Refused as refused:
            add_problems(form, [Problem(p.code, "file", p.params) for p in refused.problems])
    wrong = form.errors or context.get("problems")
    return show(
        request,
        "seating/plan",
        tournament,
        "draw",
        {"form": form} | context,
        status=UNPROCESSABLE if wrong else 200,
    )


@require_safe
@organiser_page
def download(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The seats as they are, in the format that can be read again."""
    answer = HttpResponse(write_plan(seats_of_all(tournament)), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="seats-{tournament.slug}.csv"'
    return answer


def _taken(request: HttpRequest, tournament: Tournament, sessions: PlannedSessions) -> HttpResponse:
    take_plan(tournament, actor_of(request), sessions, seen=request.POST["seen"])
    messages.success(request, _("The seats are those of the plan."))
    return redirect("organiser_draw", tournament.slug)


def _effect(tournament: Tournament, sessions: PlannedSessions) -> dict[str, Any]:
    """The plan with names, its figures beside those of the seats there are, who moves, and the plan to send back."""
    people, again = people_of(tournament), planned(tournament, sessions)
    then = certificate_of(again.after, people)
    now = [certificate_of(again.before, people).quality] if again.before else []
    return {
        "sessions": [
            (n, tables) for n, tables in enumerate(named(again.after, people), 1) if n in again.sessions
        ],
        "certificate": then,
        "figures": quality_rows(*now, then.quality),
        "compared": compared(again.before, again.after, people) if again.before else None,
        "sent": write_plan(again.after),
        "seen": fingerprint(again.after),
    }


def _said(problem: Problem) -> str:
    """The sentence, after the line that it is about."""
    text = sentence(problem)
    line = problem.where.removeprefix("line ")
    return _("Line %(n)s: %(sentence)s") % {"n": line, "sentence": text} if problem.where else text
