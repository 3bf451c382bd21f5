"""What people say at a table and type from its sheet, before it is checked, and whether such totals can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from penalties.engine import Sanction
from scoring.engine.problems import Problem
from tournament.base.engine.rules import HANDS_PER_SESSION
from tournament.play.engine.judge import MOST_POINTS


@dataclass(frozen=True)
class Objection:
    """Who objects, to which hand or which penalty, if to one, and what they say. Players by number."""

    player: int
    text: str
    hand_number: int | None = None
    penalty: UUID | None = None


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


@dataclass(frozen=True)
class Message:
    """What is said. No `tables`: to everybody; no `minutes`: until it is withdrawn."""

    text: str
    translations: Mapping[str, str] = field(default_factory=dict)
    """Language → the same in that language."""
    tables: Sequence[int] = ()
    minutes: int | None = None

    def tidy(self) -> Message:
        """Put it on one line, without empty translations and repeated tables."""
        translations = {language: " ".join(text.split()) for language, text in self.translations.items()}
        return Message(
            " ".join(self.text.split()),
            {language: text for language, text in translations.items() if text},
            sorted(set(self.tables)),
            self.minutes,
        )


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
                yield Problem("not_at_this_table", f"{name}.{player}", {"player": player})


def _of_points(entry: TotalsEntry, seated: Sequence[int], unpaid: int) -> Iterator[Problem]:
    known = entry.filled(seated, unpaid)
    for player in seated:
        if player not in known:
            yield Problem("total_missing", f"points.{player}")
    for player, points in known.items():
        if abs(points) > MOST_TOTAL:
            yield Problem("total_too_large", f"points.{player}", {"points": points, "most": MOST_TOTAL})
        elif abs(points) > LIKELY and not entry.sure:
            yield Problem("total_unlikely", f"points.{player}", {"points": points})
    if len(known) == len(seated) and sum(known.values()) != -unpaid:
        params = {"sum": sum(known.values()), "right": -unpaid}
        yield Problem("totals_sum" if unpaid else "totals_not_zero", "points", params)


def _of_counts(entry: TotalsEntry, seated: Sequence[int]) -> Iterator[Problem]:
    """Check wins and deal-ins: a hand has one winner, and no more who dealt in."""
    most = entry.hands if entry.hands is not None else HANDS_PER_SESSION
    if not 1 <= most <= HANDS_PER_SESSION:
        yield Problem("hands_out_of_range", "hands", {"hands": HANDS_PER_SESSION})
        return
    for name, figures in (("wins", entry.wins), ("deal_ins", entry.deal_ins)):
        yield from _counts(name, figures, seated, most)
    won = None if entry.wins is None else sum(filter(None, entry.wins.values()))
    dealt = None if entry.deal_ins is None else sum(filter(None, entry.deal_ins.values()))
    if won is not None and won > most:
        yield Problem("wins_too_many", "wins", {"wins": won, "hands": most})
    if dealt is not None and dealt > (most if won is None else won):
        params = {"deal_ins": dealt, "wins": most if won is None else won}
        yield Problem("deal_ins_too_many", "deal_ins", params)


def _counts(
    name: str, figures: Mapping[int, int | None] | None, seated: Sequence[int], most: int
) -> Iterator[Problem]:
    if figures is None:
        return
    for player in seated:
        count = figures.get(player)
        if count is None:
            yield Problem("count_missing", f"{name}.{player}")
        elif not 0 <= count <= most:
            yield Problem("count_out_of_range", f"{name}.{player}", {"hands": most})


def _of_best(entry: TotalsEntry, seated: Sequence[int]) -> Iterator[Problem]:
    best = entry.best
    if best is None:
        return
    if best.player not in seated:
        yield Problem("not_at_this_table", "best.player", {"player": best.player})
    elif entry.wins is not None and entry.wins.get(best.player) == 0:
        yield Problem("best_without_win", "best.player")
    if not 1 <= best.points <= MOST_POINTS:
        yield Problem("best_out_of_range", "best.points", {"most": MOST_POINTS})
