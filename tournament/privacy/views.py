"""Personal data: what is kept, why and until when; handed over, and erased."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tournament.base import access
from tournament.base.access import Audience, Right
from tournament.base.errors import Refused
from tournament.base.models.events import EventPage
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import registration_by_token
from tournament.people.selectors import visible_people
from tournament.people.views import keepers
from tournament.privacy.forms import ErasureForm, PrivacyForm
from tournament.privacy.kept import Whose
from tournament.privacy.models import USUAL_DAYS, PrivacyPlan
from tournament.privacy.selectors import (
    Subject,
    contact_goes_at,
    erasure_of,
    letters,
    personal_data,
    privacy_of,
    reachable,
    subject_of,
    theirs_to_erase,
)
from tournament.privacy.services import (
    delete_contacts,
    erase_person,
    erase_player,
    erase_registration,
    keep_contacts,
)
from tournament.privacy.texts import groups
from tournament.web.forms import add_problems
from tournament.web.generic import EditView
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    organiser_page,
    page_for,
    press,
    show,
    tournament_html,
    tournament_page,
    visible_tournament_or_404,
)


@require_safe
def site(request: HttpRequest) -> HttpResponse:
    """Of every event here, as it usually is, and of accounts."""
    return render(request, "privacy/privacy_public.html", _lists_of_kept(USUAL_DAYS))


@tournament_page
def privacy_page_public(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Of this event: who is responsible, when contact data goes, and that it has gone."""
    plan = privacy_of(tournament)
    contact = EventPage.objects.filter(tournament=tournament).values_list("contact", flat=True).first()
    context = {"plan": plan, "goes_at": contact_goes_at(tournament), "contact": contact or ""}
    return tournament_html(
        request,
        "privacy/tournament_privacy",
        tournament,
        audience,
        context | _lists_of_kept(plan.contact_days),
    )


def _lists_of_kept(days: int) -> dict[str, Any]:
    return {"of_players": groups(Whose.PLAYER, days), "of_staff": groups(Whose.STAFF, days)}


@never_cache
@require_safe
def mine(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """All that is kept of whoever has this registration's link, as a file."""
    tournament = visible_tournament_or_404(request, slug)
    registration = registration_by_token(token, tournament)
    if registration is None or registration.erased_at is not None:
        raise Http404
    return as_file(personal_data(subject_of(tournament, None, registration)), f"{tournament.slug}-mine")


def as_file(data: Mapping[str, Any], name: str) -> HttpResponse:
    answer = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="{name}.json"'
    answer["X-Robots-Tag"] = "noindex"
    return answer


class PrivacyPage(EditView):
    """How many days, when that is, what there is now, and what has gone."""

    form_class = PrivacyForm
    template, section, success_page = "privacy/privacy", "settings", "organiser_privacy"

    def get_object(self) -> PrivacyPlan:
        return privacy_of(self.tournament)

    def save(self, instance: PrivacyPlan, rows: list[Any]) -> None:
        keep_contacts(instance, self.actor)

    def extra_context(self) -> dict[str, Any]:
        plan, goes_at = privacy_of(self.tournament), contact_goes_at(self.tournament)
        return {"plan": plan, "goes_at": goes_at} | _counts(self.tournament)


def _counts(tournament: Tournament) -> dict[str, int]:
    return {"people": reachable(tournament).count(), "letters": letters(tournament).count()}


@page_for(Right.OWN)
def contacts(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What goes, in numbers, before it does: now, instead of when the time is over."""
    access.require(actor_of(request), tournament, Right.OWN)
    if request.method == "POST":
        return press(
            request,
            lambda: delete_contacts(tournament, actor_of(request)),
            _("Contact data is deleted."),
            "organiser_privacy",
            tournament.slug,
        )
    return show(request, "privacy/contacts_delete", tournament, "settings", _counts(tournament))


@organiser_page
@require_safe
def player_data(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """All that is kept of a player, as a file to hand over."""
    access.require(actor_of(request), tournament, Right.ADMIT)
    return _hand_over(subject_of(tournament, get_object_or_404(tournament.players, number=number), None))


@organiser_page
@require_safe
def registration_data(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    access.require(actor_of(request), tournament, Right.ADMIT)
    return _hand_over(
        subject_of(tournament, None, get_object_or_404(tournament.registrations, number=number))
    )


def _hand_over(subject: Subject) -> HttpResponse:
    who = subject.player or subject.registration
    assert who is not None
    kind = "player" if subject.player else "registration"
    return as_file(personal_data(subject), f"{subject.tournament.slug}-{kind}-{who.number}")


@page_for(Right.OWN)
def player_erase(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    player = get_object_or_404(tournament.players, number=number)
    subject = subject_of(tournament, player, None)
    return _erase_page(
        request,
        subject,
        player.name,
        lambda name: erase_player(player, actor_of(request), name=name),
        is_erased=player.erased_at is not None,
    )


@page_for(Right.OWN)
def registration_erase(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    registration = get_object_or_404(tournament.registrations, number=number)
    subject = subject_of(tournament, None, registration)
    return _erase_page(
        request,
        subject,
        registration.name,
        lambda name: erase_registration(registration, actor_of(request), name=name),
        is_erased=registration.erased_at is not None,
    )


def _erase_page(
    request: HttpRequest, subject: Subject, name: str, erase: Callable[[str], object], *, is_erased: bool
) -> HttpResponse:
    """What goes and what stays, with every text that would; a POST with the name does it."""
    access.require(actor_of(request), subject.tournament, Right.OWN)
    form = ErasureForm(request.POST if request.method == "POST" and not is_erased else None)
    if form.is_valid():
        try:
            erase(form.cleaned_data["name"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Erased. Their results stay."))
            return redirect("organiser_players", subject.tournament.slug)
    context = {"form": form, "name": name, "is_erased": is_erased, "subject": subject}
    context |= {"erasure": None if is_erased else erasure_of(subject)}
    return show(
        request,
        "privacy/erase",
        subject.tournament,
        "players",
        context,
        status=UNPROCESSABLE if form.errors else 200,
    )


@keepers
@require_http_methods(["GET", "HEAD", "POST"])
def person_erase(request: HttpRequest, pk: int) -> HttpResponse:
    """At which tournaments they are erased, and where somebody else has to be asked; a POST with the name does it."""
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
    context = {"person": person, "theirs": theirs_to_erase(person, actor), "form": form}
    return render(request, "privacy/person_erase.html", context, status=422 if form.errors else 200)
