"""My tournaments and my tables."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tournament.base import access
from tournament.base.access import Audience, Right
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.status import cards
from tournament.fouls.selectors.appeals import objections
from tournament.live.addresses import stream_url
from tournament.messages.announcements.selectors import standing
from tournament.play.selectors.calls import calls_for
from tournament.play.selectors.clock import clock_of
from tournament.play.selectors.tables import Glance, session_tables
from tournament.play.views.table import table_or_404
from tournament.staff.selectors.rota import watched_by
from tournament.web.views.common import actor_of, tournament_or_404
from tournament.web.views.landing import landing_in


@require_GET
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """The tournaments I have a role in; straight to the only one, where my role leads."""
    actor = actor_of(request)
    mine = access.memberships_of(actor)
    found = list(Tournament.objects.filter(pk__in=mine.values("tournament")).defer("rules_snapshot"))
    ways = [(tournament, landing_in(actor, tournament)) for tournament in found]
    if len(ways) == 1:
        return redirect(ways[0][1])
    return render(request, "site/home_umpire.html", {"ways": ways})


@require_GET
@login_required
@never_cache
def tables(request: HttpRequest, slug: str) -> HttpResponse:
    """The tables I may umpire in the session being played, what has to be done next on top."""
    actor, tournament = actor_of(request), tournament_or_404(slug)
    if not access.may(actor, tournament, Right.ENTER):
        raise PermissionDenied
    session = _session(tournament)
    mine = (
        [now for now in session_tables(session, Audience.STAFF) if access.can_umpire(actor, now.table)]
        if session
        else []
    )
    rota = watched_by(actor, session) if session else []
    return render(
        request,
        "site/tables.html",
        {
            "tournament": tournament,
            "session": session,
            "tables": mine,
            "announcements": standing(tournament),
            "rota": rota,
            "may_read": access.may(actor, tournament, Right.READ),
            "next": _next_to_do(_first(mine, rota))
            if session and session.state == Session.State.RUNNING
            else None,
            "calls": calls_for(actor, tournament),
            "open_appeals": sum(
                access.can_umpire(actor, one.table) for one in objections(tournament, Audience.STAFF).open
            ),
            "clock": clock_of(session) if session else None,
            "runs_clock": access.can_run_clock(actor, tournament),
            "on_paper": sum(now.table.is_on_paper and not now.table.has_result for now in mine),
            "open": sum(not now.table.is_in for now in mine),
            "cards": cards(tournament),
            "back_url": reverse("umpire_home"),
            "live_url": stream_url(tournament, access.audience_of(actor, tournament), at_a_desk=True),
        },
    )


@require_GET
@login_required
@never_cache
def beside(request: HttpRequest, slug: str, session: int, table: int, way: str) -> HttpResponse:
    """To the next open table that is mine, or the one before; round and round. With none, to all of them."""
    actor, here = actor_of(request), table_or_404(slug, session, table)
    access.require_umpire(actor, here)
    backwards = way == "previous"
    others = [one for one in here.session.tables.order_by("number") if one != here and not one.is_in]
    others.sort(key=lambda one: ((one.number > table) == backwards, -one.number if backwards else one.number))
    found = next((one for one in others if access.can_umpire(actor, one)), None)
    if found is None:
        return redirect("umpire_tables", slug=slug)
    return redirect("desk", slug=slug, session=session, table=found.number)


def _session(tournament: Tournament) -> Session | None:
    """The session being played; before the first and between two the coming one, after the last the last."""
    sessions = list(tournament.sessions.all())
    for state in (Session.State.RUNNING, Session.State.PLANNED):
        if found := next((session for session in sessions if session.state == state), None):
            return found
    return sessions[-1] if sessions else None


def _first(tables: Sequence[Glance], rota: Sequence[int]) -> Sequence[Glance]:
    """The tables that the rota gives me; all of mine once these are in, or where it gives me none."""
    return [now for now in tables if now.table.number in rota and not now.table.is_in] or tables


def _next_to_do(tables: Sequence[Glance]) -> Glance | None:
    """A sheet to hand in, else the table that is furthest behind; None when all are in
    or wait for their totals."""
    open_ones = [
        now for now in tables if not now.table.is_in and (now.table.has_result or not now.table.is_on_paper)
    ]
    return min(open_ones, key=lambda now: (not now.is_full, now.table.hands_played), default=None)
