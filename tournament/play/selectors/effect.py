"""What follows from a correction before it is made: scores, table points, ranks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from penalties.selectors import standing_at
from tournament.base.access import Audience
from tournament.base.engine.entry import HandEntry
from tournament.base.engine.table_points import table_points
from tournament.base.models.hands import Hand
from tournament.base.models.people import Player
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.selectors.embargo import keeps_back, publications_for
from tournament.play.engine.judge import Verdict
from tournament.play.selectors.absences import placed
from tournament.play.selectors.seat_figures import figures_at
from tournament.ranking.engine.results import SeatResult, TableResult
from tournament.ranking.selectors.standings import current_standings, standings_with, table_results
from tournament.seating.selectors.seatings import seated_alone, seats_of_all


@dataclass(frozen=True)
class SeatEffect:
    """A player of the table, before and after."""

    player: Player
    score: tuple[int, int]
    table_points: tuple[Fraction, Fraction]


@dataclass(frozen=True)
class RankEffect:
    """Somebody, at this table or another, whose rank is another one."""

    player: Player
    before: int | None
    after: int | None


@dataclass(frozen=True)
class Effect:
    seats: tuple[SeatEffect, ...]
    """In the order of the starting winds."""
    ranks: tuple[RankEffect, ...] | None
    """Only those that move, the best new rank first; None where the audience is not told."""
    published: Publication | None
    """The newest standings read out, when this session counted in them."""
    seated_ahead: tuple[int, ...]
    """Sessions to come whose seats are drawn."""
    seated_by_standing: tuple[int, ...]
    """Later sessions, begun or not, whose seats followed from the standings as they were."""

    @property
    def moves_table_points(self) -> bool:
        return any(before != after for before, after in (seat.table_points for seat in self.seats))


def effect_of(table: Table, audience: Audience, number: int, entry: HandEntry, verdict: Verdict) -> Effect:
    """What the table and the standings come to once `entry` stands as hand `number`; stores nothing.

    Whoever corrects sees the table itself; the ranks only as far as the audience is told them.
    """
    tournament = table.session.tournament
    figures = figures_at(table, _hands_with(table, number, entry, verdict), standing_at(table))
    seats = list(table.seats.select_related("player").order_by("id"))
    scale, has_place = tournament.rules.scale, placed(table, seats)
    before = table_points([seat.game_points for seat in seats], scale, has_place)
    after = table_points([figures[seat.player.number]["game_points"] for seat in seats], scale, has_place)
    return Effect(
        seats=tuple(
            SeatEffect(
                seat.player,
                (seat.game_points, figures[seat.player.number]["game_points"]),
                (shared, shares),
            )
            for seat, shared, shares in zip(seats, before, after, strict=True)
        ),
        ranks=_ranks(table, audience, figures),
        published=publications_for(audience, tournament)
        .filter(after_session__gte=table.session.number)
        .first(),
        seated_ahead=_seated_ahead(tournament),
        seated_by_standing=_seated_by_standing(table.session),
    )


def _hands_with(table: Table, number: int, entry: HandEntry, verdict: Verdict) -> list[Hand]:
    """The table's current hands, this one as it would be."""
    people = {seat.player.number: seat.player for seat in table.seats.select_related("player")}
    would_be = Hand(
        table=table,
        number=number,
        outcome=entry.outcome,
        winner=people.get(entry.winner or 0),
        discarder=people.get(entry.discarder or 0),
        payments={str(player): points for player, points in verdict.payments.items()},
    )
    others = table.hands.filter(is_current=True).exclude(number=number)
    return [*others, would_be]


def _ranks(
    table: Table, audience: Audience, figures: dict[int, dict[str, int]]
) -> tuple[RankEffect, ...] | None:
    tournament = table.session.tournament
    if keeps_back(audience, table.session):
        return None
    now = {row.number: row.rank for row in current_standings(tournament, audience).rows}
    results = [_as_it_would_be(result, table, figures) for result in table_results(tournament, audience)]
    then = {row.number: row.rank for row in standings_with(tournament, audience, results).rows}
    moved = {player: rank for player, rank in then.items() if rank != now.get(player)}
    people = {player.number: player for player in tournament.players.filter(number__in=moved)}
    return tuple(RankEffect(people[player], now.get(player), rank) for player, rank in moved.items())


def _as_it_would_be(result: TableResult, table: Table, figures: dict[int, dict[str, int]]) -> TableResult:
    if (result.session, result.table) != (table.session.number, table.number):
        return result
    return replace(result, seats=tuple(_seat(seat, figures[seat.player]) for seat in result.seats))


def _seat(seat: SeatResult, figures: dict[str, int]) -> SeatResult:
    return replace(
        seat,
        game_points=figures["game_points"],
        hands_won=figures["hands_won"],
        wins_by_discard=figures["wins_by_discard"],
        deal_ins=figures["deal_ins"],
    )


def _seated_by_standing(session: Session) -> tuple[int, ...]:
    tournament = session.tournament
    alone = seated_alone(tournament, Audience.STAFF, seats_of_all(tournament))
    return tuple(
        one.session
        for one in alone
        if one.session > session.number
        and (one.how == "finals" or (one.inputs is not None and one.inputs.how.needs_standings))
    )


def _seated_ahead(tournament: Tournament) -> tuple[int, ...]:
    planned = tournament.sessions.filter(state=Session.State.PLANNED, tables__isnull=False)
    return tuple(planned.order_by("number").distinct().values_list("number", flat=True))
