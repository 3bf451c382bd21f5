"""Give and cancel penalties, change a tournament's foul book, and open, rule and settle appeals."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from penalties.engine import Foul, Names, Origin, find_foul_book
from penalties.engine.escalation import FOUL_UNKNOWN
from penalties.engine.rules import Rule
from penalties.engine.sanctions import NO_SANCTION
from penalties.engine.sources import HOUSE_RULE
from penalties.models import Penalty
from penalties.selectors import exclusion_from
from scoring.engine.problems import problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.engine.rules import Attendance
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Appeal, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import NAME_MISSING
from tournament.base.validation import check, problems_of
from tournament.fouls import texts as actions
from tournament.fouls.selectors import (
    assess,
    committee_problems,
    concerned_accounts,
    is_among,
    is_remedied,
    require_can_rule_on,
)
from tournament.play.engine.judge import NOT_AT_THIS_TABLE
from tournament.play.engine.statements import Accusation
from tournament.play.selectors.clock import appeals_until, is_final
from tournament.play.selectors.hands import unplayed_hand_problems
from tournament.play.selectors.tables import (
    can_undo_penalty,
    current_hand,
    find_by_uuid,
    fresh_table,
    log_place,
)
from tournament.play.services.absences import clear_stand_ins
from tournament.play.services.tables import (
    SESSION_NOT_STARTED,
    check_open,
    check_version,
    fresh,
    fresh_open_table,
    recalculate,
    void_signatures,
)

CANNOT_UNDO_PENALTY = problem_code(
    "cannot_undo_penalty", "The penalty can no longer be undone. An umpire cancels it, with a reason."
)
FOUL_BOOK_FULL = problem_code(
    "foul_book_full", "A foul book has at most {most} house fouls. Remove one first."
)
FOUL_IN_USE = problem_code("foul_in_use", "There are penalties for this foul, so it stays in the book.")
BECAUSE_MISSING = problem_code(
    "because_missing", "Give a reason: a sanction other than the foul book’s needs one."
)
SANCTION_MISSING = problem_code("sanction_missing", "The foul book leaves the sanction to you: choose one.")
CANCEL_REASON_MISSING = problem_code("cancel_reason_missing", "Give a reason for cancelling the penalty.")
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

MAX_HOUSE_FOULS: Final = 20
"""The umpire's printed card has room for this many besides the fouls of the rulebook."""


def give_penalty(
    table: Table, actor: Actor, accusation: Accusation, *, uuid: UUID, expected_version: int | None = None
) -> Penalty:
    """Give a penalty: the foul book's sanction, or another one with a reason, which takes the right JUDGE.

    Idempotent for the same UUID. Raises Refused with every problem.
    """
    with log.write_at(table, actor, actions.PENALTY_GIVEN, Right.ENTER) as entry:
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
        entry.data |= _settle_appeals(table, actor, Q(penalty=penalty))
    return penalty


def show_penalties(tournament: Tournament, actor: Actor, *, public: bool) -> Tournament:
    """Set whether everybody sees the penalties, or only organisers and umpires."""
    with log.write(tournament, actor, actions.PENALTIES_SHOWN, Right.ORGANISE) as entry:
        tournament = entry.tournament
        if tournament.penalties_public == public:
            return entry.unchanged(tournament)
        tournament.penalties_public = public
        tournament.save(update_fields=["penalties_public"])
        entry.data = {"public": public}
    return tournament


def change_foul(
    tournament: Tournament, actor: Actor, key: str, rule: Rule, names: Names | None = None
) -> Foul:
    """Change the rule of a foul, and the name of a house foul. Existing penalties stay."""
    with log.write(tournament, actor, actions.FOUL_CHANGED, Right.ORGANISE) as entry:
        before = _foul_or_refuse(entry.tournament, key)
        is_house = before.origin is Origin.HOUSE
        after = replace(
            before,
            rule=rule,
            names=names if names is not None and is_house else before.names,
            origin=Origin.HOUSE if is_house else Origin.CHANGED,
        )
        if not after.names.en.strip():
            raise Refused(NAME_MISSING("name"))
        if replace(after, origin=before.origin) == before:
            return entry.unchanged(before)
        _store_rules(entry.tournament, fouls=entry.tournament.rules.fouls.with_fouls(after))
        entry.data = _foul_data(after) | {"before": before.rule.to_json()}
    return after


def _foul_or_refuse(tournament: Tournament, key: str) -> Foul:
    foul = tournament.rules.fouls.find(key)
    if foul is None:
        raise Refused(FOUL_UNKNOWN("foul", foul=key))
    return foul


def _store_rules(tournament: Tournament, **rules: Any) -> None:
    tournament.rules_snapshot = replace(tournament.rules, **rules).to_json()
    tournament.save(update_fields=["rules_snapshot"])


def _foul_data(foul: Foul) -> dict[str, Any]:
    return {"foul": foul.key, "names": foul.names.to_json(), "rule": foul.rule.to_json()}


def add_foul(tournament: Tournament, actor: Actor, names: Names, description: Names, rule: Rule) -> Foul:
    """Add a house foul at the end of the book. Raises Refused if it has no name or the book is full."""
    with log.write(tournament, actor, actions.FOUL_ADDED, Right.ORGANISE) as entry:
        if not names.en.strip():
            raise Refused(NAME_MISSING("name"))
        book = entry.tournament.rules.fouls
        if sum(foul.origin is Origin.HOUSE for foul in book.fouls) >= MAX_HOUSE_FOULS:
            raise Refused(FOUL_BOOK_FULL(most=MAX_HOUSE_FOULS))
        key = next(key for n in range(1, len(book.fouls) + 2) if not book.find(key := f"house_{n}"))
        foul = Foul(key, names, description, HOUSE_RULE, rule, Origin.HOUSE)
        _store_rules(entry.tournament, fouls=book.with_fouls(foul))
        entry.data = _foul_data(foul)
    return foul


def restore_foul(tournament: Tournament, actor: Actor, key: str) -> None:
    """Restore the rulebook's rule of a changed foul, or remove a house foul.

    Raises Refused for a house foul with penalties.
    """
    with log.write(tournament, actor, actions.FOUL_RESTORED, Right.ORGANISE) as entry:
        foul, book = _foul_or_refuse(entry.tournament, key), entry.tournament.rules.fouls
        original = find_foul_book(book.key).find(key)
        if foul.origin is Origin.BOOK:
            entry.mark_unchanged()
            return
        if original is not None:
            _store_rules(entry.tournament, fouls=book.with_fouls(original))
        elif Penalty.objects.filter(tournament=entry.tournament, foul=key).exists():
            raise Refused(FOUL_IN_USE())
        else:
            _store_rules(entry.tournament, fouls=book.without(key))
        entry.data = _foul_data(original or foul)


def set_attendance(tournament: Tournament, actor: Actor, attendance: Attendance) -> Attendance:
    """Set how absences, stand-ins and withdrawals count in the standings."""
    with log.write(tournament, actor, actions.ATTENDANCE_CHANGED, Right.ORGANISE) as entry:
        before = entry.tournament.rules.attendance
        if before == attendance:
            return entry.unchanged(attendance)
        if before.stand_in is not attendance.stand_in:
            # At tables with a stand-in the places are no longer those that were signed.
            seats = Seat.objects.filter(table__session__tournament=tournament).exclude(stand_in="")
            for table in Table.objects.filter(pk__in=seats.values("table")):
                void_signatures(table)
        _store_rules(entry.tournament, attendance=attendance)
        entry.data = attendance.to_json()
    return attendance


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
            entry.data |= _settle_appeals(appeal.table, actor, Q(pk=appeal.pk))
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
    return _settle_appeals(table, actor, Q(hand_number=number))


def _settle_appeals(table: Table, actor: Actor, condition: Q) -> dict[str, Any]:
    pending = Appeal.objects.filter(condition, table=table, granted=True, settled_at=None)
    uuids = [str(uuid) for uuid in pending.order_by("pk").values_list("uuid", flat=True)]
    if not uuids:
        return {}
    pending.update(settled_as=Appeal.Settled.CARRIED_OUT, settled_at=timezone.now(), settled_by=actor.user)
    return {"rulings_carried_out": uuids}
