"""Playing one table's session through the services, each thing after as many hands as it was."""

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
from tournament.fouls.services import cancel_penalty, give_penalty, open_appeal, rule_appeal, waive_ruling
from tournament.play.engine.judge import NOT_AT_THIS_TABLE
from tournament.play.selectors.tables import current_hand
from tournament.play.services.absences import (
    begin_without,
    name_stand_in,
    note_absence,
    note_arrival,
    seat_player_again,
    seat_stand_in,
)
from tournament.play.services.hands import correct_hand, record_hand
from tournament.play.services.tables import set_extra_time, sign, take_signature_back
from tournament.play.services.totals import enter_totals
from tournament.players.services.players import readmit_player, withdraw_player

NOT_MISSING = problem_code("not_missing", "Player {player} is not recorded as missing.")
NOTHING_CARRIES_IT_OUT = problem_code(
    "nothing_carries_it_out", "nothing on this sheet carries the ruling out."
)

# --- A table’s session ---


DEFAULT_REASON: Final = "As it was written down."
"""Why, where a service asks for it and a transcript does not say."""


@dataclass(frozen=True)
class SheetReplay:
    """A table at which a written sheet is played: by whom, and how far.

    `limit`: so many hands at most, and what was between them; None for all of the sheet.
    """

    table: Table
    sheet: Sheet
    umpire: Actor
    organiser: Actor
    limit: int | None = None

    @property
    def hands(self) -> tuple[HandEntry, ...]:
        return self.sheet.hands[: self.limit]

    def count(self, after: int | None) -> int:
        """After how many hands, where it may be after all of them."""
        return len(self.hands) if after is None else after

    def is_due(self, after: int | None, recorded: int) -> bool:
        """Whether it is time for what was `after` so many hands; after all of them, only where all are played."""
        return self.count(after) == recorded and (after is not None or self.limit is None)


def play_sheet(
    table: Table, sheet: Sheet, umpire: Actor, limit: int | None = None, *, organiser: Actor | None = None
) -> None:
    """Write a table's hands, at most `limit`, and what happened between them.

    Hands, penalties and appeals that are written already stay. Each penalty is given when it was: a dead hand bars the
    win of a hand that is recorded after it. The `organiser` rules on appeals, and sees players leave.
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
            _record(replay, recorded)
        play_seat_events(replay, recorded)
        _give_penalties(replay, recorded, len(sheet.penalties))
        play_appeals(replay, recorded)
    if limit is None:
        for n, appeal in enumerate(sheet.appeals, 1):
            _AppealReplay(replay, n, appeal).take(_AppealReplay.check)
        _sign(replay)


def _record(replay: SheetReplay, number: int) -> None:
    """As the hand stood first, where appeals had it corrected since."""
    entry, uuid = hand_versions(replay, number)[0], uuid_of(replay.table, f"hand/{number}")
    with refusals_at(place_in(replay.table, f"hand {number}")):
        record_hand(replay.table, replay.umpire, entry, number=number, uuid=uuid)


def _give_penalties(replay: SheetReplay, recorded: int, upto: int) -> None:
    """Those given after so many hands, `upto` the n-th of the table; what is given already stays."""
    for n, penalty in enumerate(replay.sheet.penalties[:upto], 1):
        is_due = replay.count(penalty.after) == recorded
        if penalty.after is None and replay.limit is not None:
            is_due = is_due and (penalty.foul.hand_number or 0) <= replay.limit
        if not is_due:
            continue
        with refusals_at(place_in(replay.table, f"penalty {n}")):
            give_penalty(replay.table, replay.umpire, penalty.foul, uuid=penalty_uuid(replay, n))
            if penalty.cancelled and not appeals_against(replay, n):
                cancel_with_reason(replay, n)


def _sign(replay: SheetReplay) -> None:
    """Whoever took a signature back had given it before."""
    for n, player in enumerate((*replay.sheet.disagreed, *replay.sheet.signed), 1):
        with refusals_at(place_in(replay.table, f"signature {n}")):
            sign(replay.table, replay.umpire, player)
            if n <= len(replay.sheet.disagreed):
                take_signature_back(replay.table, replay.umpire, player)


# --- What happened to seats ---


def name_stand_ins(table: Table, sheet: Sheet, organiser: Actor) -> None:
    """Before the session: who plays in the seats of those who play no further."""
    for n, move in enumerate(sheet.moves, 1):
        player = _player_at(table, move.player)
        if player is not None and _is_named_before(move, sheet, player):
            with refusals_at(place_in(table, f"presence {n}")):
                name_stand_in(table, organiser, move.player, move.name)


def _is_named_before(move: SeatEvent, sheet: Sheet, player: Player) -> bool:
    from_the_gong = move.after == 0 or not sheet.hands
    is_first = move is next(other for other in sheet.moves if other.player == move.player)
    return player.has_left and move.what is SeatEventKind.STAND_IN and from_the_gong and is_first


def play_seat_events(replay: SheetReplay, recorded: int) -> None:
    """What happened after so many hands, in its order, and the penalties that were given before it."""
    for n, move in enumerate(replay.sheet.moves):
        if replay.is_due(move.after, recorded):
            _give_penalties(replay, recorded, move.after_penalties)
            with refusals_at(place_in(replay.table, f"presence {n + 1}")):
                _play_move(replay, n, move)


def _play_move(replay: SheetReplay, n: int, move: SeatEvent) -> None:
    table, umpire, number = replay.table, replay.umpire, move.player
    player = _player_at(table, number)
    if player is None:
        raise Refused(NOT_AT_THIS_TABLE("player", player=number))
    match move.what:
        case SeatEventKind.ABSENT:
            since = timezone.now() - _lateness(replay, move)
            note_absence(table, umpire, number, uuid=uuid_of(table, f"presence/{n + 1}"), since=since)
        case SeatEventKind.OTHERS_BEGIN:
            begin_without(_absence(table, number), umpire, move.because)
        case SeatEventKind.ARRIVED:
            # In the minute that is written, however few seconds a replay takes.
            absence = _absence(table, number)
            noted = [
                earlier
                for earlier in replay.sheet.moves[:n]
                if (earlier.what, earlier.player) == (SeatEventKind.ABSENT, number)
            ]
            note_arrival(absence, umpire, refusals_at=absence.since + _lateness(replay, noted[-1]))
        case SeatEventKind.STAND_IN:
            if not _is_named_before(move, replay.sheet, player):
                seat_stand_in(table, umpire, number, move.name)
        case SeatEventKind.BACK:
            seat_player_again(table, umpire, number)
        case SeatEventKind.WITHDRAWN:
            withdraw_player(player, replay.organiser)
        case SeatEventKind.READMITTED:
            readmit_player(player, replay.organiser)


def _lateness(replay: SheetReplay, absent: SeatEvent) -> timedelta:
    """How late who is absent came; who did not, for the table's whole session."""
    session = replay.table.session.minutes + replay.sheet.extra_minutes
    return timedelta(minutes=session if absent.minutes is None else absent.minutes)


def _absence(table: Table, player: int) -> Absence:
    absence = table.absences.filter(player__number=player, taken_back_at=None).first()
    if absence is None:
        raise Refused(NOT_MISSING("player", player=player))
    return absence


def _player_at(table: Table, number: int) -> Player | None:
    return Player.objects.filter(seats__table=table, number=number).first()


# --- Appeals ---


MAX_REASON_LENGTH: Final = 300
"""Characters of the reason for a correction, which is the ruling's."""


def hand_versions(replay: SheetReplay, number: int) -> list[HandEntry]:
    """The hand as it stood at each appeal that had it corrected, and in the end."""
    return [
        *(appeal.was for appeal in _appeals_with_correction(replay, number) if appeal.was),
        replay.sheet.hands[number - 1],
    ]


def _appeals_with_correction(replay: SheetReplay, number: int) -> list[SheetAppeal]:
    return [appeal for appeal in replay.sheet.appeals if appeal.hand == number and appeal.was is not None]


def penalty_uuid(replay: SheetReplay, n: int) -> UUID:
    return uuid_of(replay.table, f"penalty/{n}")


def cancel_with_reason(replay: SheetReplay, n: int) -> None:
    penalty = replay.table.penalties.get(uuid=penalty_uuid(replay, n))
    cancel_penalty(penalty, replay.umpire, reason=replay.sheet.penalties[n - 1].cancelled)


def appeals_against(replay: SheetReplay, penalty: int) -> list[SheetAppeal]:
    return [appeal for appeal in replay.sheet.appeals if appeal.penalty == penalty]


def play_appeals(replay: SheetReplay, recorded: int) -> None:
    """Those opened after so many hands, all before one of them is ruled; then what the rulings change."""
    appeal_replays = [_AppealReplay(replay, n, appeal) for n, appeal in enumerate(replay.sheet.appeals, 1)]
    for appeal_replay in appeal_replays:
        if replay.is_due(appeal_replay.appeal.after, recorded):
            appeal_replay.take(_AppealReplay.open)
    ruled = [appeal_replay for appeal_replay in appeal_replays if appeal_replay.is_ruled_after(recorded)]
    for step in (_AppealReplay.rule, _AppealReplay.carry_out):
        for appeal_replay in ruled:
            appeal_replay.take(step)


@dataclass(frozen=True)
class _AppealReplay:
    replay: SheetReplay
    n: int
    appeal: SheetAppeal

    def take(self, step: Callable[[_AppealReplay], None]) -> None:
        with refusals_at(place_in(self.replay.table, f"appeal {self.n}")):
            step(self)

    def is_ruled_after(self, recorded: int) -> bool:
        """At once; one about the hand under way, where recording that hand carried the ruling out, after it."""
        after, hand = self.appeal.after, self.appeal.hand
        if after is not None and hand is not None and self.appeal.carried_out and self.appeal.was is None:
            after = min(max(after, hand), len(self.replay.sheet.hands))
        return self.replay.is_due(after, recorded)

    def open(self) -> None:
        appeal = self.appeal
        against = None if appeal.penalty is None else penalty_uuid(self.replay, appeal.penalty)
        open_appeal(
            *(self.replay.table, self.replay.umpire, appeal.player, appeal.text, appeal.hand, against),
            uuid=self._uuid,
        )

    def rule(self) -> None:
        written, stored = self.appeal, self._stored
        if written.granted is None or stored.is_ruled:
            return
        organiser = self.replay.organiser
        ruled = rule_appeal(
            stored, organiser, granted=written.granted, ruling=written.ruling, alone=DEFAULT_REASON
        )
        if written.waived:
            waive_ruling(ruled, organiser, because=written.waived)

    def carry_out(self) -> None:
        if self.appeal.was is not None and self.appeal.hand is not None:
            self._correct(self.appeal.hand)
        if self.appeal.penalty is not None:
            self._cancel(self.appeal.penalty)

    def _cancel(self, n: int) -> None:
        """A penalty that was taken back, once the last appeal against it is heard."""
        is_last = self.appeal is appeals_against(self.replay, n)[-1]
        if is_last and self.replay.sheet.penalties[n - 1].cancelled:
            cancel_with_reason(self.replay, n)

    def _correct(self, number: int) -> None:
        """To what the next appeal found, or to how it ended: two appeals may have led to one correction."""
        states = hand_versions(self.replay, number)
        at_appeal = [appeal is self.appeal for appeal in _appeals_with_correction(self.replay, number)].index(
            True
        )
        then, is_last = states[at_appeal + 1], at_appeal + 2 == len(states)
        hand = current_hand(self.replay.table, number)
        if hand is None:
            raise Refused(NOTHING_CARRIES_IT_OUT())
        if is_last or then != states[at_appeal]:
            uuid = uuid_of(self.replay.table, f"appeal/{self.n}/hand")
            reason = self.appeal.ruling[:MAX_REASON_LENGTH]
            correct_hand(hand, self.replay.umpire, then, reason=reason, uuid=uuid)

    def check(self) -> None:
        """That the ruling was carried out, where that is written; once everything is played."""
        if self.appeal.carried_out and self._stored.settled_as != Appeal.Settled.CARRIED_OUT:
            raise Refused(NOTHING_CARRIES_IT_OUT())

    @property
    def _stored(self) -> Appeal:
        return self.replay.table.appeals.get(uuid=self._uuid)

    @property
    def _uuid(self) -> UUID:
        return uuid_of(self.replay.table, f"appeal/{self.n}")
