"""Draw an event and print it with its certificate; nothing is saved."""

import json
from math import lcm
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring.engine.problems import Problem
from tournament.base.problems import sentence
from tournament.seating.engine.draw import REPEATS_OR_WISHES, Draw, DrawInputs, draw
from tournament.seating.engine.plans import Plan, SeatingError, find_seat_changes
from tournament.seating.engine.swiss import SessionInputs

MAX_PLAYERS: Final = 9996
"""Player numbers go to 9999."""


class Command(BaseCommand):
    help = (
        "Draws the seats of players 1 to N for R sessions and prints them as JSON, with the certificate of what "
        "the draw achieves and what no draw could better. Needs no database and saves nothing; the same "
        "arguments give the same draw. A request that cannot be met is one line, with the nearest possible."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, metavar="N", help="a multiple of four, from 8")
        parser.add_argument("--sessions", type=int, metavar="R", help="how many are played")
        parser.add_argument(
            "--teams-of",
            type=int,
            metavar="K",
            help="players 1 to K are a team, the next K the next …: kept apart",
        )
        parser.add_argument(
            "--clubs-of", type=int, metavar="K", help="the same for clubs: they meet late and rarely"
        )
        parser.add_argument("--seed", default="1", metavar="S", help="any text; default 1")
        parser.add_argument(
            "--check",
            metavar="FILE",
            help="draw again what a certificate downloaded from a draw's public page was drawn from; fails when its "
            "seats are others",
        )
        parser.add_argument(
            "--no-repeats", action="store_true", help="refuse a draw in which two players meet twice"
        )

    def handle(self, *, players: int | None, sessions: int | None, check: str | None, **options: Any) -> None:
        if check is not None:
            result = _draw_from_certificate(check)
        elif players is None or sessions is None:
            raise CommandError("Say --players and --sessions, or --check FILE.")
        else:
            result = _draw(players, sessions, **options)
        self.stdout.write(json.dumps(result.to_json(), ensure_ascii=False))


def _draw(
    players: int,
    sessions: int,
    *,
    teams_of: int | None,
    clubs_of: int | None,
    seed: str,
    no_repeats: bool,
    **options: Any,
) -> Draw:
    if players > MAX_PLAYERS:
        raise CommandError(f"{players} players are too many: a draw ends at {MAX_PLAYERS}.")
    numbers = range(1, players + 1)
    teams = {} if teams_of is None else _teams(numbers, teams_of)
    clubs = {} if clubs_of is None else _neighbours(numbers, clubs_of, "--clubs-of")
    try:
        return draw(numbers, sessions, seed=seed, teams=teams, clubs=clubs, no_repeats=no_repeats)
    except SeatingError as error:
        raise CommandError(_error_message(error.problems[0], numbers, teams)) from None


def _draw_from_certificate(file: str) -> Draw:
    """Return the draw from a downloaded certificate's inputs. Raises CommandError if its seats differ."""
    try:
        data = json.loads(Path(file).read_text("utf-8"))
        result = DrawInputs.from_json(data["inputs"]).draw()
        plan = [session["tables"] for session in data["sessions"]]
        differing = find_seat_changes(_plan_from_inputs(data, result.sessions), plan)
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
    except SeatingError as error:
        raise CommandError(sentence(error.problems[0])) from None
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        raise CommandError(f"{file} is not the certificate of a draw by seed.") from None
    if differing:
        change = differing[0]
        first = f"the first in session {change.session}, player {change.player}"
        raise CommandError(f"{len(differing)} seats are not what the inputs give, {first}.")
    return result


def _plan_from_inputs(data: Any, plan_drawn: Plan) -> Plan:
    """Return the plan that the inputs give; sessions seated by hand or from a file stay as they are."""
    plan = list(plan_drawn[: len(data["sessions"])])
    for session in data.get("seated_alone", ()):
        index = int(session["session"]) - 1
        plan += [()] * (index + 1 - len(plan))
        inputs = session["inputs"]
        plan[index] = SessionInputs.from_json(inputs).seats() if inputs else data["sessions"][index]["tables"]
    return plan


def _error_message(problem: Problem, players: range, teams: dict[int, str]) -> str:
    """Return the problem as a sentence; if team-mates are the obstacle, with the most sessions that are possible."""
    if problem.code != REPEATS_OR_WISHES.code:
        return sentence(problem)
    for sessions in range(int(problem.params["sessions"]) - 1, 0, -1):
        try:
            draw(players, sessions, seed="1", teams=teams, no_repeats=True)
        except SeatingError:
            continue
        return f"{sentence(problem)} For --sessions {sessions} both can be had."
    return sentence(problem)


def _teams(numbers: range, size: int) -> dict[int, str]:
    """Return teams by player, for teams of neighbours. Raises CommandError if players do not divide into teams."""
    teams = _neighbours(numbers, size, "--teams-of")
    if (players := len(numbers)) % size:
        step = lcm(size, 4)
        nearest = [str(count) for count in (players // step * step, -(-players // step) * step) if count]
        message = f"{players} players do not make teams of {size}: {' or '.join(nearest)} players would."
        raise CommandError(message)
    return teams


def _neighbours(numbers: range, size: int, option: str) -> dict[int, str]:
    """Return groups by player, for groups of neighbours of this size; the last may be smaller."""
    if size < 1:
        raise CommandError(f"{option} must be at least 1.")
    return {number: str((number - 1) // size + 1) for number in numbers}
