"""Opening an appeal at a table, in time."""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone

from penalties.models import Penalty
from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Refused, refuse
from tournament.base.models.appeals import Appeal
from tournament.base.models.play import Session, Table
from tournament.play.engine.statements import Objection
from tournament.play.selectors.ends import appeals_until, is_final
from tournament.play.selectors.fresh import fresh_table
from tournament.play.selectors.records import current_hand, place_of, written_before
from tournament.play.selectors.restraints import not_begun


def open_appeal(table: Table, actor: Actor, objection: Objection, *, uuid: UUID) -> Appeal:
    """Put an objection on record. The same `uuid` again gives the appeal it made the first time.

    Possible from the gong until the time for appeals is over (RULES §7). Where there is none, a question is raised at
    once: not after play has gone on (MCR, "settled immediately").
    """
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "appeal_opened") as entry:
        if (known := written_before(Appeal, uuid, table)) is not None:
            entry.unchanged()
            return known
        table = fresh_table(table, entry.tournament)
        _check_in_time(table.session)
        people = {seat.player.number: seat.player for seat in table.seats.all()}
        standing = table.penalties.filter(cancelled_at=None)
        penalty = standing.filter(uuid=objection.penalty).first() if objection.penalty else None
        if problems := _problems(table, objection, set(people), penalty):
            raise Refused(problems)
        if not entry.tournament.appeal_minutes and _play_has_gone_on(table, objection.hand_number, penalty):
            raise refuse("appeals_at_once", session=table.session.number)
        appeal = Appeal.objects.create(
            table=table,
            uuid=uuid,
            player=people[objection.player],
            hand_number=objection.hand_number,
            penalty=penalty,
            text=objection.text.strip(),
            opened_at=timezone.now(),
            opened_by=actor.user,
        )
        entry.data = place_of(table) | {
            "appeal": str(uuid),
            "appellant": objection.player,
            "about_hand": objection.hand_number,
            "text": appeal.text,
        }
        if penalty is not None:
            entry.data["about_penalty"] = {
                "uuid": str(penalty.uuid),
                "player": penalty.player.number,
                "foul": penalty.foul,
            }
    return appeal


def _check_in_time(session: Session) -> None:
    if session.state == Session.State.PLANNED:
        raise refuse("session_not_started", session=session.number)
    if is_final(session):
        until = timezone.localtime(appeals_until(session))
        raise refuse("appeals_are_over", session=session.number, until=f"{until:%H:%M}")


def _play_has_gone_on(table: Table, hand: int | None, penalty: Penalty | None) -> bool:
    """Whether a hand was recorded since the decision: the whole sheet is open to questions as long as it is played."""
    if penalty is not None:
        decided = penalty.given_at
    elif hand is not None and (recorded := current_hand(table, hand)) is not None:
        decided = recorded.recorded_at
    else:
        return False
    return table.hands.filter(replaces=None, recorded_at__gt=decided).exists()


def _problems(
    table: Table, objection: Objection, players: set[int], penalty: Penalty | None
) -> list[Problem]:
    found = []
    if objection.player not in players:
        found.append(Problem("not_at_this_table", "player", {"player": objection.player}))
    if objection.hand_number is not None:
        found += not_begun(table, objection.hand_number)
    if objection.penalty is not None and objection.hand_number is not None:
        found.append(Problem("appeal_about_both", "penalty"))
    elif objection.penalty is not None and penalty is None:
        found.append(Problem("penalty_unknown", "penalty"))
    if not objection.text.strip():
        found.append(Problem("appeal_text_missing", "text"))
    return found
