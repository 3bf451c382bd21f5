"""Players and registrations who are probably the same person, so that nobody is entered twice unasked."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Generic, TypeVar

from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.names import display_name, name_key
from tournament.base.models.people import Player
from tournament.base.models.registration import CANCELLED_STATES, Registration
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.players import Entrant
from tournament.players.texts import described

PROBABLE_DOUBLE = problem_code(
    "probable_double",
    "{name} is probably the same person as {other}. If they are two people, confirm it.",
)

Double = Player | Registration
"""A registration that has become a player counts as the player."""

Named = Player | Registration | Entrant
P = TypeVar("P", bound=Named)


def probable_doubles(
    tournament: Tournament, people: Sequence[Named], *, players: bool = True, registrations: bool = True
) -> list[Double | None]:
    """Return for each person the player or active registration that is probably the same person, else None.

    They have the same EMA number, or the same name and not two different EMA numbers. Nobody is their own double.
    """
    known: list[Double] = []
    if players:
        known += tournament.players.filter(erased_at=None).select_related("registration")
    if registrations:
        unlinked = tournament.registrations.filter(player=None, erased_at=None)
        known += unlinked.exclude(state__in=CANCELLED_STATES)
    index: _Index[Double] = _Index()
    for person in known:
        index.add(person)
    return [_best_double(person, index.doubles_of(person)) for person in people]


def _best_double(person: Named, doubles: Sequence[Double]) -> Double | None:
    """Return the likeliest double: of the same EMA number, else of the same country, else without a registration."""

    def unlikeliness(other: Double) -> tuple[bool, bool, bool]:
        has_other_number = not person.ema_number or person.ema_number != other.ema_number
        return has_other_number, person.country != other.country, registration_of(other) is not None

    return min(
        (other for other in doubles if not _is_same_row(person, other)), key=unlikeliness, default=None
    )


def _is_same_row(person: Named, other: Double) -> bool:
    if isinstance(person, Registration) and isinstance(other, Player):
        return person.player_id == other.pk
    return person == other


def repeated_people(people: Sequence[P]) -> list[P | None]:
    """Return for each person the first one before them who is probably the same person, else None."""
    index: _Index[P] = _Index()
    repeated = []
    for person in people:
        repeated.append(next(iter(index.doubles_of(person)), None))
        index.add(person)
    return repeated


def doubles_by_row(
    tournament: Tournament, people: Sequence[Registration], *, registrations: bool = True
) -> dict[int, Double]:
    """Return row → who is probably the same person, in the tournament, else in an earlier row."""
    stored = probable_doubles(tournament, people, registrations=registrations)
    pairs = enumerate(zip(stored, repeated_people(people), strict=True))
    return {row: double for row, (known, earlier) in pairs if (double := known or earlier)}


class _Index(Generic[P]):
    """People by EMA number and by name."""

    def __init__(self) -> None:
        self.by_ema_number: dict[str, list[P]] = defaultdict(list)
        self.by_name: dict[str, list[P]] = defaultdict(list)

    def add(self, person: P) -> None:
        if person.ema_number:
            self.by_ema_number[person.ema_number].append(person)
        if key := name_key(person.first_name, person.last_name):
            self.by_name[key].append(person)

    def doubles_of(self, person: Named) -> list[P]:
        key, number = name_key(person.first_name, person.last_name), person.ema_number
        namesakes = self.by_name.get(key, ())
        return [
            *(self.by_ema_number.get(number, ()) if number else ()),
            *(other for other in namesakes if not (number and other.ema_number)),
        ]


def registration_of(person: Double) -> Registration | None:
    """Return the registration of a player; None for a player without one and for a registration."""
    return getattr(person, "registration", None)


def double_problem(person: Named, other: Double, where: str = "last_name") -> Problem:
    name = display_name(person.first_name, person.last_name)
    return PROBABLE_DOUBLE(where, name=name, other=described(other))
