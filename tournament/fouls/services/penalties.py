"""Giving a penalty at a table and taking one back."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils import timezone

from penalties.models import Penalty
from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Refused, refuse
from tournament.base.models.people import Player
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.fouls.selectors.assessments import Assessment, assess
from tournament.fouls.services.rulings import carry_out_for_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.selectors.fresh import fresh_table
from tournament.play.selectors.records import can_undo_penalty, written_before
from tournament.play.services.tables import check_open, check_version, settle


def give_penalty(
    table: Table, actor: Actor, accusation: Accusation, *, uuid: UUID, expected_version: int | None = None
) -> Penalty:
    """Impose what the foul book says, or, as an umpire in person, another sanction with a reason.

    The same `uuid` again gives the penalty it made the first time.
    """
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "penalty_given") as entry:
        if (known := written_before(Penalty, uuid, table)) is not None:
            entry.unchanged()
            return known
        table = fresh_table(table, entry.tournament)
        check_version(table, expected_version)
        check_open(table, actor, accusation.note, "note")
        ruling = assess(table, accusation)
        if problems := (*ruling.problems, *_unexplained(ruling, accusation)):
            raise Refused(problems)
        if ruling.is_judgement:
            access.require_judge(actor, table)
        assert ruling.proposal is not None
        assert ruling.proposal.sanction is not None
        assert ruling.sanction is not None
        people = {player.number: player for player in Player.objects.filter(seats__table=table)}
        penalty = Penalty.objects.create(
            tournament=table.session.tournament,
            table=table,
            player=people[accusation.player],
            victim=people.get(accusation.victim) if accusation.victim is not None else None,
            uuid=uuid,
            foul=accusation.foul,
            hand_number=accusation.hand_number,
            facts=dict(accusation.details),
            occurrence=ruling.proposal.occurrence,
            sanction=ruling.sanction.to_json(),
            proposed=ruling.proposal.sanction.to_json() if ruling.is_override else None,
            because=accusation.because.strip() if ruling.is_override else "",
            effects={str(player): points for player, points in ruling.effects.items()},
            note=accusation.note,
            given_by=actor.user,
            given_at=timezone.now(),
        )
        entry.data = settle(table, **_about(penalty))
    return penalty


def cancel_penalty(
    penalty: Penalty, actor: Actor, *, reason: str, expected_version: int | None = None
) -> Penalty:
    """Take a penalty back. It stays in the record; its points return."""
    access.require_judge(actor, penalty.table)
    with log.write(penalty.tournament, actor, "penalty_cancelled") as entry:
        penalty.refresh_from_db()
        if penalty.is_cancelled:
            entry.unchanged()
            return penalty
        table = fresh_table(penalty.table, entry.tournament)
        check_version(table, expected_version)
        check_open(table, actor)
        if not reason.strip():
            raise refuse("cancel_reason_missing", "reason")
        entry.data = _cancel(penalty, table, actor, reason.strip())
    return penalty


def undo_penalty(
    penalty: Penalty, actor: Actor, *, reason: str, expected_version: int | None = None
) -> Penalty:
    """Cancel the penalty that was given by a slip a moment ago; the record has both.

    Only who gave it can, within `UNDO_WITHIN`, from the table's card too. `reason`: what is kept as such.
    """
    access.require_umpire(actor, penalty.table)
    with log.write(penalty.tournament, actor, "penalty_cancelled") as entry:
        penalty.refresh_from_db()
        if penalty.is_cancelled:
            entry.unchanged()
            return penalty
        table = fresh_table(penalty.table, entry.tournament)
        check_version(table, expected_version)
        check_open(table, actor)
        if not can_undo_penalty(penalty, actor):
            raise refuse("cannot_undo_penalty")
        entry.data = _cancel(penalty, table, actor, reason)
    return penalty


def _cancel(penalty: Penalty, table: Table, actor: Actor, reason: str) -> dict[str, Any]:
    """What the log has of it."""
    penalty.cancelled_at, penalty.cancelled_by = timezone.now(), actor.user
    penalty.cancelled_because = reason
    penalty.save(update_fields=["cancelled_at", "cancelled_by", "cancelled_because"])
    said = settle(table, **_about(penalty), reason=reason)
    return said | carry_out_for_penalty(penalty, actor)


def show_penalties(tournament: Tournament, actor: Actor, *, public: bool) -> Tournament:
    """Let everybody see who was penalised for what, or only those who run the tournament."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "penalties_shown") as entry:
        changed = entry.tournament
        if changed.penalties_public == public:
            entry.unchanged()
            return changed
        changed.penalties_public = public
        changed.save(update_fields=["penalties_public"])
        entry.data = {"public": public}
    return changed


def _unexplained(ruling: Assessment, accusation: Accusation) -> tuple[Problem, ...]:
    """Another sanction than the book's needs a reason."""
    return (
        ()
        if accusation.because.strip() or not ruling.is_override
        else (Problem("because_missing", "because"),)
    )


def _about(penalty: Penalty) -> dict[str, Any]:
    return {
        "penalty": str(penalty.uuid),
        "foul": penalty.foul,
        "player": penalty.player.number,
        "hand": penalty.hand_number,
        "effects": penalty.effects,
        "sanction": penalty.sanction,
    } | ({"proposed": penalty.proposed, "because": penalty.because} if penalty.proposed is not None else {})
