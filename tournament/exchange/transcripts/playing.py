"""Play one table's session of a transcript through the services."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base.access import Actor
from tournament.base.engine.entries import HandEntry
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Absence, Appeal, Table
from tournament.exchange.transcripts.format import SeatEventKind
from tournament.exchange.transcripts.score_sheet import (
    SeatEvent,
    Sheet,
    SheetAppeal,
    place_in,
    refusals_at,
    uuid_of,
)
from tournament.fouls.services.appeals import open_appeal, rule_appeal, waive_ruling
from tournament.fouls.services.penalties import cancel_penalty, give_penalty
from tournament.play.engine.judge import NOT_AT_THIS_TABLE
from tournament.play.selectors.tables import current_hand
from tournament.play.services.absences import (
    begin_without,
    name_stand_in,
    record_absence,
    record_arrival,
    seat_player_again,
    seat_stand_in,
)
from tournament.play.services.hands import correct_hand, record_hand
from tournament.play.services.tables import cancel_signature, set_extra_time, sign
from tournament.play.services.totals import enter_totals
from tournament.players.services.players import reinstate_player, withdraw_player

NOT_MISSING = problem_code("not_missing", "Player {player} is not recorded as missing.")
NOTHING_CARRIES_IT_OUT = problem_code(
    "nothing_carries_it_out", "nothing on this sheet carries the ruling out."
)

DEFAULT_REASON: Final = "As it was written down."
"""Reason for a write that needs one, which a transcript does not contain."""
MAX_REASON_LENGTH: Final = 300
"""Characters in the reason for a correction, which is the text of the ruling."""

# --- A table's session ---


@dataclass(frozen=True)
class SheetReplay:
    """A table at which a sheet is played, and who writes."""

    table: Table
    sheet: Sheet
    umpire: Actor
    organiser: Actor
    limit: int | None = None
    """Number of hands to play, with what happened between them; None for the whole sheet."""

    @property
    def hands(self) -> tuple[HandEntry, ...]:
        return self.sheet.hands[: self.limit]

    def count(self, after: int | None) -> int:
        """Return the number of hands recorded before something; None means all."""
        return len(self.hands) if after is None else after

    def is_due(self, after: int | None, recorded: int) -> bool:
        """Return whether it is time for what happened `after` so many hands; None waits for the whole sheet."""
        return self.count(after) == recorded and (after is not None or self.limit is None)


def play_sheet(
    table: Table, sheet: Sheet, umpire: Actor, limit: int | None = None, *, organiser: Actor | None = None
) -> None:
    """Record a table's hands, at most `limit`, and what happened between them. Raises TranscriptError. Idempotent.

    Penalties are given at the same point as in the sheet: a dead hand bars only a win that is recorded later. The
    `organiser` rules on appeals and withdraws players.
    """
    replay = SheetReplay(table, sheet, umpire, organiser or umpire, limit)
    if sheet.extra_minutes:
        with refusals_at(place_in(table)):
            set_extra_time(table, umpire, sheet.extra_minutes, reason=DEFAULT_REASON)
    if sheet.totals is not None and limit is None:
        with refusals_at(place_in(table, "totals")):
            uuid = uuid_of(table, "totals")
            enter_totals(table, umpire, sheet.totals, uuid=uuid, hand_in=False)
    for recorded in range(len(replay.hands) + 1):
        if recorded:
            _record_hand(replay, recorded)
        _play_seat_events(replay, recorded)
        _give_penalties(replay, recorded, len(sheet.penalties))
        _play_appeals(replay, recorded)
    if limit is None:
        for n, appeal in enumerate(sheet.appeals, 1):
            _AppealReplay(replay, n, appeal).run(_AppealReplay.check_carried_out)
        _sign(replay)


def _record_hand(replay: SheetReplay, number: int) -> None:
    """Record a hand as it was before any correction that an appeal led to."""
    entry, uuid = _hand_versions(replay, number)[0], uuid_of(replay.table, f"hand/{number}")
    with refusals_at(place_in(replay.table, f"hand {number}")):
        record_hand(replay.table, replay.umpire, entry, number=number, uuid=uuid)


def _give_penalties(replay: SheetReplay, recorded: int, count: int) -> None:
    """Give those of the table's first `count` penalties that were given after `recorded` hands. Idempotent."""
    for n, penalty in enumerate(replay.sheet.penalties[:count], 1):
        is_due = replay.count(penalty.after) == recorded
        if penalty.after is None and replay.limit is not None:
            is_due = is_due and (penalty.foul.hand_number or 0) <= replay.limit
        if not is_due:
            continue
        with refusals_at(place_in(replay.table, f"penalty {n}")):
            give_penalty(replay.table, replay.umpire, penalty.foul, uuid=_penalty_uuid(replay, n))
            if penalty.cancelled and not _appeals_against(replay, n):
                _cancel_penalty(replay, n)


def _penalty_uuid(replay: SheetReplay, n: int) -> UUID:
    return uuid_of(replay.table, f"penalty/{n}")


def _cancel_penalty(replay: SheetReplay, n: int) -> None:
    penalty = replay.table.penalties.get(uuid=_penalty_uuid(replay, n))
    cancel_penalty(penalty, replay.umpire, reason=replay.sheet.penalties[n - 1].cancelled)


def _sign(replay: SheetReplay) -> None:
    """Sign for each player; those who disagreed sign first and then withdraw their signature."""
    for n, player in enumerate((*replay.sheet.disagreed, *replay.sheet.signed), 1):
        with refusals_at(place_in(replay.table, f"signature {n}")):
            sign(replay.table, replay.umpire, player)
            if n <= len(replay.sheet.disagreed):
                cancel_signature(replay.table, replay.umpire, player)


# --- Seats ---


def name_stand_ins(table: Table, sheet: Sheet, organiser: Actor) -> None:
    """Name, before the session, the stand-ins for players who have withdrawn."""
    for n, seat_event in enumerate(sheet.seat_events, 1):
        player = _player_at(table, seat_event.player)
        if player is not None and _is_named_before(seat_event, sheet, player):
            with refusals_at(place_in(table, f"presence {n}")):
                name_stand_in(table, organiser, seat_event.player, seat_event.name)


def _is_named_before(seat_event: SeatEvent, sheet: Sheet, player: Player) -> bool:
    """Return whether a stand-in was named before the session, and not called during it."""
    is_first = seat_event is next(other for other in sheet.seat_events if other.player == seat_event.player)
    is_before_hands = seat_event.after == 0 or not sheet.hands
    return player.has_left and seat_event.kind is SeatEventKind.STAND_IN and is_before_hands and is_first


def _play_seat_events(replay: SheetReplay, recorded: int) -> None:
    """Play the seat events after `recorded` hands, each after the penalties that were given before it."""
    for n, seat_event in enumerate(replay.sheet.seat_events):
        if replay.is_due(seat_event.after, recorded):
            _give_penalties(replay, recorded, seat_event.after_penalties)
            with refusals_at(place_in(replay.table, f"presence {n + 1}")):
                _play_seat_event(replay, n, seat_event)


def _play_seat_event(replay: SheetReplay, n: int, seat_event: SeatEvent) -> None:
    table, umpire, number = replay.table, replay.umpire, seat_event.player
    player = _player_at(table, number)
    if player is None:
        raise Refused(NOT_AT_THIS_TABLE("player", player=number))
    match seat_event.kind:
        case SeatEventKind.ABSENT:
            since = timezone.now() - _lateness(replay, seat_event)
            record_absence(table, umpire, number, uuid=uuid_of(table, f"presence/{n + 1}"), since=since)
        case SeatEventKind.OTHERS_BEGIN:
            begin_without(_absence(table, number), umpire, seat_event.because)
        case SeatEventKind.ARRIVED:
            # Arrive as late as in the sheet, not after the seconds that the replay takes.
            absence = _absence(table, number)
            absent = [
                earlier
                for earlier in replay.sheet.seat_events[:n]
                if (earlier.kind, earlier.player) == (SeatEventKind.ABSENT, number)
            ][-1]
            record_arrival(absence, umpire, at=absence.since + _lateness(replay, absent))
        case SeatEventKind.STAND_IN:
            if not _is_named_before(seat_event, replay.sheet, player):
                seat_stand_in(table, umpire, number, seat_event.name)
        case SeatEventKind.BACK:
            seat_player_again(table, umpire, number)
        case SeatEventKind.WITHDRAWN:
            withdraw_player(player, replay.organiser)
        case SeatEventKind.READMITTED:
            reinstate_player(player, replay.organiser)


def _player_at(table: Table, number: int) -> Player | None:
    return Player.objects.filter(seats__table=table, number=number).first()


def _lateness(replay: SheetReplay, absent: SeatEvent) -> timedelta:
    """Return how late an absent player was; the length of the session if the player did not arrive."""
    session_minutes = replay.table.session.minutes + replay.sheet.extra_minutes
    return timedelta(minutes=session_minutes if absent.minutes is None else absent.minutes)


def _absence(table: Table, player: int) -> Absence:
    absence = table.absences.filter(player__number=player, cancelled_at=None).first()
    if absence is None:
        raise Refused(NOT_MISSING("player", player=player))
    return absence


# --- Appeals ---


def _play_appeals(replay: SheetReplay, recorded: int) -> None:
    """Open all appeals that were opened after `recorded` hands, rule on those due, then carry the rulings out."""
    appeal_replays = [_AppealReplay(replay, n, appeal) for n, appeal in enumerate(replay.sheet.appeals, 1)]
    for appeal_replay in appeal_replays:
        if replay.is_due(appeal_replay.appeal.after, recorded):
            appeal_replay.run(_AppealReplay.open)
    due = [appeal_replay for appeal_replay in appeal_replays if appeal_replay.is_ruled_after(recorded)]
    for step in (_AppealReplay.rule, _AppealReplay.carry_out):
        for appeal_replay in due:
            appeal_replay.run(step)


@dataclass(frozen=True)
class _AppealReplay:
    """The `n`th appeal of a sheet that is being played."""

    replay: SheetReplay
    n: int
    appeal: SheetAppeal

    def run(self, step: Callable[[_AppealReplay], None]) -> None:
        """Run one of the methods below; a refusal names this appeal."""
        with refusals_at(place_in(self.replay.table, f"appeal {self.n}")):
            step(self)

    def is_ruled_after(self, recorded: int) -> bool:
        """Return whether to rule after `recorded` hands: at once, or after the hand that carried the ruling out."""
        after, hand = self.appeal.after, self.appeal.hand
        if after is not None and hand is not None and self.appeal.carried_out and self.appeal.was is None:
            after = min(max(after, hand), len(self.replay.sheet.hands))
        return self.replay.is_due(after, recorded)

    def open(self) -> None:
        appeal = self.appeal
        penalty = None if appeal.penalty is None else _penalty_uuid(self.replay, appeal.penalty)
        open_appeal(
            *(self.replay.table, self.replay.umpire, appeal.player, appeal.text, appeal.hand, penalty),
            uuid=self._uuid,
        )

    def rule(self) -> None:
        appeal, stored, organiser = self.appeal, self._stored, self.replay.organiser
        if appeal.granted is None or stored.is_ruled:
            return
        ruled = rule_appeal(
            stored, organiser, granted=appeal.granted, ruling=appeal.ruling, alone=DEFAULT_REASON
        )
        if appeal.waived:
            waive_ruling(ruled, organiser, because=appeal.waived)

    def carry_out(self) -> None:
        if self.appeal.was is not None and self.appeal.hand is not None:
            self._correct_hand(self.appeal.hand)
        if self.appeal.penalty is not None:
            self._cancel_after_last_appeal(self.appeal.penalty)

    def _correct_hand(self, number: int) -> None:
        """Correct the hand to the version at the next appeal, or the last; not if an earlier appeal did so."""
        versions = _hand_versions(self.replay, number)
        corrections = _appeals_with_correction(self.replay, number)
        index = next(n for n, appeal in enumerate(corrections) if appeal is self.appeal)
        corrected, is_last = versions[index + 1], index + 2 == len(versions)
        hand = current_hand(self.replay.table, number)
        if hand is None:
            raise Refused(NOTHING_CARRIES_IT_OUT())
        if is_last or corrected != versions[index]:
            uuid = uuid_of(self.replay.table, f"appeal/{self.n}/hand")
            reason = self.appeal.ruling[:MAX_REASON_LENGTH]
            actor = self.replay.organiser if hand.is_pending else self.replay.umpire
            correct_hand(hand, actor, corrected, reason=reason, uuid=uuid)

    def _cancel_after_last_appeal(self, n: int) -> None:
        """Cancel a penalty if the sheet does and this is the last appeal against it."""
        is_last = self.appeal is _appeals_against(self.replay, n)[-1]
        if is_last and self.replay.sheet.penalties[n - 1].cancelled:
            _cancel_penalty(self.replay, n)

    def check_carried_out(self) -> None:
        """Raise Refused if the sheet says that the ruling was carried out and it was not."""
        if self.appeal.carried_out and self._stored.settled_as != Appeal.Settled.CARRIED_OUT:
            raise Refused(NOTHING_CARRIES_IT_OUT())

    @property
    def _stored(self) -> Appeal:
        return self.replay.table.appeals.get(uuid=self._uuid)

    @property
    def _uuid(self) -> UUID:
        return uuid_of(self.replay.table, f"appeal/{self.n}")


def _hand_versions(replay: SheetReplay, number: int) -> list[HandEntry]:
    """Return the hand at each appeal that led to a correction, and the hand in the end."""
    corrections = _appeals_with_correction(replay, number)
    return [*(appeal.was for appeal in corrections if appeal.was), replay.sheet.hands[number - 1]]


def _appeals_with_correction(replay: SheetReplay, number: int) -> list[SheetAppeal]:
    return [appeal for appeal in replay.sheet.appeals if appeal.hand == number and appeal.was is not None]


def _appeals_against(replay: SheetReplay, penalty: int) -> list[SheetAppeal]:
    return [appeal for appeal in replay.sheet.appeals if appeal.penalty == penalty]
