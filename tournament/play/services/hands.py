"""Recording a hand, correcting one, and taking the last one back."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.utils import timezone

from penalties.models import Penalty
from scoring.engine.problems import Problem
from tournament.base import access, hooks, log
from tournament.base.access import Actor
from tournament.base.engine.entries import WIN, HandEntry
from tournament.base.engine.rules import HANDS_PER_SESSION
from tournament.base.errors import Refused, refuse
from tournament.base.models.people import Player
from tournament.base.models.play import Hand, Table
from tournament.play.engine.judge import Verdict
from tournament.play.selectors.absences import seated_now, seated_then
from tournament.play.selectors.hands import says_more, verdict_on
from tournament.play.selectors.tables import (
    can_undo,
    fresh_sheet,
    fresh_table,
    hand_by_uuid,
    hands_that_count,
    newest_on_sheet,
    penalties_that_stand,
)
from tournament.play.services.tables import check_open, check_version, fresh, insert, settle


def record_hand(
    table: Table,
    actor: Actor,
    entry: HandEntry,
    *,
    number: int,
    uuid: UUID,
    expected_version: int | None = None,
) -> Hand:
    """Record the table's next hand. The same `uuid` again returns the hand it made the first time.

    Beside totals from paper a hand may be written down later, with the table in: the totals count on.
    """
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "hand_recorded") as write:
        table = _fresh_sheet(table, write)
        if (known := hand_by_uuid(table, uuid)) is not None:
            write.unchanged()
            return known
        check_version(table, expected_version)
        check_open(table, actor)
        if table.is_in and not table.counts_totals:
            raise refuse("table_is_in", table=table.number)
        if table.hands_played >= HANDS_PER_SESSION:
            raise refuse("no_hand_after_sixteen", "number", hands=HANDS_PER_SESSION)
        if number != table.hands_played + 1:
            raise refuse("not_the_next_hand", "number", given=number, next=table.hands_played + 1)
        entry, too_early = seated_now(table, entry)
        if too_early:
            raise Refused(too_early)
        taken_back = newest_on_sheet(table, number)
        standing = penalties_that_stand(table)
        hand = _store(table, actor, entry, number, uuid, standing, replaces=taken_back)
        write.data = settle(table, [*hands_that_count(table), hand], standing, **_hand_data(hand))
        if taken_back is not None:
            write.data |= hooks.merged(hooks.hand_replaced(table, actor, number))
    return hand


def _fresh_sheet(table: Table, write: log.Write) -> Table:
    """Read the table with its sheet under the lock of the write."""
    table = fresh_sheet(table, write.tournament)
    write.session = table.session
    return table


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
    """Judge the entry and store it as a version of a hand, or refuse it with all its problems."""
    seats = {seat.wind: seat.player for seat in table.seats.all()}
    numbers = {wind: player.number for wind, player in seats.items()}
    verdict = verdict_on(table, numbers, number, entry, standing)
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
        _write_win(hand, entry, people)
        _write_score(hand, verdict, table.session.tournament.rulebook)
        if hand.overridden_because != (corrected.overridden_because if corrected else ""):
            access.require_judge(actor, table)
    insert(hand)
    return hand


def _write_win(hand: Hand, entry: HandEntry, people: dict[int, Player]) -> None:
    """Set who won from whom, and what was announced."""
    assert entry.winner is not None
    hand.winner = people[entry.winner]
    hand.discarder = None if entry.discarder is None else people[entry.discarder]
    hand.claimants = list(entry.claimants)
    announced = {"points": entry.points, "fans": dict(entry.fans) if entry.fans else None}
    hand.announced = {name: value for name, value in announced.items() if value is not None} or None
    hand.overridden_because = entry.override.strip()


def _write_score(hand: Hand, verdict: Verdict, rulebook: str) -> None:
    """Set what the hand counts for: by its tiles or the fans named, as the rulebook says; or as many points as said."""
    hand.tiles = verdict.tiles
    hand.points = verdict.points
    hand.points_without_flowers = verdict.points_without_flowers
    hand.fans = [{"key": fan.key, "points": worth, "count": times} for fan, times, worth in verdict.fans]
    hand.scored_by = rulebook if hand.fans else ""
    if not verdict.overridden:
        hand.overridden_because = ""
    elif verdict.score is not None:
        hand.points_by_tiles = verdict.score.counted_points


def _hand_data(hand: Hand) -> dict[str, object]:
    """Describe the hand for the log entry of its write."""
    return {
        "hand": hand.number,
        "hand_version": hand.version,
        "uuid": str(hand.uuid),
        "outcome": hand.outcome,
        "winner": hand.winner.number if hand.winner else None,
        "discarder": hand.discarder.number if hand.discarder else None,
        "points": hand.points,
    } | _unusual(hand)


def _unusual(hand: Hand) -> dict[str, object]:
    """Say whose seats were empty, and what the umpire decided about the hand, where there was something to decide."""
    data: dict[str, object] = {"absent": hand.absent} if hand.absent else {}
    if hand.overridden_because:
        data |= {"overridden_because": hand.overridden_because, "points_by_tiles": hand.points_by_tiles}
    return data


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

    A version that only says more of the same hand needs no reason; a new override has one already. What somebody else
    entered is not corrected from a card on the table, and no hand is overridden from there.
    """
    table = hand.table
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "hand_corrected") as write:
        table = _fresh_sheet(table, write)
        if (known := hand_by_uuid(table, uuid)) is not None:
            write.unchanged()
            return known
        check_version(table, expected_version)
        check_open(table, actor)
        old = next((row for row in hands_that_count(table) if row.number == hand.number), None)
        if old is None:
            raise refuse("hand_taken_back", "number", number=hand.number)
        entry, standing = seated_then(old, entry), penalties_that_stand(table)
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
        elif old.recorded_by != actor.user:
            access.require_judge(actor, table)
        hands = sorted([*hands_that_count(table), new], key=lambda row: row.number)
        write.data = settle(table, hands, standing, **_hand_data(new), reason=new.reason)
        if not new.deepens:
            write.data |= hooks.merged(hooks.hand_replaced(table, actor, new.number))
    return new


def undo_hand(hand: Hand, actor: Actor, *, expected_version: int | None = None) -> Hand:
    """Take back the hand just recorded, as if it had not been; its row and both log entries stay. Idempotent.

    Only who recorded it can, within `UNDO_WITHIN`, and only the table's last hand. A correction is not undone.
    """
    table = hand.table
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "hand_undone") as write:
        table = fresh_table(table, write.tournament)
        hand = fresh(Hand.objects.select_related("winner", "discarder"), hand)
        if not hand.is_current and not hasattr(hand, "replaced_by"):
            write.unchanged()
            return hand
        check_version(table, expected_version)
        check_open(table, actor)
        if not can_undo(hand, table, actor):
            raise refuse("cannot_undo", number=hand.number)
        hand.is_current = False
        hand.save(update_fields=["is_current"])
        write.data = settle(table, **_hand_data(hand))
    return hand
