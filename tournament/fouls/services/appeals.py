"""Appeals: opening one in time, naming its committee, ruling on it, and carrying out the ruling."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from penalties.models import Penalty
from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused, refuse
from tournament.base.models.play import Appeal, Session, Table
from tournament.fouls.selectors import committee_problems, concerned, is_among, is_met, require_ruling_on
from tournament.play.engine.statements import Objection
from tournament.play.selectors.clock import appeals_until, is_final
from tournament.play.selectors.hands import not_begun
from tournament.play.selectors.tables import current_hand, fresh_table, place_of, written_before
from tournament.play.services.tables import fresh

LONGEST_TEXT = 2000
"""Characters of an appeal or a ruling, in forms and over the API."""


def open_appeal(table: Table, actor: Actor, objection: Objection, *, uuid: UUID) -> Appeal:
    """Put an objection on record. The same `uuid` again returns the appeal it made the first time.

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
        if problems := _objection_problems(table, objection, set(people), penalty):
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
        entry.data = _log_data(appeal) | {
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


def _objection_problems(
    table: Table, objection: Objection, players: set[int], penalty: Penalty | None
) -> list[Problem]:
    problems = []
    if objection.player not in players:
        problems.append(Problem("not_at_this_table", "player", {"player": objection.player}))
    if objection.hand_number is not None:
        problems += not_begun(table, objection.hand_number)
    if objection.penalty is not None and objection.hand_number is not None:
        problems.append(Problem("appeal_about_both", "penalty"))
    elif objection.penalty is not None and penalty is None:
        problems.append(Problem("penalty_unknown", "penalty"))
    if not objection.text.strip():
        problems.append(Problem("appeal_text_missing", "text"))
    return problems


def _play_has_gone_on(table: Table, hand: int | None, penalty: Penalty | None) -> bool:
    """Whether a hand was recorded since the decision: the whole sheet is open to questions as long as it is played."""
    if penalty is not None:
        decided = penalty.given_at
    elif hand is not None and (recorded := current_hand(table, hand)) is not None:
        decided = recorded.recorded_at
    else:
        return False
    return table.hands.filter(replaces=None, recorded_at__gt=decided).exists()


def _log_data(appeal: Appeal) -> dict[str, Any]:
    return place_of(appeal.table) | {"appeal": str(appeal.uuid), "appellant": appeal.player.number}


def name_committee(appeal: Appeal, actor: Actor, members: Collection[Any]) -> Appeal:
    """Name the three accounts who alone rule on it from now on; none: whoever may rule on any appeal there."""
    access.require(actor, appeal.table.session.tournament, Right.RULE)
    with log.write(appeal.table.session.tournament, actor, "committee_named") as entry:
        appeal = fresh(Appeal.objects.select_related("table__session__tournament", "player"), appeal)
        if appeal.is_ruled:
            raise refuse("appeal_ruled_already")
        if set(members) == set(appeal.committee.all()):
            entry.unchanged()
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
    with log.write(appeal.table.session.tournament, actor, "appeal_ruled") as entry:
        appeal = _fresh(appeal)
        if appeal.is_ruled:
            raise refuse("appeal_ruled_already")
        own = is_among(actor, concerned(appeal))
        if own and not access.can_organise(actor, entry.tournament):
            raise refuse("ruled_by_who_decided")
        if problems := [
            *_missing_text("ruling_missing", "ruling", ruling),
            *(_missing_text("alone_because_missing", "alone", alone) if own else ()),
        ]:
            raise Refused(problems)
        appeal.granted, appeal.ruling = granted, ruling.strip()
        appeal.ruled_at, appeal.ruled_by = timezone.now(), actor.user
        appeal.alone_because = alone.strip() if own else ""
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


def _missing_text(code: str, where: str, text: str) -> tuple[Problem, ...]:
    return () if text.strip() else (Problem(code, where),)


def waive_ruling(appeal: Appeal, actor: Actor, *, because: str) -> Appeal:
    """Close a granted appeal after which nothing is changed, or something else was done: `because` says which."""
    require_ruling_on(actor, appeal)
    with log.write(appeal.table.session.tournament, actor, "ruling_waived") as entry:
        appeal = _fresh(appeal)
        if not appeal.is_pending:
            raise refuse("nothing_to_carry_out")
        if problems := _missing_text("waiver_reason_missing", "because", because):
            raise Refused(problems)
        appeal.settled_as, appeal.settled_because = Appeal.Settled.WAIVED, because.strip()
        appeal.settled_at, appeal.settled_by = timezone.now(), actor.user
        appeal.save(update_fields=["settled_as", "settled_because", "settled_at", "settled_by"])
        entry.data = _log_data(appeal) | {"reason": appeal.settled_because}
    return appeal


def carry_out_for_hand(table: Table, actor: Actor, number: int) -> dict[str, Any]:
    """Carry out what was granted against a hand, now that it was recorded anew. Return data for that write's log."""
    return _carried_out(table, actor, Q(hand_number=number))


def carry_out_for_penalty(penalty: Penalty, actor: Actor) -> dict[str, Any]:
    """Carry out what was granted against a penalty, now that it is cancelled. Return data for that write's log."""
    return _carried_out(penalty.table, actor, Q(penalty=penalty))


def _carried_out(table: Table, actor: Actor, which: Q) -> dict[str, Any]:
    pending = Appeal.objects.filter(which, table=table, granted=True, settled_at=None)
    uuids = [str(uuid) for uuid in pending.order_by("pk").values_list("uuid", flat=True)]
    if not uuids:
        return {}
    pending.update(settled_as=Appeal.Settled.CARRIED_OUT, settled_at=timezone.now(), settled_by=actor.user)
    return {"rulings_carried_out": uuids}
