"""The clock of the whole hall, for who runs it: pause it, let it go on, give everybody more time."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.base import access
from tournament.base.errors import Refused
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.play.forms.hall_clock import ExtendForm, GoOnForm, PauseForm, ReasonForm
from tournament.play.selectors.clock import clock_of
from tournament.play.services.hall_clock import extend_clock, let_clock_go_on, pause_clock
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of, tournament_or_404

UNPROCESSABLE = 422


@require_safe
@login_required
@never_cache
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """What the clock shows, the one thing to do to it, and more time."""
    return _show(request, _tournament(request, slug), {})


@require_POST
@login_required
def step(request: HttpRequest, slug: str, step: str) -> HttpResponse:
    tournament = _tournament(request, slug)
    session = _running(tournament)
    if session is None:
        raise Http404
    form = _form(step, request.POST, session)
    if form.is_valid():
        try:
            done = _write(request, session, step, form)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, done)
            return redirect("hall_clock", slug)
    return _show(request, tournament, {step: form}, status=UNPROCESSABLE)


def _form(step: str, given: Any, session: Session) -> ReasonForm:
    if step == "extend":
        return ExtendForm(given, longer=session.extra_minutes)
    return PauseForm(given) if step == "pause" else GoOnForm(given)


def _write(request: HttpRequest, session: Session, step: str, form: ReasonForm) -> str:
    actor, reason = actor_of(request), form.said
    if step == "pause":
        pause_clock(session, actor, reason=reason)
        return _("The clock is paused.")
    if step == "go-on":
        let_clock_go_on(session, actor, reason=reason)
        return _("Play goes on.")
    extend_clock(session, actor, form.cleaned_data["minutes"], reason=reason)
    return _("The hall has its time.")


def _show(
    request: HttpRequest, tournament: Tournament, forms: dict[str, ReasonForm], status: int = 200
) -> HttpResponse:
    session, organises = _running(tournament), access.can_organise(actor_of(request), tournament)
    clock = clock_of(session) if session else None
    first = "go-on" if clock and clock.pause else "pause"
    shown = {}
    if session and clock:
        shown = {name: forms.get(name) or _form(name, None, session) for name in (first, "extend")}
    context = {
        "tournament": tournament,
        "session": session,
        "clock": clock,
        "form": shown.get(first),
        "more": shown.get("extend"),
        "back_url": reverse("organiser_board" if organises else "umpire_tables", args=[tournament.slug]),
    }
    return render(request, "play/hall_clock.html", context, status=status)


def _tournament(request: HttpRequest, slug: str) -> Tournament:
    """One whose clock is the asker's to run."""
    tournament = tournament_or_404(slug)
    access.require_clock(actor_of(request), tournament)
    return tournament


def _running(tournament: Tournament) -> Session | None:
    running = tournament.sessions.filter(state=Session.State.RUNNING)
    return running.select_related("tournament").first()
