"""Recording a hand, correcting one, and taking the last one back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from penalties.models import Penalty
from penalties.selectors import standing_at
from scoring.engine.problems import Problem
from tournament import access, log
from tournament.access import Actor
from tournament.engine.entry import WIN, HandEntry
from tournament.engine.judge import Verdict, judge
from tournament.engine.rotation import HANDS_PER_SESSION
from tournament.errors import Refused, refuse
from tournament.models import Hand, Table
from tournament.selectors.absences import absent_in
from tournament.services.empty_seats import seated_now, seated_then
from tournament.services.hand_facts import about, write_score, write_win
from tournament.services.restraints import barred_from_winning
from tournament.services.rulings import carry_out_for_hand
from tournament.services.tables import (
    check_open,
    check_version,
    current_hand,
    locked,
    seats_of,
    settle,
    written_before,
)

UNDO_WITHIN = timedelta(minutes=1)
"""How long the hand just recorded can be taken back without a reason; later it is corrected, with one."""


def judge_at(table: Table, number: int, entry: HandEntry) -> Verdict:
    """The verdict on `entry` as hand `number` of the table; stores nothing."""
    recorded = current_hand(table, number)
    sits = (seated_then(recorded, entry), ()) if recorded is not None else seated_now(table, entry)
    entry, too_early = sits
    verdict = _judged(table, seats_of(table), number, entry, standing_at(table))
    return replace(verdict, problems=(*too_early, *verdict.problems))


def _judged(
    table: Table, seats: dict[str, int], number: int, entry: HandEntry, standing: Iterable[Penalty]
) -> Verdict:
    barred = barred_from_winning(table, standing).get(number)
    return judge(table.session.tournament.rules, seats, number, entry, barred)


def record_hand(
    table: Table,
    actor: Actor,
    entry: HandEntry,
    *,
    number: int,
    uuid: UUID,
    expected_version: int | None = None,
) -> Hand:
    """Record the table's next hand. The same `uuid` again gives the hand it made the first time."""
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "hand_recorded") as write:
        if (known := written_before(Hand, uuid, table)) is not None:
            write.unchanged()
            return known
        table = locked(table, write.tournament)
        check_version(table, expected_version)
        check_open(table, actor)
        if table.is_in:
            raise refuse("table_is_in", table=table.number)
        if table.hands_played >= HANDS_PER_SESSION:
            raise refuse("no_hand_after_sixteen", "number", hands=HANDS_PER_SESSION)
        if number != table.hands_played + 1:
            raise refuse("not_the_next_hand", "number", given=number, next=table.hands_played + 1)
        entry, too_early = seated_now(table, entry)
        if too_early:
            raise Refused(too_early)
        taken_back = table.hands.filter(number=number).order_by("-version").first()
        standing = list(standing_at(table))
        hand = _store(table, actor, entry, number, uuid, standing, replaces=taken_back)
        write.data = settle(table, standing, **about(hand))
        if taken_back is not None:
            write.data |= carry_out_for_hand(table, actor, number)
    return hand


def correct_hand(
    hand: Hand,
    actor: Actor,
    entry: HandEntry,
    *,
    reason: str,
    uuid: UUID,
    expected_version: int | None = None,
) -> Hand:
    """Replace a hand by a new version; the old one stays in the record, with who, when and why.

    A version that only says more of the same hand needs no reason; a new override has one already.
    """
    table = hand.table
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "hand_corrected") as write:
        if (known := written_before(Hand, uuid, table)) is not None:
            write.unchanged()
            return known
        table = locked(table, write.tournament)
        check_version(table, expected_version)
        check_open(table, actor)
        old = current_hand(table, hand.number)
        if old is None:
            raise refuse("hand_taken_back", "number", number=hand.number)
        entry, standing = seated_then(old, entry), list(standing_at(table))
        old.is_current = False
        old.save(update_fields=["is_current"])
        if entry.override != old.overridden_because:
            reason = reason.strip() or entry.override
        new = _store(
            table,
            actor,
            entry,
            hand.number,
            uuid,
            standing,
            replaces=old,
            reason=reason.strip(),
            correcting=True,
        )
        if new.deepens:
            write.becomes("hand_deepened")
        write.data = settle(table, standing, **about(new), reason=new.reason)
        if not new.deepens:
            write.data |= carry_out_for_hand(table, actor, new.number)
    return new


def undo_hand(hand: Hand, actor: Actor, *, expected_version: int | None = None) -> Hand:
    """Take back the hand just recorded, as if it had not been; its row and both log entries stay.

    Only who recorded it can, within `UNDO_WITHIN`, and only the table's last hand. A correction is not undone.
    """
    table = hand.table
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "hand_undone") as write:
        table = locked(table, write.tournament)
        hand = Hand.objects.select_related("winner", "discarder").get(pk=hand.pk)
        if not hand.is_current and not hasattr(hand, "replaced_by"):
            write.unchanged()
            return hand
        check_version(table, expected_version)
        check_open(table, actor)
        if not can_undo(hand, table, actor):
            raise refuse("cannot_undo", number=hand.number)
        hand.is_current = False
        hand.save(update_fields=["is_current"])
        write.data = settle(table, **about(hand))
    return hand


def can_undo(hand: Hand, table: Table, actor: Actor) -> bool:
    """Whether `hand` is this table's last, was recorded by the actor a moment ago, and nothing was built on it."""
    return (
        hand.is_current
        and not hand.reason
        and not hand.deepens
        and not table.is_in
        and hand.number == table.hands_played
        and actor.user is not None
        and hand.recorded_by_id == actor.user.pk
        and timezone.now() - hand.recorded_at < UNDO_WITHIN
        and not table.penalties.filter(cancelled_at=None, hand_number__gt=hand.number).exists()
    )


def _store(
    table: Table,
    actor: Actor,
    entry: HandEntry,
    number: int,
    uuid: UUID,
    standing: Iterable[Penalty],
    replaces: Hand | None = None,
    reason: str = "",
    correcting: bool = False,
) -> Hand:
    seats = {seat.wind: seat.player for seat in table.seats.all()}
    numbers = {wind: player.number for wind, player in seats.items()}
    verdict = _judged(table, numbers, number, entry, standing)
    corrected = replaces if replaces is not None and correcting else None
    deepens = corrected is not None and says_more(corrected, entry, verdict)
    problems = list(verdict.problems)
    if corrected and not reason and not deepens:
        problems.append(Problem("reason_missing", "reason"))
    if problems:
        raise Refused(problems)
    people = {player.number: player for player in seats.values()}
    hand = Hand(
        table=table,
        number=number,
        uuid=uuid,
        outcome=entry.outcome,
        absent=list(entry.absent or ()),
        payments={str(player): points for player, points in verdict.payments.items()},
        version=replaces.version + 1 if replaces else 1,
        replaces=replaces,
        reason=reason,
        deepens=deepens,
        recorded_by=actor.user,
        recorded_at=timezone.now(),
    )
    if entry.outcome == WIN:
        write_win(hand, entry, people)
        write_score(hand, verdict, table.session.tournament.rulebook)
    hand.save(force_insert=True)
    return hand


def says_more(old: Hand, entry: HandEntry, verdict: Verdict) -> bool:
    """Whether `entry` is the old hand written down further, and counts for just the same."""
    before = old.entry
    same = (before.outcome, before.winner, before.discarder) == (entry.outcome, entry.winner, entry.discarder)
    same = same and (entry.absent is None or set(entry.absent) == set(absent_in(old)))
    counts = verdict.is_legal and verdict.points == old.points and not verdict.overridden
    return same and counts and entry.depth > before.depth and before.claimants == entry.claimants
