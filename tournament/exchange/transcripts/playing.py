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
from tournament.exchange.transcripts.format import What
from tournament.exchange.transcripts.score_sheet import Appealed, Move, Sheet, at, place, uuid_of
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


AS_WRITTEN: Final = "As it was written down."
"""Why, where a service asks for it and a transcript does not say."""


@dataclass(frozen=True)
class SheetDesk:
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


def write_sheet(
    table: Table, sheet: Sheet, umpire: Actor, limit: int | None = None, *, organiser: Actor | None = None
) -> None:
    """Write a table's hands, at most `limit`, and what happened between them.

    Hands, penalties and appeals that are written already stay. Each penalty is given when it was: a dead hand bars the
    win of a hand that is recorded after it. The `organiser` rules on appeals, and sees players leave.
    """
    desk = SheetDesk(table, sheet, umpire, organiser or umpire, limit)
    if sheet.extra_minutes:
        with at(place(table)):
            set_extra_time(table, umpire, sheet.extra_minutes, reason=AS_WRITTEN)
    if sheet.totals is not None and limit is None:
        with at(place(table, "totals")):
            uuid = uuid_of(table, "totals")
            enter_totals(table, umpire, sheet.totals, uuid=uuid, hand_in=False)
    for recorded in range(len(desk.hands) + 1):
        if recorded:
            _record(desk, recorded)
        move_seats(desk, recorded)
        _give_penalties(desk, recorded, len(sheet.penalties))
        hear_appeals(desk, recorded)
    if limit is None:
        for n, appeal in enumerate(sheet.appeals, 1):
            _Hearing(desk, n, appeal).take(_Hearing.check)
        _sign(desk)


def _record(desk: SheetDesk, number: int) -> None:
    """As the hand stood first, where appeals had it corrected since."""
    entry, uuid = versions(desk, number)[0], uuid_of(desk.table, f"hand/{number}")
    with at(place(desk.table, f"hand {number}")):
        record_hand(desk.table, desk.umpire, entry, number=number, uuid=uuid)


def _give_penalties(desk: SheetDesk, recorded: int, upto: int) -> None:
    """Those given after so many hands, `upto` the n-th of the table; what is given already stays."""
    for n, penalty in enumerate(desk.sheet.penalties[:upto], 1):
        is_due = desk.count(penalty.after) == recorded
        if penalty.after is None and desk.limit is not None:
            is_due = is_due and (penalty.foul.hand_number or 0) <= desk.limit
        if not is_due:
            continue
        with at(place(desk.table, f"penalty {n}")):
            give_penalty(desk.table, desk.umpire, penalty.foul, uuid=penalty_uuid(desk, n))
            if penalty.cancelled and not appeals_against(desk, n):
                cancel(desk, n)


def _sign(desk: SheetDesk) -> None:
    """Whoever took a signature back had given it before."""
    for n, player in enumerate((*desk.sheet.disagreed, *desk.sheet.signed), 1):
        with at(place(desk.table, f"signature {n}")):
            sign(desk.table, desk.umpire, player)
            if n <= len(desk.sheet.disagreed):
                take_signature_back(desk.table, desk.umpire, player)


# --- What happened to seats ---


def name_stand_ins(table: Table, sheet: Sheet, organiser: Actor) -> None:
    """Before the session: who plays in the seats of those who play no further."""
    for n, move in enumerate(sheet.moves, 1):
        player = _player(table, move.player)
        if player is not None and _is_named_before(move, sheet, player):
            with at(place(table, f"presence {n}")):
                name_stand_in(table, organiser, move.player, move.name)


def _is_named_before(move: Move, sheet: Sheet, player: Player) -> bool:
    from_the_gong = move.after == 0 or not sheet.hands
    is_first = move is next(other for other in sheet.moves if other.player == move.player)
    return player.has_left and move.what is What.STAND_IN and from_the_gong and is_first


def move_seats(desk: SheetDesk, recorded: int) -> None:
    """What happened after so many hands, in its order, and the penalties that were given before it."""
    for n, move in enumerate(desk.sheet.moves):
        if desk.is_due(move.after, recorded):
            _give_penalties(desk, recorded, move.after_penalties)
            with at(place(desk.table, f"presence {n + 1}")):
                _play_move(desk, n, move)


def _play_move(desk: SheetDesk, n: int, move: Move) -> None:
    table, umpire, number = desk.table, desk.umpire, move.player
    player = _player(table, number)
    if player is None:
        raise Refused(NOT_AT_THIS_TABLE("player", player=number))
    match move.what:
        case What.ABSENT:
            since = timezone.now() - _lateness(desk, move)
            note_absence(table, umpire, number, uuid=uuid_of(table, f"presence/{n + 1}"), since=since)
        case What.OTHERS_BEGIN:
            begin_without(_absence(table, number), umpire, move.because)
        case What.ARRIVED:
            # In the minute that is written, however few seconds a replay takes.
            absence = _absence(table, number)
            noted = [
                earlier
                for earlier in desk.sheet.moves[:n]
                if (earlier.what, earlier.player) == (What.ABSENT, number)
            ]
            note_arrival(absence, umpire, at=absence.since + _lateness(desk, noted[-1]))
        case What.STAND_IN:
            if not _is_named_before(move, desk.sheet, player):
                seat_stand_in(table, umpire, number, move.name)
        case What.BACK:
            seat_player_again(table, umpire, number)
        case What.WITHDRAWN:
            withdraw_player(player, desk.organiser)
        case What.READMITTED:
            readmit_player(player, desk.organiser)


def _lateness(desk: SheetDesk, absent: Move) -> timedelta:
    """How late who is absent came; who did not, for the table's whole session."""
    session = desk.table.session.minutes + desk.sheet.extra_minutes
    return timedelta(minutes=session if absent.minutes is None else absent.minutes)


def _absence(table: Table, player: int) -> Absence:
    absence = table.absences.filter(player__number=player, taken_back_at=None).first()
    if absence is None:
        raise Refused(NOT_MISSING("player", player=player))
    return absence


def _player(table: Table, number: int) -> Player | None:
    return Player.objects.filter(seats__table=table, number=number).first()


# --- Appeals ---


LONGEST_REASON: Final = 300
"""Characters of the reason for a correction, which is the ruling's."""


def versions(desk: SheetDesk, number: int) -> list[HandEntry]:
    """The hand as it stood at each appeal that had it corrected, and in the end."""
    return [*(appeal.was for appeal in _corrected(desk, number) if appeal.was), desk.sheet.hands[number - 1]]


def _corrected(desk: SheetDesk, number: int) -> list[Appealed]:
    return [appeal for appeal in desk.sheet.appeals if appeal.hand == number and appeal.was is not None]


def penalty_uuid(desk: SheetDesk, n: int) -> UUID:
    return uuid_of(desk.table, f"penalty/{n}")


def cancel(desk: SheetDesk, n: int) -> None:
    penalty = desk.table.penalties.get(uuid=penalty_uuid(desk, n))
    cancel_penalty(penalty, desk.umpire, reason=desk.sheet.penalties[n - 1].cancelled)


def appeals_against(desk: SheetDesk, penalty: int) -> list[Appealed]:
    return [appeal for appeal in desk.sheet.appeals if appeal.penalty == penalty]


def hear_appeals(desk: SheetDesk, recorded: int) -> None:
    """Those opened after so many hands, all before one of them is ruled; then what the rulings change."""
    hearings = [_Hearing(desk, n, appeal) for n, appeal in enumerate(desk.sheet.appeals, 1)]
    for hearing in hearings:
        if desk.is_due(hearing.appeal.after, recorded):
            hearing.take(_Hearing.open)
    ruled = [hearing for hearing in hearings if hearing.is_ruled_after(recorded)]
    for step in (_Hearing.rule, _Hearing.carry_out):
        for hearing in ruled:
            hearing.take(step)


@dataclass(frozen=True)
class _Hearing:
    desk: SheetDesk
    n: int
    appeal: Appealed

    def take(self, step: Callable[[_Hearing], None]) -> None:
        with at(place(self.desk.table, f"appeal {self.n}")):
            step(self)

    def is_ruled_after(self, recorded: int) -> bool:
        """At once; one about the hand under way, where recording that hand carried the ruling out, after it."""
        after, hand = self.appeal.after, self.appeal.hand
        if after is not None and hand is not None and self.appeal.carried_out and self.appeal.was is None:
            after = min(max(after, hand), len(self.desk.sheet.hands))
        return self.desk.is_due(after, recorded)

    def open(self) -> None:
        appeal = self.appeal
        against = None if appeal.penalty is None else penalty_uuid(self.desk, appeal.penalty)
        open_appeal(
            *(self.desk.table, self.desk.umpire, appeal.player, appeal.text, appeal.hand, against),
            uuid=self._uuid,
        )

    def rule(self) -> None:
        written, stored = self.appeal, self._stored
        if written.granted is None or stored.is_ruled:
            return
        organiser = self.desk.organiser
        ruled = rule_appeal(
            stored, organiser, granted=written.granted, ruling=written.ruling, alone=AS_WRITTEN
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
        is_last = self.appeal is appeals_against(self.desk, n)[-1]
        if is_last and self.desk.sheet.penalties[n - 1].cancelled:
            cancel(self.desk, n)

    def _correct(self, number: int) -> None:
        """To what the next appeal found, or to how it ended: two appeals may have led to one correction."""
        states = versions(self.desk, number)
        at_appeal = [appeal is self.appeal for appeal in _corrected(self.desk, number)].index(True)
        then, is_last = states[at_appeal + 1], at_appeal + 2 == len(states)
        hand = current_hand(self.desk.table, number)
        if hand is None:
            raise Refused(NOTHING_CARRIES_IT_OUT())
        if is_last or then != states[at_appeal]:
            uuid = uuid_of(self.desk.table, f"appeal/{self.n}/hand")
            reason = self.appeal.ruling[:LONGEST_REASON]
            correct_hand(hand, self.desk.umpire, then, reason=reason, uuid=uuid)

    def check(self) -> None:
        """That the ruling was carried out, where that is written; once everything is played."""
        if self.appeal.carried_out and self._stored.settled_as != Appeal.Settled.CARRIED_OUT:
            raise Refused(NOTHING_CARRIES_IT_OUT())

    @property
    def _stored(self) -> Appeal:
        return self.desk.table.appeals.get(uuid=self._uuid)

    @property
    def _uuid(self) -> UUID:
        return uuid_of(self.desk.table, f"appeal/{self.n}")
