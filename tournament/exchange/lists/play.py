"""Lists of what was played: places, results, seats, hands, penalties, fans."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

from django.utils.translation import gettext as _

from penalties.engine import Sanction
from penalties.texts import name_in, sanction_text
from scoring.engine import find_fan
from scoring.texts import fan_name, joined
from tournament.base.models.hands import Hand
from tournament.base.models.play import Seat
from tournament.base.selectors.embargo import hidden_from
from tournament.exchange.lists.table import Asked, Column, Table, Value, points, table_points
from tournament.fouls.selectors.penalties import PenaltyFilter, list_penalties
from tournament.ranking.selectors.groups import Kind, groups_now
from tournament.ranking.selectors.ranking import State, ranking
from tournament.ranking.selectors.ranking_rows import Part, RankingRow
from tournament.ranking.selectors.standings import table_results
from tournament.ranking.selectors.statistics import event_statistics
from tournament.seating.models import Final
from tournament.seating.texts.finals import carried_name


def ranks(asked: Asked) -> Table:
    """The first first, substitutes last and without a rank; overall, and of each session shown.

    Table points are rounded to two decimals, as on paper. The title says while they are provisional. What finalists
    carry stands in the place where it takes over from the sessions before it.
    """
    now = ranking(asked.tournament, asked.audience)
    columns = [
        *(Column("rank", _("Rank")), Column("number", _("No.")), Column("name", _("Name"))),
        *(Column("country", _("Country")), Column("ema_number", _("EMA number"))),
        *(Column("team", _("Team")), Column("club", _("Club"))),
        Column("table_points", _("Table points")),
        Column("game_points", _("Game points")),
        *chain.from_iterable(map(_of_part, now.parts)),
        Column("substitute", _("Substitute")),
    ]
    title = _("Ranking, provisional") if now.state is State.PROVISIONAL else ""
    return Table(columns, map(_rank, chain(now.rows, now.substitutes)), title)


def _of_part(part: Part) -> tuple[Column, Column]:
    """The table and the game points of a session, or of what finalists carry."""
    if isinstance(part, Final):
        key, name = f"carried_after_{part.after_session}", carried_name(part.cut)
    else:
        key, name = f"session_{part.number}", _("Session %(n)s") % {"n": part.number}
    return (
        Column(f"{key}_table_points", _("%(part)s: table points") % {"part": name}),
        Column(f"{key}_game_points", _("%(part)s: game points") % {"part": name}),
    )


def _rank(row: RankingRow) -> list[Value]:
    player, standing = row.player, row.standing
    line: list[Value] = [
        *(None if player.is_substitute else standing.rank, player.number, player.name),
        *(player.country, player.ema_number, player.team, player.club),
        *(table_points(standing.table_points), points(standing.game_points)),
    ]
    for score in row.parts:
        line += (
            [None, None] if score is None else [table_points(score.table_points), points(score.game_points)]
        )
    return [*line, player.is_substitute]


def groups(kind: Kind) -> Callable[[Asked], Table]:
    def of_kind(asked: Asked) -> Table:
        columns = [
            Column("rank", _("Rank")),
            Column("name", _("Team") if kind == "teams" else _("Country")),
            Column("table_points", _("Table points")),
            Column("game_points", _("Game points")),
            Column("players", _("Players")),
        ]
        found = groups_now(asked.tournament, asked.audience, kind)
        return Table(
            columns,
            (
                [
                    one.rank,
                    one.name,
                    table_points(one.table_points),
                    points(one.game_points),
                    len(one.members),
                ]
                for one in found
            ),
        )

    return of_kind


def results(asked: Asked) -> Table:
    """A line a seat that has begun."""
    columns = [
        *(Column("session", _("Session")), Column("table", _("Table")), Column("number", _("No."))),
        *(Column("name", _("Name")), Column("game_points", _("Game points"))),
        *(Column("hands_won", _("Wins")), Column("deal_ins", _("Dealt in"))),
        Column("final", _("Final")),
    ]
    names = {player.number: player.name for player in asked.tournament.players.all()}
    return Table(
        columns,
        (
            [
                *(table.session, table.table, seat.player, names[seat.player]),
                *(points(seat.game_points), seat.hands_won, seat.deal_ins, table.final),
            ]
            for table in table_results(asked.tournament, asked.audience)
            for seat in table.seats
        ),
    )


def seats(asked: Asked) -> Table:
    """Who sits where, by the wind they start with."""
    found = Seat.objects.filter(table__session__tournament=asked.tournament).select_related(
        "player", "table__session"
    )
    columns = [
        *(Column("session", _("Session")), Column("table", _("Table")), Column("wind", _("Wind"))),
        *(Column("number", _("No.")), Column("name", _("Name"))),
    ]
    return Table(
        columns,
        (
            [one.table.session.number, one.table.number, one.wind, one.player.number, one.player.name]
            for one in found.order_by("table__session__number", "table__number", "id")
        ),
    )


def hands(asked: Asked) -> Table:
    """As they stand, each with the tiles and the fans where they are known."""
    columns = [
        *(Column("session", _("Session")), Column("table", _("Table")), Column("hand", _("Hand"))),
        *(
            Column("outcome", _("Outcome")),
            Column("winner", _("Winner")),
            Column("discarder", _("Discarder")),
        ),
        *(Column("points", _("Points")), Column("tiles", _("Tiles")), Column("fans", _("Fans"))),
        *(Column("version", _("Version")), Column("recorded_at", _("When"))),
    ]
    found = (
        Hand.objects.filter(table__session__tournament=asked.tournament, is_current=True)
        .exclude(table__session__number__in=hidden_from(asked.audience, asked.tournament))
        .select_related("table__session", "winner", "discarder")
        .order_by("table__session__number", "table__number", "number")
    )
    return Table(columns, map(_hand, found))


def _hand(hand: Hand) -> list[Value]:
    fans = joined(fan_name(find_fan(line["key"])) for line in hand.fans)
    return [
        *(hand.table.session.number, hand.table.number, hand.number, str(hand.get_outcome_display())),
        *(one.number if one else None for one in (hand.winner, hand.discarder)),
        *(hand.points, _tiles(hand.tiles), fans, hand.version, hand.recorded_at),
    ]


def _tiles(tiles: dict[str, Any] | None) -> str:
    """The concealed ones, then each meld in brackets: "1m 2m 3m [5p 5p 5p]"."""
    if not tiles:
        return ""
    melds = (f"[{' '.join(meld['tiles'])}]" for meld in tiles.get("melds", ()))
    return " ".join([*tiles.get("concealed", ()), *melds])


def penalties(asked: Asked) -> Table:
    """The newest first, the cancelled ones too."""
    columns = [
        *(Column("session", _("Session")), Column("table", _("Table")), Column("hand", _("Hand"))),
        *(Column("number", _("No.")), Column("name", _("Name")), Column("foul", _("Foul"))),
        *(
            Column("sanction", _("Sanction")),
            Column("given_at", _("When")),
            Column("cancelled", _("Cancelled")),
        ),
    ]
    book = asked.tournament.rules.fouls
    found = list_penalties(asked.tournament, asked.audience, PenaltyFilter())
    return Table(
        columns,
        (
            [
                *(one.table.session.number, one.table.number, one.hand_number),
                *(one.player.number, one.player.name, name_in(book, one.foul)),
                *(sanction_text(Sanction.from_json(one.sanction)), one.given_at, one.is_cancelled),
            ]
            for one in found
        ),
    )


def fans(asked: Asked) -> Table:
    """How often each was made, the most frequent first."""
    found = event_statistics(asked.tournament, asked.audience).figures.fans_by_frequency
    columns = [Column("key", _("Key")), Column("fan", _("Fan")), Column("hands", _("Hands"))]
    return Table(columns, ([key, fan_name(find_fan(key)), times] for key, times in found))
