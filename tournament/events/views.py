"""An event's settings, its page, its timetable and its calendars."""

from collections.abc import Callable
from copy import copy
from functools import wraps
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import translation
from django.utils.http import content_disposition_header
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.base.access import Audience
from tournament.base.engine.rules import Attendance, PlaySettings
from tournament.base.errors import Refused
from tournament.base.models.events import EventPage, TimetableItem
from tournament.base.models.tournament import Tournament
from tournament.base.requests import site_address
from tournament.base.selectors import event_page_of
from tournament.events.engine import TimetablePattern
from tournament.events.exports import calendar
from tournament.events.forms import (
    EventDocumentForm,
    EventPageForm,
    FillForm,
    PlaySettingsForm,
    TimetableFormSet,
    TournamentForm,
)
from tournament.events.selectors import (
    coming,
    events_of,
    events_of_all,
    filled,
    fingerprint,
    fixed_play_settings,
    lines_of,
    told_in,
)
from tournament.events.services import (
    add_event_document,
    remove_event_document,
    set_event_page,
    set_play_settings,
    set_timetable,
    update_tournament,
)
from tournament.fouls.forms import AttendanceForm
from tournament.fouls.services import set_attendance
from tournament.players.selectors.players import public_player
from tournament.web.display import public_qr
from tournament.web.forms import add_problems
from tournament.web.generic import EditView
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    organiser_page,
    render_page,
    run_and_redirect,
    tournament_part,
)

BLANK_LINES: Final = 3
"""Of a timetable, to be filled in."""

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
    """Return the calendar of all items with a time."""
    url = site_address() + reverse("tournament", args=[tournament.slug])
    content = calendar(tournament, tournament.name, events_of_all(tournament), url)
    return _file(content, tournament.slug)


@in_language_asked
@tournament_part
def player_calendar(
    request: HttpRequest, tournament: Tournament, audience: Audience, number: int
) -> HttpResponse:
    """Return the calendar of a player: sessions with table and seat wind, and other items."""
    player = public_player(tournament, number)
    if player is None:
        raise Http404
    url = site_address() + reverse("player_page", args=[tournament.slug, number])
    name = f"{tournament.name} · {player.name}"
    return _file(calendar(tournament, name, events_of(player), url), f"{tournament.slug}-{number}")


def _file(content: bytes, name: str) -> HttpResponse:
    disposition = content_disposition_header(True, f"{name}.ics")
    headers = {"Content-Disposition": str(disposition)}
    return HttpResponse(content, "text/calendar; charset=utf-8", headers=headers)


# --- The event's page ---


class EventPageEdit(EditView):
    """What is told now. A POST with `preview` is looked at, and nothing is saved."""

    form_class = EventPageForm
    template, section, success_page = "events/event_page", "settings", "organiser_event_page"
    success_message = gettext_lazy("The event’s page is saved.")
    upload: EventDocumentForm | None = None
    looked_at: EventPage | None = None

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if "preview" not in request.POST:
            return super().post(request, **kwargs)
        self.seen = request.POST.get("seen", "")
        form, _formset = self._forms(request.POST)
        if not isinstance(form, EventPageForm) or not form.is_valid():
            return self._page(form, None, UNPROCESSABLE)
        self.looked_at = form.instance
        return self._page(form, None)

    def get_object(self) -> EventPage:
        return event_page_of(self.tournament)

    def fingerprint(self) -> str:
        return self.get_object().fingerprint

    def save(self, instance: EventPage, rows: list[Any]) -> None:
        set_event_page(instance, self.actor, seen=self.seen)

    def extra_context(self) -> dict[str, Any]:
        context = {
            "upload": self.upload or EventDocumentForm(),
            "files": self.tournament.event_documents.all(),
        }
        if self.looked_at is None:
            return context
        content = told_in(self.looked_at, get_language() or "en")
        return context | {
            "looked_at": True,
            "told": content,
            "coming": coming(self.tournament, self.looked_at),
        }


class EventDocumentAdd(EventPageEdit):
    """A file for the page."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        self.upload = form = EventDocumentForm(request.POST, request.FILES)
        if form.is_valid():
            title, file, uuid = (form.cleaned_data[name] for name in ("title", "file", "uuid"))
            try:
                add_event_document(self.tournament, self.actor, title, file.read(), uuid=uuid)
            except Refused as refused:
                add_problems(form, refused)
            else:
                messages.success(request, _("The file is on the event’s page."))
                return redirect(self.get_success_url())
        self.seen = self.fingerprint()
        return self._page(*self._forms(), UNPROCESSABLE)


@organiser_page
@require_POST
def event_document_remove(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    document = get_object_or_404(tournament.event_documents, uuid=uuid)
    return run_and_redirect(
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
    """List all settings in groups, each with a description."""
    address = site_address() + reverse("tournament", args=[tournament.slug])
    context = {"address": address, "code": public_qr(address)}
    return render_page(request, "events/settings", tournament, "settings", context)


class ParticularsPage(EditView):
    """Name, days, sessions and rulebook."""

    form_class = TournamentForm
    template, section, success_page = "events/particulars", "settings", "organiser_settings"

    def get_object(self) -> Tournament:
        return copy(self.tournament)  # the page itself is still of the tournament as it is stored

    def save(self, instance: Tournament, rows: list[Any]) -> None:
        update_tournament(instance, self.actor)


class PlaySettingsPage(EditView):
    """The hand under way at the end, the warning, seat rotation, table points, ranking and waits."""

    template, section, success_page = "events/play_settings", "settings", "organiser_settings"

    def get_form(self, data: Any = None, files: Any = None) -> PlaySettingsForm:
        play, fixed = self.tournament.rules.play, fixed_play_settings(self.tournament)
        return PlaySettingsForm(data, initial=play.to_json(), fixed=fixed)

    def save(self, instance: PlaySettingsForm, rows: list[Any]) -> None:
        set_play_settings(self.tournament, self.actor, PlaySettings.from_json(instance.cleaned_data))


class AttendancePage(EditView):
    """Whose result a stand-in's is, and whether who withdraws is ranked."""

    template, section, success_page = "events/attendance", "settings", "organiser_settings"
    success_message = gettext_lazy("The standings follow this from now on.")

    def get_form(self, data: Any = None, files: Any = None) -> AttendanceForm:
        return AttendanceForm(data, initial=self.tournament.rules.attendance.to_json())

    def save(self, instance: AttendanceForm, rows: list[Any]) -> None:
        set_attendance(self.tournament, self.actor, Attendance.from_json(instance.cleaned_data))


# --- The timetable ---


class TimetablePage(EditView):
    """`?first=&pause=&lunch_at=&lunch=` shows a timetable made so, to be saved.

    Where nothing is planned yet, a usual timetable stands there.
    """

    formset_class = TimetableFormSet  # type: ignore[assignment]  # the factory's class has RowsFormSet as its base
    rows_name = "lines"
    template, section, success_page = "events/timetable", "timetable", "organiser_timetable"
    success_message = gettext_lazy("The timetable is saved.")
    fill: FillForm
    proposed: list[TimetableItem] | None = None

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        self.fill = FillForm(request.GET if "first" in request.GET else None, initial=FillForm.usual())
        self.proposed = self._proposed()
        page = super().get(request, **kwargs)
        if self.fill.errors:
            page.status_code = UNPROCESSABLE
        return page

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        self.fill = FillForm(initial=FillForm.usual())
        return super().post(request, **kwargs)

    def get_formset(self, data: Any = None, files: Any = None) -> Any:
        blank = [{"day": self.tournament.starts_on}] * BLANK_LINES
        lines = self.proposed or lines_of(self.tournament)
        initial = [{"day": self.tournament.starts_on} | _values(item) for item in lines] + blank
        formset = TimetableFormSet(
            data,
            queryset=TimetableItem.objects.none(),
            initial=initial if data is None else None,
            form_kwargs={"tournament": self.tournament},
        )
        formset.extra = len(initial)
        return formset

    def fingerprint(self) -> str:
        return fingerprint(self.tournament.timetable.all())

    def save(self, instance: None, rows: list[TimetableItem]) -> None:
        set_timetable(self.tournament, self.actor, rows, seen=self.seen)

    def extra_context(self) -> dict[str, Any]:
        is_planned = self.tournament.timetable.exists()
        return {"fill": self.fill, "is_proposed": self.proposed is not None, "is_planned": is_planned}

    def _proposed(self) -> list[TimetableItem] | None:
        """Return the lines asked for, or usual ones where nothing is planned; None where the request has faults."""
        pattern = TimetablePattern()
        if self.fill.is_bound:
            if not self.fill.is_valid():
                return None
            pattern = self.fill.pattern()
        elif self.tournament.timetable.exists():
            return None
        try:
            return filled(self.tournament, pattern, lunch=_("Lunch"))
        except Refused as refused:
            if self.fill.is_bound:
                add_problems(self.fill, refused)
            return None


def _values(item: TimetableItem) -> dict[str, Any]:
    """Return what a line says."""
    names = ("session", "title", "day", "starts", "ends", "uuid")
    return {name: value for name in names if (value := getattr(item, name)) is not None}
