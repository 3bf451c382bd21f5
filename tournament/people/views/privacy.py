"""Personal data of an event: how long contact data is kept, one person's handed over, one person erased."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.base import access
from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.people.forms import ErasureForm, PrivacyForm
from tournament.people.selectors.contacts import contact_goes_at, letters, privacy_of, reachable
from tournament.people.selectors.erasure import Subject, erasure_of, subject_of
from tournament.people.selectors.personal import personal_data
from tournament.people.services.contacts import delete_contacts, keep_contacts
from tournament.people.services.erasing import erase_player, erase_registration
from tournament.people.views.privacy_public import as_file
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, page_for, press, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """How many days, when that is, what there is now, and what has gone."""
    plan = privacy_of(tournament)
    form = PrivacyForm(request.POST or None, initial={"contact_days": plan.contact_days})
    if form.is_valid():
        days = form.cleaned_data["contact_days"]
        done = _("Saved.")
        return press(
            request,
            lambda: keep_contacts(tournament, actor_of(request), days),
            done,
            "organiser_privacy",
            tournament.slug,
        )
    context = {"form": form, "plan": plan, "goes_at": contact_goes_at(tournament)} | _counts(tournament)
    return show(
        request,
        "people/privacy",
        tournament,
        "settings",
        context,
        status=UNPROCESSABLE if form.errors else 200,
    )


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
    return show(request, "people/contacts_delete", tournament, "settings", _counts(tournament))


@organiser_page
@require_safe
def player_data(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """All that is kept of a player, as a file to hand over."""
    access.require(actor_of(request), tournament, Right.ADMIT)
    return _handed(subject_of(tournament, get_object_or_404(tournament.players, number=number), None))


@organiser_page
@require_safe
def registration_data(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    access.require(actor_of(request), tournament, Right.ADMIT)
    return _handed(subject_of(tournament, None, get_object_or_404(tournament.registrations, number=number)))


def _handed(subject: Subject) -> HttpResponse:
    one = subject.player or subject.registration
    assert one is not None
    kind = "player" if subject.player else "registration"
    return as_file(personal_data(subject), f"{subject.tournament.slug}-{kind}-{one.number}")


@page_for(Right.OWN)
def player_erase(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    player = get_object_or_404(tournament.players, number=number)
    subject = subject_of(tournament, player, None)
    return _erase(
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
    return _erase(
        request,
        subject,
        registration.name,
        lambda name: erase_registration(registration, actor_of(request), name=name),
        is_erased=registration.erased_at is not None,
    )


def _erase(
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
        "people/erase",
        subject.tournament,
        "players",
        context,
        status=UNPROCESSABLE if form.errors else 200,
    )
