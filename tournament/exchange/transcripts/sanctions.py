"""Penalties in the order of a replay: what the foul book gives by itself need not be said."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from penalties.engine import EarlierFoul, Facts, Sanction, propose
from penalties.models import Penalty
from tournament.base.engine.rules import LATE, Rules

AS_GIVEN: Final = "As it was given."
"""Why a penalty is not what the foul book says by now, where no umpire gave a reason: one before it was taken back."""


@dataclass(frozen=True)
class Written:
    """A penalty given after so many of its table's hands; one that was cancelled counts until after so many."""

    penalty: Penalty
    after: int
    until: int | None = None


class Sanctions:
    """`rules`: those that a replay plays by."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._earlier: defaultdict[int, list[EarlierFoul]] = defaultdict(list)

    def of_table(self, session: int, given: Sequence[Written]) -> list[dict[str, Any]]:
        """The penalties of a table, in their order, each as a transcript has it. Call table by table."""
        found = []
        for n, one in enumerate(given):
            number = one.penalty.player.number
            here = [other for other in given[:n] if other.penalty.player.number == number]
            still = [_foul(other.penalty, session) for other in here if _stands(other, one.after)]
            found.append(self._written(one.penalty, session, [*self._earlier[number], *still]))
        for one in given:
            if one.until is None:
                self._earlier[one.penalty.player.number].append(_foul(one.penalty, session))
        return found

    def _written(self, penalty: Penalty, session: int, earlier: Sequence[EarlierFoul]) -> dict[str, Any]:
        victim = penalty.victim.number if penalty.victim else None
        said = {"player": penalty.player.number, "foul": penalty.foul, "hand": penalty.hand_number}
        said |= {"victim": victim, **penalty.facts}
        if self._may_dock_less(penalty) or self._by_the_book(penalty, session, earlier) != penalty.sanction:
            said |= {"sanction": penalty.sanction, "because": penalty.because or AS_GIVEN}
        if penalty.is_cancelled:
            said |= {"cancelled": penalty.cancelled_because}
        return said

    def _by_the_book(
        self, penalty: Penalty, session: int, earlier: Sequence[EarlierFoul]
    ) -> Mapping[str, Any] | None:
        victim = penalty.victim.number if penalty.victim else None
        facts = Facts(hand_number=penalty.hand_number, session=session, victim=victim, **penalty.facts)
        proposed: Sanction | None = propose(penalty.foul, facts, earlier, self._rules.fouls).sanction
        return proposed.to_json() if proposed else None

    def _may_dock_less(self, penalty: Penalty) -> bool:
        """Lateness docks no more than the player held at that moment, and hands may have been corrected since."""
        return penalty.foul == LATE and bool(self._rules.attendance.starting_points)


def _stands(one: Written, after: int) -> bool:
    return one.until is None or one.until >= after


def _foul(penalty: Penalty, session: int) -> EarlierFoul:
    return EarlierFoul(foul=penalty.foul, hand_number=penalty.hand_number, session=session)
