"""Recording, correcting and undoing hands."""

from collections.abc import Iterable
from uuid import UUID

from django.utils import timezone

from penalties.models import Penalty
from penalties.selectors import penalties_in_force
from scoring.engine.problems import problem_code
from tournament.base import access, hooks, log
from tournament.base.access import Actor, Right
from tournament.base.engine.entries import PENDING, WIN, HandEntry
from tournament.base.engine.rules import HANDS_PER_SESSION
from tournament.base.errors import Refused, UuidTaken
from tournament.base.models.log import Write
from tournament.base.models.people import Player
from tournament.base.models.play import Hand, Session, Table
from tournament.base.problems import SESSION_NOT_RUNNING
from tournament.base.sql import reread_sheet
from tournament.base.validation import problems_of
from tournament.play.engine.judge import Verdict
from tournament.play.selectors.absences import with_current_absences, with_recorded_absences
from tournament.play.selectors.clock import clock_of
from tournament.play.selectors.hands import adds_detail, verdict_on, with_vacated_seats
from tournament.play.selectors.tables import (
    can_undo,
    fresh_table,
)
from tournament.play.services.tables import TABLE_IS_IN, check_open, check_version, fresh, insert, recalculate
from tournament.play.texts import log as actions

ALREADY_RECORDED = problem_code(
    "already_recorded", "Hand {number} is already recorded. Open an appeal against it instead."
)
CANNOT_UNDO = problem_code("cannot_undo", "Hand {number} can no longer be undone. Correct it instead.")
HAND_ALREADY_UNDONE = problem_code(
    "hand_already_undone", "Hand {number} was undone in the meantime. Record it again."
)
NO_HAND_AFTER_SIXTEEN = problem_code(
    "no_hand_after_sixteen", "All {hands} hands of this session are recorded."
)
NOT_THE_NEXT_HAND = problem_code(
    "not_the_next_hand", "Hand {given} cannot be recorded: the next one is hand {next}."
)
UUID_OF_ANOTHER_HAND = problem_code("uuid_of_another_hand", "Another hand was already saved under this UUID.")
REASON_MISSING = problem_code("reason_missing", "Give a reason: corrections need one.")
HAND_NOT_IN_TIME = problem_code(
    "hand_not_in_time", "The time was up: hand {number} does not count and is not saved."
)


def record_hand(
    table: Table,
    actor: Actor,
    entry: HandEntry,
    *,
    number: int,
    uuid: UUID,
    in_time: bool | None = None,
    expected_version: int | None = None,
) -> Hand:
    """Record the table's next hand. Idempotent by `uuid`; raises UuidTaken if that hand has other content.

    `in_time`: after time is up, whether the umpire counts the hand; refused if False. If totals from paper count at
    the table, hands may be recorded after handing in too.
    """
    with log.write_at(table, actor, actions.HAND_RECORDED, Right.ENTER) as write:
        table, versions = _fresh_sheet(table, write)
        if (recorded := _find_recorded(versions, uuid, number, entry)) is not None:
            return write.unchanged(recorded)
        check_version(table, expected_version)
        check_open(table, actor)
        if table.is_in and not table.counts_totals:
            raise Refused(TABLE_IS_IN(table=table.number))
        if table.hands_played >= HANDS_PER_SESSION:
            raise Refused(NO_HAND_AFTER_SIXTEEN("number", hands=HANDS_PER_SESSION))
        if number != table.hands_played + 1:
            raise Refused(NOT_THE_NEXT_HAND("number", given=number, next=table.hands_played + 1))
        if entry.outcome == PENDING and table.session.state != Session.State.RUNNING:
            raise Refused(SESSION_NOT_RUNNING(session=table.session.number))
        entry, too_early = with_current_absences(table, entry)
        if too_early:
            raise Refused(too_early)
        if in_time is False:
            raise Refused(HAND_NOT_IN_TIME("in_time", number=number))
        undone = next((hand for hand in reversed(versions) if hand.number == number), None)
        standing = _standing_penalties(table)
        entry = with_vacated_seats(table, number, entry, standing)
        clock = clock_of(table.session, table)
        if clock is None or clock.stage != "over":
            in_time = None
        hand = _store(table, actor, entry, number, uuid, standing, replaces=undone, in_time=in_time)
        write.data = recalculate(table, [*_current(versions), hand], standing, **_hand_data(hand))
        if undone is not None:
            write.data |= hooks.merged(hooks.hand_replaced(table, actor, number))
    return hand


def _fresh_sheet(table: Table, write: Write) -> tuple[Table, list[Hand]]:
    """Read the table and all versions of its hands, under the lock of the write."""
    table, versions = reread_sheet(table)
    table.session.tournament = write.tournament
    write.session = table.session
    return table, versions


def _current(versions: Iterable[Hand]) -> list[Hand]:
    return [hand for hand in versions if hand.is_current]


def _standing_penalties(table: Table) -> list[Penalty]:
    return list(penalties_in_force(table)) if table.has_penalties else []


def _find_recorded(versions: Iterable[Hand], uuid: UUID, number: int, entry: HandEntry) -> Hand | None:
    """Return the hand of the table with this UUID, if any. Raises UuidTaken if it has other content.

    A UUID of another table is noticed when the row is stored.
    """
    stored = next((hand for hand in versions if hand.uuid == uuid), None)
    if stored is not None and not (stored.number == number and entry.repeats(stored.entry)):
        raise UuidTaken(UUID_OF_ANOTHER_HAND("uuid"))
    return stored


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
    in_time: bool | None = None,
) -> Hand:
    """Judge the entry and store it as a version of a hand. Raises Refused with every problem."""
    seats = {seat.wind: seat.player for seat in table.seated}
    numbers = {wind: player.number for wind, player in seats.items()}
    verdict = verdict_on(table, numbers, number, entry, standing)
    corrected = replaces if replaces is not None and correcting else None
    deepens = corrected is not None and adds_detail(corrected, entry, verdict)
    problems = list(verdict.problems)
    if corrected and not reason and not deepens:
        problems.append(REASON_MISSING("reason"))
    if problems:
        raise Refused(problems)
    player_of = {player.number: player for player in seats.values()}
    hand = Hand(
        table=table,
        number=number,
        uuid=uuid,
        outcome=entry.outcome,
        absent=list(entry.absent or ()),
        in_time=corrected.in_time if corrected else in_time,
        payments={str(player): points for player, points in verdict.payments.items()},
        version=replaces.version + 1 if replaces else 1,
        replaces=replaces,
        reason=reason,
        deepens=deepens,
        recorded_by=actor.user,
        recorded_at=timezone.now(),
    )
    if entry.outcome == WIN:
        _set_win(hand, entry, player_of)
        _set_score(hand, verdict, table.session.tournament.rulebook)
        if hand.overridden_because != (corrected.overridden_because if corrected else ""):
            access.require_at(actor, table, Right.JUDGE)
    elif entry.outcome == PENDING:
        hand.dispute, hand.claimants, hand.tiles = entry.dispute.strip(), list(entry.claimants), verdict.tiles
        if problems := problems_of(hand, only=["dispute"]):
            raise Refused(problems)
    insert(hand)
    return hand


def _set_win(hand: Hand, entry: HandEntry, player_of: dict[int, Player]) -> None:
    """Set players and announcement."""
    assert entry.winner is not None
    hand.winner = player_of[entry.winner]
    hand.discarder = None if entry.discarder is None else player_of[entry.discarder]
    hand.claimants = list(entry.claimants)
    announced = {"points": entry.points, "fans": dict(entry.fans) if entry.fans else None}
    hand.announced = {name: value for name, value in announced.items() if value is not None} or None
    hand.overridden_because = entry.override.strip()


def _set_score(hand: Hand, verdict: Verdict, rulebook: str) -> None:
    """Set points and fans, as judged."""
    hand.tiles = verdict.tiles
    hand.points = verdict.points
    hand.points_without_flowers = verdict.points_without_flowers
    hand.fans = [{"key": fan.key, "points": points, "count": times} for fan, times, points in verdict.fans]
    hand.scored_by = rulebook if hand.fans else ""
    if not verdict.overridden:
        hand.overridden_because = ""
    elif verdict.score is not None:
        hand.points_by_tiles = verdict.score.counted_points


def _hand_data(hand: Hand) -> dict[str, object]:
    """Return a hand's data for the log."""
    return {
        "hand": hand.number,
        "hand_version": hand.version,
        "uuid": str(hand.uuid),
        "outcome": hand.outcome,
        "winner": hand.winner.number if hand.winner else None,
        "discarder": hand.discarder.number if hand.discarder else None,
        "points": hand.points,
    } | _exceptions(hand)


def _exceptions(hand: Hand) -> dict[str, object]:
    """Return data for the log that most hands do not have: absent players, decisions of the umpire."""
    data: dict[str, object] = {"absent": hand.absent} if hand.absent else {}
    if hand.in_time:
        data["in_time"] = True
    if hand.overridden_because:
        data |= {"overridden_because": hand.overridden_because, "points_by_tiles": hand.points_by_tiles}
    if hand.is_pending:
        data |= {"dispute": hand.dispute, "claimants": hand.claimants}
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
    """Replace a hand by a new version; the old version is kept.

    A `reason` is required, except for a version that only adds detail; a new override serves as reason. Correcting
    what somebody else recorded, and overriding, need the right to judge. For a pending hand the correction is the
    ruling, which needs the right to rule.
    """
    table = hand.table
    with log.write_at(table, actor, actions.HAND_CORRECTED, Right.ENTER) as write:
        table, versions = _fresh_sheet(table, write)
        if (recorded := _find_recorded(versions, uuid, hand.number, entry)) is not None:
            return write.unchanged(recorded)
        check_version(table, expected_version)
        check_open(table, actor)
        old = next((row for row in _current(versions) if row.number == hand.number), None)
        if old is None:
            raise Refused(HAND_ALREADY_UNDONE("number", number=hand.number))
        if entry.outcome == PENDING:
            raise Refused(ALREADY_RECORDED("outcome", number=hand.number))
        if old.is_pending:
            reason_forbidden = f"the dispute at {table} is for somebody else to rule on"
            access.require_that(actor, lambda actor: access.can_rule(actor, table), reason_forbidden)
        entry, standing = with_recorded_absences(old, entry), _standing_penalties(table)
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
            write.change_action(actions.HAND_DETAILS_ADDED)
        elif old.recorded_by != actor.user:
            access.require_at(actor, table, Right.JUDGE)
        hands = sorted([*_current(versions), new], key=lambda row: row.number)
        write.data = recalculate(table, hands, standing, **_hand_data(new), reason=new.reason)
        if not new.deepens:
            write.data |= hooks.merged(hooks.hand_replaced(table, actor, new.number))
    return new


def undo_hand(hand: Hand, actor: Actor, *, expected_version: int | None = None) -> Hand:
    """Undo the hand just recorded; its row and log entries are kept. Idempotent.

    Allowed to whoever recorded it, within `UNDO_WITHIN`, for the table's last hand, unless it is a correction.
    """
    table = hand.table
    with log.write_at(table, actor, actions.HAND_UNDONE, Right.ENTER) as write:
        table = fresh_table(table, write.tournament)
        hand = fresh(Hand.objects.select_related("winner", "discarder"), hand)
        if not hand.is_current and not hasattr(hand, "replaced_by"):
            return write.unchanged(hand)
        check_version(table, expected_version)
        check_open(table, actor)
        if not can_undo(hand, table, actor):
            raise Refused(CANNOT_UNDO(number=hand.number))
        hand.is_current = False
        hand.save(update_fields=["is_current"])
        write.data = recalculate(table, **_hand_data(hand))
    return hand
