"""Registrations for tests, of the people in PEOPLE by number."""

from collections.abc import Sequence
from typing import Any

from django.test import override_settings

from tests.support.factories import PEOPLE, SYSTEM
from tournament.base.access import Actor
from tournament.base.models.registration import PlaceReservation, Question, Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.registration.selectors.plan import has_begun
from tournament.registration.services.admissions import add_registrations, set_plan
from tournament.registration.services.registrations import confirm_registration, register

VISITOR = Actor.of(None)


def make_plan(
    event: Tournament, *, reserved: Sequence[PlaceReservation] = (), **fields: Any
) -> RegistrationPlan:
    """Store a plan that accepts registrations automatically by default."""
    plan = RegistrationPlan(tournament=event, **{"accepts_automatically": True} | fields)
    set_plan(plan, SYSTEM, reserved)
    return plan


def for_france(places: int = 1) -> PlaceReservation:
    return PlaceReservation(by="country", value="FRA", places=places)


def question(kind: str, *choices: str, **fields: Any) -> Question:
    """Return an unsaved question, in English unless `text` is given."""
    return Question(
        kind=kind, choices=[{"en": choice} for choice in choices], **{"text": {"en": kind}} | fields
    )


def applicant(number: int, **more: Any) -> Registration:
    """Return the unsaved registration of the person with this number."""
    first, last, country = PEOPLE[number % len(PEOPLE)]
    fields = {
        "last_name": last if number < len(PEOPLE) else f"{last} {number}",
        "first_name": first,
        "country": country,
        "email": f"player-{number}@example.org",
        "language": "en",
    }
    return Registration(**fields | more)


def register_one(event: Tournament, number: int, **more: Any) -> Registration:
    """Register a person, and send the link to confirm."""
    with override_settings(EMAIL_HOST="mail.example.org"):
        return register(event, VISITOR, applicant(number, **more), privacy_read=True)


def confirmed(event: Tournament, number: int, **more: Any) -> Registration:
    """Register and confirm a person; once play has begun, the desk adds them, also beside a namesake."""
    if has_begun(event):
        add_registrations(event, SYSTEM, [registration := applicant(number, **more)], apart=[0])
        return registration
    return confirm_registration(register_one(event, number, **more), VISITOR)


def states(event: Tournament) -> dict[int, str]:
    """Return the states by registration number."""
    return dict(event.registrations.order_by("number").values_list("number", "state"))
