"""A table's sheet: hand by hand what happened, what it moved, and the scores after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from penalties.models import Penalty
from tournament.base.access import Audience
from tournament.base.engine.rotation import prevalent_wind, seat_wind
from tournament.base.engine.table_points import table_points
from tournament.base.models.hands import Hand
from tournament.base.models.play import Seat, Table
from tournament.base.selectors.embargo import keeps_back
from tournament.play.selectors.absences import placed


@dataclass(frozen=True)
class Cell:
    """One player in one line: the seat wind in that hand, what the line changed, and the score after it."""

    wind: str
    change: int
    score: int
    role: str
    """winner, discarder or nothing."""


@dataclass(frozen=True)
class Line:
    """A hand with the penalties given in it; `hand` None for those given outside any hand."""

    hand: Hand | None
    prevalent_wind: str
    """Empty outside any hand."""
    penalties: tuple[Penalty, ...]
    cells: tuple[Cell, ...]
    """In the order of `Sheet.seats`."""
    is_totals: bool = False
    """What brings the lines above to the totals from paper, which count."""


@dataclass(frozen=True)
class Sheet:
    table: Table
    seats: tuple[Seat, ...]
    """In the order of the starting winds."""
    lines: tuple[Line, ...]
    cancelled: tuple[Penalty, ...]


def sheet(table: Table, audience: Audience) -> Sheet:
    """The sheet as it stands; the last line's scores are those of the seats. Without lines where the audience is not
    told of them."""
    seats = tuple(table.seats.select_related("player"))
    if keeps_back(audience, table.session):
        return Sheet(table, seats, (), ())
    hands = table.hands.filter(is_current=True).select_related("winner", "discarder").order_by("number")
    penalties = list(table.penalties.select_related("player", "victim"))
    standing = [penalty for penalty in penalties if not penalty.is_cancelled]
    lines: list[Line] = []
    scores = dict.fromkeys((seat.player.number for seat in seats), 0)
    before = [penalty for penalty in standing if penalty.hand_number is None]
    if before:
        lines.append(_line(None, seats, scores, before))
    for hand in hands:
        lines.append(_line(hand, seats, scores, [p for p in standing if p.hand_number == hand.number]))
    recorded = len(hands)
    coming = [p for p in standing if p.hand_number is not None and p.hand_number > recorded]
    if coming:
        lines.append(_line(None, seats, scores, coming))
    if table.counts_totals:
        lines.append(_totals(seats, scores))
    return Sheet(table, seats, tuple(lines), tuple(penalty for penalty in penalties if penalty.is_cancelled))


def _totals(seats: Sequence[Seat], scores: dict[int, int]) -> Line:
    """The foot of a sheet that was kept on paper. `scores`: those of what is written down above it."""
    cells = [
        Cell(seat.wind, seat.game_points - scores[seat.player.number], seat.game_points, "") for seat in seats
    ]
    return Line(None, "", (), tuple(cells), is_totals=True)


def _line(hand: Hand | None, seats: Sequence[Seat], scores: dict[int, int], penalties: list[Penalty]) -> Line:
    """One line of the sheet; brings `scores` (player number → running score) up to date."""
    cells = []
    for seat in seats:
        number = seat.player.number
        change = sum(penalty.effects_at_table.get(str(number), 0) for penalty in penalties)
        change += hand.payments.get(str(number), 0) if hand else 0
        scores[number] += change
        wind = (
            seat_wind(seat.wind, hand.number, seat.table.session.tournament.rules.chart)
            if hand
            else seat.wind
        )
        cells.append(Cell(wind, change, scores[number], _role(hand, seat)))
    return Line(hand, prevalent_wind(hand.number) if hand else "", tuple(penalties), tuple(cells))


def _role(hand: Hand | None, seat: Seat) -> str:
    if hand is None:
        return ""
    if hand.winner_id == seat.player_id:
        return "winner"
    return "discarder" if hand.discarder_id == seat.player_id else ""


def sheet_to_sign(table: Table) -> dict[str, Any]:
    """What a signature is under: everybody's score and table points (RULES §8, kept exactly)."""
    seats = list(table.seats.all())
    scale = table.session.tournament.rules.scale
    shares = table_points([seat.game_points for seat in seats], scale, placed(table, seats))
    return {
        str(seat.player.number): [seat.game_points, str(share)]
        for seat, share in zip(seats, shares, strict=True)
    }
