"""Standings as figures: now, after a session, with other figures at a table. They know no names."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from penalties.engine import PointScope
from penalties.models import Penalty
from penalties.selectors import effects_beyond_table, forfeited_sessions, unranked_players
from tournament.base.engine.finals import Cut
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import two_decimals
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version, hidden_from, is_withheld_from
from tournament.play.selectors.absences import all_empty_seats, points_owed_by_absent
from tournament.play.selectors.timetable import open_absences, players_of
from tournament.ranking.engine.finals import apply_cuts
from tournament.ranking.engine.standings import (
    PenaltyPoints,
    PlayerRow,
    SeatResult,
    Standings,
    TableResult,
    standings,
)

# --- The standings now ---


def current_standings(tournament: Tournament, audience: Audience, *, closed_only: bool = False) -> Standings:
    """Return the standings with running sessions as if they ended now, or of the closed sessions alone.

    Tables where nothing was recorded yet and sessions hidden from the audience do not count. Cached by version.
    """
    return _standings(tournament, audience, closed_only)


@by_version(32)
def _standings(tournament: Tournament, audience: Audience, closed_only: bool) -> Standings:
    return standings_with(tournament, audience, table_results(tournament, audience, closed_only))


def standings_with(
    tournament: Tournament,
    audience: Audience,
    results: list[TableResult],
    until: Session | None = None,
    proposed: Iterable[Cut] = (),
) -> Standings:
    """Return the standings for these results, with penalties and withdrawals up to a session; not cached.

    A final counts from the first result of its sessions on, one that is only `proposed` at once. Rulings of sessions
    that are hidden from the audience are left out; the caller leaves out their results.
    """
    rules, hidden = tournament.rules, hidden_from(audience, tournament)

    def rank(players: Sequence[PlayerRow], last: int | None) -> Standings:
        counted = [table for table in results if last is None or table.session <= last]
        penalties = _penalties(tournament, last, hidden)
        return standings(players, counted, penalties=penalties, criteria=rules.criteria, scale=rules.scale)

    newest = max((table.session for table in results), default=0)
    cuts = [*(final.cut for final in tournament.finals.filter(after_session__lt=newest)), *proposed]
    players = _player_rows(tournament, results, until, hidden)
    return rank(apply_cuts(players, cuts, rank), until.number if until else None)


def _penalties(tournament: Tournament, last: int | None, hidden: Collection[int]) -> dict[int, PenaltyPoints]:
    """Return the penalty points of each player, up to a session and without those hidden."""
    game_points = effects_beyond_table(tournament, PointScope.TOURNAMENT, last, hidden)
    table_points = effects_beyond_table(tournament, PointScope.TABLE_POINTS, last, hidden)
    return {
        player: PenaltyPoints(-game_points.get(player, 0), -table_points.get(player, 0))
        for player in game_points.keys() | table_points.keys()
    }


def _player_rows(
    tournament: Tournament, results: Sequence[TableResult], until: Session | None, hidden: Collection[int]
) -> list[PlayerRow]:
    """Return the players to list; ranked are those who have played, unless the rulebook leaves them without a rank."""
    played = players_with_results(tournament, results)
    unranked = unranked_players(tournament, until.number if until else None, hidden)
    end = until.closed_at if until else None
    attendance = tournament.rules.attendance
    rows = []
    for number, withdrawn_at in players_of(tournament).values_list("number", "withdrawn_at"):
        withdrawn = withdrawn_at is not None and (end is None or withdrawn_at <= end)
        unranked_because = unranked.get(number, "")
        if unranked_because:
            ranked = attendance.disqualified_ranked and unranked_because == "disqualification"
        else:
            ranked = number in played and (attendance.withdrawn_ranked or not withdrawn)
        rows.append(PlayerRow(number, withdrawn=withdrawn, ranked=ranked, unranked_because=unranked_because))
    return rows


@by_version(32)
def substitute_standings(tournament: Tournament, audience: Audience, numbers: tuple[int, ...]) -> Standings:
    """Return the results of substitutes, by number, a line each without a rank."""
    rules, hidden = tournament.rules, hidden_from(audience, tournament)
    return standings(
        [PlayerRow(number, ranked=False) for number in numbers],
        table_results(tournament, audience),
        penalties=_penalties(tournament, None, hidden),
        criteria=rules.criteria,
        scale=rules.scale,
    )


def standings_after(tournament: Tournament, audience: Audience, session: int) -> Standings:
    """Return the standings after session `session`, with every correction made since."""
    later = tournament.sessions.filter(number__gt=session, state=Session.State.CLOSED)
    if not later.exists():
        return current_standings(tournament, audience, closed_only=True)
    return _standings_after(tournament, audience, session)


@by_version(32)
def _standings_after(tournament: Tournament, audience: Audience, session: int) -> Standings:
    results = [table for table in table_results(tournament, audience) if table.session <= session]
    return standings_with(tournament, audience, results, tournament.sessions.get(number=session))


def publication_rows(standings: Standings) -> list[dict[str, Any]]:
    """Return the rows of a publication: rank, number, table points with two decimals, game points."""
    return [
        {
            "rank": row.rank,
            "number": row.number,
            "table_points": two_decimals(row.table_points),
            "game_points": int(row.game_points),
        }
        for row in standings.rows
    ]


def table_results(tournament: Tournament, audience: Audience, closed_only: bool = False) -> list[TableResult]:
    """Return every table with a result that is not hidden from the audience; final once its session is closed."""
    counted_seats = _counted_seats(tournament, audience, closed_only)
    rows = counted_seats.order_by("table__session__number", "table__number", "id").values_list(
        "table__session__number",
        "table__number",
        "table__session__state",
        "player__number",
        "game_points",
        "hands_won",
        "wins_by_discard",
        "deal_ins",
    )
    attendance = tournament.rules.attendance
    empty, forfeited = all_empty_seats(tournament), forfeited_sessions(tournament)
    stand_ins = {} if attendance.credits_player else _stand_ins(counted_seats)
    owed_points = points_owed_by_absent(tournament, stand_ins)
    tables: defaultdict[tuple[int, int, str], list[SeatResult]] = defaultdict(list)
    for session, table, state, player, game_points, hands_won, wins_by_discard, deal_ins in rows:
        place = session, player
        seat = SeatResult(
            player,
            game_points,
            hands_won,
            wins_by_discard,
            deal_ins,
            placed=place not in empty
            and (place not in stand_ins or attendance.stand_in_has_place(stand_ins[place])),
            owed=owed_points.get(place),
            forfeited=place in forfeited,
        )
        tables[session, table, state].append(seat)
    return [
        TableResult(session, table, tuple(seats), final=state == Session.State.CLOSED)
        for (session, table, state), seats in tables.items()
    ]


def _stand_ins(seats: QuerySet[Seat]) -> dict[tuple[int, int], int | None]:
    """Return (session, player number) → the first hand of the stand-in, where one plays."""
    rows = seats.exclude(stand_in="").values_list("table__session__number", "player__number", "stand_in_from")
    return {(session, player): first for session, player, first in rows}


def players_with_results(tournament: Tournament, results: Iterable[TableResult]) -> set[int]:
    """Return the numbers of the players who sat at one of these tables themselves.

    A player who never came to the table has not played, unless a stand-in's result is theirs; one who left it has.
    """
    absences = open_absences().filter(table__session__tournament=tournament)
    absent = set(absences.values_list("table__session__number", "player__number"))
    return {
        seat.player
        for table in results
        for seat in table.seats
        if (seat.placed and seat.owed is None) or (table.session, seat.player) not in absent
    }


def has_results(tournament: Tournament, audience: Audience) -> bool:
    """Return whether there is anything to rank by that is not hidden from the audience; computes no standings."""
    return _counted_seats(tournament, audience).exists()


def _counted_seats(tournament: Tournament, audience: Audience, closed_only: bool = False) -> QuerySet[Seat]:
    """Return the seats of tables where something was recorded."""
    states = [Session.State.CLOSED] if closed_only else [Session.State.CLOSED, Session.State.RUNNING]
    penalties = Penalty.objects.filter(table=OuterRef("table"), cancelled_at=None)
    return (
        Seat.objects.filter(table__session__tournament=tournament, table__session__state__in=states)
        .filter(Q(table__hands_played__gt=0) | Q(table__counts_totals=True) | Exists(penalties))
        .exclude(table__session__number__in=hidden_from(audience, tournament))
    )


# --- Changed ranks ---


def rank_changes(
    table: Table, audience: Audience, figures: Mapping[int, Mapping[str, int]]
) -> dict[Player, tuple[int | None, int | None]] | None:
    """Return player → (rank before, rank after), the best new rank first; None if hidden from the audience.

    `figures`: player number → the new figures of the seat.
    """
    tournament = table.session.tournament
    if is_withheld_from(audience, table.session):
        return None
    before = {row.number: row.rank for row in current_standings(tournament, audience).rows}
    after = {row.number: row.rank for row in standings_with_figures(table, audience, figures).rows}
    moved = {number: rank for number, rank in after.items() if rank != before.get(number)}
    players = {player.number: player for player in tournament.players.filter(number__in=moved)}
    return {players[number]: (before.get(number), rank) for number, rank in moved.items()}


def standings_with_figures(
    table: Table,
    audience: Audience,
    figures: Mapping[int, Mapping[str, int]],
    *,
    closed_only: bool = False,
) -> Standings:
    """Return the standings once the table's seats get these figures (player number → figures); not cached."""
    tournament = table.session.tournament
    results = table_results(tournament, audience, closed_only)
    return standings_with(tournament, audience, [_with_figures(result, table, figures) for result in results])


def _with_figures(result: TableResult, table: Table, figures: Mapping[int, Mapping[str, int]]) -> TableResult:
    if (result.session, result.table) != (table.session.number, table.number):
        return result
    seats = [
        replace(
            seat,
            game_points=figures[seat.player]["game_points"],
            hands_won=figures[seat.player]["hands_won"],
            wins_by_discard=figures[seat.player]["wins_by_discard"],
            deal_ins=figures[seat.player]["deal_ins"],
        )
        for seat in result.seats
    ]
    return replace(result, seats=tuple(seats))
