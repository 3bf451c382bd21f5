"""The plan of registration: whether it is open, what it asks, how many places are taken, and what is wrong with one."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from tournament.base.engine.text import initials
from tournament.base.models.registration import KeptPlaces, Question, Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version
from tournament.registration.engine import Candidate, Kept, Limits, Places


class Phase(StrEnum):
    """Whether somebody can register now, and why not."""

    NONE = "none"
    COMING = "coming"
    OPEN = "open"
    FULL = "full"
    OVER = "over"
    CLOSED = "closed"


class Switched(Protocol):
    """What opens and closes by its switch and, while that is on, by its times."""

    @property
    def is_open(self) -> bool: ...
    @property
    def opens_at(self) -> datetime | None: ...
    @property
    def closes_at(self) -> datetime | None: ...


@dataclass(frozen=True)
class Registering:
    """How registration stands, for everybody."""

    plan: RegistrationPlan | None
    phase: Phase
    taken: int = 0
    waiting: int = 0
    left: int | None = None
    left_open: int | None = None
    kept: tuple[tuple[Kept, int], ...] = field(default=())
    """Each of the kept ones, and how many of them nobody has."""

    @property
    def is_open(self) -> bool:
        return self.phase is Phase.OPEN

    @property
    def must_wait(self) -> bool:
        """Whether all places are taken."""
        return self.left == 0


def plan_of(tournament: Tournament) -> RegistrationPlan | None:
    return (
        RegistrationPlan.objects.filter(tournament=tournament).prefetch_related("kept", "questions").first()
    )


def limits_of(plan: RegistrationPlan) -> Limits:
    return Limits(plan.places, plan.waiting_places, tuple(map(kept_of, plan.kept.all())))


def kept_of(places: KeptPlaces) -> Kept:
    return Kept(places.by, places.value, places.places)


def holders(tournament: Tournament) -> list[Candidate]:
    """Those who have a place, who came first first. Who withdrew as a player leaves theirs to another."""
    accepted = tournament.registrations.filter(state=Registration.State.ACCEPTED, player__withdrawn_at=None)
    return candidates(accepted.order_by("number"))


def how_many_have_a_place() -> Coalesce:
    """To annotate tournaments with."""
    theirs = Registration.objects.filter(
        tournament=OuterRef("pk"), state=Registration.State.ACCEPTED, player__withdrawn_at=None
    )
    return Coalesce(Subquery(theirs.order_by().values("tournament").annotate(n=Count("pk")).values("n")), 0)


def takes_registrations(tournament: Tournament) -> bool:
    """Whether registration is open by its switch and its times; there may be no place left."""
    plan = getattr(tournament, "registration_plan", None)
    return plan is not None and phase_at(plan, timezone.now()) is Phase.OPEN


def line_of(tournament: Tournament) -> list[Candidate]:
    """The waiting list in its order."""
    waiting = tournament.registrations.filter(state=Registration.State.WAITING)
    return candidates(waiting.order_by("waits_since", "number"))


def candidates(registrations: Iterable[Registration]) -> list[Candidate]:
    return [candidate_of(registration) for registration in registrations]


def candidate_of(registration: Registration) -> Candidate:
    """Somebody as kept places count them: by the country and club that the desk knows."""
    known = {"country": registration.country, "club": registration.club} | registration.changed_from
    return Candidate(registration.number, **known)


def changed_by_themselves(tournament: Tournament) -> QuerySet[Registration]:
    """Who has changed a country or club that a kept place depends on, and waits for the desk to accept it."""
    return tournament.registrations.exclude(changed_from={}).order_by("number")


def registering(tournament: Tournament) -> Registering:
    """How registration stands now."""
    plan = plan_of(tournament)
    if plan is None:
        return Registering(None, Phase.NONE)
    limits = limits_of(plan)
    places, waiting = Places.taken_by(limits, holders(tournament)), len(line_of(tournament))
    is_full = places.left == 0 and limits.waiting is not None and waiting >= limits.waiting
    kept = tuple(zip(limits.kept, places.left_kept, strict=True))
    phase = phase_at(plan, timezone.now())
    phase = Phase.FULL if is_full and phase is Phase.OPEN else phase
    return Registering(plan, phase, places.taken, waiting, places.left, places.left_open, kept)


def phase_at(plan: Switched, now: datetime) -> Phase:
    """By its switch and its times alone; there may be no place left."""
    if not plan.is_open:
        return Phase.CLOSED
    if plan.opens_at and now < plan.opens_at:
        return Phase.COMING
    if plan.closes_at and now >= plan.closes_at:
        return Phase.OVER
    return Phase.OPEN


def moments_of(tournament: Tournament) -> list[datetime]:
    """When it opens and closes by itself."""
    times = RegistrationPlan.objects.filter(tournament=tournament).values_list("opens_at", "closes_at")
    return [moment for pair in times for moment in pair if moment is not None]


def asked_by(plan: RegistrationPlan) -> list[Question]:
    return list(plan.questions.all())


def who_answered(question: Question) -> QuerySet[Registration]:
    return Registration.objects.filter(
        tournament=question.plan.tournament_id, answers__has_key=str(question.pk)
    )


# --- Who is coming ---


@dataclass(frozen=True)
class Coming:
    """Somebody with a place, as everybody may see them: by name, or by initials."""

    name: str
    country: str
    club: str


def places_taken(tournament: Tournament) -> Registering | None:
    """How many places are taken, for `components/places.html`; None where there is no registration."""
    now = registering(tournament)
    return None if now.plan is None else now


@by_version(64)
def who_is_coming(tournament: Tournament) -> tuple[Coming, ...]:
    """Who has a place, by country and name; whoever has not agreed to be named stands there with initials."""
    holders_shown = tournament.registrations.filter(
        state=Registration.State.ACCEPTED, player__withdrawn_at=None, erased_at=None
    )
    people = [
        Coming(_shown_name(holder), holder.country, holder.club if holder.name_shown else "")
        for holder in holders_shown
    ]
    return tuple(sorted(people, key=lambda person: (person.country, person.name.casefold())))


def _shown_name(registration: Registration) -> str:
    if registration.name_shown:
        return registration.name
    return initials(registration.first_name, registration.last_name)
