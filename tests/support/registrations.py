"""People who register, for tests: one a number, each the same every time."""

from typing import Any

from tests.support.factories import PEOPLE, SYSTEM
from tournament.base.access import Actor
from tournament.base.models.registration import Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.registration.selectors.plan import PlanWish
from tournament.registration.selectors.registrations import Applicant
from tournament.registration.services.admissions import set_plan
from tournament.registration.services.registrations import confirm_registration, register

VISITOR = Actor.of(None)


def make_plan(event: Tournament, **wish: Any) -> RegistrationPlan:
    """One that gives places by itself, unless it says otherwise."""
    return set_plan(event, SYSTEM, PlanWish(**{"accepts_itself": True} | wish), site="https://hule.example")


def applicant(number: int, **more: Any) -> Applicant:
    """The so-manieth of those who want to play."""
    first, last, country = PEOPLE[number % len(PEOPLE)]
    said = {
        "last_name": last if number < len(PEOPLE) else f"{last} {number}",
        "first_name": first,
        "country": country,
        "email": f"player-{number}@example.org",
        "language": "en",
    }
    return Applicant(**said | more)


def register_one(event: Tournament, number: int, **more: Any) -> Registration:
    return register(event, VISITOR, applicant(number, **more), privacy_read=True)


def confirmed(event: Tournament, number: int, **more: Any) -> Registration:
    return confirm_registration(register_one(event, number, **more), VISITOR)


def states(event: Tournament) -> dict[int, str]:
    """Number → state."""
    return dict(event.registrations.order_by("number").values_list("number", "state"))
