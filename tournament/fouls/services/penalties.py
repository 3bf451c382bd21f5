"""Give, cancel and undo penalties, and show them to everybody."""

from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from penalties.engine.sanctions import NO_SANCTION
from penalties.models import Penalty
from penalties.selectors import exclusion_from
from scoring.engine.problems import problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.base.validation import check, problems_of
from tournament.fouls import texts as actions
from tournament.fouls.selectors import (
    assess,
)
from tournament.fouls.services.appeals import settle_appeals
from tournament.play.engine.statements import Accusation
from tournament.play.selectors.tables import (
    can_undo_penalty,
    find_by_uuid,
    fresh_table,
)
from tournament.play.services.absences import clear_stand_ins
from tournament.play.services.tables import (
    check_open,
    check_version,
    fresh_open_table,
    recalculate,
)

CANNOT_UNDO_PENALTY = problem_code(
    "cannot_undo_penalty", "The penalty can no longer be undone. An umpire cancels it, with a reason."
)
BECAUSE_MISSING = problem_code(
    "because_missing", "Give a reason: a sanction other than the foul book’s needs one."
)
SANCTION_MISSING = problem_code("sanction_missing", "The foul book leaves the sanction to you: choose one.")
CANCEL_REASON_MISSING = problem_code("cancel_reason_missing", "Give a reason for cancelling the penalty.")


def give_penalty(
    table: Table, actor: Actor, accusation: Accusation, *, uuid: UUID, expected_version: int | None = None
) -> Penalty:
    """Give a penalty: the foul book's sanction, or another one with a reason, which takes the right JUDGE.

    Idempotent for the same UUID. Raises Refused with every problem.
    """
    with log.write_at(table, actor, actions.PENALTY_CREATED, Right.ENTER) as entry:
        if (stored := find_by_uuid(Penalty, uuid, table)) is not None:
            return entry.unchanged(stored)
        table = fresh_table(table, entry.tournament)
        check_version(table, expected_version)
        check_open(table, actor, accusation.note, "note")
        assessment, because = assess(table, accusation), accusation.because.strip()
        problems = [
            *assessment.problems,
            *problems_of(Penalty(note=accusation.note, because=because), only=["note", "because"]),
        ]
        if assessment.is_override and not because:
            problems.append(BECAUSE_MISSING("because"))
        if assessment.is_discretionary and assessment.sanction == NO_SANCTION:
            problems.append(SANCTION_MISSING("sanction"))
        if problems:
            raise Refused(problems)
        if assessment.is_judgement:
            access.require_at(actor, table, Right.JUDGE)
        assert assessment.proposal is not None
        assert assessment.proposal.sanction is not None
        assert assessment.sanction is not None
        players = {player.number: player for player in Player.objects.filter(seats__table=table)}
        penalty = Penalty.objects.create(
            tournament=table.session.tournament,
            table=table,
            player=players[accusation.player],
            victim=players.get(accusation.victim) if accusation.victim is not None else None,
            uuid=uuid,
            foul=accusation.foul,
            hand_number=accusation.hand_number,
            facts=dict(accusation.details),
            occurrence=assessment.proposal.occurrence,
            sanction=assessment.sanction.to_json(),
            proposed=assessment.proposal.sanction.to_json() if assessment.is_override else None,
            because=because,
            effects={str(player): points for player, points in assessment.effects.items()},
            note=accusation.note,
            given_by=actor.user,
            given_at=timezone.now(),
        )
        _update_exclusion(penalty.player)
        entry.data = recalculate(table, **_penalty_data(penalty))
    return penalty


def _update_exclusion(player: Player) -> None:
    """Store whether the player's penalties exclude them from further play. Called within a write."""
    excluded_as, excluded_at = exclusion_from(Penalty.objects.filter(player=player, cancelled_at=None))
    if player.excluded_as == excluded_as:
        return
    player.excluded_as, player.excluded_at = excluded_as, excluded_at
    player.save(update_fields=["excluded_as", "excluded_at"])
    clear_stand_ins(player)


def _penalty_data(penalty: Penalty) -> dict[str, Any]:
    """Return the data of the log entry."""
    data = {
        "penalty": str(penalty.uuid),
        "foul": penalty.foul,
        "player": penalty.player.number,
        "hand": penalty.hand_number,
        "effects": penalty.effects,
        "sanction": penalty.sanction,
    }
    if penalty.proposed is not None:
        data["proposed"] = penalty.proposed
    if penalty.because:
        data["because"] = penalty.because
    return data


def cancel_penalty(
    penalty: Penalty, actor: Actor, *, reason: str, expected_version: int | None = None
) -> Penalty:
    """Cancel a penalty: it stays on record, and its points no longer count. Idempotent."""
    return _cancel(penalty, actor, Right.JUDGE, reason.strip(), expected_version)


def undo_penalty(
    penalty: Penalty, actor: Actor, *, reason: str, expected_version: int | None = None
) -> Penalty:
    """Cancel a penalty that the actor gave by mistake less than `UNDO_WITHIN` ago, without the right JUDGE.

    `reason`: the text to store. Idempotent.
    """
    return _cancel(penalty, actor, Right.ENTER, reason, expected_version)


def _cancel(
    penalty: Penalty, actor: Actor, right: Right, reason: str, expected_version: int | None
) -> Penalty:
    with log.write_at(penalty.table, actor, actions.PENALTY_CANCELLED, right) as entry:
        penalty.refresh_from_db()
        if penalty.is_cancelled:
            return entry.unchanged(penalty)
        table = fresh_open_table(penalty.table, entry, actor, expected_version)
        if right is Right.ENTER and not can_undo_penalty(penalty, actor):
            raise Refused(CANNOT_UNDO_PENALTY())
        if not reason:
            raise Refused(CANCEL_REASON_MISSING("reason"))
        penalty.cancelled_at, penalty.cancelled_by = timezone.now(), actor.user
        penalty.cancelled_because = reason
        check(penalty, only=["cancelled_because"])
        penalty.save(update_fields=["cancelled_at", "cancelled_by", "cancelled_because"])
        _update_exclusion(penalty.player)
        entry.data = recalculate(table, **_penalty_data(penalty), reason=reason)
        entry.data |= settle_appeals(table, actor, Q(penalty=penalty))
    return penalty


def show_penalties(tournament: Tournament, actor: Actor, *, public: bool) -> Tournament:
    """Set whether everybody sees the penalties, or only organisers and umpires."""
    with log.write(tournament, actor, actions.PENALTY_VISIBILITY_SET, Right.ORGANISE) as entry:
        tournament = entry.tournament
        if tournament.penalties_public == public:
            return entry.unchanged(tournament)
        tournament.penalties_public = public
        tournament.save(update_fields=["penalties_public"])
        entry.data = {"public": public}
    return tournament
