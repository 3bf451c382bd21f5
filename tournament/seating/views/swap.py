"""Two players change seats: choose them, see what it does, confirm."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournament.base.errors import Refused
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.organiser import by_wind
from tournament.seating.engine import Plan, fingerprint, repeated_pairs
from tournament.seating.forms.swap import SwapForm
from tournament.seating.selectors.draws import certificate_of, compared, people_of, quality_rows
from tournament.seating.selectors.reseatings import exchanged
from tournament.seating.services.seatings import swap_players
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import Request, actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, show


@organiser_page
def page(request: Request, tournament: Tournament) -> HttpResponse:
    """`?one=&other=&session=` shows the effect, to htmx alone; a POST of the same with `seen` does it.

    `?shown=` is the session whose tables are drawn to choose from.
    """
    is_pair = all(request.GET.get(name) for name in ("one", "other"))
    given = request.POST or (
        request.GET if is_pair or ("other" in request.GET and not request.htmx) else None
    )
    shown = _shown(request, tournament)
    form = SwapForm(tournament, given, initial=_initial(request, shown))
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        try:
            if request.method == "POST":
                return _done(request, tournament, form)
            context |= _effect(tournament, form)
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    if request.htmx:
        return render(
            request, "seating/_swap_effect.html", {"tournament": tournament, **context}, status=status
        )
    return show(request, "seating/swap", tournament, "draw", context | _seats(form, shown), status=status)


def _shown(request: HttpRequest, tournament: Tournament) -> Session | None:
    """The session asked for, else the first still to play; None when no such session has seats."""
    seated = tournament.sessions.filter(state=Session.State.PLANNED, tables__isnull=False).distinct()
    asked = [request.GET.get(name, "") for name in ("shown", "session")]
    numbers = [int(text) for text in asked if text.isdecimal()]
    wanted = (seated.filter(number=number).first() for number in numbers)
    return next(filter(None, wanted), seated.first())


def _initial(request: HttpRequest, shown: Session | None) -> dict[str, Any]:
    """What was chosen so far; who taps a seat means the session that is shown."""
    session = request.GET.get("session", shown.number if shown else "")
    return {"one": request.GET.get("one"), "session": session}


def _seats(form: SwapForm, shown: Session | None) -> dict[str, Any]:
    """The tables to choose from, and whom of those chosen the form holds."""
    tables = shown.tables.prefetch_related("seats__player") if shown else []
    return {
        "shown": shown,
        "tables": [(table.number, by_wind(table.seats.all())) for table in tables],
        "chosen": [
            int(text) for name in ("one", "other") if (text := str(form[name].value() or "")).isdecimal()
        ],
    }


def _done(request: HttpRequest, tournament: Tournament, form: SwapForm) -> HttpResponse:
    pair = form.cleaned_data["one"], form.cleaned_data["other"]
    seen = request.POST.get("seen", "")
    swap_players(tournament, actor_of(request), *pair, form.sessions(), seen=seen)
    messages.success(request, _("The two players have changed seats."))
    return redirect("organiser_draw", tournament.slug)


def _effect(tournament: Tournament, form: SwapForm) -> dict[str, Any]:
    """Figures now and then, who moves, and who would meet again because of it."""
    people = people_of(tournament)
    again = exchanged(tournament, form.cleaned_data["one"], form.cleaned_data["other"], form.sessions())
    before, after = again.before, again.after
    figures = quality_rows(*(certificate_of(plan, people).quality for plan in (before, after)))
    return {
        "figures": figures,
        "changed": [(name, values) for name, values in figures if len(set(values)) > 1],
        "compared": compared(before, after, people),
        "again": [
            ([people[number] for number in pair], sessions) for pair, sessions in _new_repeats(before, after)
        ],
        "seen": fingerprint(after),
    }


def _new_repeats(before: Plan, after: Plan) -> list[tuple[tuple[int, int], tuple[int, ...]]]:
    """Pairs that meet more often after than before, with the sessions in which they then meet."""
    old = repeated_pairs(before)
    return [
        (pair, sessions)
        for pair, sessions in repeated_pairs(after).items()
        if len(sessions) > len(old.get(pair, (0,)))
    ]
