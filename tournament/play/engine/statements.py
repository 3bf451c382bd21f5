"""What people say at a table and type from its sheet, before it is checked, and whether such totals can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from penalties.engine import Sanction
from penalties.engine.facts import stated
from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.rules import HANDS_PER_SESSION
from tournament.play.engine.judge import MOST_POINTS, NOT_AT_THIS_TABLE

TOTAL_MISSING = problem_code("total_missing", "This total is missing: three are needed, the fourth follows.")
TOTALS_NOT_ZERO = problem_code(
    "totals_not_zero", "The four totals come to {sum}; they have to come to 0.", also=("right",)
)
TOTALS_SUM = problem_code(
    "totals_sum",
    "The four totals come to {sum}; with the penalties at this table they have to come to {right}.",
)
TOTAL_TOO_LARGE = problem_code(
    "total_too_large", "Sixteen hands cannot bring {points}: {most} is the most there can be."
)
TOTAL_UNLIKELY = problem_code(
    "total_unlikely", "{points} is unlikely. If the sheet has it, confirm it; else type it anew."
)
COUNT_MISSING = problem_code("count_missing", "Type this one too, 0 for none; or leave all four empty.")
COUNT_OUT_OF_RANGE = problem_code("count_out_of_range", "This is 0 to {hands}.")
HANDS_OUT_OF_RANGE = problem_code("hands_out_of_range", "A sheet has 1 to {hands} hands.")
WINS_TOO_MANY = problem_code(
    "wins_too_many", "{wins} wins in {hands} hands cannot be: a hand has one winner."
)
DEAL_INS_TOO_MANY = problem_code("deal_ins_too_many", "{deal_ins} deal-ins cannot be with {wins} wins.")
BEST_WITHOUT_WIN = problem_code("best_without_win", "Who has the best hand has won one.")
BEST_OUT_OF_RANGE = problem_code("best_out_of_range", "A hand has 1 to {most} points.")


@dataclass(frozen=True)
class Accusation:
    """What the umpire states: who did what, in which hand, and what this foul needs to be known.

    `details`: those of `penalties.engine.facts.DETAILS` that apply; `victim` a player number.
    `imposed` is a sanction of the umpire's own instead of the foul book's, `because` why.
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
        return cls(*facts, details=stated(data), imposed=imposed, **words)


PAYERS: Final = 3
BASE: Final = 8
"""What each of the three pays a winner besides the points of the hand (Overview of the rules, "Scoring")."""
MOST_TOTAL: Final = HANDS_PER_SESSION * PAYERS * (BASE + MOST_POINTS)
"""Game points that sixteen hands self-drawn by one player come to at most: nobody has more, or loses more."""
LIKELY: Final = 1000
"""A total beyond this has to be confirmed: it is nearly always a slip of the finger."""


@dataclass(frozen=True)
class BestHand:
    """The dearest hand on the sheet: whose, by player number, and its fan total."""

    player: int
    points: int


@dataclass(frozen=True)
class TotalsEntry:
    """What the desk types from the foot of a sheet kept on paper. Players by number throughout.

    `points`: game points at the foot of the sheet, with the penalties given at the table; None or left out for one of
    the four, which then follows. `wins`, `deal_ins`: of all four, or None where nobody counted them; `hands`: how many
    the sheet has. `sure`: an unlikely total is right.
    """

    points: Mapping[int, int | None]
    wins: Mapping[int, int | None] | None = None
    deal_ins: Mapping[int, int | None] | None = None
    hands: int | None = None
    best: BestHand | None = None
    sure: bool = False

    def filled(self, seated: Sequence[int], unpaid: int = 0) -> dict[int, int]:
        """Fill in the fourth total, where three are known. `unpaid`: what penalties took and gave to nobody."""
        known = {player: points for player in seated if (points := self.points.get(player)) is not None}
        missing = [player for player in seated if player not in known]
        if len(missing) == 1:
            known[missing[0]] = -unpaid - sum(known.values())
        return {player: known[player] for player in seated if player in known}


def faults(entry: TotalsEntry, seated: Sequence[int], unpaid: int = 0) -> tuple[Problem, ...]:
    """List everything that cannot be. `where`: "points.<player>", "wins.<player>", …, or "points" for their sum."""
    return (
        *_strangers(entry, seated),
        *_of_points(entry, seated, unpaid),
        *_of_counts(entry, seated),
        *_of_best(entry, seated),
    )


def _strangers(entry: TotalsEntry, seated: Sequence[int]) -> Iterator[Problem]:
    for name, figures in (("points", entry.points), ("wins", entry.wins), ("deal_ins", entry.deal_ins)):
        for player in figures or ():
            if player not in seated:
                yield NOT_AT_THIS_TABLE(f"{name}.{player}", player=player)


def _of_points(entry: TotalsEntry, seated: Sequence[int], unpaid: int) -> Iterator[Problem]:
    known = entry.filled(seated, unpaid)
    for player in seated:
        if player not in known:
            yield TOTAL_MISSING(f"points.{player}")
    for player, points in known.items():
        if abs(points) > MOST_TOTAL:
            yield TOTAL_TOO_LARGE(f"points.{player}", points=points, most=MOST_TOTAL)
        elif abs(points) > LIKELY and not entry.sure:
            yield TOTAL_UNLIKELY(f"points.{player}", points=points)
    if len(known) == len(seated) and sum(known.values()) != -unpaid:
        yield (TOTALS_SUM if unpaid else TOTALS_NOT_ZERO)("points", sum=sum(known.values()), right=-unpaid)


def _of_counts(entry: TotalsEntry, seated: Sequence[int]) -> Iterator[Problem]:
    """Check wins and deal-ins: a hand has one winner, and no more who dealt in."""
    most = entry.hands if entry.hands is not None else HANDS_PER_SESSION
    if not 1 <= most <= HANDS_PER_SESSION:
        yield HANDS_OUT_OF_RANGE("hands", hands=HANDS_PER_SESSION)
        return
    for name, figures in (("wins", entry.wins), ("deal_ins", entry.deal_ins)):
        yield from _counts(name, figures, seated, most)
    won = None if entry.wins is None else sum(filter(None, entry.wins.values()))
    dealt = None if entry.deal_ins is None else sum(filter(None, entry.deal_ins.values()))
    if won is not None and won > most:
        yield WINS_TOO_MANY("wins", wins=won, hands=most)
    if dealt is not None and dealt > (most if won is None else won):
        yield DEAL_INS_TOO_MANY("deal_ins", deal_ins=dealt, wins=most if won is None else won)


def _counts(
    name: str, figures: Mapping[int, int | None] | None, seated: Sequence[int], most: int
) -> Iterator[Problem]:
    if figures is None:
        return
    for player in seated:
        count = figures.get(player)
        if count is None:
            yield COUNT_MISSING(f"{name}.{player}")
        elif not 0 <= count <= most:
            yield COUNT_OUT_OF_RANGE(f"{name}.{player}", hands=most)


def _of_best(entry: TotalsEntry, seated: Sequence[int]) -> Iterator[Problem]:
    best = entry.best
    if best is None:
        return
    if best.player not in seated:
        yield NOT_AT_THIS_TABLE("best.player", player=best.player)
    elif entry.wins is not None and entry.wins.get(best.player) == 0:
        yield BEST_WITHOUT_WIN("best.player")
    if not 1 <= best.points <= MOST_POINTS:
        yield BEST_OUT_OF_RANGE("best.points", most=MOST_POINTS)
