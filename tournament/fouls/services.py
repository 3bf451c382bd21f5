"""Penalties, the foul book of a tournament, and appeals: opening, ruling and settling them."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from penalties.engine import Foul, Names, Origin, find_foul_book
from penalties.engine.escalation import FOUL_UNKNOWN
from penalties.engine.rules import Rule
from penalties.engine.sources import HOUSE_RULE
from penalties.models import Penalty
from penalties.selectors import exclusion
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
    concerned,
    is_among,
    is_met,
    require_ruling_on,
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

MOST_HOUSE_FOULS: Final = 20
"""An umpire's card has them on one side, with the fouls of the rulebook."""


def give_penalty(
    table: Table, actor: Actor, accusation: Accusation, *, uuid: UUID, expected_version: int | None = None
) -> Penalty:
    """Impose what the foul book says, or, as an umpire in person, another sanction with a reason.

    The same `uuid` again returns the penalty it made the first time.
    """
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, actions.PENALTY_GIVEN) as entry:
        if (known := find_by_uuid(Penalty, uuid, table)) is not None:
            entry.mark_unchanged()
            return known
        table = fresh_table(table, entry.tournament)
        check_version(table, expected_version)
        check_open(table, actor, accusation.note, "note")
        ruling, because = assess(table, accusation), accusation.because.strip()
        problems = [
            *ruling.problems,
            *problems_of(Penalty(note=accusation.note, because=because), only=["note", "because"]),
        ]
        if ruling.is_override and not because:
            problems.append(BECAUSE_MISSING("because"))
        if problems:
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
            because=because if ruling.is_override else "",
            effects={str(player): points for player, points in ruling.effects.items()},
            note=accusation.note,
            given_by=actor.user,
            given_at=timezone.now(),
        )
        _note_exclusion(penalty.player)
        entry.data = recalculate(table, **_penalty_data(penalty))
    return penalty


def _note_exclusion(player: Player) -> None:
    """Set what the player's standing penalties exclude them as; part of a write."""
    excluded_as, excluded_at = exclusion(Penalty.objects.filter(player=player, cancelled_at=None))
    if player.excluded_as == excluded_as:
        return
    player.excluded_as, player.excluded_at = excluded_as, excluded_at
    player.save(update_fields=["excluded_as", "excluded_at"])
    clear_stand_ins(player)


def _penalty_data(penalty: Penalty) -> dict[str, Any]:
    """Describe the penalty for the log."""
    data = {
        "penalty": str(penalty.uuid),
        "foul": penalty.foul,
        "player": penalty.player.number,
        "hand": penalty.hand_number,
        "effects": penalty.effects,
        "sanction": penalty.sanction,
    }
    if penalty.proposed is not None:
        data |= {"proposed": penalty.proposed, "because": penalty.because}
    return data


def cancel_penalty(
    penalty: Penalty, actor: Actor, *, reason: str, expected_version: int | None = None
) -> Penalty:
    """Take a penalty back. It stays in the record; its points return."""
    access.require_judge(actor, penalty.table)
    return _cancel(penalty, actor, reason.strip(), expected_version)


def undo_penalty(
    penalty: Penalty, actor: Actor, *, reason: str, expected_version: int | None = None
) -> Penalty:
    """Cancel the penalty that was given by a slip a moment ago; the record has both.

    Only who gave it can, within `UNDO_WITHIN`, from the table's card too. `reason`: what is stored as the reason.
    """
    access.require_umpire(actor, penalty.table)
    return _cancel(penalty, actor, reason, expected_version, is_undone=True)


def _cancel(
    penalty: Penalty, actor: Actor, reason: str, expected_version: int | None, *, is_undone: bool = False
) -> Penalty:
    with log.write(penalty.tournament, actor, actions.PENALTY_CANCELLED) as entry:
        penalty.refresh_from_db()
        if penalty.is_cancelled:
            entry.mark_unchanged()
            return penalty
        table = fresh_open_table(penalty.table, entry, actor, expected_version)
        if is_undone and not can_undo_penalty(penalty, actor):
            raise Refused(CANNOT_UNDO_PENALTY())
        if not reason:
            raise Refused(CANCEL_REASON_MISSING("reason"))
        penalty.cancelled_at, penalty.cancelled_by = timezone.now(), actor.user
        penalty.cancelled_because = reason
        check(penalty, only=["cancelled_because"])
        penalty.save(update_fields=["cancelled_at", "cancelled_by", "cancelled_because"])
        _note_exclusion(penalty.player)
        entry.data = recalculate(table, **_penalty_data(penalty), reason=reason)
        entry.data |= _carried_out(table, actor, Q(penalty=penalty))
    return penalty


def show_penalties(tournament: Tournament, actor: Actor, *, public: bool) -> Tournament:
    """Let everybody see who was penalised for what, or only those who run the tournament."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, actions.PENALTIES_SHOWN) as entry:
        changed = entry.tournament
        if changed.penalties_public == public:
            entry.mark_unchanged()
            return changed
        changed.penalties_public = public
        changed.save(update_fields=["penalties_public"])
        entry.data = {"public": public}
    return changed


def change_foul(
    tournament: Tournament, actor: Actor, key: str, rule: Rule, names: Names | None = None
) -> Foul:
    """Give a foul another rule from now on; a house foul can be renamed too. Earlier penalties stay as given."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, actions.FOUL_CHANGED) as entry:
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
            entry.mark_unchanged()
            return before
        _store(entry.tournament, fouls=entry.tournament.rules.fouls.having(after))
        entry.data = _foul_data(after) | {"before": before.rule.to_json()}
    return after


def _foul_or_refuse(tournament: Tournament, key: str) -> Foul:
    foul = tournament.rules.fouls.find(key)
    if foul is None:
        raise Refused(FOUL_UNKNOWN("foul", foul=key))
    return foul


def _store(tournament: Tournament, **rules: Any) -> None:
    tournament.rules_snapshot = replace(tournament.rules, **rules).to_json()
    tournament.save(update_fields=["rules_snapshot"])


def _foul_data(foul: Foul) -> dict[str, Any]:
    return {"foul": foul.key, "names": foul.names.to_json(), "rule": foul.rule.to_json()}


def add_foul(tournament: Tournament, actor: Actor, names: Names, description: Names, rule: Rule) -> Foul:
    """Add a house foul, at the end of the book."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, actions.FOUL_ADDED) as entry:
        if not names.en.strip():
            raise Refused(NAME_MISSING("name"))
        book = entry.tournament.rules.fouls
        if sum(foul.origin is Origin.HOUSE for foul in book.fouls) >= MOST_HOUSE_FOULS:
            raise Refused(FOUL_BOOK_FULL(most=MOST_HOUSE_FOULS))
        key = next(key for n in range(1, len(book.fouls) + 2) if not book.find(key := f"house_{n}"))
        foul = Foul(key, names, description, HOUSE_RULE, rule, Origin.HOUSE)
        _store(entry.tournament, fouls=book.having(foul))
        entry.data = _foul_data(foul)
    return foul


def restore_foul(tournament: Tournament, actor: Actor, key: str) -> None:
    """Restore a foul as in the rulebook; a house foul leaves the book, as long as nobody was penalised for it."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, actions.FOUL_RESTORED) as entry:
        foul, book = _foul_or_refuse(entry.tournament, key), entry.tournament.rules.fouls
        original = find_foul_book(book.key).find(key)
        if foul.origin is Origin.BOOK:
            entry.mark_unchanged()
            return
        if original is not None:
            _store(entry.tournament, fouls=book.having(original))
        elif Penalty.objects.filter(tournament=entry.tournament, foul=key).exists():
            raise Refused(FOUL_IN_USE())
        else:
            _store(entry.tournament, fouls=book.without(key))
        entry.data = _foul_data(original or foul)


def set_attendance(tournament: Tournament, actor: Actor, attendance: Attendance) -> Attendance:
    """Say what follows for the standings when a player is not there; they are worked out anew at once."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, actions.ATTENDANCE_CHANGED) as entry:
        before = entry.tournament.rules.attendance
        if before == attendance:
            entry.mark_unchanged()
            return attendance
        if before.stand_in is not attendance.stand_in:
            # Where a stand-in played, the places at the table are no longer those that were signed.
            stood_in = Seat.objects.filter(table__session__tournament=tournament).exclude(stand_in="")
            for table in Table.objects.filter(pk__in=stood_in.values("table")):
                void_signatures(table)
        _store(entry.tournament, attendance=attendance)
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
    """Put what a player objects to a hand, a penalty or the sheet on record. The same `uuid` is the same appeal.

    Possible from the gong until the time for appeals is over (RULES §7). Where there is none, a question is raised at
    once: not after play has gone on (MCR, "settled immediately").
    """
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, actions.APPEAL_OPENED) as entry:
        if (known := find_by_uuid(Appeal, uuid, table)) is not None:
            entry.mark_unchanged()
            return known
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
        if not entry.tournament.appeal_minutes and _play_has_gone_on(appeal):
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


def _play_has_gone_on(appeal: Appeal) -> bool:
    """Whether a hand was recorded since the decision: the whole sheet is open to questions as long as it is played."""
    if appeal.penalty is not None:
        decided = appeal.penalty.given_at
    elif (
        appeal.hand_number is not None
        and (hand := current_hand(appeal.table, appeal.hand_number)) is not None
    ):
        decided = hand.recorded_at
    else:
        return False
    return appeal.table.hands.filter(replaces=None, recorded_at__gt=decided).exists()


def _log_data(appeal: Appeal) -> dict[str, Any]:
    return log_place(appeal.table) | {"appeal": str(appeal.uuid), "appellant": appeal.player.number}


def name_committee(appeal: Appeal, actor: Actor, members: Collection[Any]) -> Appeal:
    """Name the three accounts who alone rule on it from now on; none: whoever may rule on any appeal there."""
    access.require(actor, appeal.table.session.tournament, Right.RULE)
    with log.write(appeal.table.session.tournament, actor, actions.COMMITTEE_NAMED) as entry:
        appeal = _fresh(appeal)
        if appeal.is_ruled:
            raise Refused(APPEAL_RULED_ALREADY())
        if set(members) == set(appeal.committee.all()):
            entry.mark_unchanged()
            return appeal
        if members and (problems := committee_problems(appeal, members)):
            raise Refused(problems)
        appeal.committee.set(members)
        entry.data = _log_data(appeal) | {"committee": sorted(member.pk for member in members)}
    return appeal


def rule_appeal(appeal: Appeal, actor: Actor, *, granted: bool, ruling: str, alone: str = "") -> Appeal:
    """Decide an appeal, with a text. It is ruled once: a second ruling is refused.

    The committee rules where one was named, by any of its members for all of them; else the chief umpire, and where
    none is, who judges at that table. Nobody rules on a decision of their own, nor at a table they play at; an
    organiser may, saying why there is nobody else (`alone`). A granted one stays open until it is carried out or
    waived.
    """
    require_ruling_on(actor, appeal)
    with log.write(appeal.table.session.tournament, actor, actions.APPEAL_RULED) as entry:
        appeal = _fresh(appeal)
        if appeal.is_ruled:
            raise Refused(APPEAL_RULED_ALREADY())
        own = is_among(actor, concerned(appeal))
        if own and not access.can_organise(actor, entry.tournament):
            raise Refused(RULED_BY_WHO_DECIDED())
        appeal.granted, appeal.ruling = granted, ruling.strip()
        appeal.alone_because = alone.strip() if own else ""
        problems = problems_of(appeal, only=["ruling", "alone_because"])
        if not appeal.ruling:
            problems.append(RULING_MISSING("ruling"))
        if own and not appeal.alone_because:
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
        if granted and is_met(appeal):
            entry.data |= _carried_out(appeal.table, actor, Q(pk=appeal.pk))
            appeal.refresh_from_db()
    return appeal


def _fresh(appeal: Appeal) -> Appeal:
    return fresh(Appeal.objects.select_related("table__session__tournament", "player", "penalty"), appeal)


def waive_ruling(appeal: Appeal, actor: Actor, *, because: str) -> Appeal:
    """Close a granted appeal after which nothing is changed, or something else was done: `because` says which."""
    require_ruling_on(actor, appeal)
    with log.write(appeal.table.session.tournament, actor, actions.RULING_WAIVED) as entry:
        appeal = _fresh(appeal)
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


def carry_out_for_hand(table: Table, actor: Actor, number: int) -> dict[str, Any]:
    """Carry out what was granted against a hand, now that it was recorded anew. Return data for that write's log."""
    return _carried_out(table, actor, Q(hand_number=number))


def _carried_out(table: Table, actor: Actor, which: Q) -> dict[str, Any]:
    pending = Appeal.objects.filter(which, table=table, granted=True, settled_at=None)
    uuids = [str(uuid) for uuid in pending.order_by("pk").values_list("uuid", flat=True)]
    if not uuids:
        return {}
    pending.update(settled_as=Appeal.Settled.CARRIED_OUT, settled_at=timezone.now(), settled_by=actor.user)
    return {"rulings_carried_out": uuids}
