"""Pages of personal data: what is stored, retention, export and erasure."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.base import access
from tournament.base.access import Right
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.events import EventPage
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import registration_by_token
from tournament.events.forms import DeletionForm
from tournament.events.selectors import contents_of
from tournament.events.services import delete_tournament
from tournament.people.selectors import visible_people
from tournament.people.views import people_manager_page
from tournament.privacy.forms import ErasureForm, PrivacyForm
from tournament.privacy.models import USUAL_DAYS, PrivacyPlan
from tournament.privacy.retention import DataSubject
from tournament.privacy.selectors import (
    Subject,
    contact_deletion_time,
    erasable_players,
    erasure_of,
    mails_with_text,
    personal_data,
    photos_of,
    privacy_of,
    registrations_with_contacts,
    subject_of,
)
from tournament.privacy.services import (
    delete_contacts,
    erase_person,
    erase_player,
    erase_registration,
    set_contact_retention,
)
from tournament.privacy.texts import groups
from tournament.roster.selectors.people import find_entry
from tournament.web.forms import add_problems
from tournament.web.generic import EditView
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    organiser_page,
    page_for,
    render_page,
    run_and_redirect,
    tournament_html,
    tournament_page,
    visible_tournament_or_404,
)


@require_safe
def site_privacy(request: HttpRequest) -> HttpResponse:
    """Show what is stored of people in events by default, and of accounts."""
    return render(request, "privacy/privacy_public.html", _retention_context(USUAL_DAYS))


@tournament_page
def privacy_page_public(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Show what is stored of people in this event, who is responsible, and when contact data is deleted."""
    plan = privacy_of(tournament)
    contact = EventPage.objects.filter(tournament=tournament).values_list("contact", flat=True).first()
    context = {"plan": plan, "goes_at": contact_deletion_time(tournament), "contact": contact or ""}
    return tournament_html(
        request,
        "privacy/tournament_privacy",
        tournament,
        audience,
        context | _retention_context(plan.contact_days),
    )


def _retention_context(days: int) -> dict[str, Any]:
    return {"of_players": groups(DataSubject.PLAYER, days), "of_staff": groups(DataSubject.STAFF, days)}


@never_cache
@require_safe
def own_data(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Export one's own data by the registration's link."""
    tournament = visible_tournament_or_404(request, slug)
    registration = registration_by_token(token, tournament)
    if registration is None or registration.erased_at is not None:
        raise Http404
    data = personal_data(subject_of(tournament, None, registration), Audience.PUBLIC)
    return json_attachment(data, f"{tournament.slug}-mine")


def json_attachment(data: Mapping[str, Any], name: str) -> HttpResponse:
    answer = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="{name}.json"'
    answer["X-Robots-Tag"] = "noindex"
    return answer


class DataPage(EditView):
    """Edit the retention of contact data; owners delete that data, or the tournament."""

    form_class = PrivacyForm
    template, section, success_page = "privacy/data", "data", "organiser_data"
    deletion_form: DeletionForm | None = None

    def get_object(self) -> PrivacyPlan:
        return privacy_of(self.tournament)

    def save(self, instance: PrivacyPlan, rows: list[Any]) -> None:
        set_contact_retention(instance, self.actor)

    def extra_context(self) -> dict[str, Any]:
        return {
            "plan": privacy_of(self.tournament),
            "goes_at": contact_deletion_time(self.tournament),
            "people": registrations_with_contacts(self.tournament).count(),
            "letters": mails_with_text(self.tournament).count(),
            "photos": photos_of(self.tournament).count(),
            "deletion_form": self.deletion_form or DeletionForm(is_trial=self.tournament.is_trial),
            "contents": contents_of(self.tournament),
        }


class DeleteTournament(DataPage):
    """Delete the tournament. A demonstration event needs no name."""

    rights = (Right.OWN,)
    http_method_names = ["post"]

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        self.deletion_form = form = DeletionForm(request.POST, is_trial=self.tournament.is_trial)
        return self.post_part(
            form, lambda: delete_tournament(self.tournament, self.actor, name=form.cleaned_data["name"])
        )

    def success(self, instance: DeletionForm) -> HttpResponse:
        messages.success(self.request, _("%(name)s has been deleted.") % {"name": self.tournament.name})
        return redirect("organiser_home")


@page_for(Right.OWN)
@require_POST
def contacts(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Delete contact data now."""
    return run_and_redirect(
        request,
        lambda: delete_contacts(tournament, actor_of(request)),
        _("Contact data is deleted."),
        "organiser_data",
        tournament.slug,
    )


@organiser_page
@require_safe
def data_of_person(request: HttpRequest, tournament: Tournament, who: str) -> HttpResponse:
    """Export everything stored about somebody of the event."""
    access.require(actor_of(request), tournament, Right.ADMIT)
    subject = _subject_or_404(request, tournament, who)
    data = personal_data(subject, access.audience_of(actor_of(request), tournament))
    return json_attachment(data, f"{tournament.slug}-{who}")


def _subject_or_404(request: HttpRequest, tournament: Tournament, who: str) -> Subject:
    entry = find_entry(tournament, who, actor_of(request))
    if entry is None:
        raise Http404
    return subject_of(tournament, entry.player, entry.registration)


@page_for(Right.OWN)
def data_erase(request: HttpRequest, tournament: Tournament, who: str) -> HttpResponse:
    """Erase what is stored about somebody of the event: as a player, with the registration."""
    subject, actor = _subject_or_404(request, tournament, who), actor_of(request)
    if (player := subject.player) is not None:
        return _erase_page(
            request,
            subject,
            player.full_name,
            lambda name: erase_player(player, actor, name=name),
            is_erased=player.erased_at is not None,
        )
    registration = subject.registration
    assert registration is not None, "somebody of the event is a player or has a registration"
    return _erase_page(
        request,
        subject,
        registration.name,
        lambda name: erase_registration(registration, actor, name=name),
        is_erased=registration.erased_at is not None,
    )


def _erase_page(
    request: HttpRequest, subject: Subject, name: str, erase: Callable[[str], object], *, is_erased: bool
) -> HttpResponse:
    """Show what would be erased; a POST with the name erases it."""
    access.require(actor_of(request), subject.tournament, Right.OWN)
    form = ErasureForm(request.POST if request.method == "POST" and not is_erased else None)
    if form.is_valid():
        try:
            erase(form.cleaned_data["name"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Erased. Their results stay."))
            return redirect("organiser_people", subject.tournament.slug)
    context = {"form": form, "name": name, "is_erased": is_erased, "subject": subject}
    context |= {"erasure": None if is_erased else erasure_of(subject)}
    return render_page(
        request,
        "privacy/erase",
        subject.tournament,
        "people",
        context,
        status=UNPROCESSABLE if form.errors else 200,
    )


@people_manager_page
@require_http_methods(["GET", "HEAD", "POST"])
def person_erase(request: HttpRequest, pk: int) -> HttpResponse:
    """Show in which tournaments a person can be erased; a POST with the name erases them."""
    actor = actor_of(request)
    person = get_object_or_404(visible_people(actor), pk=pk)
    form = ErasureForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            erase_person(person, actor, name=form.cleaned_data["name"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Erased. Their results stay."))
            return redirect("persons")
    context = {"person": person, "erasable": erasable_players(person, actor), "form": form}
    return render(request, "privacy/person_erase.html", context, status=422 if form.errors else 200)
