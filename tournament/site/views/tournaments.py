"""The start page, tournaments to manage and to look at, trials, and my tables."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST, require_safe

from tournament.accounts import setup_code
from tournament.backup import display as backups
from tournament.base import access, hooks
from tournament.base.access import Audience, Right
from tournament.base.errors import Refused
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament, TrialJob, playable_rulebooks
from tournament.base.requests import site_address
from tournament.base.selectors import event_page_of
from tournament.demo.trials import trial_status
from tournament.documents.exports.shelf import cards
from tournament.events.exports import calendar_of_events
from tournament.events.forms import DeletionForm, TournamentForm
from tournament.events.selectors import coming, told_in
from tournament.events.services import create_tournament, delete_tournament
from tournament.events.views import in_language_asked
from tournament.fouls.selectors import objections
from tournament.messages.announcements.selectors import active_announcements
from tournament.play.selectors.clock import clock_of
from tournament.play.selectors.closing import calls_for
from tournament.play.selectors.public import last_change, overview, progress
from tournament.play.selectors.tables import Glance, session_tables
from tournament.play.selectors.timetable import players_of, timetable
from tournament.play.views.desk import table_or_404
from tournament.players.selectors.players import public_players
from tournament.ranking.selectors.ranking import ranking
from tournament.ranking.selectors.statistics import event_statistics
from tournament.registration.selectors.plan import status_if_planned
from tournament.site.display import bar_of
from tournament.site.forms import wanted_of
from tournament.site.selectors.front_page import (
    A_PAGE,
    Shelf,
    choices,
    coming_soon,
    contents_of,
    in_order,
    my_keys,
    my_tournaments,
    newest_trial,
    shelves,
)
from tournament.site.services import SIZES, request_trial
from tournament.site.views.board import files_of
from tournament.staff.selectors import watched_by
from tournament.web.display import public_qr, stream_url
from tournament.web.forms import add_problems
from tournament.web.views import (
    UNPROCESSABLE,
    Request,
    actor_of,
    landing_in,
    page_for,
    render_shared,
    show,
    tournament_html,
    tournament_or_404,
    tournament_page,
    visible_tournament_or_404,
)

# --- The start page ---


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Tournaments being played, coming and past; before there is any account, the way to make the first one."""
    if setup_code.is_open():
        return HttpResponseRedirect(reverse("setup"))
    actor, wanted = actor_of(request), wanted_of(request.GET)
    filled = shelves(actor, timezone.localdate(), wanted)
    context = {
        "shelves": filled,
        "wanted": wanted,
        "choices": choices(actor),
        "rulebooks": playable_rulebooks(),
        "page": _page_of(filled, wanted.page) if wanted.when else None,
        "may_create": access.can_create(actor),
        "rest": _query_without_shelf(request),
    }
    return render(request, "site/home_public.html", context)


@require_safe
@in_language_asked
def events_calendar(request: HttpRequest) -> HttpResponse:
    """What is coming, to subscribe to: public tournaments alone, whoever asks."""
    visitor = access.Actor(None, "visitor")
    content = calendar_of_events(
        (event, site_address() + reverse("tournament", args=[event.slug]))
        for event in coming_soon(visitor, timezone.localdate())
    )
    headers = {"Content-Disposition": 'attachment; filename="tournaments.ics"'}
    return HttpResponse(content, "text/calendar; charset=utf-8", headers=headers)


def _page_of(filled: tuple[Shelf, ...], number: int) -> object:
    """The page's number among all of them; the rows are read already."""
    count = filled[0].count if filled else 0
    return Paginator(range(count), A_PAGE).get_page(number)


def _query_without_shelf(request: HttpRequest) -> str:
    """What was looked for, to be carried to one shelf alone."""
    query = request.GET.copy()
    for name in ("when", "page"):
        query.pop(name, None)
    return f"{query.urlencode()}&" if query else ""


# --- A tournament at a glance ---


TOP = 8
"""How many lines of the ranking the page shows."""
NAMED = 24
"""How many of those who come are named there; all of them stand on a page of their own."""


@tournament_page
def tournament(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """What it is, what happens now, who leads, and the way to everything else."""
    actor = actor_of(request)
    context = {
        "content": render_shared(
            tournament, audience, "site/_tournament.html", lambda: _at_a_glance(tournament, audience)
        ),
        "is_organiser": access.can_organise(actor, tournament),
        "has_times": tournament.timetable.exists(),
        "code": public_qr(site_address() + request.path),
        "may_enter": access.may(actor, tournament, Right.ENTER),
        "my_way": landing_in(actor, tournament) if access.has_role(actor, tournament) else "",
    }
    return tournament_html(request, "site/tournament", tournament, audience, context)


def _at_a_glance(tournament: Tournament, audience: Audience) -> dict[str, Any]:
    now, words = overview(tournament), event_page_of(tournament)
    ranked = ranking(tournament, audience)
    return {
        "stage": now,
        "progress": progress(now.running, audience) if now.running else None,
        "timetable": timetable(tournament),
        "ranking": ranked,
        "stats": event_statistics(tournament, audience),
        "top": ranked.rows[:TOP] if ranked.sessions else (),
        "change": last_change(tournament, audience),
        "rulebook": tournament.rules.scoring,
        "told": told_in(words, get_language() or "en"),
        "coming": coming(tournament, words) if words.mers or not now.has_begun else None,
        "files": tournament.event_documents.all(),
        "places": None if now.has_begun else status_if_planned(tournament),
        "people": () if now.has_begun else public_players(players_of(tournament)[:NAMED], tournament),
    } | hooks.merged(hooks.banners(tournament))


@require_safe
def document(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """A file of the event's page, to be saved and not shown: what somebody uploaded never runs as a page of ours."""
    tournament = visible_tournament_or_404(request, slug)
    document_file = get_object_or_404(tournament.event_documents, uuid=uuid)
    try:
        content = document_file.file.read()
    except FileNotFoundError:
        raise Http404("the file is gone") from None
    finally:
        document_file.file.close()
    name = f"{slugify(document_file.title, allow_unicode=True) or 'document'}.{document_file.kind}"
    headers = {
        "Content-Disposition": str(content_disposition_header(True, name)),
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(content, document_file.content_type, headers=headers)


# --- An organiser’s tournaments ---


MINE_A_PAGE = 20
"""Tournaments of a page: what is to be done next is worked out for each of them."""
_LONGEST_SEARCH = 100


@never_cache
@login_required
@require_safe
def organiser_home(request: HttpRequest) -> HttpResponse:
    """The tournaments this person organises, each with what is to be done next in it."""
    actor = actor_of(request)
    wanted = request.GET.get("q", "").replace("\0", "").strip()[:_LONGEST_SEARCH]
    keys = my_keys(actor, timezone.localdate(), wanted)
    page = Paginator(keys, MINE_A_PAGE).get_page(request.GET.get("page"))
    tournaments = in_order(my_tournaments(actor), list(page.object_list))
    mine = [(tournament, bar_of(tournament)) for tournament in tournaments]
    context: dict[str, Any] = {"tournaments": mine, "can_create": access.can_create(actor)}
    context |= {
        "page": page,
        "wanted": wanted,
        "has_trials": any(tournament.is_trial for tournament in tournaments),
    }
    if access.can_keep_backups(actor):
        context |= {"keeps_backups": True, "backup_failed": backups.trouble()}
    if context["can_create"]:
        job = newest_trial(actor)
        context |= {"job": job, "now": job and trial_status(job), "sizes": SIZES}
    return render(request, "site/home.html", context)


@never_cache
@login_required
def tournament_new(request: HttpRequest) -> HttpResponse:
    """One short form, then the tournament's board."""
    actor = actor_of(request)
    access.require_creator(actor)
    if request.method != "POST":
        form = TournamentForm(initial={"starts_on": timezone.localdate()})
        return render(request, "events/new.html", {"form": form, "fresh": True})
    form = TournamentForm(request.POST)
    if form.is_valid():
        try:
            tournament = create_tournament(actor, form.instance)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(
                request,
                _("%(name)s is made. Now enter the players, or let people register.")
                % {"name": tournament.name},
            )
            return redirect("organiser_players", tournament.slug)
    return render(request, "events/new.html", {"form": form}, status=UNPROCESSABLE)


@page_for(Right.OWN)
def tournament_delete(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What would be gone, in numbers, and the files of it; a POST with the tournament's name deletes it for good.

    A trial goes without its name.
    """
    form = DeletionForm(request.POST if request.method == "POST" else None, is_trial=tournament.is_trial)
    if request.method == "POST" and form.is_valid():
        try:
            delete_tournament(tournament, actor_of(request), name=form.cleaned_data["name"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("%(name)s is deleted.") % {"name": tournament.name})
            return redirect("organiser_home")
    context = {"form": form, "contents": contents_of(tournament)} | files_of(request, tournament)
    return show(
        request,
        "events/delete",
        tournament,
        "settings",
        context,
        status=UNPROCESSABLE if form.errors else 200,
    )


# --- Trials ---


@require_POST
@login_required
def trial_request(request: HttpRequest) -> HttpResponse:
    """POST players=, one of the sizes that are offered; "My tournaments" shows how far it is."""
    access.require_creator(actor := actor_of(request))
    players = request.POST.get("players", "")
    if players not in map(str, SIZES):
        return HttpResponseBadRequest()
    request_trial(actor, int(players))
    return redirect("organiser_home")


@never_cache
@login_required
@require_safe
def trial_progress(request: Request, job_id: int) -> HttpResponse:
    """How far it is: 204 while it looks as `?seen=` says; once it is there, the page is asked for anew."""
    job = get_object_or_404(TrialJob, pk=job_id, requested_by=request.user)
    if not request.htmx:
        return redirect("organiser_home")
    now = trial_status(job)
    if request.GET.get("seen") == now.mark:
        return HttpResponse(status=204)
    answer = render(request, "site/_trial_job.html", {"job": job, "now": now})
    if job.state == TrialJob.State.DONE:
        answer["HX-Refresh"] = "true"
    return answer


# --- Umpires’ tables ---


@require_GET
@login_required
def umpire_home(request: HttpRequest) -> HttpResponse:
    """The tournaments I have a role in; straight to the only one, where my role leads."""
    actor = actor_of(request)
    mine = access.memberships_of(actor)
    tournaments = list(Tournament.objects.filter(pk__in=mine.values("tournament")).defer("rules_snapshot"))
    ways = [(tournament, landing_in(actor, tournament)) for tournament in tournaments]
    if len(ways) == 1:
        return redirect(ways[0][1])
    return render(request, "site/home_umpire.html", {"ways": ways})


@require_GET
@login_required
@never_cache
def umpire_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """The tables I may umpire in the session being played, what has to be done next on top."""
    actor, tournament = actor_of(request), tournament_or_404(slug)
    if not access.may(actor, tournament, Right.ENTER):
        raise PermissionDenied
    session = _session_shown(tournament)
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
            "announcements": active_announcements(tournament),
            "rota": rota,
            "may_read": access.may(actor, tournament, Right.READ),
            "next": _next_to_do(_first_by_rota(mine, rota))
            if session and session.state == Session.State.RUNNING
            else None,
            "calls": calls_for(actor, tournament),
            "open_appeals": sum(
                access.can_umpire(actor, appeal.table)
                for appeal in objections(tournament, Audience.STAFF).open
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
def umpire_beside(request: HttpRequest, slug: str, session: int, table: int, way: str) -> HttpResponse:
    """To the next open table that is mine, or the one before; round and round. With none, to all of them."""
    actor, here = actor_of(request), table_or_404(slug, session, table)
    access.require_umpire(actor, here)
    backwards = way == "previous"
    others = [other for other in here.session.tables.order_by("number") if other != here and not other.is_in]
    others.sort(
        key=lambda other: ((other.number > table) == backwards, -other.number if backwards else other.number)
    )
    beside = next((other for other in others if access.can_umpire(actor, other)), None)
    if beside is None:
        return redirect("umpire_tables", slug=slug)
    return redirect("desk", slug=slug, session=session, table=beside.number)


def _session_shown(tournament: Tournament) -> Session | None:
    """The session being played; before the first and between two the coming one, after the last the last."""
    sessions = list(tournament.sessions.all())
    for state in (Session.State.RUNNING, Session.State.PLANNED):
        if chosen := next((session for session in sessions if session.state == state), None):
            return chosen
    return sessions[-1] if sessions else None


def _first_by_rota(tables: Sequence[Glance], rota: Sequence[int]) -> Sequence[Glance]:
    """The tables that the rota gives me; all of mine once these are in, or where it gives me none."""
    return [now for now in tables if now.table.number in rota and not now.table.is_in] or tables


def _next_to_do(tables: Sequence[Glance]) -> Glance | None:
    """Give a sheet to hand in, else the table that is furthest behind.

    None when all are in or wait for their totals.
    """
    waiting = [
        now for now in tables if not now.table.is_in and (now.table.has_result or not now.table.is_on_paper)
    ]
    return min(waiting, key=lambda now: (not now.is_full, now.table.hands_played), default=None)
