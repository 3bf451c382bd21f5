"""Results for the European Mahjong Association, the weight of an event, and what is missing before sending them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cached_property

from django.db.models import Sum

from penalties.models import Penalty
from penalties.selectors import effects_at_table
from scoring.engine.problems import Problem, problem_code
from scoring.texts import joined
from tournament.base.countries import country_name
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import STANDARD_SCALE, table_points, two_decimals
from tournament.base.models.events import EventPage
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Role, Tournament
from tournament.base.selectors import by_version, event_page_of
from tournament.ema.engine.columns import DEFAULT_COLUMNS, FIXED_TEXT, Column, missing_fields
from tournament.ema.engine.mers import MAX_SUBSTITUTES, Weight, base, weight
from tournament.ema.models import EmaColumns
from tournament.play.selectors.timetable import players_of
from tournament.players.engine import MEMBER_COUNTRIES, has_unknown_prefix, is_guest, is_number, other_country
from tournament.ranking.selectors.ranking import Ranking, RankingRow, State, ranking
from tournament.ranking.selectors.standings import table_results

# --- Results ---


@dataclass(frozen=True)
class EmaLine:
    """A player's result. `base`: None without a place, or if nobody else has a place."""

    row: RankingRow
    base: int | None

    @property
    def player(self) -> Player:
        return self.row.player

    @property
    def place(self) -> int | None:
        return self.row.standing.rank

    @property
    def is_member(self) -> bool:
        """Whether the player's number was issued by a federation of the EMA."""
        return is_number(self.player.ema_number)


@dataclass(frozen=True)
class EmaResults:
    """The results of an event for its organisers, with hidden sessions."""

    tournament: Tournament
    page: EventPage
    ranking: Ranking
    lines: tuple[EmaLine, ...]
    """Players who have played, by place, then those without one; no substitutes."""
    not_played: tuple[Player, ...]
    """Players who have neither played nor withdrawn, once a session has begun."""
    participation: Participation

    @cached_property
    def placed(self) -> int:
        """The number of players with a place."""
        return sum(line.place is not None for line in self.lines)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        return columns_of(self.tournament)

    @property
    def is_counted(self) -> bool:
        """Whether the event's page says that the European ranking counts it."""
        return bool(self.page.mers)

    @property
    def gaps(self) -> list[Gap]:
        """What is missing, in the order of `GapKind`, then by player."""
        gaps = [*_event_gaps(self), *_table_gaps(self), *_player_gaps(self), *_column_gaps(self)]
        return sorted(gaps, key=lambda gap: list(GapKind).index(gap.kind))


def ema_results(tournament: Tournament) -> EmaResults:
    """Return the current results; a running session counts as if it ended now."""
    current, page = ranking(tournament, Audience.STAFF), event_page_of(tournament)
    placed = sum(row.standing.rank is not None for row in current.rows)
    return EmaResults(
        tournament,
        page,
        current,
        tuple(
            EmaLine(row, base(row.standing.rank, placed) if row.standing.rank and placed > 1 else None)
            for row in current.rows
            if row.standing.sessions
        ),
        tuple(row.player for row in current.rows if not row.standing.sessions) if current.sessions else (),
        count_participation(tournament, page),
    )


@dataclass(frozen=True)
class Participation:
    """The numbers of days, players and countries, and the event's weight that follows from them."""

    days: int
    players: int
    """The number of participants in the file and the reports; no substitutes."""
    substitutes: int
    """Those that count as players in the weight: at most three, none that has withdrawn."""
    countries: tuple[tuple[str, int], ...]
    """(alpha-3, number of players), the largest first, by the players' own countries."""
    guests: int
    """Players with a guest's number; in the weight they count for the country of the event (ruling of the EMA's
    presidium, 24 July 2018, 12 b)."""
    counted_countries: int
    """The number of countries that the weight counts."""
    weight: Weight


def count_participation(tournament: Tournament, page: EventPage) -> Participation:
    """Count participants (`players_of`) and compute the weight. `page` has the event's country and kind."""
    players = list(players_of(tournament).values_list("country", "ema_number"))
    by_country = Counter(country for country, _number in players if country)
    guests = sum(is_guest(number) for _country, number in players)
    counted = {page.country if is_guest(number) else country for country, number in players} - {""}
    days = (tournament.ends_on - tournament.starts_on).days + 1
    substitutes = min(_count_substitutes(tournament), MAX_SUBSTITUTES)
    is_championship = page.mers == EventPage.Mers.CHAMPIONSHIP
    return Participation(
        days,
        len(players),
        substitutes,
        tuple(sorted(by_country.items(), key=lambda pair: (-pair[1], pair[0]))),
        guests,
        len(counted),
        weight(days, len(players), len(counted), substitutes=substitutes, is_championship=is_championship),
    )


def _count_substitutes(tournament: Tournament) -> int:
    return tournament.players.filter(is_substitute=True, withdrawn_at=None).count()


def columns_of(tournament: Tournament) -> tuple[Column, ...]:
    """Return the columns of a tournament's file; the default ones if none are stored."""
    stored = EmaColumns.objects.filter(tournament=tournament).first()
    return tuple(Column(**column) for column in stored.columns) if stored else DEFAULT_COLUMNS


# --- What is missing ---


MCR = "mcr"
"""The rulebook of the EMA's events."""


class GapKind(Enum):
    """What may be missing in the results. The value is the problem's class."""

    NOT_FINAL = problem_code("ema_not_final", "The final standings are not published.")
    MAY_CHANGE = problem_code(
        "ema_may_change", "The final standings may still change: an appeal is open, or can still be made."
    )
    SESSIONS = problem_code(
        "ema_sessions_missing",
        "{played} of {planned} session has results.",
        "{played} of {planned} sessions have results.",
        by="planned",
    )
    FEW = problem_code(
        "ema_too_few_players",
        "With {players} player in the ranking no place is worth anything. The EMA asks for 16 players of its "
        "member countries.",
        "With {players} players in the ranking no place is worth anything. The EMA asks for 16 players of its "
        "member countries.",
        by="players",
    )
    NOT_COUNTED = problem_code(
        "ema_not_counted", "The event’s page does not say that the European ranking counts it."
    )
    EVENT_COUNTRY = problem_code(
        "ema_event_country_missing", "The event’s page does not say in which country it is."
    )
    REFEREE = problem_code(
        "ema_referee_missing", "No umpire is named on the event page, and no chief umpire is appointed here."
    )
    RULEBOOK = problem_code(
        "ema_other_rulebook",
        "It was played by the rulebook “{rulebook}” and not by “mcr”. The file calls both “Chinese "
        "official”.",
    )
    SCALE = problem_code(
        "ema_other_scale", "The places of a table are not worth 4, 2, 1 and 0 table points here."
    )
    SUBSTITUTES = problem_code(
        "ema_many_substitutes", "Substitutes: {substitutes}; only {maximum} count as players in the weight."
    )
    EMPTY_TABLE = problem_code("ema_table_empty", "Session {session}, table {table}: nothing is recorded.")
    GAME_POINTS = problem_code(
        "ema_game_points_sum",
        "Session {session}, table {table}: without penalties the game points add up to {points} instead of 0.",
    )
    TABLE_POINTS = problem_code(
        "ema_table_points_sum",
        "Session {session}, table {table}: the table points add up to {points} instead of 7.",
    )
    NUMBER_MISSING = problem_code(
        "ema_number_missing", "{name} has no EMA number, but is from a country with an EMA federation."
    )
    NUMBER_MALFORMED = problem_code(
        "ema_number_malformed", "{name}: “{ema_number}” is not an EMA number, which has eight digits."
    )
    NUMBER_TWICE = problem_code(
        "ema_number_twice", "EMA number {ema_number} is used for {names}: all but one must be wrong."
    )
    NUMBER_ELSEWHERE = problem_code(
        "ema_number_elsewhere",
        "{name}: EMA number {ema_number} was issued in {federation}, but the player is from "
        "{country}. The player may have moved.",
    )
    NUMBER_PREFIX = problem_code(
        "ema_number_prefix",
        "{name}: no federation that Hule knows issues EMA numbers that begin with {prefix}. It may have joined "
        "recently.",
    )
    COUNTRY = problem_code("ema_country_missing", "{name} has no country.")
    NAME = problem_code("ema_name_missing", "{name}: first name or last name is missing.")
    NO_PLACE = problem_code(
        "ema_without_place", "{name} has no place and therefore no base, but counts as a participant."
    )
    NEVER_PLAYED = problem_code(
        "ema_never_played",
        "{name} has not played but has not withdrawn either, and therefore counts in the weight.",
    )
    COLUMN_EMPTY = problem_code("ema_column_empty", "Column “{heading}” is empty: choose its content.")
    COLUMN_MISSING = problem_code("ema_column_missing", "There is no column like “{heading}”.")


NOTE_KINDS = frozenset(
    {
        GapKind.NUMBER_ELSEWHERE,
        GapKind.NUMBER_PREFIX,
        GapKind.SUBSTITUTES,
        GapKind.RULEBOOK,
        GapKind.NO_PLACE,
        GapKind.NAME,
        GapKind.MAY_CHANGE,
    }
)
"""These may be correct: the page mentions them, but they need not be fixed."""


@dataclass(frozen=True)
class Gap:
    """Something missing. `player`, `session`, `table`: the numbers of what it is about, if any."""

    kind: GapKind
    params: Mapping[str, str | int] = field(default_factory=dict)
    player: int | None = None
    session: int | None = None
    table: int | None = None

    @property
    def is_note(self) -> bool:
        return self.kind in NOTE_KINDS

    @property
    def problem(self) -> Problem:
        return self.kind.value(**self.params)


def _event_gaps(results: EmaResults) -> Iterator[Gap]:
    tournament, current = results.tournament, results.ranking
    if current.publication is None or not current.publication.is_final or not current.is_as_published:
        yield Gap(GapKind.NOT_FINAL)
    elif current.state is not State.FINAL:
        yield Gap(GapKind.MAY_CHANGE)
    if (played := len(current.sessions)) < tournament.sessions_planned:
        yield Gap(GapKind.SESSIONS, {"played": played, "planned": tournament.sessions_planned})
    if results.placed < 2:
        yield Gap(GapKind.FEW, {"players": results.placed})
    if not results.is_counted:
        yield Gap(GapKind.NOT_COUNTED)
    if not results.page.country:
        yield Gap(GapKind.EVENT_COUNTRY)
    if not results.page.referees and not tournament.memberships.filter(role=Role.CHIEF).exists():
        yield Gap(GapKind.REFEREE)
    if tournament.rules.name != MCR:
        yield Gap(GapKind.RULEBOOK, {"rulebook": tournament.rules.scoring.key})
    if list(tournament.rules.scale) != list(STANDARD_SCALE):
        yield Gap(GapKind.SCALE)
    if (substitutes := _count_substitutes(tournament)) > MAX_SUBSTITUTES:
        yield Gap(GapKind.SUBSTITUTES, {"substitutes": substitutes, "maximum": MAX_SUBSTITUTES})


def _table_gaps(results: EmaResults) -> Iterator[Gap]:
    """Yield tables without results, with payments that do not sum to 0, or with table points that do not sum to 7.

    Table points are checked only with the standard scale.
    """
    tournament, scale = results.tournament, results.tournament.rules.scale
    expected = Fraction(sum(STANDARD_SCALE)) if list(scale) == list(STANDARD_SCALE) else None
    sums = {
        (table.session, table.table): sum(
            table_points(
                [seat.game_points for seat in table.seats], scale, [seat.placed for seat in table.seats]
            ),
            Fraction(0),
        )
        for table in table_results(tournament, Audience.STAFF, closed_only=True)
    }
    payments = _payments_by_table(tournament)
    tables = Table.objects.filter(session__tournament=tournament, session__state=Session.State.CLOSED)
    for key in tables.order_by("session__number", "number").values_list("session__number", "number"):
        numbers = dict(zip(("session", "table"), key, strict=True))
        if key not in sums:
            yield Gap(GapKind.EMPTY_TABLE, numbers, **numbers)
            continue
        if payments[key]:
            yield Gap(GapKind.GAME_POINTS, numbers | {"points": payments[key]}, **numbers)
        if expected is not None and sums[key] != expected:
            points = two_decimals(sums[key])
            yield Gap(GapKind.TABLE_POINTS, numbers | {"points": points}, **numbers)


def _payments_by_table(tournament: Tournament) -> dict[tuple[int, int], int]:
    """Return (session, table) → the sum of the four scores without penalties."""
    seats = Seat.objects.filter(table__session__tournament=tournament).order_by()
    rows = seats.values_list("table__session__number", "table__number").annotate(Sum("game_points"))
    payments = {(session, table): points for session, table, points in rows}
    penalties = Penalty.objects.filter(table__session__tournament=tournament, cancelled_at=None)
    for penalty in penalties.select_related("table__session"):
        key = penalty.table.session.number, penalty.table.number
        payments[key] = payments.get(key, 0) - sum(effects_at_table([penalty]).values())
    return payments


def _player_gaps(results: EmaResults) -> Iterator[Gap]:
    by_number: defaultdict[str, list[Player]] = defaultdict(list)
    for line in sorted(results.lines, key=lambda line: line.player.number):
        player, name = line.player, {"name": line.player.name}
        by_number[player.ema_number].append(player)
        if line.place is None:
            yield Gap(GapKind.NO_PLACE, name, player.number)
        if not player.country:
            yield Gap(GapKind.COUNTRY, name, player.number)
        if not (player.first_name and player.last_name) or player.erased_at:
            yield Gap(GapKind.NAME, name, player.number)
        yield from _number_gaps(player)
    for player in results.not_played:
        yield Gap(GapKind.NEVER_PLAYED, {"name": player.name}, player.number)
    for number, sharing in by_number.items():
        if number and len(sharing) > 1:
            names = joined(player.name for player in sharing)
            yield Gap(GapKind.NUMBER_TWICE, {"ema_number": number, "names": names}, sharing[-1].number)


def _number_gaps(player: Player) -> Iterator[Gap]:
    number, name = player.ema_number, {"name": player.name}
    if not number and player.country in MEMBER_COUNTRIES:
        yield Gap(GapKind.NUMBER_MISSING, name, player.number)
    elif number and not is_number(number):
        yield Gap(GapKind.NUMBER_MALFORMED, name | {"ema_number": number}, player.number)
    elif country := other_country(number, player.country):
        countries = {"federation": country_name(country), "country": country_name(player.country)}
        yield Gap(GapKind.NUMBER_ELSEWHERE, name | countries | {"ema_number": number}, player.number)
    elif has_unknown_prefix(number):
        yield Gap(GapKind.NUMBER_PREFIX, name | {"prefix": number[:2]}, player.number)


def _column_gaps(results: EmaResults) -> Iterator[Gap]:
    for column in results.columns:
        if column.field == FIXED_TEXT and not column.text:
            yield Gap(GapKind.COLUMN_EMPTY, {"heading": column.heading})
    headings = {"last_name": "LAST NAME"} | {column.field: column.heading for column in DEFAULT_COLUMNS}
    for name in missing_fields(results.columns):
        yield Gap(GapKind.COLUMN_MISSING, {"heading": headings[name]})


@by_version(256)
def unused_ema(tournament: Tournament) -> Collection[str]:
    """Return the sections of the EMA for events that the European ranking does not count."""
    return () if event_page_of(tournament).mers else {"ema", "certification"}
