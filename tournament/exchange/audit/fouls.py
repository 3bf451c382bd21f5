"""Whether penalties still say what was imposed, and whether hands and penalties of a table can stand beside each other.

In which order they were written, the log says: what is refused at the desk depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from penalties.engine import Sanction, people_problems, point_effects
from penalties.models import Penalty
from scoring.engine.problems import Problem
from tournament.base.engine.rotation import HANDS_PER_SESSION
from tournament.base.models.hands import Hand
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.restraints import Barred, barred_from_winning
from tournament.play.selectors.verdicts import judge_at

TOTALS = ("table_totals_entered", "table_totals_corrected", "table_totals_settled")
HANDS = ("hand_recorded", "hand_corrected", "hand_deepened")


@dataclass
class Logged:
    """What the log says of hands, totals and penalties, by their UUIDs, and where in it."""

    hands: dict[str, dict[str, Any]] = field(default_factory=dict)
    given: dict[str, dict[str, Any]] = field(default_factory=dict)
    totals: dict[str, dict[str, Any]] = field(default_factory=dict)
    written: dict[str, int] = field(default_factory=dict)
    """UUID → the entry's number."""
    cancelled: dict[str, int] = field(default_factory=dict)

    def stood(self, penalty: Penalty, hand: Hand) -> bool:
        """Whether the penalty had been given, and not been taken back, when the hand was recorded."""
        at, uuid = self.written.get(str(hand.uuid), 0), str(penalty.uuid)
        return self.written.get(uuid, 0) < at and not self.cancelled.get(uuid, at) < at


def logged(tournament: Tournament) -> Logged:
    """One reading of the log."""
    found = Logged()
    entries = tournament.log.filter(action__in=(*HANDS, *TOTALS, "penalty_given", "penalty_cancelled"))
    for seq, action, data in entries.values_list("seq", "action", "data"):
        if action in HANDS:
            found.hands[data["uuid"]] = data
            found.written[data["uuid"]] = seq
        elif action in TOTALS:
            if "included" in data:  # else the first reading was right, and nothing was made
                found.totals[data["uuid"]] = data
        elif action == "penalty_given":
            found.given[data["penalty"]] = data
            found.written[data["penalty"]] = seq
        else:
            found.cancelled[data["penalty"]] = seq
    return found


def barred_then(table: Table, hand: Hand, penalties: Sequence[Penalty], log: Logged) -> Barred:
    """Who might not win the hand when it was recorded."""
    stood = [penalty for penalty in penalties if log.stood(penalty, hand)]
    return barred_from_winning(table, stood).get(hand.number, {})


def contradicted(table: Table) -> list[tuple[int, Problem]]:
    """(hand number, why) of what dead hands given, or taken back, since say against a hand as it is recorded."""
    given = table.penalties.exclude(hand_number=None).values_list("hand_number", "sanction")
    numbers = [number for number, sanction in given if number and sanction.get("dead_hand")]
    hands = table.hands.filter(number__in=numbers, is_current=True).select_related("winner", "discarder")
    return [
        (hand.number, problem)
        for hand in hands.order_by("number")
        for problem in judge_at(table, hand.number, hand.entry).problems
    ]


def faults(table: Table, penalties: Sequence[Penalty], log: Logged) -> Iterator[tuple[Penalty, Problem]]:
    """What is wrong with the penalties of the table."""
    players = [seat.player.number for seat in table.seats.all()]
    for penalty in penalties:
        for fault in _faults(table, penalty, players, log):
            yield penalty, fault


def _faults(table: Table, penalty: Penalty, players: Sequence[int], log: Logged) -> Iterator[Problem]:
    sanction, uuid = Sanction.from_json(penalty.sanction), str(penalty.uuid)
    said = log.given.get(uuid, {})
    if said.get("sanction") != penalty.sanction or penalty.is_cancelled != (uuid in log.cancelled):
        yield Problem("audit_not_as_logged")
    if penalty.is_cancelled:
        return
    number = penalty.hand_number
    begun = min(table.hands_played + 1, HANDS_PER_SESSION)  # time may have cut the last one off
    if table.is_on_paper:
        begun = HANDS_PER_SESSION
    if number is not None and not 1 <= number <= begun:
        yield Problem("audit_penalty_too_late", "", {"number": number, "begun": begun})
    if number is None and sanction.lasts_the_hand:
        yield Problem("audit_penalty_without_hand")
    yield from _unpaid(penalty, sanction, players)


def _unpaid(penalty: Penalty, sanction: Sanction, players: Sequence[int]) -> Iterator[Problem]:
    """Whom it takes points from, and to whom it gives them."""
    offender = penalty.player.number
    victim = None if penalty.victim is None else penalty.victim.number
    others = [player for player in players if player != offender]
    if offender not in players:
        yield Problem("audit_penalty_of_nobody")
    elif problems := people_problems(sanction, offender, others, victim):
        codes = ", ".join(problem.code for problem in problems)
        yield Problem("audit_penalty_unpayable", "", {"codes": codes})
    elif {int(player): n for player, n in penalty.effects.items()} != point_effects(
        sanction, offender, others, victim
    ):
        yield Problem("audit_penalty_points")
