"""Who registered: found, counted, and where each of them stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, QuerySet
from django.utils import timezone

from scoring.engine.problems import Problem
from scoring.texts.folding import folded
from tournament.base.models.log_entry import LogEntry
from tournament.base.models.play import Session
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.registration.selectors.registration_link import CONFIRM_WITHIN
from tournament.registration.selectors.registration_plan import line_of

State = Registration.State
ALIVE = (State.UNCONFIRMED, State.PENDING, State.WAITING, State.ACCEPTED)
STEPS = "registrations_"
"""How the actions of bulk steps begin."""
UNDOABLE = frozenset(f"{STEPS}{done}" for done in ("moved", "entered", "added"))


def has_begun(tournament: Tournament) -> bool:
    """Whether a session is or was played: from then on places are changed by withdrawing and substitutes."""
    return tournament.sessions.exclude(state=Session.State.PLANNED).exists()


def plays_already(one: Registration, to: str) -> Problem | None:
    """Why somebody cannot lose their place any more."""
    plays = one.player and not one.player.is_withdrawn and to != State.ACCEPTED
    if plays and has_begun(one.tournament):
        return Problem("registered_plays", "", {"registration": one.number})
    return None


def by_numbers(tournament: Tournament, numbers: Sequence[int]) -> list[Registration]:
    """The registrations with these numbers, in their order."""
    known = tournament.registrations.select_related("player").filter(number__in=numbers)
    found = {one.number: one for one in known}
    for one in found.values():
        one.tournament = tournament
    return [found[number] for number in numbers if number in found]


def position_of(one: Registration) -> int | None:
    """The place on the waiting list; None for who does not wait."""
    if one.state != State.WAITING:
        return None
    return places_in_line(one.tournament)[one.number]


def places_in_line(tournament: Tournament) -> dict[int, int]:
    """Registration's number → the place on the waiting list."""
    return {one.number: place for place, one in enumerate(line_of(tournament), 1)}


def is_expired(one: Registration) -> bool:
    """Whether it was not confirmed in time."""
    return one.state == State.UNCONFIRMED and one.made_at < timezone.now() - CONFIRM_WITHIN


def same_again(tournament: Tournament, name: tuple[str, str], email: str) -> Registration | None:
    """The registration of this person that is alive already: the same name from the same address."""
    for one in tournament.registrations.filter(email__iexact=email, state__in=ALIVE).select_related("player"):
        if tuple(map(folded, (one.first_name, one.last_name))) == tuple(map(folded, name)):
            return one
    return None


def counts(tournament: Tournament) -> dict[str, int]:
    """State → how many, every state there is; and "to_enter": accepted people who are no players yet."""
    found = dict(
        tournament.registrations.order_by()
        .values_list("state")
        .annotate(n=Count("pk"))
        .values_list("state", "n")
    )
    return {state: found.get(state, 0) for state in State.values} | {"to_enter": to_enter(tournament).count()}


def to_enter(tournament: Tournament) -> QuerySet[Registration]:
    """Who has a place and is no player yet."""
    return tournament.registrations.filter(state=State.ACCEPTED, player=None)


def matching(tournament: Tournament, state: str = "", wanted: str = "") -> list[Registration]:
    """Those in a state, the waiting ones in their order; with `wanted` those it fits."""
    found = tournament.registrations.select_related("player")
    if state in State.values:
        found = found.filter(state=state)
    found = found.order_by("waits_since", "number") if state == State.WAITING else found.order_by("number")
    return [one for one in found if _fits(one, wanted)]


def _fits(one: Registration, wanted: str) -> bool:
    words = folded(wanted).split()
    if len(words) == 1 and words[0].isdecimal() and len(words[0]) < 8:
        return one.number == int(words[0])
    about = folded(
        f"{one.name} {one.first_name} {one.last_name} {one.email} {one.country} {one.club} {one.team} "
        f"{one.ema_number}"
    )
    return all(word in about for word in words)


@dataclass(frozen=True)
class Undoable:
    """The bulk step that was done last, as long as everybody is still where it left them."""

    seq: int
    action: str
    people: Sequence[Registration]
    before: Mapping[int, tuple[str, datetime | None]]
    """Number → the state, and since when they waited."""

    @property
    def is_entering(self) -> bool:
        return self.action == f"{STEPS}entered"

    @property
    def is_adding(self) -> bool:
        return self.action == f"{STEPS}added"


def last_step(tournament: Tournament) -> Undoable | None:
    """What can be undone now; None when nothing can, or somebody has moved on since."""
    newest = tournament.log.filter(action__startswith=STEPS).order_by("-seq").first()
    if newest is None or newest.action not in UNDOABLE:
        return None
    before = {
        int(number): (state, datetime.fromisoformat(since) if since else None)
        for number, (state, since) in newest.data.get("came_from", {}).items()
    }
    numbers = {*before, *newest.data["registrations"]}
    people = list(tournament.registrations.select_related("player").filter(number__in=numbers))
    is_as_left = len(people) == len(numbers) and all(_is_as_left(newest, one) for one in people)
    return Undoable(newest.seq, newest.action, people, before) if is_as_left else None


def _is_as_left(entry: LogEntry, one: Registration) -> bool:
    if entry.action == f"{STEPS}added":
        return one.player is None
    if entry.action == f"{STEPS}entered":
        return one.player is not None and one.state == State.ACCEPTED
    return one.state == (State.ACCEPTED if one.number in entry.data.get("moved_up", ()) else entry.data["to"])
