"""The page before the first session, and the board with its buttons."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.texts import joined
from tournament.base import access
from tournament.base.access import Actor, Right
from tournament.base.engine.notices import Audience
from tournament.base.engine.text import number_in, numbers_in
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import hidden_sessions, results_are_public
from tournament.dues.selectors import owing_ledgers
from tournament.fouls.selectors import objections
from tournament.play.display import pace_plot
from tournament.play.selectors.clock import is_final
from tournament.play.selectors.closing import open_calls
from tournament.play.selectors.organiser import board_of, latest_results, pace_of
from tournament.play.selectors.tables import can_be_unstarted
from tournament.play.selectors.timetable import seats_of_departed, timetable
from tournament.play.services.absences import name_stand_in
from tournament.play.services.sessions import close_session, reopen_session, start_session
from tournament.play.views.sessions import Step, confirm_step
from tournament.players.selectors.check_in import has_check_in, missing_players
from tournament.players.selectors.players import player_counts
from tournament.players.views.players import withdraw_and_redirect
from tournament.ranking.selectors.progress import progress_of
from tournament.seating.selectors.draws import draw_certificate
from tournament.seating.selectors.finals import can_set_up_final, finalist_change
from tournament.seating.services.corrections import unstart_session
from tournament.site.display import next_step_bar, render_card
from tournament.site.selectors.next_step import BEFORE, event_state, minutes_behind, next_step
from tournament.site.selectors.preparing import marks_of, preparation_of
from tournament.site.texts.preparing import facts_of
from tournament.web.sections import nav_groups
from tournament.web.texts.words import time_text
from tournament.web.views import (
    actor_of,
    organiser_page,
    page_for,
    render_page,
    rights_of,
    run_and_redirect,
)


@page_for(Right.READ)
@require_safe
def board_current(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the running session, or the next; before the draw, what is still to do."""
    session = progress_of(tournament).current
    return _board(request, tournament, session) if session else _preparation(request, tournament)


@page_for(Right.READ)
@require_safe
def before_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show what has been done before the first session, and the next step."""
    return _preparation(request, tournament)


def _preparation(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    may, known = rights_of(request, tournament), preparation_of(tournament)
    marks = marks_of(tournament, known)
    unpaid = len(owing_ledgers(tournament)) if may[Right.CASH.value] else 0
    first = timetable(tournament).of(1)
    facts = facts_of(known, first.starts_at if first else None, unpaid)
    links = next(group.links for group in nav_groups(tournament, may) if group.key == "before")
    steps = [
        {
            "key": link.key,
            "name": link.name,
            "url": link.url,
            "mark": marks.get(link.key),
            "facts": facts.get(link.key, ()),
        }
        for link in links
    ]
    context = {
        "marks": marks if may[Right.ORGANISE.value] else {},
        "steps": steps,
        "done": sum(marks[link.key].is_done for link in links if link.key in marks),
        "here": BEFORE.get(next_step(tournament).code, "") if may[Right.ORGANISE.value] else "",
    }
    return render_page(request, "site/prepare", tournament, "before", context)


@page_for(Right.READ)
@require_safe
def board_session(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show a session. `?show=open` hides tables that are handed in."""
    return _board(request, tournament, get_object_or_404(tournament.sessions, number=number))


def _board(request: HttpRequest, tournament: Tournament, session: Session) -> HttpResponse:
    """Render the board. Queries that only some states need run only in these: it is requested after every hand."""
    board, only_open, progress = board_of(session), request.GET.get("show") == "open", progress_of(tournament)
    is_planned, is_running = session.state == Session.State.PLANNED, session.state == Session.State.RUNNING
    is_closed = session.state == Session.State.CLOSED
    left = list(seats_of_departed(session)) if is_planned else []
    at_desk = access.may(actor_of(request), tournament, Right.ENTER)
    running = event_state(tournament).running if is_running else None
    behind = minutes_behind(running, timezone.now()) if running else {}
    cards = sorted(board.cards, key=lambda card: -behind.get(card.now.table.number, 0))
    context = {
        "session": session,
        "board": board,
        "pace": pace_plot(pace) if (pace := pace_of(board)) else None,
        "latest": latest_results(board),
        "entry": timetable(tournament).of(session.number),
        "cards": [
            render_card(card, tournament.slug, at_desk=at_desk, behind=behind.get(card.now.table.number, 0))
            for card in cards
            if card.is_open or not only_open
        ],
        "only_open": only_open,
        "progress": progress,
        "hidden_sessions": sorted(hidden_sessions(tournament)),
        "results_are_public": results_are_public(session),
        "may_have_finals": not is_planned and not is_running and can_set_up_final(tournament),
        "finalist_change": None if is_running else finalist_change(tournament),
        "calls": open_calls(tournament) if progress.is_running else [],
        "objections": objections(tournament, Audience.STAFF) if progress.closed or is_running else None,
        "is_final": is_final(session),
        "can_be_unstarted": is_running and can_be_unstarted(session),
        "certificate": draw_certificate(tournament),
        "roll": player_counts(tournament) if is_planned else None,
        "seated": [seat.player for card in board.cards for seat in card.now.seats if not seat.player.has_left]
        if not is_closed
        else [],
        "seats_left": left,
        "vacant": [seat.player.number for seat in left if not seat.stand_in],
    }
    return render_page(request, "site/board", tournament, "session", context)


@page_for(Right.READ)
@require_safe
def next_step_section(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Render the bar for the page `?on=` of `?section=`; requested after every write."""
    bar = next_step_bar(tournament, request.GET.get("on", ""))
    context = {"tournament": tournament, "section": request.GET.get("section", ""), "bar": bar}
    return render(request, "site/_next_step.html", context)


@organiser_page
@require_http_methods(["GET", "HEAD", "POST"])
def session_start(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Start a session. `empty`: numbers of players whose seats stay empty."""
    session = get_object_or_404(tournament.sessions, number=number)
    step = Step(
        title=_("Start session %(n)s?") % {"n": number},
        button=_("Start session %(n)s") % {"n": number},
        done=_("Session %(n)s has started.") % {"n": number},
        back=("organiser_session", tournament.slug, number),
        consequences=tuple(_before_the_start(session)),
        is_start=True,
    )
    if request.method != "POST" and session != progress_of(tournament).startable:
        return redirect(*step.back)
    return confirm_step(
        request,
        tournament,
        [session],
        step,
        partial(start_session, session),
        empty=numbers_in(_sent(request).getlist("empty")),
    )


def _sent(request: HttpRequest) -> QueryDict:
    """Return the fields of the confirmation page's form, or of its address."""
    return request.POST if request.method == "POST" else request.GET


EARLY: Final = timedelta(minutes=15)


def _before_the_start(session: Session) -> Iterator[str]:
    """Yield what happens at the start, and what speaks against it: the time, and who is missing."""
    yield _("The clock starts, and the umpires can record hands. You can undo it before the first hand.")
    planned = timetable(session.tournament).of(session.number)
    if planned and planned.starts_at and planned.starts_at - timezone.now() > EARLY:
        yield _("It is planned for %(at)s.") % {"at": time_text(planned.starts_at)}
    if change := finalist_change(session.tournament):
        yield change.text
    if session.number == 1 and has_check_in(session.tournament):
        missing = [player.name for player in missing_players(session.tournament)]
        if missing:
            yield ngettext(
                "%(n)s player is not checked in: %(names)s.",
                "%(n)s players are not checked in: %(names)s.",
                len(missing),
            ) % {"n": len(missing), "names": joined(missing)}


@organiser_page
@require_POST
def session_unstart(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    return _move_session(
        request, tournament, number, unstart_session, _("The start of session %(n)s has been undone.")
    )


def _move_session(
    request: HttpRequest,
    tournament: Tournament,
    number: int,
    write: Callable[[Session, Actor], Session],
    done: str,
) -> HttpResponse:
    """Reopen a session or undo its start; the message `done` contains its number as %(n)s."""
    session = get_object_or_404(tournament.sessions, number=number)
    actor = actor_of(request)
    return run_and_redirect(
        request,
        lambda: write(session, actor),
        done % {"n": number},
        "organiser_session",
        tournament.slug,
        number,
    )


@organiser_page
@require_POST
def stand_in(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Name a stand-in for a player who has left."""
    player = number_in(request.POST.get("player", ""))
    seats = seats_of_departed(get_object_or_404(tournament.sessions, number=number))
    seat = get_object_or_404(seats, player__number=player or 0)
    name = request.POST.get("name", "")
    return run_and_redirect(
        request,
        lambda: name_stand_in(seat.table, actor_of(request), seat.player.number, name),
        _("%(name)s plays for %(player)s.") % {"name": name.strip(), "player": seat.player.name},
        "organiser_session",
        tournament.slug,
        number,
    )


@organiser_page
@require_POST
def player_leave(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Withdraw a `player` of a session; with a `stand_in`, put that person on their seats."""
    player = tournament.players.filter(number=number_in(request.POST.get("player", "")) or 0).first()
    if player is None:
        messages.error(request, _("Choose who leaves."))
        return redirect("organiser_session", tournament.slug, number)
    return withdraw_and_redirect(
        request,
        player,
        request.POST.get("stand_in", "").strip() or None,
        "organiser_session",
        tournament.slug,
        number,
    )


@organiser_page
@require_http_methods(["GET", "HEAD", "POST"])
def session_close(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Close a session. `unplayed`: tables that are left out."""
    session = get_object_or_404(tournament.sessions, number=number)
    step = Step(
        title=_("Close session %(n)s?") % {"n": number},
        button=_("Close session %(n)s") % {"n": number},
        done=_("Session %(n)s is closed.") % {"n": number},
        back=("organiser_session", tournament.slug, number),
        consequences=(
            _("Its tables accept no more hands. It can be reopened until the next session starts."),
        ),
    )
    if request.method != "POST" and session.state != Session.State.RUNNING:
        return redirect(*step.back)
    write = partial(close_session, session)
    return confirm_step(
        request, tournament, [session], step, write, unplayed=numbers_in(_sent(request).getlist("unplayed"))
    )


@organiser_page
@require_POST
def session_reopen(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    write = partial(reopen_session, reason=request.POST.get("reason", ""))
    return _move_session(request, tournament, number, write, _("Session %(n)s is open again."))
