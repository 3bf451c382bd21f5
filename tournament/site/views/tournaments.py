"""The front page, tournaments to manage and to look at, demonstration events, and an umpire's tables."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
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
from tournament.base.access import Right
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament, TrialJob, playable_rulebooks
from tournament.base.requests import site_address
from tournament.base.selectors import event_page_of
from tournament.demo.trials import trial_status
from tournament.documents.selectors import current_cards
from tournament.dues.selectors import prices_of
from tournament.ema.selectors.results import count_participation
from tournament.events.exports import tournaments_calendar
from tournament.events.forms import EventTemplate, NewEventForm
from tournament.events.selectors import localize_page
from tournament.events.views import language_from_query
from tournament.fouls.selectors import objections
from tournament.messages.announcements.selectors import active_announcements
from tournament.play.selectors.clock import clock_of
from tournament.play.selectors.closing import calls_for, time_lost
from tournament.play.selectors.public import last_change, overview, progress
from tournament.play.selectors.tables import TableSummary, session_tables
from tournament.play.selectors.timetable import players_of, timetable
from tournament.play.views.desk import table_or_404, tables_url
from tournament.players.selectors.players import Entrant, player_counts, public_players
from tournament.prizes.selectors import prize_lines
from tournament.ranking.selectors.ranking import ranking, shared_ranking
from tournament.ranking.selectors.statistics import event_statistics
from tournament.registration.selectors.plan import status_if_planned
from tournament.seating.forms import random_seed
from tournament.site.display import next_step_bar
from tournament.site.forms import search_from_query
from tournament.site.selectors.front_page import (
    NOW,
    PAGE_SIZE,
    TournamentGroup,
    choices,
    coming_soon,
    in_order,
    my_keys,
    my_tournaments,
    newest_trial,
    tournament_groups,
)
from tournament.site.services import SIZES, create_event, request_trial
from tournament.staff.selectors import tables_umpired_by
from tournament.web.display import public_qr, stream_url
from tournament.web.forms import add_problems
from tournament.web.sections import landing_url
from tournament.web.uploads import uploaded_file_response
from tournament.web.views import (
    UNPROCESSABLE,
    Request,
    actor_of,
    render_shared,
    tournament_html,
    tournament_or_404,
    tournament_page,
    visible_tournament_or_404,
)

# --- The start page ---


LEADERS = 3
"""Players shown of the event that is being played."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show current, coming and past tournaments; without any account, redirect to the setup."""
    if setup_code.is_open():
        return HttpResponseRedirect(reverse("setup"))
    actor, search = actor_of(request), search_from_query(request.GET)
    groups = tournament_groups(actor, timezone.localdate(), search)
    context = {
        "groups": groups,
        "search": search,
        "choices": choices(actor),
        "rulebooks": playable_rulebooks(),
        "page": _paginator_page(groups, search.page) if search.when else None,
        "may_create": access.can_create(actor),
        "rest": _query_without_period(request),
        "current": None if request.user.is_authenticated else _current_event(groups),
    }
    return render(request, "site/home_public.html", context)


def _current_event(groups: Sequence[TournamentGroup]) -> dict[str, Any] | None:
    """Return what the welcome shows of the first event in progress; None if there is none."""
    event = next((event for group in groups if group.name == NOW for event in group.tournaments), None)
    if event is None:
        return None
    ranked = shared_ranking(event, Audience.PUBLIC)
    return {
        "event": event,
        "stage": overview(event),
        "top": ranked.rows[:LEADERS] if ranked.sessions else (),
        "change": last_change(event, Audience.PUBLIC),
    }


@require_safe
@language_from_query
def events_calendar(request: HttpRequest) -> HttpResponse:
    """Return a calendar of coming public tournaments, the same for every reader."""
    visitor = access.Actor(None, "visitor")
    content = tournaments_calendar(
        (event, site_address() + reverse("tournament", args=[event.slug]))
        for event in coming_soon(visitor, timezone.localdate())
    )
    headers = {"Content-Disposition": 'attachment; filename="tournaments.ics"'}
    return HttpResponse(content, "text/calendar; charset=utf-8", headers=headers)


def _paginator_page(groups: tuple[TournamentGroup, ...], number: int) -> object:
    """Return the page for its links; the rows are already read."""
    count = groups[0].count if groups else 0
    return Paginator(range(count), PAGE_SIZE).get_page(number)


def _query_without_period(request: HttpRequest) -> str:
    """Return the search as a query string, for links to one period."""
    query = request.GET.copy()
    for name in ("when", "page"):
        query.pop(name, None)
    return f"{query.urlencode()}&" if query else ""


# --- A tournament at a glance ---


TOP_ROWS = 8
"""Rows of the ranking on the page."""
MAX_NAMES = 24
"""Names of players on the page; a page of their own lists all."""


@tournament_page
def tournament(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Show an event: description, current play, leaders, links."""
    actor = actor_of(request)
    context = {
        "content": render_shared(
            tournament, audience, "site/_tournament.html", lambda: _overview_context(tournament, audience)
        ),
        "is_organiser": access.can_organise(actor, tournament),
        "has_times": tournament.timetable.exists(),
        "code": public_qr(site_address() + request.path),
        "may_enter": access.may(actor, tournament, Right.ENTER),
        "landing_url": landing_url(actor, tournament) if access.has_role(actor, tournament) else "",
    }
    return tournament_html(request, "site/tournament", tournament, audience, context)


def _overview_context(tournament: Tournament, audience: Audience) -> dict[str, Any]:
    stage, page = overview(tournament), event_page_of(tournament)
    ranked = ranking(tournament, audience)
    people = [] if stage.has_begun else public_players(players_of(tournament)[:MAX_NAMES], tournament)
    return {
        "stage": stage,
        "progress": progress(stage.running, audience) if stage.running else None,
        "timetable": timetable(tournament),
        "ranking": ranked,
        "stats": event_statistics(tournament, audience),
        "top": ranked.rows[:TOP_ROWS] if ranked.sessions else (),
        "change": last_change(tournament, audience),
        "rulebook": tournament.rules.scoring,
        "localized_page": localize_page(page, get_language() or "en"),
        "participation": count_participation(tournament, page) if page.mers or not stage.has_begun else None,
        "files": tournament.event_documents.filter(is_logo=False),
        "prices": prices_of(tournament),
        "prizes": prize_lines(tournament),
        "places": None if stage.has_begun else status_if_planned(tournament),
        "people": people,
        "has_initials": any(player.is_by_initials for player in people),
    } | hooks.merged(hooks.banners(tournament))


@require_safe
def document(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Return a file of the event's page as a download."""
    tournament = visible_tournament_or_404(request, slug)
    document_file = get_object_or_404(tournament.event_documents, uuid=uuid)
    response = uploaded_file_response(document_file, document_file.content_type)
    name = f"{slugify(document_file.title, allow_unicode=True) or 'document'}.{document_file.kind}"
    response["Content-Disposition"] = str(content_disposition_header(True, name))
    return response


# --- An organiser’s tournaments ---


TOURNAMENTS_PER_PAGE = 20
"""Few, as the next step is computed for each."""
_MAX_SEARCH_LENGTH = 100


@never_cache
@login_required
@require_safe
def organiser_home(request: HttpRequest) -> HttpResponse:
    """Show the tournaments this account organises, each with its next step."""
    actor = actor_of(request)
    search = request.GET.get("q", "").replace("\0", "").strip()[:_MAX_SEARCH_LENGTH]
    keys = my_keys(actor, timezone.localdate(), search)
    page = Paginator(keys, TOURNAMENTS_PER_PAGE).get_page(request.GET.get("page"))
    tournaments = in_order(my_tournaments(actor), list(page.object_list))
    rows = [(tournament, next_step_bar(tournament)) for tournament in tournaments]
    context: dict[str, Any] = {"tournaments": rows, "can_create": access.can_create(actor)}
    context |= {
        "page": page,
        "search": search,
        "has_trials": any(tournament.is_trial for tournament in tournaments),
    }
    if access.can_manage_backups(actor):
        context |= {"manages_backups": True, "backup_failed": backups.trouble()}
    if context["can_create"]:
        job = newest_trial(actor)
        context |= {"job": job, "now": job and trial_status(job), "sizes": SIZES}
    return render(request, "site/home.html", context)


@never_cache
@login_required
def tournament_new(request: HttpRequest) -> HttpResponse:
    """Create a tournament with a short form."""
    actor = actor_of(request)
    access.require_creator(actor)
    if request.method != "POST":
        form = NewEventForm(initial={"starts_on": timezone.localdate()})
        return render(request, "events/new.html", {"form": form, "fresh": True})
    form = NewEventForm(request.POST)
    if form.is_valid():
        try:
            tournament = create_event(
                actor,
                form.instance,
                [Entrant(name.last, name.first) for name in form.entrants],
                places=form.cleaned_data["players"],
                is_for_ema=form.cleaned_data["template"] == EventTemplate.EMA,
            )
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("%(name)s has been created.") % {"name": tournament.name})
            if not form.entrants or player_counts(tournament).missing:
                return redirect("organiser_board", tournament.slug)
            preview = reverse("organiser_draw_preview", args=[tournament.slug])
            return redirect(f"{preview}?{urlencode({'seed': random_seed()})}")
    return render(request, "events/new.html", {"form": form}, status=UNPROCESSABLE)


# --- Trials ---


@require_POST
@login_required
def trial_request(request: HttpRequest) -> HttpResponse:
    """Queue a demonstration event; POST players=, one of SIZES."""
    access.require_creator(actor := actor_of(request))
    players = request.POST.get("players", "")
    if players not in map(str, SIZES):
        return HttpResponseBadRequest()
    request_trial(actor, int(players), get_language())
    return redirect("organiser_home")


@never_cache
@login_required
@require_safe
def trial_progress(request: Request, job_id: int) -> HttpResponse:
    """Return its progress, or 204 if it is as `?seen=`; once done, htmx reloads the page."""
    job = get_object_or_404(TrialJob, pk=job_id, requested_by=request.user)
    if not request.htmx:
        return redirect("organiser_home")
    now = trial_status(job)
    if request.GET.get("seen") == now.mark:
        return HttpResponse(status=204)
    response = render(request, "site/_trial_job.html", {"job": job, "now": now})
    if job.state == TrialJob.State.DONE:
        response["HX-Refresh"] = "true"
    return response


# --- Umpires’ tables ---


@require_GET
@login_required
def umpire_home(request: HttpRequest) -> HttpResponse:
    """Show the tournaments this account has a role in; redirect if there is one."""
    actor = actor_of(request)
    mine = access.memberships_of(actor)
    tournaments = list(Tournament.objects.filter(pk__in=mine.values("tournament")).defer("rules_snapshot"))
    landings = [(tournament, landing_url(actor, tournament)) for tournament in tournaments]
    if len(landings) == 1:
        return redirect(landings[0][1])
    return render(request, "site/home_umpire.html", {"landings": landings})


@require_GET
@login_required
@never_cache
def umpire_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables of the running session that this umpire may enter, with the next one on top."""
    actor, tournament = actor_of(request), tournament_or_404(slug)
    if not access.may(actor, tournament, Right.ENTER):
        raise PermissionDenied
    session = _session_shown(tournament)
    mine = (
        [now for now in session_tables(session, Audience.STAFF) if access.can_umpire(actor, now.table)]
        if session
        else []
    )
    rota = tables_umpired_by(actor, session) if session else []
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
            "organises": access.can_organise(actor, tournament),
            "next": _next_to_do(_first_by_rota(mine, rota))
            if session and session.state == Session.State.RUNNING
            else None,
            "calls": calls_for(actor, tournament),
            "time_lost": time_lost(actor, tournament),
            "open_appeals": sum(
                access.can_umpire(actor, appeal.table)
                for appeal in objections(tournament, Audience.STAFF).open
            ),
            "clock": clock_of(session) if session else None,
            "runs_clock": access.can_run_clock(actor, tournament),
            "on_paper": sum(now.table.is_on_paper and not now.table.has_result for now in mine),
            "open": sum(not now.table.is_in for now in mine),
            "cards": current_cards(tournament),
            "back_url": reverse("umpire_home"),
            "live_url": stream_url(tournament, access.audience_of(actor, tournament), at_a_desk=True),
        },
    )


@require_GET
@login_required
@never_cache
def umpire_neighbour(
    request: HttpRequest, slug: str, session: int, table: int, direction: str
) -> HttpResponse:
    """Redirect to the next or previous open table of this umpire, cyclically; to all tables if there is none."""
    actor, current = actor_of(request), table_or_404(slug, session, table)
    access.require_at(actor, current, Right.ENTER)
    backwards = direction == "previous"
    tables = current.session.tables.order_by("number")
    others = [other for other in tables if other != current and not other.is_in]
    others.sort(
        key=lambda other: ((other.number > table) == backwards, -other.number if backwards else other.number)
    )
    neighbour = next((other for other in others if access.can_umpire(actor, other)), None)
    if neighbour is None:
        return redirect(tables_url(request, current.session.tournament, session))
    return redirect("desk", slug=slug, session=session, table=neighbour.number)


def _session_shown(tournament: Tournament) -> Session | None:
    """Return the running session, else the next planned one, else the last."""
    sessions = list(tournament.sessions.all())
    for state in (Session.State.RUNNING, Session.State.PLANNED):
        if chosen := next((session for session in sessions if session.state == state), None):
            return chosen
    return sessions[-1] if sessions else None


def _first_by_rota(tables: Sequence[TableSummary], rota: Sequence[int]) -> Sequence[TableSummary]:
    """Return the open tables that the rota assigns; all of them if there are none."""
    return [now for now in tables if now.table.number in rota and not now.table.is_in] or tables


def _next_to_do(tables: Sequence[TableSummary]) -> TableSummary | None:
    """Return a table whose sheet can be handed in, else the one furthest behind; None if nothing is open."""
    waiting = [
        now for now in tables if not now.table.is_in and (now.table.has_result or not now.table.is_on_paper)
    ]
    return min(waiting, key=lambda now: (not now.is_full, now.table.hands_played), default=None)
