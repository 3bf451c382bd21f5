"""Open, rule and settle appeals."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.play import Appeal, Session, Table
from tournament.base.validation import check, problems_of
from tournament.fouls import texts as actions
from tournament.fouls.selectors import (
    committee_problems,
    concerned_accounts,
    is_among,
    is_remedied,
    require_can_rule_on,
)
from tournament.play.engine.judge import NOT_AT_THIS_TABLE
from tournament.play.selectors.clock import appeals_until, is_final
from tournament.play.selectors.hands import unplayed_hand_problems
from tournament.play.selectors.tables import (
    current_hand,
    find_by_uuid,
    fresh_table,
    log_place,
)
from tournament.play.services.tables import (
    SESSION_NOT_STARTED,
    fresh,
)

APPEALS_ARE_OVER = problem_code(
    "appeals_are_over", "Appeals against session {session} could be made until {until}."
)
APPEALS_AT_ONCE = problem_code(
    "appeals_at_once",
    "Play has continued: questions must be raised at once, before the next hand.",
    also=("session",),
)
APPEAL_TEXT_MISSING = problem_code("appeal_text_missing", "Say what the appeal is about.")
APPEAL_ABOUT_BOTH = problem_code(
    "appeal_about_both", "An appeal is against a hand or against a penalty, not both."
)
PENALTY_UNKNOWN = problem_code(
    "penalty_unknown", "There is no such penalty at this table, or it has already been cancelled."
)
RULING_MISSING = problem_code("ruling_missing", "Give the decision and the reason.")
APPEAL_RULED_ALREADY = problem_code("appeal_ruled_already", "This appeal has already been decided.")
RULED_BY_WHO_DECIDED = problem_code(
    "ruled_by_who_decided",
    "You took the decision being appealed. Another umpire or the organiser must rule on it.",
)
ALONE_BECAUSE_MISSING = problem_code(
    "alone_because_missing",
    "You took the decision being appealed. Give a reason why nobody else can rule on it.",
)
NOTHING_TO_CARRY_OUT = problem_code("nothing_to_carry_out", "There is nothing left to carry out.")
WAIVER_REASON_MISSING = problem_code(
    "waiver_reason_missing", "Say why nothing was changed, or what was done instead."
)


def open_appeal(
    table: Table,
    actor: Actor,
    player: int,
    text: str,
    hand_number: int | None = None,
    penalty: UUID | None = None,
    *,
    uuid: UUID,
) -> Appeal:
    """Record a player's appeal against a hand, a penalty, or the whole sheet. Idempotent for the same UUID.

    Appeals are possible from the start of the session to the end of the time for appeals (RULES §7). In a tournament
    without such a time they have to be made before the next hand is recorded (MCR, "settled immediately"). Raises
    Refused with every problem.
    """
    with log.write_at(table, actor, actions.APPEAL_OPENED, Right.ENTER) as entry:
        if (stored := find_by_uuid(Appeal, uuid, table)) is not None:
            return entry.unchanged(stored)
        table = fresh_table(table, entry.tournament)
        _check_in_time(table.session)
        appeal = Appeal(
            table=table, uuid=uuid, hand_number=hand_number, text=text.strip(), opened_by=actor.user
        )
        if penalty is not None:
            appeal.penalty = table.penalties.filter(cancelled_at=None, uuid=penalty).first()
        seat = next((seat for seat in table.seats.all() if seat.player.number == player), None)
        problems = [] if seat else [NOT_AT_THIS_TABLE("player", player=player)]
        if hand_number is not None:
            problems += unplayed_hand_problems(table, hand_number)
        if penalty is not None and hand_number is not None:
            problems.append(APPEAL_ABOUT_BOTH("penalty"))
        elif penalty is not None and appeal.penalty is None:
            problems.append(PENALTY_UNKNOWN("penalty"))
        problems += problems_of(appeal, only=["text"]) if appeal.text else [APPEAL_TEXT_MISSING("text")]
        if seat is None or problems:
            raise Refused(problems)
        if not entry.tournament.appeal_minutes and _is_hand_recorded_since(appeal):
            raise Refused(APPEALS_AT_ONCE(session=table.session.number))
        appeal.player, appeal.opened_at = seat.player, timezone.now()
        appeal.save()
        entry.data = _log_data(appeal) | {"about_hand": hand_number, "text": appeal.text}
        if appeal.penalty is not None:
            entry.data["about_penalty"] = {
                "uuid": str(appeal.penalty.uuid),
                "player": appeal.penalty.player.number,
                "foul": appeal.penalty.foul,
            }
    return appeal


def _check_in_time(session: Session) -> None:
    if session.state == Session.State.PLANNED:
        raise Refused(SESSION_NOT_STARTED(session=session.number))
    if is_final(session):
        until = timezone.localtime(appeals_until(session))
        raise Refused(APPEALS_ARE_OVER(session=session.number, until=f"{until:%H:%M}"))


def _is_hand_recorded_since(appeal: Appeal) -> bool:
    """Return whether a hand was recorded after the penalty or the hand; never for the whole sheet."""
    if appeal.penalty is not None:
        decided_at = appeal.penalty.given_at
    elif (
        appeal.hand_number is not None
        and (hand := current_hand(appeal.table, appeal.hand_number)) is not None
    ):
        decided_at = hand.recorded_at
    else:
        return False
    return appeal.table.hands.filter(replaces=None, recorded_at__gt=decided_at).exists()


def _log_data(appeal: Appeal) -> dict[str, Any]:
    return log_place(appeal.table) | {"appeal": str(appeal.uuid), "appellant": appeal.player.number}


def name_committee(appeal: Appeal, actor: Actor, members: Collection[Any]) -> Appeal:
    """Name the three users who alone may rule on the appeal, or nobody to remove its committee."""
    with log.write(appeal.table.session.tournament, actor, actions.COMMITTEE_NAMED, Right.RULE) as entry:
        appeal = _reload(appeal)
        if appeal.is_ruled:
            raise Refused(APPEAL_RULED_ALREADY())
        if set(members) == set(appeal.committee.all()):
            return entry.unchanged(appeal)
        if members and (problems := committee_problems(appeal, members)):
            raise Refused(problems)
        appeal.committee.set(members)
        entry.data = _log_data(appeal) | {"committee": sorted(member.pk for member in members)}
    return appeal


def rule_appeal(appeal: Appeal, actor: Actor, *, granted: bool, ruling: str, alone: str = "") -> Appeal:
    """Rule on an appeal. Raises Refused if it is already ruled, and with every other problem.

    Any member of its committee may rule for all of them; without a committee the chief umpire, and without a chief
    umpire the umpires of that table. Nobody rules on a decision of their own or at a table they play at, except an
    organiser who gives the reason, `alone`. A granted appeal stays open until it is carried out or waived.
    """
    require_can_rule_on(actor, appeal)
    with log.write(appeal.table.session.tournament, actor, actions.APPEAL_RULED, None) as entry:
        appeal = _reload(appeal)
        if appeal.is_ruled:
            raise Refused(APPEAL_RULED_ALREADY())
        is_own = is_among(actor, concerned_accounts(appeal))
        if is_own and not access.can_organise(actor, entry.tournament):
            raise Refused(RULED_BY_WHO_DECIDED())
        appeal.granted, appeal.ruling = granted, ruling.strip()
        appeal.alone_because = alone.strip() if is_own else ""
        problems = problems_of(appeal, only=["ruling", "alone_because"])
        if not appeal.ruling:
            problems.append(RULING_MISSING("ruling"))
        if is_own and not appeal.alone_because:
            problems.append(ALONE_BECAUSE_MISSING("alone"))
        if problems:
            raise Refused(problems)
        appeal.ruled_at, appeal.ruled_by = timezone.now(), actor.user
        appeal.save(update_fields=["granted", "ruling", "ruled_at", "ruled_by", "alone_because"])
        entry.data = _log_data(appeal) | {"granted": granted, "text": appeal.ruling}
        if committee := sorted(appeal.committee.values_list("pk", flat=True)):
            entry.data["committee"] = committee
        if appeal.alone_because:
            entry.data["alone_because"] = appeal.alone_because
        if granted and is_remedied(appeal):
            entry.data |= settle_appeals(appeal.table, actor, Q(pk=appeal.pk))
            appeal.refresh_from_db()
    return appeal


def _reload(appeal: Appeal) -> Appeal:
    return fresh(Appeal.objects.select_related("table__session__tournament", "player", "penalty"), appeal)


def waive_ruling(appeal: Appeal, actor: Actor, *, because: str) -> Appeal:
    """Close a granted appeal without carrying it out, for the reason `because`."""
    require_can_rule_on(actor, appeal)
    with log.write(appeal.table.session.tournament, actor, actions.RULING_WAIVED, None) as entry:
        appeal = _reload(appeal)
        if not appeal.is_pending:
            raise Refused(NOTHING_TO_CARRY_OUT())
        if not because.strip():
            raise Refused(WAIVER_REASON_MISSING("because"))
        appeal.settled_as, appeal.settled_because = Appeal.Settled.WAIVED, because.strip()
        check(appeal, only=["settled_because"])
        appeal.settled_at, appeal.settled_by = timezone.now(), actor.user
        appeal.save(update_fields=["settled_as", "settled_because", "settled_at", "settled_by"])
        entry.data = _log_data(appeal) | {"reason": appeal.settled_because}
    return appeal


def settle_appeals_for_hand(table: Table, actor: Actor, number: int) -> dict[str, Any]:
    """Mark the granted appeals against a corrected hand as carried out; return data for the log entry."""
    return settle_appeals(table, actor, Q(hand_number=number))


def settle_appeals(table: Table, actor: Actor, condition: Q) -> dict[str, Any]:
    pending = Appeal.objects.filter(condition, table=table, granted=True, settled_at=None)
    uuids = [str(uuid) for uuid in pending.order_by("pk").values_list("uuid", flat=True)]
    if not uuids:
        return {}
    pending.update(settled_as=Appeal.Settled.CARRIED_OUT, settled_at=timezone.now(), settled_by=actor.user)
    return {"rulings_carried_out": uuids}
