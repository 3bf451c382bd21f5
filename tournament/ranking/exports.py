"""Lists of the ranking, teams, nations, table results and fans."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.engine import find_fan
from scoring.texts import fan_name
from tournament.base.models.play import Final
from tournament.ranking.engine.standings import SeatResult, TableResult
from tournament.ranking.selectors.ranking import Kind as GroupKind
from tournament.ranking.selectors.ranking import Ranking, State, current_groups, ranking
from tournament.ranking.selectors.standings import Part, table_results
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


def _results(reader: Reader) -> Iterator[tuple[TableResult, SeatResult, str]]:
    names = {player.number: player.full_name for player in reader.tournament.players.all()}
    for table in table_results(reader.tournament, reader.audience):
        yield from ((table, seat, names[seat.player]) for seat in table.seats)


RESULTS = ListTable(
    "results",
    _("Results of the tables"),
    columns=[
        Column("session", _("Session"), lambda row: row[0].session),
        Column("table", _("Table"), lambda row: row[0].table),
        Column("number", _("No."), lambda row: row[1].player),
        Column("name", _("Name"), lambda row: row[2]),
        Column("game_points", _("Game points"), lambda row: points(row[1].game_points)),
        Column("hands_won", _("Wins"), lambda row: row[1].hands_won),
        Column("deal_ins", _("Deal-ins"), lambda row: row[1].deal_ins),
        Column("final", _("Final"), lambda row: row[0].final),
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
