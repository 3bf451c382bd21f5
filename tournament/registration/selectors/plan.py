"""The plan of registration: whether it is open, how many places are taken, and who is coming."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Final, Protocol

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce
from django.utils import timezone

from tournament.base.models.people import Player
from tournament.base.models.play import Session
from tournament.base.models.registration import PlaceReservation, Question, Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version
from tournament.play.selectors.timetable import participant_count, players_of
from tournament.players.engine import is_guest
from tournament.players.selectors.players import public_players
from tournament.registration.engine import Candidate, Limits, Places, ReservedPlaces

UNREGISTERED: Final = 0
"""The number of a candidate who is a player without a registration."""


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

    @property
    def is_over(self) -> bool:
        """Whether it has ended for good."""
        return self.plan is not None and is_over(self.plan.tournament)

    @property
    def gives_places(self) -> bool:
        """Whether a confirmed registration gets a place without the organiser."""
        return self.plan is not None and gives_places(self.plan)

    @property
    def moves_up(self) -> bool:
        """Whether people move up from the waiting list without the organiser."""
        return self.plan is not None and moves_up(self.plan)


def plan_of(tournament: Tournament) -> RegistrationPlan | None:
    plan = (
        RegistrationPlan.objects.filter(tournament=tournament)
        .prefetch_related("reservations", "questions")
        .first()
    )
    if plan is not None:
        plan.tournament = tournament
    return plan


def limits_of(plan: RegistrationPlan) -> Limits:
    return Limits(plan.places, plan.waiting_places, tuple(map(reserved_places_of, plan.reservations.all())))


def reserved_places_of(places: PlaceReservation) -> ReservedPlaces:
    return ReservedPlaces(places.by, places.value, places.places)


def holders(tournament: Tournament) -> list[Candidate]:
    """Return who has a place: players, registered or not, and who is accepted and no player yet.

    Players who withdrew free their place. The number of a player without a registration is `UNREGISTERED`.
    """
    players = players_of(tournament).filter(withdrawn_at=None).select_related("registration")
    accepted = accepted_without_player().filter(tournament=tournament)
    return [*map(_candidate_of_player, players.order_by("number")), *candidates(accepted.order_by("number"))]


def _candidate_of_player(player: Player) -> Candidate:
    registration: Registration | None = getattr(player, "registration", None)
    if registration is None:
        return Candidate(UNREGISTERED, quota_country(player.country, player.ema_number), player.club)
    return candidate_of(registration)


def accepted_without_player() -> QuerySet[Registration]:
    """List who is accepted and no player yet, of all tournaments."""
    return Registration.objects.filter(state=Registration.State.ACCEPTED, player=None)


def taken_count() -> CombinedExpression:
    """Return the annotation of tournaments that have not begun with the number of taken places (`holders`)."""
    accepted = accepted_without_player().filter(tournament=OuterRef("pk")).order_by().values("tournament")
    return participant_count() + Coalesce(Subquery(accepted.annotate(n=Count("pk")).values("n")), 0)


def waiting_count() -> Coalesce:
    """Return the annotation of tournaments with the length of the waiting list."""
    waiting = Registration.objects.filter(state=Registration.State.WAITING, tournament=OuterRef("pk"))
    return Coalesce(Subquery(waiting.order_by().values("tournament").annotate(n=Count("pk")).values("n")), 0)


def is_registration_open(tournament: Tournament) -> bool:
    """Whether registration is open by switch and times, before play begins; there may be no place left."""
    plan = getattr(tournament, "registration_plan", None)
    now = timezone.now()
    return plan is not None and now < closing_time(plan) and phase_at(plan, now) is Phase.OPEN


def waiting_list(tournament: Tournament) -> list[Candidate]:
    """Return the candidates on the waiting list, in order."""
    waiting = tournament.registrations.filter(state=Registration.State.WAITING)
    return candidates(waiting.order_by("waits_since", "number"))


def candidates(registrations: Iterable[Registration]) -> list[Candidate]:
    return [candidate_of(registration) for registration in registrations]


def candidate_of(registration: Registration) -> Candidate:
    """Return a candidate with the country and club that the desk has approved."""
    traits = {"country": registration.country, "club": registration.club} | registration.changed_from
    traits["country"] = quota_country(traits["country"], registration.ema_number)
    return Candidate(registration.number, **traits)


def quota_country(country: str, ema_number: str) -> str:
    """Return the country whose reserved places somebody can have; "" for guests of the EMA, who have no quota seat."""
    return "" if is_guest(ema_number) else country


def unapproved_changes(tournament: Tournament) -> QuerySet[Registration]:
    """Return registrations whose changed country or club awaits the desk's approval."""
    return tournament.registrations.exclude(changed_from={}).order_by("number")


def unused_registration(tournament: Tournament) -> Collection[str]:
    """Return the section of registration for club evenings, which have none."""
    return {"registration"} if tournament.is_club_evening else ()


def registration_status(tournament: Tournament) -> RegistrationStatus:
    plan = plan_of(tournament)
    if plan is None:
        return RegistrationStatus(None, Phase.NONE)
    limits = limits_of(plan)
    places, waiting = Places.occupied_by(limits, holders(tournament)), len(waiting_list(tournament))
    is_full = places.left == 0 and limits.waiting is not None and waiting >= limits.waiting
    reserved = tuple(zip(limits.reserved, places.left_reserved, strict=True))
    phase = phase_of(plan)
    return RegistrationStatus(
        plan,
        Phase.FULL if is_full and phase is Phase.OPEN else phase,
        places.taken,
        waiting,
        places.left,
        places.left_open,
        reserved,
    )


def phase_of(plan: RegistrationPlan) -> Phase:
    """Return the phase now by switch, times and play; there may be no place left."""
    return Phase.OVER if is_over(plan.tournament) else phase_at(plan, timezone.now())


def phase_at(plan: OpeningHours, now: datetime) -> Phase:
    """Return the phase by switch and times alone; there may be no place left."""
    if not plan.is_open:
        return Phase.CLOSED
    if plan.opens_at and now < plan.opens_at:
        return Phase.COMING
    if plan.closes_at and now >= plan.closes_at:
        return Phase.OVER
    return Phase.OPEN


def has_begun(tournament: Tournament) -> bool:
    """Whether a session has started; from then on players withdraw instead of losing their place."""
    return tournament.sessions.exclude(state=Session.State.PLANNED).exists()


def is_over(tournament: Tournament) -> bool:
    """Whether registration has ended for good: play has begun, or the last day is over."""
    return timezone.now() >= end_of_last_day(tournament) or has_begun(tournament)


def gives_places(plan: RegistrationPlan) -> bool:
    """Whether a confirmed registration gets a place without the organiser.

    After the draw only if the organiser has opened registration again.
    """
    return plan.accepts_automatically and (plan.is_open or not plan.tournament.sessions.exists())


def moves_up(plan: RegistrationPlan) -> bool:
    """Whether people move up from the waiting list without the organiser: until the draw or the end of the last day."""
    tournament = plan.tournament
    is_before = timezone.now() < end_of_last_day(tournament) and not tournament.sessions.exists()
    return plan.moves_up_automatically and is_before


def end_of_last_day(tournament: Tournament) -> datetime:
    return datetime.combine(tournament.ends_on + timedelta(days=1), time(), tournament.zone)


def closes_at_draw(tournament: Tournament) -> bool:
    """Whether a draw closes registration: it is open, or would open later."""
    plan = plan_of(tournament)
    return plan is not None and phase_of(plan) in (Phase.COMING, Phase.OPEN)


def closing_time(plan: RegistrationPlan) -> datetime:
    """Return when registration closes by itself at the latest."""
    last = end_of_last_day(plan.tournament)
    return min(plan.closes_at or last, last)


def opening_times(tournament: Tournament) -> list[datetime]:
    """Return the times at which registration opens and closes by itself."""
    plan = plan_of(tournament)
    return [moment for moment in (plan.opens_at, closing_time(plan)) if moment is not None] if plan else []


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
    second_name: str = ""
    is_by_initials: bool = False


def status_if_planned(tournament: Tournament) -> RegistrationStatus | None:
    """Return the current state for `components/places.html`; None without a plan."""
    status = registration_status(tournament)
    return None if status.plan is None else status


@by_version(64)
def list_attendees(tournament: Tournament) -> tuple[Attendee, ...]:
    """Return who has a place, by country and name; with initials who has not agreed to be named."""
    people = [
        Attendee(registration.name, registration.country, registration.club, registration.second_name)
        if registration.name_shown
        else Attendee(
            registration.initials,
            registration.country,
            "",
            is_by_initials=True,
        )
        for registration in accepted_without_player().filter(tournament=tournament, erased_at=None)
    ]
    players = players_of(tournament).filter(withdrawn_at=None)
    people += [
        Attendee(player.name, player.country, player.club, player.second_name, player.is_by_initials)
        for player in public_players(players, tournament)
    ]
    return tuple(sorted(people, key=lambda person: (person.country, person.name.casefold())))
