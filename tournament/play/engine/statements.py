"""Entries at a table before they are checked: appeals, fouls, totals from paper; and the check of such totals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from penalties.engine import Sanction
from penalties.engine.facts import select_details
from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.rules import HANDS_PER_SESSION
from tournament.play.engine.judge import MAX_POINTS, NOT_AT_THIS_TABLE

TOTAL_MISSING = problem_code(
    "total_missing", "This total is missing: three are needed, the fourth is calculated."
)
TOTALS_NOT_ZERO = problem_code(
    "totals_not_zero", "The four totals add up to {sum} instead of 0.", also=("right",)
)
TOTALS_SUM = problem_code(
    "totals_sum",
    "The four totals add up to {sum}; with the penalties at this table it must be {right}.",
)
TOTALS_TOO_LOW = problem_code(
    "totals_too_low",
    "The four totals add up to {sum} instead of {right}. A penalty paid to nobody? Record it first.",
)
TOTALS_SAME_AS_TABLE = problem_code(
    "totals_same_as_table",
    "Table {table} has the same totals. If both sheets have them, confirm it; otherwise correct it.",
)
TOTAL_TOO_LARGE = problem_code(
    "total_too_large", "Sixteen hands cannot yield {points}; the maximum is {maximum}."
)
TOTAL_UNLIKELY = problem_code(
    "total_unlikely", "{points} is unlikely. If it is on the sheet, confirm it; otherwise correct it."
)
COUNT_MISSING = problem_code("count_missing", "Fill in this one too (0 if none), or leave all four empty.")
COUNT_OUT_OF_RANGE = problem_code("count_out_of_range", "Enter a number from 0 to {hands}.")
HANDS_OUT_OF_RANGE = problem_code("hands_out_of_range", "A sheet has 1 to {hands} hands.")
WINS_TOO_MANY = problem_code(
    "wins_too_many",
    "{wins} wins in {hands} hand are impossible: each hand has only one winner.",
    "{wins} wins in {hands} hands are impossible: each hand has only one winner.",
    by="hands",
)
DEAL_INS_TOO_MANY = problem_code(
    "deal_ins_too_many", "There are more deal-ins ({deal_ins}) than wins ({wins})."
)
BEST_WITHOUT_WIN = problem_code(
    "best_without_win", "The player with the best hand must have won at least one hand."
)
BEST_OUT_OF_RANGE = problem_code("best_out_of_range", "A hand has 1 to {maximum} points.")


@dataclass(frozen=True)
class Accusation:
    """A foul as an umpire states it. Players by number.

    `details`: those of `penalties.engine.facts.DETAILS` that the foul needs.
    `imposed`: the umpire's own sanction in place of the foul book's, with the reason in `because`.
    """

    player: int
    foul: str
    hand_number: int | None = None
    victim: int | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    imposed: Sanction | None = None
    because: str = ""

    @classmethod
    def of(cls, data: Mapping[str, Any], imposed: Sanction | None) -> Accusation:
        """What was entered in fields of these names, whatever else was."""
        words = {name: data[name] for name in ("victim", "note", "because") if name in data}
        facts = (data["player"], data["foul"], data["hand_number"])
        return cls(*facts, details=select_details(data), imposed=imposed, **words)


PAYERS: Final = 3
BASE_PAYMENT: Final = 8
"""What each of the three pays a winner besides the points of the hand (Overview of the rules, "Scoring")."""
MAX_TOTAL: Final = HANDS_PER_SESSION * PAYERS * (BASE_PAYMENT + MAX_POINTS)
"""Most game points that anybody can win or lose: sixteen hands, all self-drawn by one player."""
MAX_LIKELY_TOTAL: Final = 1000
"""A total beyond this has to be confirmed: it is nearly always a typing mistake."""


@dataclass(frozen=True)
class BestHand:
    """The highest-scoring hand on the sheet: player number and fan total."""

    player: int
    points: int


@dataclass(frozen=True)
class TotalsEntry:
    """Totals typed from a sheet kept on paper. Players by number.

    `points`: game points, penalties at the table included; one of the four may be None or left out, and follows from
    the others. `wins`, `deal_ins`: of all four, or None where nobody counted; `hands`: how many the sheet has.
    `sure`: unlikely totals, and those that another table has too, are confirmed.
    """

    points: Mapping[int, int | None]
    wins: Mapping[int, int | None] | None = None
    deal_ins: Mapping[int, int | None] | None = None
    hands: int | None = None
    best: BestHand | None = None
    sure: bool = False

    def complete_points(self, seated: Sequence[int], unpaid: int = 0) -> dict[int, int]:
        """Return the totals, the fourth derived where three are given. `unpaid`: penalty points paid to nobody."""
        points_of = {player: points for player in seated if (points := self.points.get(player)) is not None}
        missing = [player for player in seated if player not in points_of]
        if len(missing) == 1:
            points_of[missing[0]] = -unpaid - sum(points_of.values())
        return {player: points_of[player] for player in seated if player in points_of}


def find_totals_problems(entry: TotalsEntry, seated: Sequence[int], unpaid: int = 0) -> tuple[Problem, ...]:
    """List everything impossible. `where`: "points.<player>", "wins.<player>", …, or "points" for their sum."""
    return (
        *_seat_problems(entry, seated),
        *_points_problems(entry, seated, unpaid),
        *_count_problems(entry, seated),
        *_best_hand_problems(entry, seated),
    )


def _seat_problems(entry: TotalsEntry, seated: Sequence[int]) -> Iterator[Problem]:
    for name, figures in (("points", entry.points), ("wins", entry.wins), ("deal_ins", entry.deal_ins)):
        for player in figures or ():
            if player not in seated:
                yield NOT_AT_THIS_TABLE(f"{name}.{player}", player=player)


def _points_problems(entry: TotalsEntry, seated: Sequence[int], unpaid: int) -> Iterator[Problem]:
    points_of = entry.complete_points(seated, unpaid)
    for player in seated:
        if player not in points_of:
            yield TOTAL_MISSING(f"points.{player}")
    for player, points in points_of.items():
        if abs(points) > MAX_TOTAL:
            yield TOTAL_TOO_LARGE(f"points.{player}", points=points, maximum=MAX_TOTAL)
        elif abs(points) > MAX_LIKELY_TOTAL and not entry.sure:
            yield TOTAL_UNLIKELY(f"points.{player}", points=points)
    total = sum(points_of.values())
    if len(points_of) == len(seated) and total != -unpaid:
        problem = TOTALS_TOO_LOW if total < -unpaid else TOTALS_SUM if unpaid else TOTALS_NOT_ZERO
        yield problem("points", sum=total, right=-unpaid)


def _count_problems(entry: TotalsEntry, seated: Sequence[int]) -> Iterator[Problem]:
    """Check wins and deal-ins: a hand has at most one of each."""
    max_hands = entry.hands if entry.hands is not None else HANDS_PER_SESSION
    if not 1 <= max_hands <= HANDS_PER_SESSION:
        yield HANDS_OUT_OF_RANGE("hands", hands=HANDS_PER_SESSION)
        return
    for name, figures in (("wins", entry.wins), ("deal_ins", entry.deal_ins)):
        yield from _figure_problems(name, figures, seated, max_hands)
    wins = None if entry.wins is None else sum(filter(None, entry.wins.values()))
    deal_ins = None if entry.deal_ins is None else sum(filter(None, entry.deal_ins.values()))
    if wins is not None and wins > max_hands:
        yield WINS_TOO_MANY("wins", wins=wins, hands=max_hands)
    if deal_ins is not None and deal_ins > (max_hands if wins is None else wins):
        yield DEAL_INS_TOO_MANY("deal_ins", deal_ins=deal_ins, wins=max_hands if wins is None else wins)


def _figure_problems(
    name: str, figures: Mapping[int, int | None] | None, seated: Sequence[int], max_hands: int
) -> Iterator[Problem]:
    if figures is None:
        return
    for player in seated:
        count = figures.get(player)
        if count is None:
            yield COUNT_MISSING(f"{name}.{player}")
        elif not 0 <= count <= max_hands:
            yield COUNT_OUT_OF_RANGE(f"{name}.{player}", hands=max_hands)


def _best_hand_problems(entry: TotalsEntry, seated: Sequence[int]) -> Iterator[Problem]:
    best = entry.best
    if best is None:
        return
    if best.player not in seated:
        yield NOT_AT_THIS_TABLE("best.player", player=best.player)
    elif entry.wins is not None and entry.wins.get(best.player) == 0:
        yield BEST_WITHOUT_WIN("best.player")
    if not 1 <= best.points <= MAX_POINTS:
        yield BEST_OUT_OF_RANGE("best.points", maximum=MAX_POINTS)
