"""Giving a penalty and taking one back; the foul book of a tournament, and what follows from absence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from django.utils import timezone

from penalties.engine import Foul, FoulBook, Names, Origin, find_foul_book
from penalties.engine.rules import Rule
from penalties.engine.sources import HOUSE_RULE
from penalties.models import Penalty
from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.engine.rules import Attendance
from tournament.base.errors import Refused, refuse
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.fouls.selectors import Assessment, assess
from tournament.fouls.services.appeals import carry_out_for_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.selectors.tables import can_undo_penalty, fresh_table, written_before
from tournament.play.services.tables import check_open, check_version, settle, void_signatures

MOST_HOUSE_FOULS: Final = 20
"""An umpire's card has them on one side, with the fouls of the rulebook."""


def give_penalty(
    table: Table, actor: Actor, accusation: Accusation, *, uuid: UUID, expected_version: int | None = None
) -> Penalty:
    """Impose what the foul book says, or, as an umpire in person, another sanction with a reason.

    The same `uuid` again returns the penalty it made the first time.
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
        if problems := (*ruling.problems, *_reason_problems(ruling, accusation)):
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
        entry.data = settle(table, **_penalty_data(penalty))
    return penalty


def _reason_problems(ruling: Assessment, accusation: Accusation) -> tuple[Problem, ...]:
    """Refuse another sanction than the book's without a reason."""
    if accusation.because.strip() or not ruling.is_override:
        return ()
    return (Problem("because_missing", "because"),)


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

    Only who gave it can, within `UNDO_WITHIN`, from the table's card too. `reason`: what is stored as the reason.
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
    """Cancel a penalty under the lock. Return the data for the log."""
    penalty.cancelled_at, penalty.cancelled_by = timezone.now(), actor.user
    penalty.cancelled_because = reason
    penalty.save(update_fields=["cancelled_at", "cancelled_by", "cancelled_because"])
    data = settle(table, **_penalty_data(penalty), reason=reason)
    return data | carry_out_for_penalty(penalty, actor)


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


def change_foul(
    tournament: Tournament, actor: Actor, key: str, rule: Rule, names: Names | None = None
) -> Foul:
    """Give a foul another rule from now on; a house foul can be renamed too. Earlier penalties stay as given."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "foul_changed") as entry:
        before = _foul_or_refuse(entry.tournament, key)
        is_house = before.origin is Origin.HOUSE
        after = replace(
            before,
            rule=rule,
            names=names if names is not None and is_house else before.names,
            origin=Origin.HOUSE if is_house else Origin.CHANGED,
        )
        if problems := _name_problems(after.names):
            raise Refused(problems)
        if after == before or replace(after, origin=before.origin) == before:
            entry.unchanged()
            return before
        _store(entry.tournament, entry.tournament.rules.fouls.having(after))
        entry.data = _foul_data(after) | {"before": before.rule.to_json()}
    return after


def _foul_or_refuse(tournament: Tournament, key: str) -> Foul:
    foul = tournament.rules.fouls.find(key)
    if foul is None:
        raise refuse("foul_unknown", "foul", foul=key)
    return foul


def _name_problems(names: Names) -> tuple[Problem, ...]:
    return () if names.en.strip() else (Problem("name_missing", "name"),)


def _store(tournament: Tournament, book: FoulBook) -> None:
    tournament.rules_snapshot = replace(tournament.rules, fouls=book).to_json()
    tournament.save(update_fields=["rules_snapshot"])


def _foul_data(foul: Foul) -> dict[str, Any]:
    return {"foul": foul.key, "names": foul.names.to_json(), "rule": foul.rule.to_json()}


def add_foul(tournament: Tournament, actor: Actor, names: Names, description: Names, rule: Rule) -> Foul:
    """Add a house foul, at the end of the book."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "foul_added") as entry:
        if problems := _name_problems(names):
            raise Refused(problems)
        book = entry.tournament.rules.fouls
        if sum(foul.origin is Origin.HOUSE for foul in book.fouls) >= MOST_HOUSE_FOULS:
            raise refuse("foul_book_full", most=MOST_HOUSE_FOULS)
        key = next(key for n in range(1, len(book.fouls) + 2) if not book.find(key := f"house_{n}"))
        foul = Foul(key, names, description, HOUSE_RULE, rule, Origin.HOUSE)
        _store(entry.tournament, book.having(foul))
        entry.data = _foul_data(foul)
    return foul


def restore_foul(tournament: Tournament, actor: Actor, key: str) -> None:
    """Restore a foul as in the rulebook; a house foul leaves the book, as long as nobody was penalised for it."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "foul_restored") as entry:
        foul, book = _foul_or_refuse(entry.tournament, key), entry.tournament.rules.fouls
        original = find_foul_book(book.key).find(key)
        if foul.origin is Origin.BOOK:
            entry.unchanged()
            return
        if original is not None:
            _store(entry.tournament, book.having(original))
        elif Penalty.objects.filter(tournament=entry.tournament, foul=key).exists():
            raise refuse("foul_in_use")
        else:
            _store(entry.tournament, book.without(key))
        entry.data = _foul_data(original or foul)


def set_attendance(tournament: Tournament, actor: Actor, attendance: Attendance) -> Attendance:
    """Say what follows for the standings when a player is not there; they are worked out anew at once."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "attendance_changed") as entry:
        before = entry.tournament.rules.attendance
        if before == attendance:
            entry.unchanged()
            return attendance
        if before.stand_in is not attendance.stand_in:
            _void_where_stood_in(entry.tournament)
        rules = replace(entry.tournament.rules, attendance=attendance)
        entry.tournament.rules_snapshot = rules.to_json()
        entry.tournament.save(update_fields=["rules_snapshot"])
        entry.data = attendance.to_json()
    return attendance


def _void_where_stood_in(tournament: Tournament) -> None:
    """Void the signatures where a stand-in played: the places at these tables are no longer those that were signed."""
    stood_in = Seat.objects.filter(table__session__tournament=tournament).exclude(stand_in="")
    for table in Table.objects.filter(pk__in=stood_in.values("table")):
        void_signatures(table)
