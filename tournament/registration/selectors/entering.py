"""Entering registrations as players: who is new, who is a player already, and what has to be asked first."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from scoring.engine.problems import Problem
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.players.selectors import players as entrants
from tournament.players.selectors.doubles import (
    Double,
    double_problem,
    doubles_by_row,
    probable_doubles,
    registration_of,
)
from tournament.players.selectors.players import Entrant, assign_numbers, problems_of_entrants
from tournament.registration.selectors.registrations import (
    ACTIVE_STATES,
    Step,
    StepPreview,
    entrant_of,
    problems_by_number,
    to_enter,
)

FILLED_FIELDS: Final = ("country", "ema_number", "club", "team")
"""Fields that a player gets from a linked registration if they are empty."""


@dataclass(frozen=True)
class Entering:
    """What entering registrations would do."""

    people: Sequence[Registration]
    """Those who become players, first those who are players already."""
    players: Sequence[Player]
    """The players that the first of `people` are already."""
    entrants: Sequence[Entrant]
    """The fields of each of `people` as a player."""
    problems: Sequence[Problem]


def plan_entering(
    tournament: Tournament,
    people: Sequence[Registration],
    doubles: Mapping[int, Double],
    *,
    same: Collection[int] = (),
    apart: Collection[int] = (),
) -> Entering:
    """Return what entering these registrations would do.

    `doubles`: registration number → who is probably the same person. `same`: numbers of those who are; they are linked
    to the player, or stay out if that player has a registration or the double is entered, too. `apart`: numbers of
    those who are not, and become new players. Others are a problem.
    """
    linked: dict[Player, Registration] = {}
    new, problems = [], []
    for registration in people:
        number, double = registration.number, doubles.get(registration.number)
        if double is None or number in apart:
            new.append(registration)
        elif number not in same:
            problems.append(double_problem(registration, double, f"{number}.last_name"))
        elif isinstance(double, Player) and registration_of(double) is None:
            linked.setdefault(double, registration)
    entered, players = [*linked.values(), *new], list(linked)
    fields = [_filled(player, registration) for player, registration in linked.items()]
    numbered = assign_numbers(tournament, [*fields, *map(entrant_of, new)])
    problems += problems_by_number(
        problems_of_entrants(tournament, numbered, dict(enumerate(players))), entered
    )
    return Entering(entered, players, numbered, problems)


def _filled(player: Player, registration: Registration) -> Entrant:
    entrant = entrants.entrant_of(player)
    empty = {name for name in FILLED_FIELDS if not getattr(player, name)}
    return replace(entrant, **{name: getattr(registration, name) for name in empty})


def doubles_of_entering(tournament: Tournament, people: Sequence[Registration]) -> dict[int, Double]:
    """Return registration number → the player, else the earlier of these people, who is probably the same person."""
    doubles = doubles_by_row(tournament, people, registrations=False)
    return {people[row].number: double for row, double in doubles.items()}


def doubles_of_listed(tournament: Tournament, people: Sequence[Registration]) -> dict[int, Double]:
    """Return number → who is probably the same person, of active registrations that are no players yet."""
    unentered = [person for person in people if person.player is None and person.state in ACTIVE_STATES]
    doubles = probable_doubles(tournament, unentered) if unentered else ()
    return {person.number: double for person, double in zip(unentered, doubles, strict=True) if double}


def preview_entering(tournament: Tournament, numbers: Sequence[int]) -> StepPreview:
    """Return what entering these registrations would do, without `numbers` all that can be entered.

    Probable doubles are taken for the same person.
    """
    rows = to_enter(tournament)
    people = list(rows.filter(number__in=numbers) if numbers else rows)
    doubles = doubles_of_entering(tournament, people)
    entering = plan_entering(tournament, people, doubles, same=doubles.keys())
    number_of = {
        registration.number: entrant.number
        for registration, entrant in zip(entering.people, entering.entrants, strict=True)
    }
    return StepPreview(
        Step.ENTER,
        people,
        entering.problems,
        numbers=[number_of.get(registration.number) for registration in people],
        doubles=doubles,
    )
