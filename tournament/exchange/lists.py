"""What pages list, to take away: each list once, as XLSX, CSV and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import Any, Final

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from penalties.engine import Sanction
from penalties.texts import name_in, sanction_text
from scoring.engine import find_fan
from scoring.texts import fan_name, joined
from tournament.base import access
from tournament.base.access import Actor, Audience
from tournament.base.engine.rules import two_decimals
from tournament.base.models.log import name_of
from tournament.base.models.play import Final as SeatingFinal
from tournament.base.models.play import Hand, Seat
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import hidden_from, version_for
from tournament.fouls.selectors import PenaltyFilter, list_penalties
from tournament.players.selectors.check_in import check_in_desk
from tournament.ranking.selectors.ranking import Kind, State, groups_now, ranking
from tournament.ranking.selectors.standings import Part, RankingRow, table_results
from tournament.ranking.selectors.statistics import event_statistics
from tournament.ranking.texts import carried_name
from tournament.staff.selectors import staff_of
from tournament.web.exports.sheets import CONTENT_TYPE, CSV_TYPE, Cell, csv_of, workbook_of
from tournament.web.selectors import log_words

# --- Columns and rows ---


Value = str | int | Decimal | bool | date | datetime | None
FORMATS: Final = ("xlsx", "csv", "json")


@dataclass(frozen=True)
class Column:
    """`key` is for programs and stays; `label` is for people, in their language."""

    key: str
    label: str | Promise


@dataclass(frozen=True)
class Table:
    """`title`: what it is called now, where that is more than the list's name."""

    columns: Sequence[Column]
    rows: Iterable[Sequence[Value]]
    title: str = ""


@dataclass(frozen=True)
class Asked:
    """Of which event, and for whom: what a page keeps from them is not in its list."""

    tournament: Tournament
    audience: Audience
    actor: Actor


@dataclass(frozen=True)
class Listed:
    """A list by its name in addresses. `may`: whether its page is shown to whoever asks, beyond the address's right."""

    name: str
    title: str | Promise
    table: Callable[[Asked], Table]
    may: Callable[[Asked], bool] = lambda asked: True


def points(value: Fraction | int) -> Decimal | int:
    """Whole where they are: points carried into a final may be halves."""
    exact = Fraction(value)
    return int(exact) if exact.denominator == 1 else Decimal(two_decimals(exact))


def table_points(value: Fraction | int) -> Decimal:
    return Decimal(two_decimals(Fraction(value)))


# --- Lists of people ---


def players(asked: Asked) -> Table:
    """Everybody entered, by number, as the public page has them."""
    columns = [
        *(
            Column("number", _("No.")),
            Column("last_name", _("Last name")),
            Column("first_name", _("First name")),
        ),
        *(Column("country", _("Country")), Column("ema_number", _("EMA number"))),
        *(Column("team", _("Team")), Column("club", _("Club"))),
        *(Column("substitute", _("Substitute")), Column("withdrawn", _("Withdrawn"))),
    ]
    return Table(
        columns,
        (
            [
                *(player.number, player.last_name, player.first_name, player.country),
                *(player.ema_number, player.team, player.club),
                *(player.is_substitute, player.is_withdrawn),
            ]
            for player in asked.tournament.players.order_by("number")
        ),
    )


def check_in(asked: Asked) -> Table:
    """Everybody who is awaited, with when they came and what they owe."""
    columns = [
        *(Column("number", _("No.")), Column("name", _("Name")), Column("country", _("Country"))),
        *(Column("team", _("Team")), Column("here", _("Here")), Column("came_at", _("When"))),
        Column("owes", _("Still open")),
    ]
    return Table(
        columns,
        (
            [
                *(line.player.number, line.player.name, line.player.country, line.player.team),
                *(line.is_here, line.player.checked_in_at, line.owes),
            ]
            for line in check_in_desk(asked.tournament, "all").lines
        ),
    )


def staff(asked: Asked) -> Table:
    """Who has a role; never an address or a password."""
    columns = [
        *(Column("name", _("Name")), Column("role", _("Role")), Column("account", _("Signs in as"))),
        Column("player", _("Plays as")),
    ]
    return Table(
        columns,
        (
            [
                *(name_of(member.user), str(member.get_role_display()), member.user.username),
                member.player.number if member.player else None,
            ]
            for member in staff_of(asked.tournament)
        ),
    )


def log(asked: Asked) -> Table:
    """Every write, the newest first, in sentences; `action` for programs."""
    columns = [
        *(Column("number", _("No.")), Column("at", _("When")), Column("who", _("Who"))),
        *(Column("action", _("Action")), Column("what", _("What"))),
    ]
    words = log_words(asked.tournament)
    entries = asked.tournament.log.select_related("actor").order_by("-seq")
    return Table(
        columns,
        ([entry.seq, entry.at, entry.actor_name, entry.action, words.sentence(entry)] for entry in entries),
    )


# --- Lists of what was played ---


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
        *chain.from_iterable(map(_part_columns, now.parts)),
        Column("substitute", _("Substitute")),
    ]
    title = _("Ranking, provisional") if now.state is State.PROVISIONAL else ""
    return Table(columns, map(_ranking_row, chain(now.rows, now.substitutes)), title)


def _part_columns(part: Part) -> tuple[Column, Column]:
    """The table and the game points of a session, or of what finalists carry."""
    if isinstance(part, SeatingFinal):
        key, name = f"carried_after_{part.after_session}", carried_name(part.cut)
    else:
        key, name = f"session_{part.number}", _("Session %(n)s") % {"n": part.number}
    return (
        Column(f"{key}_table_points", _("%(part)s: table points") % {"part": name}),
        Column(f"{key}_game_points", _("%(part)s: game points") % {"part": name}),
    )


def _ranking_row(row: RankingRow) -> list[Value]:
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
        return Table(
            columns,
            (
                [
                    group.rank,
                    group.name,
                    table_points(group.table_points),
                    points(group.game_points),
                    len(group.members),
                ]
                for group in groups_now(asked.tournament, asked.audience, kind)
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
    stored = Seat.objects.filter(table__session__tournament=asked.tournament).select_related(
        "player", "table__session"
    )
    columns = [
        *(Column("session", _("Session")), Column("table", _("Table")), Column("wind", _("Wind"))),
        *(Column("number", _("No.")), Column("name", _("Name"))),
    ]
    return Table(
        columns,
        (
            [seat.table.session.number, seat.table.number, seat.wind, seat.player.number, seat.player.name]
            for seat in stored.order_by("table__session__number", "table__number", "id")
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
    recorded = (
        Hand.objects.filter(table__session__tournament=asked.tournament, is_current=True)
        .exclude(table__session__number__in=hidden_from(asked.audience, asked.tournament))
        .select_related("table__session", "winner", "discarder")
        .order_by("table__session__number", "table__number", "number")
    )
    return Table(columns, map(_hand_row, recorded))


def _hand_row(hand: Hand) -> list[Value]:
    fans = joined(fan_name(find_fan(line["key"])) for line in hand.fans)
    return [
        *(hand.table.session.number, hand.table.number, hand.number, str(hand.get_outcome_display())),
        *(player.number if player else None for player in (hand.winner, hand.discarder)),
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
    return Table(
        columns,
        (
            [
                *(penalty.table.session.number, penalty.table.number, penalty.hand_number),
                *(penalty.player.number, penalty.player.name, name_in(book, penalty.foul)),
                *(sanction_text(Sanction.from_json(penalty.sanction)), penalty.given_at),
                penalty.is_cancelled,
            ]
            for penalty in list_penalties(asked.tournament, asked.audience, PenaltyFilter())
        ),
    )


def fans(asked: Asked) -> Table:
    """How often each was made, the most frequent first."""
    frequencies = event_statistics(asked.tournament, asked.audience).figures.fans_by_frequency
    columns = [Column("key", _("Key")), Column("fan", _("Fan")), Column("hands", _("Hands"))]
    return Table(columns, ([key, fan_name(find_fan(key)), times] for key, times in frequencies))


# --- All lists by name ---


def _by_name(lists: Iterable[Listed]) -> Mapping[str, Listed]:
    return {listed.name: listed for listed in lists}


OPEN: Final = _by_name(
    (
        Listed("ranking", gettext_lazy("Ranking"), ranks),
        Listed("teams", gettext_lazy("Teams"), groups("teams")),
        Listed("nations", gettext_lazy("Nations"), groups("nations")),
        Listed("results", gettext_lazy("Results of the tables"), results),
        Listed("players", gettext_lazy("Players"), players),
        Listed("seats", gettext_lazy("Seats"), seats),
        Listed("hands", gettext_lazy("Hands"), hands),
        Listed("fans", gettext_lazy("Fans made"), fans),
        Listed(
            "penalties",
            gettext_lazy("Penalties"),
            penalties,
            lambda asked: access.can_see_penalties(asked.actor, asked.tournament),
        ),
    )
)
"""For whoever sees the event, each as far as its audience is told."""
STAFF: Final = _by_name(
    (Listed("log", gettext_lazy("Log"), log), Listed("staff", gettext_lazy("Staff"), staff))
)
"""For whoever may read everything."""
DESK: Final = _by_name((Listed("check-in", gettext_lazy("Check-in"), check_in),))
"""For whoever admits people."""
LISTS: Final[Mapping[str, Listed]] = {**OPEN, **STAFF, **DESK}
"""A page offers its list by `{% downloads %}`; addresses have the same names."""


def list_named(name: str) -> Listed:
    return LISTS[name]


# --- Lists as files ---


TYPES: Final = {"xlsx": CONTENT_TYPE, "csv": CSV_TYPE, "json": "application/json"}
LONGEST_TITLE: Final = 31
"""Characters of a sheet's name."""


def written(listed: Listed, asked: Asked, kind: str) -> bytes:
    """Write a list as a file: typed cells for people, plain text for programs, JSON with keys that stay."""
    table = listed.table(asked)
    if kind == "json":
        return _json(listed, asked, table)
    headings = [str(column.label) for column in table.columns]
    if kind == "csv":
        return csv_of(headings, (list(map(_csv_value, row)) for row in table.rows))
    title = re.sub(r"[\[\]:*?/\\]", " ", _title(listed, table))[:LONGEST_TITLE]
    return workbook_of(title, headings, (list(map(_xlsx_value, row)) for row in table.rows))


def _title(listed: Listed, table: Table) -> str:
    return table.title or str(listed.title)


def _json(listed: Listed, asked: Asked, table: Table) -> bytes:
    keys = [column.key for column in table.columns]
    data = {
        "list": listed.name,
        "title": _title(listed, table),
        "version": version_for(asked.audience, asked.tournament),
        "columns": [{"key": column.key, "label": str(column.label)} for column in table.columns],
        "rows": list(_objects(keys, table.rows)),
    }
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def _objects(keys: Sequence[str], rows: Iterable[Sequence[Value]]) -> Iterable[dict[str, Any]]:
    for row in rows:
        yield {key: _json_value(value) for key, value in zip(keys, row, strict=True)}


def _json_value(value: Value) -> Any:
    match value:
        case datetime() | date():
            return value.isoformat()
        case None | bool() | int() | str():
            return value
    return str(value)


def _csv_value(value: Value) -> Cell:
    match value:
        case bool():
            return "true" if value else "false"
        case datetime() | date():
            return value.isoformat()
    return value


def _xlsx_value(value: Value) -> Cell:
    """By the clock of the hall, as its page tells it, to the second: a sheet knows no time zones."""
    return timezone.make_naive(value).replace(microsecond=0) if isinstance(value, datetime) else value
