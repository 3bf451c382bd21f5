"""Two players sat in each other's places: choose them, see what it does to the scores, confirm; and take it back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.base.errors import Refused
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.seating.forms.swap import WrongSeatsForm
from tournament.seating.selectors.wrong_seats import last_correction, seats_with, state_of, tables_with
from tournament.seating.services.wrong_seats import correct_seats, undo_correction
from tournament.web.forms.problems import add_problems
from tournament.web.selectors.log_words import log_words
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, press, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """`?one=&other=` shows the effect, a POST of the same with what was `seen` does it."""
    session = get_object_or_404(tournament.sessions, number=number)
    given = request.POST or (request.GET if "other" in request.GET else None)
    form = WrongSeatsForm(session, given, initial={"one": request.GET.get("one")})
    last = last_correction(session)
    context: dict[str, Any] = {
        "form": form,
        "session": session,
        "is_running": session.state == Session.State.RUNNING,
        "undoable": log_words(tournament).sentence(last) if last else "",
    }
    if form.is_valid():
        one, other = form.cleaned_data["one"], form.cleaned_data["other"]
        try:
            if request.method == "POST":
                correct_seats(session, actor_of(request), one, other, seen=request.POST.get("seen", ""))
                messages.success(request, _("The names are mended; the hands stayed with the seats."))
                return redirect("organiser_session", tournament.slug, number)
            context |= _effect(session, one, other)
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "seating/wrong_seats", tournament, "session", context, status=status)


@require_POST
@organiser_page
def undo(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """The newest correction of the session's seats is taken back."""
    session = get_object_or_404(tournament.sessions, number=number)
    done = _("The names are as they were before.")
    return press(
        request,
        lambda: undo_correction(session, actor_of(request)),
        done,
        "organiser_session",
        tournament.slug,
        number,
    )


def _effect(session: Session, one: int, other: int) -> dict[str, Any]:
    """For each of the two the seat and the score by the record, and those that become theirs."""
    seats = seats_with(session, one, other) if one != other else None
    if seats is None:
        return {}
    pairs: list[tuple[Seat, Seat]] = [(seats[0], seats[1]), (seats[1], seats[0])]
    return {"changes": pairs, "seen": state_of(tables_with(session, one, other))}
