"""Pages of the ranking, statistics and players; hiding and publishing results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from scoring.texts import joined
from tournament.base import hooks
from tournament.base.access import Right
from tournament.base.countries import country_name
from tournament.base.engine.notices import Audience
from tournament.base.models.people import Player
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.base.requests import site_address
from tournament.base.selectors import hidden_sessions
from tournament.fouls.selectors import objections
from tournament.live.page_cache import coalesce_changes, set_cached_places
from tournament.play.selectors.public import last_change
from tournament.play.selectors.timetable import players_of
from tournament.play.views.sessions import Step, closed_sessions, confirm_step, confirmation_data, open_items
from tournament.players.selectors.players import public_player, public_players
from tournament.ranking.selectors.groups import GroupKind, counted_members, group_rows
from tournament.ranking.selectors.players import player_page, player_status
from tournament.ranking.selectors.progress import Progress, progress_of
from tournament.ranking.selectors.ranking import shared_ranking
from tournament.ranking.selectors.statistics import event_statistics
from tournament.ranking.services import hide_results, open_results, publish_standings
from tournament.ranking.tags import rank_lines
from tournament.web.display import public_qr
from tournament.web.selectors import matches_search
from tournament.web.texts.words import time_text
from tournament.web.views import (
    actor_of,
    organiser_page,
    page_for,
    render_page,
    render_part,
    render_shared,
    run_and_redirect,
    tournament_html,
    tournament_page,
    tournament_part,
)

# --- Hidden results ---


@organiser_page
@require_POST
def results_hide(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Hide the results of a session from the public."""
    session = get_object_or_404(tournament.sessions, number=number)
    return run_and_redirect(
        request,
        lambda: hide_results(session, actor_of(request)),
        _("The results of session %(n)s are hidden from the public.") % {"n": number},
        "organiser_session",
        tournament.slug,
        number,
    )


@page_for(Right.RULE)
@require_http_methods(["GET", "HEAD", "POST"])
def results_reveal(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Ask first, as results that everybody has seen cannot be hidden again."""
    session = get_object_or_404(tournament.sessions, number=number)
    if request.method != "POST":
        closed = [session] if session.state == Session.State.CLOSED else []
        context = {"session": session, "open_items": open_items(tournament, closed)}
        return render_page(request, "ranking/results_open", tournament, "session", context)
    return run_and_redirect(
        request,
        lambda: open_results(tournament, actor_of(request), [number], **confirmation_data(request)),
        _("Everybody sees the results of session %(n)s.") % {"n": number},
        "organiser_session",
        tournament.slug,
        number,
        check=request.path,
    )


# --- Players ---


@tournament_page
def players_list(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """List the players by number with their present rank; `?q=` keeps those that match."""
    query = request.GET.get("q", "").strip()
    render_content = render_part if query else render_shared
    content = render_content(
        tournament, audience, "players/_players.html", lambda: _players_context(tournament, audience, query)
    )
    return tournament_html(request, "players/players_public", tournament, audience, {"content": content})


def _players_context(tournament: Tournament, audience: Audience, query: str) -> dict[str, Any]:
    current = shared_ranking(tournament, audience)
    people = public_players(tournament.players.all(), tournament)
    lines = {row.player.number: row for row in current.rows}
    return {
        "query": query,
        "people": [(player, lines.get(player.number)) for player in people if matches_search(player, query)],
        "entered": len(lines),
        "ranking": current,
    }


@tournament_page
def player_public_page(
    request: HttpRequest, tournament: Tournament, audience: Audience, number: int
) -> HttpResponse:
    """Show a player's seats, results and figures; `?rank=` is the rank to compute needs for."""
    player = _player_or_404(tournament, number)
    context = {
        "player": player,
        "page": player_page(tournament, audience, player, _requested_rank(request, tournament)),
        "rank_requested": "rank" in request.GET,
        "code": public_qr(site_address() + request.path),
    }
    return tournament_html(request, "ranking/player", tournament, audience, context, player=player)


def _player_or_404(tournament: Tournament, number: int) -> Player:
    player = public_player(tournament, number)
    if player is None:
        raise Http404
    return player


def _requested_rank(request: HttpRequest, tournament: Tournament) -> int | None:
    """Return the rank asked for, limited to those there are; None if none or malformed."""
    rank = request.GET.get("rank", "")
    if not (rank.isdecimal() and rank.isascii() and len(rank) < 6):
        return None
    return min(max(1, int(rank)), players_of(tournament).count())


@tournament_part
def player_part(
    request: HttpRequest,
    tournament: Tournament,
    audience: Audience,
    number: int,
    template: str,
    *,
    concerns_places: bool = False,
) -> HttpResponse:
    """Show what follows play on a player's page, or the card on the start page of a device that says "this is me".

    `concerns_places`: whether it shows nothing that follows from other tables than the player's own.
    """
    player = _player_or_404(tournament, number)
    status = player_status(tournament, audience, player, _requested_rank(request, tournament))
    hidden = sorted(hidden_sessions(tournament)) if audience is Audience.STAFF else ()
    context = {"player": player, "page": status, "tournament": tournament, "hidden": hidden}
    if concerns_places:
        set_cached_places(request, status.places)
    return render(request, f"ranking/{template}.html", context)


@tournament_part
def player_hands(
    request: HttpRequest, tournament: Tournament, audience: Audience, number: int
) -> HttpResponse:
    """Show the figures of a player's hands."""
    player = _player_or_404(tournament, number)
    page = player_page(tournament, audience, player)
    set_cached_places(request, page.places)
    context = {"player": player, "page": page, "tournament": tournament}
    return render(request, "ranking/_player_hands.html", context)


@tournament_part
def ranks(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Show everybody's rank: one response for all players' pages, since every hand may change every rank."""
    coalesce_changes(request)
    return HttpResponse(rank_lines(shared_ranking(tournament, audience)))


# --- Publishing ---


@organiser_page
@require_http_methods(["GET", "HEAD", "POST"])
def standings_publish(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Publish the standings; a GET shows the consequences first, as this cannot be undone."""
    progress = progress_of(tournament)
    if request.method != "POST" and not progress.can_publish:
        return redirect("organiser_results", tournament.slug)
    step = Step(
        title=_("Publish the final standings?") if progress.is_over else _("Publish the standings?"),
        button=_("Publish final standings")
        if progress.is_over
        else _("Publish standings after session {session}").format(session=progress.closed),
        done=_("The standings are published."),
        back=("organiser_results", tournament.slug),
        consequences=tuple(_consequences(tournament, progress)),
    )
    write = partial(publish_standings, tournament)
    return confirm_step(request, tournament, closed_sessions(tournament), step, write)


def _consequences(tournament: Tournament, progress: Progress) -> Iterator[str]:
    yield (
        _("The current ranking is published as the final standings.")
        if progress.is_over
        else _("The current ranking is published as the standings after session {n}.").format(
            n=progress.closed
        )
    )
    yield _("Published standings stay on record; corrections are published as a new version.")
    if hidden := sorted(hidden_sessions(tournament)):
        yield ngettext(
            "The results of session {numbers} stay hidden from the public.",
            "The results of sessions {numbers} stay hidden from the public.",
            len(hidden),
        ).format(numbers=joined(hidden))
    appeals = objections(tournament, Audience.STAFF)
    if appeals.open:
        yield _("While an appeal is open, pages and documents call the standings “provisional”.")
    if appeals.until:
        yield _(
            "Until {time} appeals are possible: pages and documents call the standings “provisional”."
        ).format(time=time_text(appeals.until))


# --- The ranking ---


@dataclass(frozen=True)
class RankingFilter:
    """The query of the ranking page: players by text, country and team; `why`: whether to show tie-breaks."""

    q: str = ""
    country: str = ""
    team: str = ""
    why: str = ""

    @classmethod
    def of(cls, request: HttpRequest) -> RankingFilter:
        """Read `?q=&country=&team=&why=1`."""
        q, country, team = (request.GET.get(name, "").strip() for name in ("q", "country", "team"))
        return cls(q, country, team, "1" if request.GET.get("why") else "")

    def matches(self, player: Player) -> bool:
        return (
            self.country in ("", player.country)
            and self.team in ("", player.team)
            and matches_search(player, self.q)
        )

    @property
    def is_active(self) -> bool:
        return bool(self.q or self.country or self.team)

    @property
    def words(self) -> list[str]:
        """Return what is looked for, for a sentence."""
        return [word for word in (self.q, country_name(self.country), self.team) if word]

    @property
    def query(self) -> str:
        """Return the query string with its question mark; "" for no filter."""
        filters = {name: value for name, value in vars(self).items() if value}
        return f"?{urlencode(filters)}" if filters else ""

    @property
    def toggle_why(self) -> str:
        """Return the query string with tie-breaks shown or hidden instead."""
        return RankingFilter(self.q, self.country, self.team, "" if self.why else "1").query or "?"


@tournament_page
def ranking_page(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Show the ranking; complete without JavaScript."""
    filters = RankingFilter.of(request)
    rows_url = reverse("ranking_rows", args=[tournament.slug]) + filters.query
    return _ranking_html(
        request, tournament, audience, _ranking_part(tournament, audience, filters), rows_url
    )


@tournament_part
def ranking_lines(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Return the live part of the ranking page."""
    coalesce_changes(request)
    return HttpResponse(_ranking_part(tournament, audience, RankingFilter.of(request)))


@tournament_page
def ranking_groups(
    request: HttpRequest, tournament: Tournament, audience: Audience, kind: GroupKind
) -> HttpResponse:
    """Show teams or nations, with their members."""
    rows_url = reverse(f"ranking_{kind}_rows", args=[tournament.slug])
    return _ranking_html(request, tournament, audience, _groups_part(tournament, audience, kind), rows_url)


@tournament_part
def ranking_group_part(
    request: HttpRequest, tournament: Tournament, audience: Audience, kind: GroupKind
) -> HttpResponse:
    """Return the live part of the page of teams or nations."""
    coalesce_changes(request)
    return HttpResponse(_groups_part(tournament, audience, kind))


def _ranking_html(
    request: HttpRequest, tournament: Tournament, audience: Audience, content: SafeString, rows_url: str
) -> HttpResponse:
    context = {"content": content, "rows_url": rows_url}
    return tournament_html(request, "ranking/ranking", tournament, audience, context)


def _ranking_part(tournament: Tournament, audience: Audience, filters: RankingFilter) -> SafeString:
    def context() -> dict[str, Any]:
        current = shared_ranking(tournament, audience)
        return {
            "ranking": current,
            "rows": [row for row in current.rows if filters.matches(row.player)],
            "filters": filters,
            "change": last_change(tournament, audience),
            "kind": "players",
        } | hooks.merged(hooks.banners(tournament))

    if filters.is_active:
        return render_part(tournament, audience, "ranking/_ranking.html", context)
    return render_shared(tournament, audience, "ranking/_ranking.html", context, filters.why)


def _groups_part(tournament: Tournament, audience: Audience, kind: GroupKind) -> SafeString:
    def context() -> dict[str, Any]:
        current = shared_ranking(tournament, audience)
        return {
            "ranking": current,
            "groups": group_rows(current, kind),
            "counts": counted_members(kind),
            "change": last_change(tournament, audience),
            "kind": kind,
        } | hooks.merged(hooks.banners(tournament))

    return render_shared(tournament, audience, "ranking/_ranking_groups.html", context, kind)


# --- Statistics ---


SHOWN_FANS = 15
"""Number of fans in the plot; the others are folded away."""


@tournament_page
def statistics_page(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Show the statistics of the event, or with `?session=` of one session."""
    number = _requested_session(request)
    key = str(number or "")
    content = render_shared(
        tournament,
        audience,
        "ranking/_statistics.html",
        lambda: _statistics_context(tournament, audience, number),
        key,
    )
    return tournament_html(request, "ranking/statistics", tournament, audience, {"content": content})


def _requested_session(request: HttpRequest) -> int | None:
    """Return the session asked for; raises Http404 for anything that is no session number."""
    number = request.GET.get("session", "")
    if not number:
        return None
    if not (number.isdecimal() and number.isascii() and len(number) < 4 and int(number)):
        raise Http404
    return int(number)


def _statistics_context(tournament: Tournament, audience: Audience, session: int | None) -> dict[str, Any]:
    stats = event_statistics(tournament, audience, session)
    fans = stats.figures.fans_by_frequency
    return {
        "stats": stats,
        "fans": fans[:SHOWN_FANS],
        "more_fans": fans[SHOWN_FANS:],
        "maximum": fans[0][1] if fans else 0,
    }
