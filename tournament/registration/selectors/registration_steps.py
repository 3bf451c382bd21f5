"""What the desk could do with many registrations at once, and what would come of it: looked at before it is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from scoring.engine.problems import Problem
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.entrants import problems_of_all, with_numbers
from tournament.registration.engine import Candidate, Places, moving_up
from tournament.registration.selectors.applicants import entrant_of
from tournament.registration.selectors.registration_plan import (
    candidates,
    holders,
    limits_of,
    line_of,
    plan_of,
)
from tournament.registration.selectors.registrations import has_begun, plays_already, to_enter

State = Registration.State


class Step(StrEnum):
    ACCEPT = "accept"
    WAIT = "wait"
    DECLINE = "decline"
    CANCEL = "cancel"
    UP = "move_up"
    ENTER = "enter"


TO: Final = {
    Step.ACCEPT: State.ACCEPTED,
    Step.UP: State.ACCEPTED,
    Step.WAIT: State.WAITING,
    Step.DECLINE: State.DECLINED,
    Step.CANCEL: State.CANCELLED,
}
"""Where a step leads; entering leads out of registration, among the players."""


@dataclass(frozen=True)
class Preview:
    """Whom a step is about, what keeps it from being done, and who moves up by it."""

    step: Step
    people: Sequence[Registration]
    problems: Sequence[Problem]
    moved_up: Sequence[Registration] = ()
    numbers: Sequence[int | None] = ()
    """Of who is entered, the players' numbers."""

    @property
    def pairs(self) -> list[tuple[Registration, int | None]]:
        return list(zip(self.people, self.numbers or [None] * len(self.people), strict=True))


def preview(tournament: Tournament, step: Step, numbers: Sequence[int]) -> Preview:
    """What would come of it. Moving up is of those whose turn it is, `numbers` or not; entering without, of all."""
    if step is Step.ENTER:
        return _entering(tournament, numbers)
    if step is Step.UP:
        numbers = next_up(tournament)
    found = (
        tournament.registrations.select_related("player").filter(number__in=numbers).exclude(state=TO[step])
    )
    people = sorted(found, key=lambda one: list(numbers).index(one.number) if step is Step.UP else one.number)
    problems = too_many(tournament, people, TO[step])
    problems += [problem for one in people if (problem := plays_already(one, TO[step]))]
    return Preview(step, people, problems, _moved_up(tournament, people, TO[step]))


def next_up(tournament: Tournament) -> list[int]:
    """Who waits and could have a place now."""
    plan = plan_of(tournament)
    return moving_up(limits_of(plan), holders(tournament), line_of(tournament)) if plan else []


def _moved_up(tournament: Tournament, people: Sequence[Registration], to: str) -> list[Registration]:
    """Who gets the places that become free."""
    plan, going = plan_of(tournament), {one.number for one in people}
    if plan is None or not plan.moves_up_itself or to == State.ACCEPTED or has_begun(tournament):
        return []
    stay = [one for one in holders(tournament) if one.number not in going]
    line = [one for one in line_of(tournament) if one.number not in going]
    line += candidates(people) if to == State.WAITING else []
    up = set(moving_up(limits_of(plan), stay, line))
    return list(tournament.registrations.filter(number__in=up).order_by("waits_since", "number"))


def too_many(tournament: Tournament, moving: Sequence[Registration], to: str) -> list[Problem]:
    """Those for whom there is no place, or no room on the waiting list."""
    if (plan := plan_of(tournament)) is None:
        return []
    limits = limits_of(plan)
    if to == State.ACCEPTED:
        places = Places.taken_by(limits, holders(tournament))
        return [
            Problem("no_place_left", str(one.number), {"name": one.name})
            for one in moving
            if not places.take(Candidate(one.number, one.country, one.club))
        ]
    beyond = len(line_of(tournament)) + len(moving) - (limits.waiting or 0)
    if to == State.WAITING and limits.waiting is not None and beyond > 0:
        return [Problem("waiting_list_full", "", {"most": limits.waiting})]
    return []


def _entering(tournament: Tournament, numbers: Sequence[int]) -> Preview:
    found = to_enter(tournament)
    people = list(found.filter(number__in=numbers) if numbers else found)
    entrants = with_numbers(tournament, [entrant_of(one) for one in people])
    problems = about_people(problems_of_all(tournament, entrants), people)
    return Preview(Step.ENTER, people, problems, (), [one.number for one in entrants])


def about_people(problems: Sequence[Problem], people: Sequence[Registration]) -> list[Problem]:
    """Problems of rows as those of registrations: `where` is "<number>.<field>"."""
    told = []
    for problem in problems:
        row, _dot, field = problem.where.partition(".")
        about = {"name": people[int(row)].name} | dict(problem.params)
        told.append(Problem(problem.code, f"{people[int(row)].number}.{field}", about))
    return told
