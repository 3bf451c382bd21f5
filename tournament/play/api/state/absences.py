"""Lateness as the desk's clock shows it: who is missing, what each minute costs, and what an empty seat forbids."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from penalties.engine.rules import Step
from penalties.texts import sanction_text
from scoring.engine.problems import Problem
from tournament.base.engine.rotation import HANDS_PER_SESSION
from tournament.base.engine.rules import LATE, Rules
from tournament.base.models.play import Absence
from tournament.play.api.addresses import url_of
from tournament.play.selectors.absences import (
    absent_in,
    empty_seats,
    late_by,
    lateness_ends,
    minutes_of,
    points_held,
)
from tournament.play.selectors.tables import TableNow
from tournament.web.texts.problems import sentence


def absences(now: TableNow) -> list[dict[str, Any]]:
    """Who is missing, or came and is still to be fined, with the cost of each minute.

    `minutes`: how late the player came, None while missing; `in_all`: what the whole session makes; `until`: when the
    clock stops by itself; `fined`: a no-show has the penalty already; `begun_because`: why the others do not wait.
    """
    given = [penalty for penalty in now.penalties if penalty.foul == LATE]
    dealt_with = {penalty.player_id for penalty in given}
    fined = {penalty.player_id for penalty in given if not penalty.is_cancelled}
    standing = now.table.absences.filter(taken_back_at=None).select_related("player")
    return [
        _absence(absence, now, absence.player_id in fined)
        for absence in standing
        if absence.arrived_at is None or absence.player_id not in dealt_with
    ]


def _absence(absence: Absence, now: TableNow, fined: bool) -> dict[str, Any]:
    minutes, until = minutes_of(absence), lateness_ends(absence)
    seat = now.table.seats.select_related("player").get(player=absence.player)
    seat.table = now.table
    return {
        "url": url_of("api_absence", now.table, uuid=absence.uuid),
        "uuid": str(absence.uuid),
        "player": absence.player.number,
        "since": _counts_from(absence, until).isoformat(),
        "until": until.isoformat(),
        "minutes": minutes if absence.arrived_at else None,
        "in_all": minutes,
        "fined": fined,
        "begun_because": absence.begun_because,
        "steps": _steps(now.table.session.tournament.rules, minutes, points_held(seat)),
    }


def _counts_from(absence: Absence, until: datetime) -> datetime:
    """From when the time until now is how late the player is: the gong, moved by every pause of the hall since."""
    clock = absence.table.session.clock
    assert clock is not None, "a session in which somebody is missing has begun"
    moment = min(until, clock.shows(timezone.now()))
    return moment - late_by(absence, moment)


def empty_seats_at(now: TableNow) -> list[dict[str, Any]]:
    """[{"hand", "player", "why", "too_early"}]: seats nobody wins, discards or claims in. As long as a seat is empty,
    it is in every hand to come; `too_early` is what is said while the others wait."""
    rule = now.table.session.tournament.rules.lateness
    wait = rule.others_start_after if rule else 0
    coming = range(now.table.hands_played + 1, HANDS_PER_SESSION + 1)
    found = [(hand.number, player, "") for hand in now.hands for player in absent_in(hand)]
    names = {seat.player.number: seat.player.name for seat in now.seats}
    for absence in empty_seats(now.table).values():
        early = Problem("seat_empty_too_early", "", {"name": absence.player.name, "minutes": wait})
        said = sentence(early) if wait and not absence.begun_because else ""
        found += [(hand, absence.player.number, said) for hand in coming]
    return [
        {
            "hand": hand,
            "player": player,
            "why": sentence(Problem("seat_empty", "winner", {"player": names[player]})),
            "too_early": early,
        }
        for hand, player, early in found
    ]


def lateness(rules: Rules) -> dict[str, Any] | None:
    """When the others start without a late player; None where the foul book does not say what lateness costs."""
    rule = rules.lateness
    return None if rule is None else {"stand_in_after": rule.others_start_after}


def _steps(rules: Rules, minutes: int, held: int | None) -> list[dict[str, Any]]:
    rule = rules.lateness
    return [_step(step) for step in rule.steps(minutes, held)] if rule else []


def _step(step: Step) -> dict[str, Any]:
    points = step.sanction.points
    label = str(points.total) if points else capfirst(sanction_text(step.sanction))
    until = _("to {n}").format(n=step.high) if step.high else _("later")
    return {
        "from": step.low,
        "to": step.high,
        "label": label,
        "until": until,
        "text": capfirst(sanction_text(step.sanction)),
    }
