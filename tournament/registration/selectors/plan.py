"""The plan of registration: whether it is open, how many places are taken, and who is coming."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from tournament.base.engine.text import initials
from tournament.base.models.registration import PlaceReservation, Question, Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version
from tournament.registration.engine import Candidate, Limits, Places, ReservedPlaces


class Phase(StrEnum):
    """Whether registration is open now, or why not."""

    NONE = "none"
    COMING = "coming"
    OPEN = "open"
    FULL = "full"
    OVER = "over"
    CLOSED = "closed"


class OpeningHours(Protocol):
    """The switch that opens registration, and the times that hold while it is on."""

    @property
    def is_open(self) -> bool: ...
    @property
    def opens_at(self) -> datetime | None: ...
    @property
    def closes_at(self) -> datetime | None: ...


@dataclass(frozen=True)
class RegistrationStatus:
    """The public state of registration. `left`: free places; `left_open`: those that are not reserved."""

    plan: RegistrationPlan | None
    phase: Phase
    taken: int = 0
    waiting: int = 0
    left: int | None = None
    left_open: int | None = None
    reserved: tuple[tuple[ReservedPlaces, int], ...] = ()
    """Reserved places, and how many of them are free."""

    @property
    def is_open(self) -> bool:
        return self.phase is Phase.OPEN

    @property
    def must_wait(self) -> bool:
        return self.left == 0


def plan_of(tournament: Tournament) -> RegistrationPlan | None:
    return (
        RegistrationPlan.objects.filter(tournament=tournament)
        .prefetch_related("reservations", "questions")
        .first()
    )


def limits_of(plan: RegistrationPlan) -> Limits:
    return Limits(plan.places, plan.waiting_places, tuple(map(reserved_places_of, plan.reservations.all())))


def reserved_places_of(places: PlaceReservation) -> ReservedPlaces:
    return ReservedPlaces(places.by, places.value, places.places)


def holders(tournament: Tournament) -> list[Candidate]:
    """Return who has a place, in order of registration. Players who withdrew free their place."""
    accepted = tournament.registrations.filter(state=Registration.State.ACCEPTED, player__withdrawn_at=None)
    return candidates(accepted.order_by("number"))


def accepted_count() -> Coalesce:
    """Return the annotation of tournaments with the number of taken places."""
    accepted = Registration.objects.filter(
        tournament=OuterRef("pk"), state=Registration.State.ACCEPTED, player__withdrawn_at=None
    )
    return Coalesce(Subquery(accepted.order_by().values("tournament").annotate(n=Count("pk")).values("n")), 0)


def is_registration_open(tournament: Tournament) -> bool:
    """Whether registration is open by switch and times; there may be no place left."""
    plan = getattr(tournament, "registration_plan", None)
    return plan is not None and phase_at(plan, timezone.now()) is Phase.OPEN


def waiting_list(tournament: Tournament) -> list[Candidate]:
    """Return the candidates on the waiting list, in order."""
    waiting = tournament.registrations.filter(state=Registration.State.WAITING)
    return candidates(waiting.order_by("waits_since", "number"))


def candidates(registrations: Iterable[Registration]) -> list[Candidate]:
    return [candidate_of(registration) for registration in registrations]


def candidate_of(registration: Registration) -> Candidate:
    """Return a candidate with the country and club that the desk has approved."""
    traits = {"country": registration.country, "club": registration.club} | registration.changed_from
    return Candidate(registration.number, **traits)


def unapproved_changes(tournament: Tournament) -> QuerySet[Registration]:
    """Return registrations whose changed country or club awaits the desk's approval."""
    return tournament.registrations.exclude(changed_from={}).order_by("number")


def registration_status(tournament: Tournament) -> RegistrationStatus:
    plan = plan_of(tournament)
    if plan is None:
        return RegistrationStatus(None, Phase.NONE)
    limits = limits_of(plan)
    places, waiting = Places.occupied_by(limits, holders(tournament)), len(waiting_list(tournament))
    is_full = places.left == 0 and limits.waiting is not None and waiting >= limits.waiting
    reserved = tuple(zip(limits.reserved, places.left_reserved, strict=True))
    phase = phase_at(plan, timezone.now())
    phase = Phase.FULL if is_full and phase is Phase.OPEN else phase
    return RegistrationStatus(plan, phase, places.taken, waiting, places.left, places.left_open, reserved)


def phase_at(plan: OpeningHours, now: datetime) -> Phase:
    """Return the phase by switch and times alone; there may be no place left."""
    if not plan.is_open:
        return Phase.CLOSED
    if plan.opens_at and now < plan.opens_at:
        return Phase.COMING
    if plan.closes_at and now >= plan.closes_at:
        return Phase.OVER
    return Phase.OPEN


def opening_times(tournament: Tournament) -> list[datetime]:
    """Return the times at which registration opens and closes by itself."""
    times = RegistrationPlan.objects.filter(tournament=tournament).values_list("opens_at", "closes_at")
    return [moment for pair in times for moment in pair if moment is not None]


def questions_of(plan: RegistrationPlan) -> list[Question]:
    return list(plan.questions.all())


def answered_registrations(question: Question) -> QuerySet[Registration]:
    return Registration.objects.filter(
        tournament=question.plan.tournament_id, answers__has_key=str(question.pk)
    )


# --- Who is coming ---


@dataclass(frozen=True)
class Attendee:
    """Somebody with a place on the public list, by name or by initials."""

    name: str
    country: str
    club: str


def status_if_planned(tournament: Tournament) -> RegistrationStatus | None:
    """Return the current state for `components/places.html`; None without a plan."""
    status = registration_status(tournament)
    return None if status.plan is None else status


@by_version(64)
def list_attendees(tournament: Tournament) -> tuple[Attendee, ...]:
    """Return who has a place, by country and name; with initials who has not agreed to be named."""
    holders_shown = tournament.registrations.filter(
        state=Registration.State.ACCEPTED, player__withdrawn_at=None, erased_at=None
    )
    people = [
        Attendee(holder.name, holder.country, holder.club)
        if holder.name_shown
        else Attendee(initials(holder.first_name, holder.last_name), holder.country, "")
        for holder in holders_shown
    ]
    return tuple(sorted(people, key=lambda person: (person.country, person.name.casefold())))
