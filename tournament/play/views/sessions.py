"""Pages of sessions and tables; confirmation of steps while something is open; the hall's clock; calls."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from config.front.addresses import rate_limit_key
from tournament.base import access
from tournament.base.access import Actor, Right
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import HANDS_PER_SESSION, LATE
from tournament.base.errors import Refused
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.base.selectors import is_withheld_from
from tournament.play.forms import ExtendForm, PauseForm, ReasonForm, ResumeForm
from tournament.play.models import Call
from tournament.play.selectors.clock import appeals_until, clock_of, is_final
from tournament.play.selectors.closing import (
    BLOCKING,
    Finding,
    Kind,
    call_at,
    closing_check,
    time_lost,
    tournaments_to_umpire,
    untaken_calls,
)
from tournament.play.selectors.public import last_change, progress, sheet
from tournament.play.selectors.tables import table_now
from tournament.play.selectors.timetable import timetable
from tournament.play.services.sessions import (
    accept_call,
    end_call,
    extend_clock,
    pause_clock,
    raise_call,
    resume_clock,
)
from tournament.play.services.tables import set_extra_time
from tournament.play.views.desk import table_or_404, tables_url
from tournament.web.forms import add_problems
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    add_refusal_messages,
    render_page,
    render_shared,
    run_and_redirect,
    tournament_html,
    tournament_or_404,
    tournament_page,
    visible_tournament_or_404,
)

# --- Sessions and tables ---


@tournament_page
def session(request: HttpRequest, tournament: Tournament, audience: Audience, number: int) -> HttpResponse:
    """Show the tables of a session with seats, progress and scores."""
    row = get_object_or_404(tournament.sessions, number=number)
    content = render_shared(
        tournament, audience, "play/_session.html", lambda: _session_context(row, audience), str(number)
    )
    return tournament_html(
        request, "play/session", tournament, audience, {"session": row, "content": content}
    )


def _session_context(session: Session, audience: Audience) -> dict[str, Any]:
    tournament = session.tournament
    return {
        "session": session,
        "is_hidden": is_withheld_from(audience, session),
        "sessions": tournament.sessions.all(),
        "entry": timetable(tournament).of(session.number),
        "clock": clock_of(session),
        "progress": progress(session, audience),
        "appeals_until": None if is_final(session) else appeals_until(session),
        "change": last_change(tournament, audience),
    }


@tournament_page
def table(
    request: HttpRequest, tournament: Tournament, audience: Audience, number: int, table: int
) -> HttpResponse:
    """Show a table's sheet, hand by hand."""
    row = table_or_404(tournament.slug, number, table)
    context = {
        "session": row.session,
        "tables": row.session.tables.all(),
        "now": table_now(row, audience),
        "sheet": sheet(row, audience),
        "call": call_at(row, audience),
        "topics": Call.Topic.choices,
        "appeals_until": None if is_final(row.session) else appeals_until(row.session),
        "clock": clock_of(row.session, row),
        "is_running": row.session.state == Session.State.RUNNING,
        "hands": HANDS_PER_SESSION,
    }
    return tournament_html(request, "play/table", tournament, audience, context, table=row)


# --- Closing ---


LINK_TEXTS = {
    Kind.APPEAL: gettext_lazy("Rule on the appeal"),
    Kind.RULING: gettext_lazy("Carry out the ruling"),
    Kind.DISPUTE: gettext_lazy("Rule on the hand"),
    Kind.CALL: gettext_lazy("Show calls"),
    Kind.LATENESS: gettext_lazy("Record penalty"),
    Kind.UNSIGNED: gettext_lazy("Show signatures"),
    Kind.AFTER_TIME: gettext_lazy("Show sheet"),
    Kind.TOTALS: gettext_lazy("Correct the totals"),
}
"""Texts of the links to settle findings."""


@dataclass(frozen=True)
class OpenItem:
    """A finding as shown on a page, with the link to settle it."""

    key: str
    text: str
    link_text: str
    url: str
    is_blocking: bool
    """Whether no reason helps: it has to be settled first."""


def open_items(tournament: Tournament, sessions: Sequence[Session]) -> list[OpenItem]:
    return [
        OpenItem(
            finding.key,
            sentence(finding.problem),
            str(LINK_TEXTS[finding.kind]),
            _url_to_settle(tournament, finding),
            finding.kind in BLOCKING,
        )
        for finding in closing_check(tournament, sessions)
    ]


def _url_to_settle(tournament: Tournament, finding: Finding) -> str:
    desk = reverse("desk", args=[tournament.slug, finding.session, finding.table])
    match finding.kind:
        case Kind.APPEAL | Kind.RULING:
            return f"{reverse('appeals', args=[tournament.slug])}#a{finding.subject}"
        case Kind.DISPUTE:
            where = (finding.session, finding.table, finding.params["hand"])
            return reverse("disputed_hand", args=[tournament.slug, *where])
        case Kind.CALL:
            return f"{reverse('organiser_session', args=[tournament.slug, finding.session])}#calls"
        case Kind.LATENESS:
            late = {"player": finding.player, "session": finding.session, "foul": LATE}
            query = urlencode(late | {"minutes": finding.params["minutes"]})
            return f"{reverse('organiser_penalty_new', args=[tournament.slug])}?{query}"
        case Kind.UNSIGNED:
            return f"{desk}#hand-in"
        case Kind.AFTER_TIME:
            return f"{desk}#sheet"
        case Kind.TOTALS:
            return reverse("paper_table", args=[tournament.slug, finding.session, finding.table])


def confirmation_data(request: HttpRequest) -> dict[str, Any]:
    """Return `reason` and `seen` from the form of the confirmation page; {} if it was not shown."""
    if "reason" not in request.POST:
        return {}
    return {"reason": request.POST["reason"][:300], "seen": request.POST.getlist("seen")}


@dataclass(frozen=True)
class Step:
    """Texts of the confirmation page of a step, and the page to go to afterwards or instead."""

    title: str
    button: str
    done: str
    back: tuple[Any, ...]
    """URL name and arguments."""
    consequences: tuple[str, ...] = ()
    is_start: bool = False
    """Whether a session begins, so that nothing can be open yet."""

    @property
    def section(self) -> str:
        """Return where it stands in the navigation."""
        return "results" if self.back[0] == "organiser_results" else "session"


def confirm_step(
    request: HttpRequest,
    tournament: Tournament,
    sessions: Sequence[Session],
    step: Step,
    write: Callable[..., object],
    **more: Sequence[Any],
) -> HttpResponse:
    """GET: show what is open in `sessions`. POST: take the step, or go back to confirm.

    `write` is called with the actor, the data of the form and `more`, which also goes through the form.
    """
    if request.method == "POST":
        query = urlencode(more, doseq=True)
        return run_and_redirect(
            request,
            lambda: write(actor_of(request), **more, **confirmation_data(request)),
            step.done,
            *step.back,
            check=request.path + (f"?{query}" if query else ""),
        )
    items = open_items(tournament, sessions)
    context = {
        "step": step,
        "open_items": items,
        "is_blocked": any(item.is_blocking for item in items),
        "back": resolve_url(*step.back),
    }
    return render_page(request, "play/closing_check", tournament, step.section, context | more)


def closed_sessions(tournament: Tournament) -> list[Session]:
    return list(tournament.sessions.filter(state=Session.State.CLOSED))


# --- Clock of the hall ---


@require_safe
@login_required
@never_cache
def hall_clock_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the clock with the forms to pause or resume and to extend it."""
    return _show_clock(request, _clock_tournament(request, slug), {})


@require_POST
@login_required
def hall_clock_step(request: HttpRequest, slug: str, step: str) -> HttpResponse:
    tournament = _clock_tournament(request, slug)
    session = _running_session(tournament)
    if session is None:
        raise Http404
    form = _clock_form(step, request.POST, session)
    if form.is_valid():
        try:
            message = _change_clock(request, session, step, form)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, message)
            return redirect("hall_clock", slug)
    return _show_clock(request, tournament, {step: form}, status=UNPROCESSABLE)


def _clock_form(step: str, data: Any, session: Session) -> ReasonForm:
    if step == "extend":
        return ExtendForm(data, longer=session.extra_minutes)
    return PauseForm(data) if step == "pause" else ResumeForm(data)


def _change_clock(request: HttpRequest, session: Session, step: str, form: ReasonForm) -> str:
    actor, reason = actor_of(request), form.entered_reason
    if step == "pause":
        pause_clock(session, actor, reason=reason)
        return _("The clock is paused.")
    if step == "resume":
        resume_clock(session, actor, reason=reason)
        return _("The clock has resumed.")
    extend_clock(session, actor, form.cleaned_data["minutes"], reason=reason)
    return _("The extra time for the hall has been set.")


def _show_clock(
    request: HttpRequest, tournament: Tournament, forms: dict[str, ReasonForm], status: int = 200
) -> HttpResponse:
    session = _running_session(tournament)
    clock = clock_of(session) if session else None
    first = "resume" if clock and clock.pause else "pause"
    shown = {}
    if session and clock:
        shown = {name: forms.get(name) or _clock_form(name, None, session) for name in (first, "extend")}
    context = {
        "tournament": tournament,
        "session": session,
        "clock": clock,
        "form": shown.get(first),
        "more": shown.get("extend"),
        "back_url": tables_url(request, tournament),
    }
    return render(request, "play/hall_clock.html", context, status=status)


def _clock_tournament(request: HttpRequest, slug: str) -> Tournament:
    tournament = tournament_or_404(slug)
    access.require_clock(actor_of(request), tournament)
    return tournament


def _running_session(tournament: Tournament) -> Session | None:
    running = tournament.sessions.filter(state=Session.State.RUNNING)
    return running.select_related("tournament").first()


# --- Calls for an umpire ---


@require_safe
@never_cache
def calls_bar(request: HttpRequest) -> HttpResponse:
    """Return a fragment with the calls that wait for the user; empty for users who do not answer calls."""
    halls = tournaments_to_umpire(actor_of(request))
    waiting = [call for hall in halls for call in untaken_calls(actor_of(request), hall)]
    return render(request, "play/_call_bar.html", {"halls": halls, "calls": waiting})


@require_POST
@login_required
def call_accept(request: HttpRequest, slug: str, call: int) -> HttpResponse:
    return _answer_call(request, slug, call, accept_call)


@require_POST
@login_required
def call_end(request: HttpRequest, slug: str, call: int) -> HttpResponse:
    return _answer_call(request, slug, call, end_call)


def _answer_call(
    request: HttpRequest, slug: str, call: int, write: Callable[[Call, Actor], Call]
) -> HttpResponse:
    tournament, actor = tournament_or_404(slug), actor_of(request)
    calls = Call.objects.select_related("table__session__tournament")
    row = get_object_or_404(calls, pk=call, table__session__tournament=tournament)
    access.require_at(actor, row.table, Right.JUDGE)
    try:
        write(row, actor)
    except Refused as refused:
        add_refusal_messages(request, refused)
    return redirect("organiser_board" if request.POST.get("back") == "board" else "umpire_tables", slug)


@require_POST
@login_required
def time_lost_add(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Give a table back the time that calls have just cost it; nothing to do if somebody has done so."""
    row, actor = table_or_404(slug, session, table), actor_of(request)
    access.require_at(actor, row, Right.JUDGE)
    lost = next((lost for lost in time_lost(actor, row.session.tournament) if lost.table == row), None)
    try:
        if lost is not None:
            reason = _("Time lost by a call for an umpire")
            set_extra_time(row, actor, lost.extra_minutes, reason=reason)
            messages.success(request, _("The extra time has been set."))
    except Refused as refused:
        add_refusal_messages(request, refused)
    return redirect("umpire_tables", slug)


@require_POST
def call_umpire(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    tournament = visible_tournament_or_404(request, slug)
    row = table_or_404(tournament.slug, number, table)
    try:
        raise_call(row, actor_of(request), request.POST.get("topic", ""), address=rate_limit_key(request))
    except Refused as refused:
        add_refusal_messages(request, refused)
    else:
        messages.success(request, _("An umpire is called."))
    return redirect("table_page", slug, number, table)
