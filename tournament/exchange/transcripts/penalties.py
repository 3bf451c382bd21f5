"""Write penalties for a transcript, with a sanction only if the foul book gives another one when it is replayed."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from penalties.engine import EarlierFoul, Facts, Sanction, propose
from penalties.models import Penalty
from tournament.base.engine.rules import LATE, Rules

DEFAULT_REASON: Final = "As it was given."
"""Reason for a sanction that differs from the foul book without an umpire's reason, as after a cancelled penalty."""


@dataclass(frozen=True)
class TimedPenalty:
    """A penalty, and when it was given."""

    penalty: Penalty
    after: int
    """Number of hands that its table had recorded."""
    until: int | None = None
    """Number of hands after which a replay cancels it; None if it was not cancelled."""


class PenaltyWriter:
    """Writes penalties in the order in which a replay gives them, by the rules of the replay."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._earlier: defaultdict[int, list[EarlierFoul]] = defaultdict(list)
        """Player → fouls at earlier tables."""

    def of_table(self, session: int, timed_penalties: Sequence[TimedPenalty]) -> list[dict[str, Any]]:
        """Return a table's penalties as they are in a transcript, in the same order. Call it in the tables' order."""
        rows = []
        for n, timed in enumerate(timed_penalties):
            number = timed.penalty.player.number
            in_force = [
                _earlier_foul(other.penalty, session)
                for other in timed_penalties[:n]
                if other.penalty.player.number == number
                if other.until is None or other.until >= timed.after
            ]
            rows.append(self._to_json(timed.penalty, session, [*self._earlier[number], *in_force]))
        for timed in timed_penalties:
            if timed.until is None:
                self._earlier[timed.penalty.player.number].append(_earlier_foul(timed.penalty, session))
        return rows

    def _to_json(self, penalty: Penalty, session: int, earlier: Sequence[EarlierFoul]) -> dict[str, Any]:
        victim = penalty.victim.number if penalty.victim else None
        data = {"player": penalty.player.number, "foul": penalty.foul, "hand": penalty.hand_number}
        data |= {"victim": victim, **penalty.facts}
        # A late player loses at most the points held at that moment, and hands may have been corrected since.
        may_differ = penalty.foul == LATE and bool(self._rules.attendance.starting_points)
        if may_differ or self._proposed_sanction(penalty, session, earlier) != penalty.sanction:
            data |= {"sanction": penalty.sanction, "because": penalty.because or DEFAULT_REASON}
        if penalty.is_cancelled:
            data |= {"cancelled": penalty.cancelled_because}
        return data

    def _proposed_sanction(
        self, penalty: Penalty, session: int, earlier: Sequence[EarlierFoul]
    ) -> Mapping[str, Any] | None:
        """Return the sanction that the foul book gives, as JSON."""
        victim = penalty.victim.number if penalty.victim else None
        facts = Facts(hand_number=penalty.hand_number, session=session, victim=victim, **penalty.facts)
        proposed: Sanction | None = propose(penalty.foul, facts, earlier, self._rules.fouls).sanction
        return proposed.to_json() if proposed else None


def _earlier_foul(penalty: Penalty, session: int) -> EarlierFoul:
    return EarlierFoul(foul=penalty.foul, hand_number=penalty.hand_number, session=session)
