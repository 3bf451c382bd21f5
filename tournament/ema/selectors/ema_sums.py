"""Whether every table's sums are what they must be: payments come to nothing, places to seven table points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Sum

from penalties.models import Penalty
from penalties.selectors import effects_at_table
from tournament.base.access import Audience
from tournament.base.engine.table_points import STANDARD_SCALE, two_decimals
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.ranking.engine.standings import table_scores
from tournament.ranking.selectors.standings import table_results

Place = tuple[int, int]
"""Session, table."""


@dataclass(frozen=True)
class WrongSum:
    """A table of a closed session. `game_points`: what they come to without penalties, 0 where they are right;
    `table_points`: likewise, two decimals, "" where they are seven. `is_empty`: nothing was recorded."""

    session: int
    table: int
    is_empty: bool = False
    game_points: int = 0
    table_points: str = ""


def wrong_sums(tournament: Tournament) -> Iterator[WrongSum]:
    """By session and table. A rulebook of its own scale has sums of its own: its table points are not asked."""
    scale = tournament.rules.scale
    shared = {
        (one.session, one.table): sum((score.table_points for score in table_scores(one, scale)), Fraction(0))
        for one in table_results(tournament, Audience.STAFF, closed_only=True)
    }
    paid, whole = _payments(tournament), Fraction(sum(STANDARD_SCALE))
    own_scale = list(scale) != list(STANDARD_SCALE)
    tables = Table.objects.filter(session__tournament=tournament, session__state=Session.State.CLOSED)
    for session, number in tables.order_by("session__number", "number").values_list(
        "session__number", "number"
    ):
        place = session, number
        if place not in shared:
            yield WrongSum(session, number, is_empty=True)
            continue
        is_right = own_scale or shared[place] == whole
        table_points = "" if is_right else two_decimals(shared[place])
        if paid[place] or table_points:
            yield WrongSum(session, number, game_points=paid[place], table_points=table_points)


def _payments(tournament: Tournament) -> dict[Place, int]:
    """What the four of every table have together, without what penalties gave or took."""
    seats = Seat.objects.filter(table__session__tournament=tournament).order_by()
    rows = seats.values_list("table__session__number", "table__number").annotate(Sum("game_points"))
    found = {(session, table): points for session, table, points in rows}
    fined = Penalty.objects.filter(table__session__tournament=tournament, cancelled_at=None)
    for penalty in fined.select_related("table__session"):
        place = penalty.table.session.number, penalty.table.number
        found[place] = found.get(place, 0) - sum(effects_at_table([penalty]).values())
    return found
