"""Recording a hand, correcting one, and taking the last one back."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from tournament import access, log
from tournament.access import Actor
from tournament.engine.judge import WIN, HandEntry, Verdict, judge
from tournament.engine.rotation import HANDS_PER_SESSION
from tournament.errors import Refused, refuse
from tournament.models import Hand, Player, Table
from tournament.services.restraints import barred_from_winning
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
    barred = barred_from_winning(table).get(number)
    return judge(table.session.tournament.rules, seats_of(table), number, entry, barred)


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
        taken_back = table.hands.filter(number=number).order_by("-version").first()
        hand = _store(table, actor, entry, number, uuid, replaces=taken_back)
        write.data = settle(table, **_about(hand))
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
    """Replace a hand by a new version; the old one stays in the record, with who, when and why."""
    table = hand.table
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "hand_corrected") as write:
        if (known := written_before(Hand, uuid, table)) is not None:
            write.unchanged()
            return known
        table = locked(table, write.tournament)
        check_version(table, expected_version)
        check_open(table, actor)
        if not reason.strip():
            raise refuse("reason_missing", "reason")
        old = current_hand(table, hand.number)
        assert old is not None, "a recorded number always has a current version"
        old.is_current = False
        old.save(update_fields=["is_current"])
        new = _store(table, actor, entry, hand.number, uuid, replaces=old, reason=reason.strip())
        write.data = settle(table, **_about(new), reason=new.reason)
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
        write.data = settle(table, **_about(hand))
    return hand


def can_undo(hand: Hand, table: Table, actor: Actor) -> bool:
    """Whether `hand` is this table's last, was recorded by the actor a moment ago, and nothing was built on it."""
    return (
        hand.is_current
        and not hand.reason
        and not table.is_in
        and hand.number == table.hands_played
        and actor.user is not None
        and hand.recorded_by_id == actor.user.pk
        and timezone.now() - hand.recorded_at < UNDO_WITHIN
    )


def _store(
    table: Table,
    actor: Actor,
    entry: HandEntry,
    number: int,
    uuid: UUID,
    replaces: Hand | None = None,
    reason: str = "",
) -> Hand:
    seats = {seat.wind: seat.player for seat in table.seats.all()}
    verdict = judge_at(table, number, entry)
    if not verdict.is_legal:
        raise Refused(verdict.problems)
    people = {player.number: player for player in seats.values()}
    hand = Hand(
        table=table,
        number=number,
        uuid=uuid,
        outcome=entry.outcome,
        payments={str(player): points for player, points in verdict.payments.items()},
        version=replaces.version + 1 if replaces else 1,
        replaces=replaces,
        reason=reason,
        recorded_by=actor.user,
        recorded_at=timezone.now(),
    )
    if entry.outcome == WIN:
        _write_score(hand, entry, verdict, people, table.session.tournament.rulebook)
    hand.save(force_insert=True)
    return hand


def _write_score(
    hand: Hand, entry: HandEntry, verdict: Verdict, people: dict[int, Player], rulebook: str
) -> None:
    assert entry.winner is not None
    hand.winner = people[entry.winner]
    hand.discarder = None if entry.discarder is None else people[entry.discarder]
    hand.tiles = verdict.tiles
    hand.points = verdict.points
    hand.points_without_flowers = verdict.points_without_flowers
    if verdict.score is None:
        return
    hand.fans = [
        {"key": counted.fan.key, "points": counted.points, "count": counted.count}
        for counted in verdict.score.fans
    ]
    hand.scored_by = rulebook


def _about(hand: Hand) -> dict[str, object]:
    """What the log and the live stream say of a hand."""
    return {
        "hand": hand.number,
        "hand_version": hand.version,
        "uuid": str(hand.uuid),
        "outcome": hand.outcome,
        "winner": hand.winner.number if hand.winner else None,
        "discarder": hand.discarder.number if hand.discarder else None,
        "points": hand.points,
    }
