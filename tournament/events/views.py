"""Settings, page, timetable and calendars of an event."""

from collections.abc import Callable
from copy import copy
from functools import wraps
from typing import Any
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
from django.views.decorators.http import require_POST

from penalties.texts import foul_name
from penalties.views import foul_entries
from tournament.base import log
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import HANDS_PER_SESSION
from tournament.base.errors import Refused
from tournament.base.models.events import EventPage, TimetableItem
from tournament.base.models.tournament import Tournament
from tournament.base.requests import site_address
from tournament.base.selectors import event_page_of
from tournament.dues.selectors import prices_of
from tournament.ema.selectors.results import count_participation
from tournament.events.engine import MOST_TABLES, TimetablePattern, measured_finish, usual_length, usual_share
from tournament.events.exports import timetable_calendar
from tournament.events.forms import (
    EventDocumentForm,
    EventPageForm,
    RulesForm,
    TimetableFormSet,
    TimetablePatternForm,
    TournamentForm,
)
from tournament.events.selectors import (
    calendar_events,
    day_ends,
    fingerprint,
    fixed_rules,
    localize_page,
    measured_sheets,
    player_calendar_events,
    propose_timetable,
    timetable_lines,
)
from tournament.events.services import (
    add_event_document,
    remove_event_document,
    set_event_page,
    set_logo,
    set_play_settings,
    set_timetable,
    update_tournament,
)
from tournament.fouls.forms import FoulForm, HouseFoulForm
from tournament.fouls.services.foul_book import add_foul, change_foul, restore_foul, set_attendance
from tournament.players.selectors.players import public_player
from tournament.prizes.selectors import prize_lines
from tournament.web.forms import add_problems
from tournament.web.generic import EditView, Part, PartsView
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    organiser_page,
    run_and_redirect,
    tournament_part,
)

# --- Calendars ---


LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)


def language_from_query(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view to use the language in `?lang=`: calendar programs send no Accept-Language of their reader."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        language = request.GET.get("lang", "")
        if language not in LANGUAGES:
            return view(request, *args, **kwargs)
        with translation.override(language):
            response = view(request, *args, **kwargs)
            response["Content-Language"] = language
        return response

    return wrapper


@language_from_query
@tournament_part
def tournament_calendar(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Return the calendar of all items with a time."""
    url = site_address() + reverse("tournament", args=[tournament.slug])
    content = timetable_calendar(tournament, tournament.name, calendar_events(tournament), url)
    return _calendar_response(content, tournament.slug)


@language_from_query
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
    return _calendar_response(
        timetable_calendar(tournament, name, player_calendar_events(player), url),
        f"{tournament.slug}-{number}",
    )


def _calendar_response(content: bytes, name: str) -> HttpResponse:
    disposition = content_disposition_header(True, f"{name}.ics")
    headers = {"Content-Disposition": str(disposition)}
    return HttpResponse(content, "text/calendar; charset=utf-8", headers=headers)


# --- The event's page ---


class ParticularsPart(Part):
    """Name, days, sessions, and who sees the event."""

    name = "event"
    form_class = TournamentForm

    def get_object(self) -> Tournament:
        return copy(self.tournament)  # the page around the form shows the stored tournament

    def save(self, instance: Tournament, rows: list[Any]) -> None:
        update_tournament(instance, self.actor)


class EventPagePart(Part):
    """What participants read."""

    name = "page"
    form_class = EventPageForm

    def get_object(self) -> EventPage:
        return event_page_of(self.tournament)

    def fingerprint(self) -> str:
        return self.get_object().fingerprint

    def save(self, instance: EventPage, rows: list[Any]) -> None:
        set_event_page(instance, self.actor, seen=self.seen)


class EditEvent(PartsView):
    """Edit the event and its page. A POST with `preview` shows the page without saving it."""

    part_classes = (ParticularsPart, EventPagePart)
    template, section, success_page = "events/event", "event", "organiser_event"
    upload: EventDocumentForm | None = None
    previewed: EventPage | None = None

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if "preview" not in request.POST:
            return super().post(request, **kwargs)
        self.bind_parts(request.POST)
        page = self.parts[-1]
        if page.is_valid():
            self.previewed = page.instance
        return self.page(UNPROCESSABLE if page.error_count else 200)

    def extra_context(self) -> dict[str, Any]:
        page = self.previewed or event_page_of(self.tournament)
        return {
            "upload": self.upload or EventDocumentForm(),
            "files": self.tournament.event_documents.all(),
            "is_preview": self.previewed is not None,
            "localized_page": localize_page(page, get_language() or "en"),
            "participation": count_participation(self.tournament, page),
            "prices": prices_of(self.tournament),
            "prizes": prize_lines(self.tournament),
        }


class EventDocumentAdd(EditEvent):
    """Add a file to the page."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        self.upload = form = EventDocumentForm(request.POST, request.FILES)
        if form.is_valid():
            data = form.cleaned_data
            content = data.pop("file").read()
            try:
                add_event_document(self.tournament, self.actor, content=content, **data)
            except Refused as refused:
                add_problems(form, refused)
            else:
                messages.success(request, _("The file has been added to the event page."))
                return redirect(self.get_success_url())
        self.bind_parts()
        return self.page(UNPROCESSABLE)


@organiser_page
@require_POST
def event_document_remove(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    document = get_object_or_404(tournament.event_documents, uuid=uuid)
    return run_and_redirect(
        request,
        lambda: remove_event_document(document, actor_of(request)),
        _("The file is removed."),
        "organiser_event",
        tournament.slug,
    )


@organiser_page
@require_POST
def event_logo(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    """Make a picture the event's logo; with `remove`, a file to download again."""
    document = get_object_or_404(tournament.event_documents, uuid=uuid)
    is_logo = "remove" not in request.POST
    return run_and_redirect(
        request,
        lambda: set_logo(document, actor_of(request), is_logo=is_logo),
        _("The event has a logo.") if is_logo else _("The event has no logo any more."),
        "organiser_event",
        tournament.slug,
    )


# --- Settings ---


class RulesPage(EditView):
    """Edit the rules of play and attendance, above the foul book; `?foul=` opens the form of a foul in its row."""

    template, section, success_page = "events/rules", "rules", "organiser_rules"
    foul_form: FoulForm | None = None
    house_form: HouseFoulForm | None = None
    success_anchor = ""

    def get_form(self, data: Any = None, files: Any = None) -> RulesForm:
        rules = self.tournament.rules
        return RulesForm(
            data,
            instance=copy(self.tournament),
            initial=rules.play.to_json() | rules.attendance.to_json(),
            fixed=fixed_rules(self.tournament),
        )

    def get_success_url(self) -> str:
        return super().get_success_url() + self.success_anchor

    def save(self, instance: Tournament, rows: list[Any]) -> None:
        assert isinstance(self.form, RulesForm)
        with log.atomic():
            update_tournament(instance, self.actor)
            set_play_settings(instance, self.actor, self.form.play())
            set_attendance(instance, self.actor, self.form.attendance())

    def extra_context(self) -> dict[str, Any]:
        book = self.tournament.rules.fouls
        opened = book.find(self.request.GET.get("foul", ""))
        return {
            "fouls": foul_entries(book),
            "foul_form": self.foul_form or (FoulForm(opened) if opened else None),
            "house_form": self.house_form or HouseFoulForm(),
        }


class ChangeFoul(RulesPage):
    """Change the rule of a foul in its row; or with `restore`, return to the rulebook's, or remove a house foul."""

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        key = kwargs["key"]
        return redirect(f"{self.get_success_url()}?foul={key}#foul-{key}")

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        tournament, actor, key = self.tournament, self.actor, kwargs["key"]
        foul = tournament.rules.fouls.find(key)
        if foul is None:
            raise Http404
        if "restore" in request.POST:
            done = _("The foul book is changed.")
            return run_and_redirect(
                request,
                lambda: restore_foul(tournament, actor, key),
                done,
                self.success_page,
                tournament.slug,
            )
        self.foul_form = form = FoulForm(foul, request.POST)
        self.success_message = _("%(name)s: this applies from now on.") % {"name": foul_name(foul)}
        self.success_anchor = f"#foul-{key}"
        return self.post_part(form, lambda: change_foul(tournament, actor, key, form.rule(), form.names()))


class AddFoul(RulesPage):
    """Add a house foul."""

    http_method_names = ["post"]
    success_message = gettext_lazy("The foul is in the foul book from now on.")
    success_anchor = "#fouls"

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        self.house_form = form = HouseFoulForm(request.POST)
        return self.post_part(
            form,
            lambda: add_foul(self.tournament, self.actor, form.names(), form.descriptions(), form.rule()),
        )


# --- The timetable ---


class TimetablePage(EditView):
    """Edit the timetable. `?first=&pause=&lunch_at=&lunch=` proposes a generated one, which is not saved yet.

    While nothing is planned, the page proposes one with the defaults.
    """

    formset_class = TimetableFormSet  # type: ignore[assignment]  # the factory's class has RowsFormSet as its base
    rows_name = "lines"
    template, section, success_page = "events/timetable", "timetable", "organiser_timetable"
    success_message = gettext_lazy("The timetable is saved.")
    pattern_form: TimetablePatternForm
    proposed: list[TimetableItem] | None = None

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        data = request.GET if "first" in request.GET else None
        self.pattern_form = TimetablePatternForm(data, initial=TimetablePatternForm.defaults())
        self.proposed = self._propose()
        page = super().get(request, **kwargs)
        if self.pattern_form.errors:
            page.status_code = UNPROCESSABLE
        return page

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        self.pattern_form = TimetablePatternForm(initial=TimetablePatternForm.defaults())
        return super().post(request, **kwargs)

    def get_formset(self, data: Any = None, files: Any = None) -> Any:
        initial = [*map(_initial, self.lines), {}]
        formset = TimetableFormSet(
            data,
            queryset=TimetableItem.objects.none(),
            initial=initial if data is None else None,
            form_kwargs={"tournament": self.tournament},
        )
        formset.extra = len(initial)
        return formset

    @property
    def lines(self) -> list[TimetableItem]:
        return self.proposed or timetable_lines(self.tournament)

    def fingerprint(self) -> str:
        return fingerprint(self.tournament.timetable.all())

    def save(self, instance: None, rows: list[TimetableItem]) -> None:
        set_timetable(self.tournament, self.actor, rows, seen=self.seen)

    def extra_context(self) -> dict[str, Any]:
        is_planned = self.tournament.timetable.exists()
        is_last_finished = self.tournament.rules.timing.counts_last_hand
        return {
            "pattern_form": self.pattern_form,
            "is_proposed": self.proposed is not None,
            "is_planned": is_planned,
            "day_ends": day_ends(self.lines, self.tournament.minutes),
            "finish": measured_finish(
                measured_sheets(self.tournament), self.tournament.minutes, is_last_finished=is_last_finished
            ),
            "usual_tenths": round(
                10 * usual_share(self.tournament.minutes, is_last_finished=is_last_finished)
            ),
            "usual_lengths": [
                usual_length(share, is_last_finished=is_last_finished) for share in (0.5, MOST_TABLES)
            ],
            "pace": divmod(self.tournament.minutes * 60 // HANDS_PER_SESSION, 60),
        }

    def _propose(self) -> list[TimetableItem] | None:
        """Return generated lines if they are requested or nothing is planned; None otherwise and after errors."""
        pattern = TimetablePattern()
        if self.pattern_form.is_bound:
            if not self.pattern_form.is_valid():
                return None
            pattern = self.pattern_form.pattern()
        elif self.tournament.timetable.exists():
            return None
        try:
            return propose_timetable(self.tournament, pattern, lunch=_("Lunch"))
        except Refused as refused:
            if self.pattern_form.is_bound:
                add_problems(self.pattern_form, refused)
            return None


def _initial(item: TimetableItem) -> dict[str, Any]:
    """Return the initial data of a line's form."""
    names = ("session", "title", "day", "starts", "ends", "uuid")
    return {name: value for name in names if (value := getattr(item, name)) is not None}
