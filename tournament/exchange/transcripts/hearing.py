"""Playing a table's appeals: opened, ruled, and what the rulings changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from tournament.base.engine.entry import HandEntry
from tournament.base.errors import refuse
from tournament.base.models.appeals import Appeal
from tournament.exchange.transcripts.places import at, place, uuid_of
from tournament.exchange.transcripts.score_sheet import Appealed
from tournament.exchange.transcripts.sheet_desk import AS_WRITTEN, SheetDesk
from tournament.fouls.services.appeals import open_appeal
from tournament.fouls.services.penalties import cancel_penalty
from tournament.fouls.services.rulings import rule_appeal, waive_ruling
from tournament.play.engine.statements import Objection
from tournament.play.selectors.records import current_hand
from tournament.play.services.hands import correct_hand

LONGEST_REASON: Final = 300
"""Characters of the reason for a correction, which is the ruling's."""


def versions(desk: SheetDesk, number: int) -> list[HandEntry]:
    """The hand as it stood at each appeal that had it corrected, and in the end."""
    return [*(one.was for one in _corrected(desk, number) if one.was), desk.sheet.hands[number - 1]]


def _corrected(desk: SheetDesk, number: int) -> list[Appealed]:
    return [one for one in desk.sheet.appeals if one.hand == number and one.was is not None]


def penalty_uuid(desk: SheetDesk, n: int) -> UUID:
    return uuid_of(desk.table, f"penalty/{n}")


def cancel(desk: SheetDesk, n: int) -> None:
    penalty = desk.table.penalties.get(uuid=penalty_uuid(desk, n))
    cancel_penalty(penalty, desk.umpire, reason=desk.sheet.penalties[n - 1].cancelled)


def appeals_against(desk: SheetDesk, penalty: int) -> list[Appealed]:
    return [one for one in desk.sheet.appeals if one.penalty == penalty]


def hear_appeals(desk: SheetDesk, recorded: int) -> None:
    """Those opened after so many hands, all before one of them is ruled; then what the rulings change."""
    hearings = [_Hearing(desk, n, appeal) for n, appeal in enumerate(desk.sheet.appeals, 1)]
    for hearing in hearings:
        if desk.is_due(hearing.appeal.after, recorded):
            hearing.take(_Hearing.open)
    ruled = [one for one in hearings if one.is_ruled_after(recorded)]
    for step in (_Hearing.rule, _Hearing.carry_out):
        for hearing in ruled:
            hearing.take(step)


def check_carried_out(desk: SheetDesk) -> None:
    """That every ruling of which it is written was carried out; once everything is played."""
    for n, appeal in enumerate(desk.sheet.appeals, 1):
        _Hearing(desk, n, appeal).take(_Hearing.check)


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
        said = self.appeal
        against = None if said.penalty is None else penalty_uuid(self.desk, said.penalty)
        objection = Objection(said.player, said.text, said.hand, against)
        open_appeal(self.desk.table, self.desk.umpire, objection, uuid=self._uuid)

    def rule(self) -> None:
        said, found = self.appeal, self._found
        if said.granted is None or found.is_ruled:
            return
        organiser = self.desk.organiser
        ruled = rule_appeal(found, organiser, granted=said.granted, ruling=said.ruling, alone=AS_WRITTEN)
        if said.waived:
            waive_ruling(ruled, organiser, because=said.waived)

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
        known = versions(self.desk, number)
        found = [one is self.appeal for one in _corrected(self.desk, number)].index(True)
        then, is_last = known[found + 1], found + 2 == len(known)
        hand = current_hand(self.desk.table, number)
        if hand is None:
            raise refuse("nothing_carries_it_out")
        if is_last or then != known[found]:
            uuid = uuid_of(self.desk.table, f"appeal/{self.n}/hand")
            reason = self.appeal.ruling[:LONGEST_REASON]
            correct_hand(hand, self.desk.umpire, then, reason=reason, uuid=uuid)

    def check(self) -> None:
        if self.appeal.carried_out and self._found.settled_as != Appeal.Settled.CARRIED_OUT:
            raise refuse("nothing_carries_it_out")

    @property
    def _found(self) -> Appeal:
        return self.desk.table.appeals.get(uuid=self._uuid)

    @property
    def _uuid(self) -> UUID:
        return uuid_of(self.desk.table, f"appeal/{self.n}")
