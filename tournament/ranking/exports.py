"""Lists of the ranking, teams, nations, table results and fans."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.engine import find_fan
from scoring.texts import fan_name
from tournament.base.models.play import Final
from tournament.play.selectors.totals import uncounted_tables
from tournament.ranking.engine.standings import SeatResult, TableResult
from tournament.ranking.selectors.groups import GroupKind, current_groups
from tournament.ranking.selectors.ranking import Part, Ranking, State, ranking
from tournament.ranking.selectors.standings import table_results
from tournament.ranking.selectors.statistics import event_statistics
from tournament.ranking.texts import carried_name, unranked_text
from tournament.web.exports.lists import Column, Kind, ListTable, Reader, Value, points, table_points


def _ranking_columns(now: Ranking) -> list[Column]:
    """Return the columns; table points are rounded to two decimals, as on paper.

    The points carried into a final come before the sessions after it.
    """
    return [
        Column("rank", _("Rank"), lambda row: None if row.player.is_substitute else row.standing.rank),
        Column("number", _("No."), lambda row: row.player.number),
        Column("name", _("Name"), lambda row: row.player.full_name),
        Column("country", _("Country"), lambda row: row.player.country),
        Column("ema_number", _("EMA number"), lambda row: row.player.ema_number),
        Column("team", _("Team"), lambda row: row.player.team),
        Column("club", _("Club"), lambda row: row.player.club),
        Column("table_points", _("Table points"), lambda row: table_points(row.standing.table_points)),
        Column("game_points", _("Game points"), lambda row: points(row.standing.game_points)),
        *chain.from_iterable(_part_columns(at, part) for at, part in enumerate(now.parts)),
        Column("substitute", _("Substitute"), lambda row: row.player.is_substitute),
        Column("unranked_because", _("Instead of a rank"), lambda row: unranked_text(row.standing)),
    ]


def _part_columns(at: int, part: Part) -> tuple[Column, Column]:
    """Return the table and the game points of a session, or of what finalists carry."""
    if isinstance(part, Final):
        key, name = f"carried_after_{part.after_session}", carried_name(part.cut)
    else:
        key, name = f"session_{part.number}", gettext("Session %(n)s") % {"n": part.number}

    def of_part(figure: Callable[[Any], Value]) -> Callable[[Any], Value]:
        return lambda row: None if row.parts[at] is None else figure(row.parts[at])

    return (
        Column(
            f"{key}_table_points",
            gettext("%(part)s: table points") % {"part": name},
            of_part(lambda score: table_points(score.table_points)),
        ),
        Column(
            f"{key}_game_points",
            gettext("%(part)s: game points") % {"part": name},
            of_part(lambda score: points(score.game_points)),
        ),
    )


RANKING = ListTable(
    "ranking",
    _("Ranking"),
    columns=_ranking_columns,
    rows=lambda now: chain(now.rows, now.substitutes),
    read=lambda reader: ranking(reader.tournament, reader.audience),
    title_now=lambda now: gettext("Ranking, provisional") if now.state is State.PROVISIONAL else "",
)
"""Best first, substitutes last and without a rank; totals, and the scores of each session."""


def _groups(kind: GroupKind, title: str | Promise, heading: str | Promise) -> ListTable:
    return ListTable(
        kind,
        title,
        columns=[
            Column("rank", _("Rank"), lambda group: group.rank),
            Column("name", heading, lambda group: group.name),
            Column("table_points", _("Table points"), lambda group: table_points(group.table_points)),
            Column("game_points", _("Game points"), lambda group: points(group.game_points)),
            Column("players", _("Players"), lambda group: len(group.members)),
        ],
        rows=lambda reader: current_groups(reader.tournament, reader.audience, kind),
    )


TEAMS = _groups("teams", _("Teams"), _("Team"))
NATIONS = _groups("nations", _("Nations"), _("Country"))


@dataclass(frozen=True)
class _Result:
    """A seat's line; `wins` and `deal_ins` are None where a sheet on paper gives totals alone."""

    table: TableResult
    seat: SeatResult
    name: str
    wins: int | None
    deal_ins: int | None


def _results(reader: Reader) -> Iterator[_Result]:
    tournament = reader.tournament
    names = {player.number: player.full_name for player in tournament.players.all()}
    without = {figure: uncounted_tables(tournament, figure) for figure in ("wins", "deal_ins")}
    for table in table_results(tournament, reader.audience):
        place = table.session, table.table
        for seat in table.seats:
            wins = None if place in without["wins"] else seat.hands_won
            deal_ins = None if place in without["deal_ins"] else seat.deal_ins
            yield _Result(table, seat, names[seat.player], wins, deal_ins)


RESULTS = ListTable(
    "results",
    _("Results of the tables"),
    columns=[
        Column("session", _("Session"), lambda row: row.table.session),
        Column("table", _("Table"), lambda row: row.table.table),
        Column("number", _("No."), lambda row: row.seat.player),
        Column("name", _("Name"), lambda row: row.name),
        Column("game_points", _("Game points"), lambda row: points(row.seat.game_points)),
        Column("hands_won", _("Wins"), lambda row: row.wins),
        Column("deal_ins", _("Deal-ins"), lambda row: row.deal_ins),
        Column("final", _("Final"), lambda row: row.table.final),
    ],
    rows=_results,
)
"""One line for each seat with a result."""

FANS = ListTable(
    "fans",
    _("Fans made"),
    columns=[
        Column("key", _("Key"), lambda count: count[0]),
        Column("fan", _("Fan"), lambda count: fan_name(find_fan(count[0])), Kind.NAME),
        Column("hands", _("Hands"), lambda count: count[1], Kind.FIGURE),
    ],
    rows=lambda reader: event_statistics(reader.tournament, reader.audience).figures.fans_by_frequency,
)
"""The number of hands with each fan, the most frequent first."""
