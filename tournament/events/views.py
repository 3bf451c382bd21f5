"""An event's settings, its page, its timetable and its calendars."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import translation
from django.utils.http import content_disposition_header
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.base.access import Audience
from tournament.base.errors import Refused
from tournament.base.event_words import EventWords, words_of
from tournament.base.models.tournament import Tournament
from tournament.events.engine import TimetableWish
from tournament.events.exports import calendar
from tournament.events.forms import EventDocumentForm, EventPageForm, FillForm, TimetableForm, TournamentForm
from tournament.events.selectors import (
    TimetableLine,
    coming,
    event_page_problems,
    events_of,
    events_of_all,
    filled,
    fingerprint,
    lines_of,
    told_in,
)
from tournament.events.services import (
    add_event_document,
    remove_event_document,
    set_event_page,
    set_timetable,
    update_tournament,
)
from tournament.fouls.forms import AttendanceForm
from tournament.fouls.services import set_attendance
from tournament.web.forms import add_problems
from tournament.web.views import UNPROCESSABLE, actor_of, organiser_page, press, show, tournament_part

# --- Calendars ---


LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)


def in_language_asked(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """`?lang=`: who fetches a calendar for somebody speaks no language of its own."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        language = request.GET.get("lang", "")
        if language not in LANGUAGES:
            return view(request, *args, **kwargs)
        with translation.override(language):
            response = view(request, *args, **kwargs)
            response["Content-Language"] = language
        return response

    return answer


@in_language_asked
@tournament_part
def tournament_calendar(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Everything that has a time."""
    url = request.build_absolute_uri(reverse("tournament", args=[tournament.slug]))
    content = calendar(tournament, tournament.name, events_of_all(tournament), url)
    return _file(content, tournament.slug)


@in_language_asked
@tournament_part
def player_calendar(
    request: HttpRequest, tournament: Tournament, audience: Audience, number: int
) -> HttpResponse:
    """A player's sessions with table and seat wind, and what else there is to be at."""
    player = get_object_or_404(tournament.players, number=number)
    url = request.build_absolute_uri(reverse("player_page", args=[tournament.slug, number]))
    name = f"{tournament.name} · {player.name}"
    return _file(calendar(tournament, name, events_of(player), url), f"{tournament.slug}-{number}")


def _file(content: bytes, name: str) -> HttpResponse:
    disposition = content_disposition_header(True, f"{name}.ics")
    headers = {"Content-Disposition": str(disposition)}
    return HttpResponse(content, "text/calendar; charset=utf-8", headers=headers)


# --- The event's page ---


@organiser_page
def event_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """GET: what is told now. POST: saved; with `preview` looked at, and nothing is saved."""
    if request.method != "POST":
        return _event_page_html(request, tournament, {"form": EventPageForm.of(words_of(tournament))})
    form = EventPageForm(request.POST)
    form.is_valid()
    if "preview" in request.POST:
        return _preview(request, tournament, form)
    if not form.errors:
        try:
            set_event_page(tournament, actor_of(request), form.words(), seen=form.cleaned_data["seen"])
        except Refused as refused:
            form.say(refused)
            form.show_again(words_of(tournament).fingerprint())
        else:
            messages.success(request, _("The event’s page is saved."))
            return redirect("organiser_event_page", tournament.slug)
    return _event_page_html(request, tournament, {"form": form}, bad=True)


def _preview(request: HttpRequest, tournament: Tournament, form: EventPageForm) -> HttpResponse:
    """What everybody would see, and everything that is wrong with it."""
    words = form.words().trimmed()
    if problems := event_page_problems(words):
        form.say(Refused(problems))
        return _event_page_html(request, tournament, {"form": form}, bad=True)
    return _event_page_html(request, tournament, {"form": form, "looked_at": words})


def _event_page_html(
    request: HttpRequest, tournament: Tournament, context: dict[str, Any], *, bad: bool = False
) -> HttpResponse:
    words: EventWords | None = context.get("looked_at")
    if words is not None:
        page = told_in(words, get_language() or "en")
        context |= {"told": page, "coming": coming(tournament, words)}
    usual = {"upload": EventDocumentForm.blank(), "files": tournament.event_documents.all()}
    status = UNPROCESSABLE if bad else 200
    return show(request, "events/event_page", tournament, "settings", usual | context, status=status)


@organiser_page
@require_POST
def event_document_add(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A file for the page."""
    form = EventDocumentForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            add_event_document(
                tournament, actor_of(request), form.cleaned_data["title"], form.content, uuid=form.key
            )
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("The file is on the event’s page."))
            return redirect("organiser_event_page", tournament.slug)
    words = EventPageForm.of(words_of(tournament))
    return _event_page_html(request, tournament, {"form": words, "upload": form}, bad=True)


@organiser_page
@require_POST
def event_document_remove(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    document = get_object_or_404(tournament.event_documents, uuid=uuid)
    return press(
        request,
        lambda: remove_event_document(document, actor_of(request)),
        _("The file is removed."),
        "organiser_event_page",
        tournament.slug,
    )


# --- Settings ---


@organiser_page
@require_safe
def settings_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Every setting with a sentence of what it is, in groups."""
    return show(request, "events/settings", tournament, "settings")


@organiser_page
def particulars(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Name, days, sessions and rulebook."""
    fixed, known = tournament.sessions.exists(), TournamentForm.particulars_of(tournament)
    form = TournamentForm(request.POST if request.method == "POST" else None, initial=known, fixed=fixed)
    if form.is_valid():
        try:
            update_tournament(tournament, actor_of(request), form.particulars())
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("organiser_settings", tournament.slug)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "events/particulars", tournament, "settings", {"form": form}, status=status)


@organiser_page
def attendance(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Whose result a stand-in's is, and whether who withdraws is ranked."""
    known = AttendanceForm.of(tournament.rules.attendance)
    form = AttendanceForm(request.POST if request.method == "POST" else None, initial=known)
    if not form.is_valid():
        status = UNPROCESSABLE if form.errors else 200
        return show(request, "events/attendance", tournament, "settings", {"form": form}, status=status)
    return press(
        request,
        lambda: set_attendance(tournament, actor_of(request), form.attendance()),
        _("The standings follow this from now on."),
        "organiser_settings",
        tournament.slug,
    )


# --- The timetable ---


@organiser_page
def timetable_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """`?first=&pause=&lunch_at=&lunch=` shows a timetable made so; a POST of the lines saves them.

    Where nothing is planned yet, a usual timetable stands there to be saved.
    """
    if request.method == "POST":
        return _save_timetable(request, tournament)
    planned = list(tournament.timetable.all())
    is_asked = "first" in request.GET
    fill = FillForm(request.GET if is_asked else None, initial=FillForm.usual())
    if is_asked:
        lines = _lines_asked_for(tournament, fill)
    else:
        lines = lines_of(tournament) if planned else _usual_lines(tournament)
    form = TimetableForm.of(tournament, lines or lines_of(tournament), fingerprint(planned))
    is_proposed = lines is not None and (is_asked or not planned)
    context = {"form": form, "fill": fill, "is_proposed": is_proposed, "is_planned": bool(planned)}
    return _timetable_html(request, tournament, context, bad=bool(fill.errors))


def _save_timetable(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = TimetableForm.sent(tournament, request.POST)
    if form.is_valid():
        try:
            set_timetable(tournament, actor_of(request), form.lines(), seen=form.cleaned_data["seen"])
        except Refused as refused:
            form.say(refused.problems)
            form.show_again(fingerprint(tournament.timetable.all()))
        else:
            messages.success(request, _("The timetable is saved."))
            return redirect("organiser_timetable", tournament.slug)
    fill = FillForm(initial=FillForm.usual())
    return _timetable_html(request, tournament, {"form": form, "fill": fill, "is_planned": True}, bad=True)


def _lines_asked_for(tournament: Tournament, fill: FillForm) -> list[TimetableLine] | None:
    """The lines wished for; None where the wish has faults, then said beside it."""
    if not fill.is_valid():
        return None
    try:
        return filled(tournament, fill.wish(), lunch=_("Lunch"))
    except Refused as refused:
        add_problems(fill, refused)
        return None


def _usual_lines(tournament: Tournament) -> list[TimetableLine] | None:
    try:
        return filled(tournament, TimetableWish(), lunch=_("Lunch"))
    except Refused:
        return None


def _timetable_html(
    request: HttpRequest, tournament: Tournament, context: dict[str, Any], *, bad: bool
) -> HttpResponse:
    status = UNPROCESSABLE if bad else 200
    return show(request, "events/timetable", tournament, "timetable", context, status=status)
