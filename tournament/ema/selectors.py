"""What an event weighs in the European ranking, its results as EMA wants them, and what is still missing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cached_property

from django.db.models import Sum

from penalties.models import Penalty
from penalties.selectors import effects_at_table
from scoring.engine.problems import Problem, problem_code
from scoring.texts import joined
from tournament.base.access import Audience
from tournament.base.countries import country_name
from tournament.base.engine.rules import STANDARD_SCALE, two_decimals
from tournament.base.models.events import EventPage
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Role, Tournament
from tournament.base.selectors import event_page_of
from tournament.ema.engine import DEFAULT, MOST_SUBSTITUTES, TEXT, Column, Weight, base, missing, weight
from tournament.ema.models import EmaColumns
from tournament.play.selectors.timetable import players_of
from tournament.players.engine import FEDERATIONS, is_guest, is_number, other_country
from tournament.ranking.engine.standings import table_scores
from tournament.ranking.selectors.ranking import Ranking, State, ranking
from tournament.ranking.selectors.standings import RankingRow, table_results

# --- Results ---


@dataclass(frozen=True)
class EmaLine:
    """A player's line. `base`: None for who has no place, and where nobody else has one."""

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
        """A federation that belongs to the EMA gave the number."""
        return is_number(self.player.ema_number)


@dataclass(frozen=True)
class EmaResults:
    """All that is sent: places, bases, the weight and the file's columns.

    Hidden sessions count: it is for who organises the event.
    """

    tournament: Tournament
    words: EventPage
    ranking: Ranking
    lines: tuple[EmaLine, ...]
    """Who has played, the best first; who has no place last. Substitutes are in none."""
    idle: tuple[Player, ...]
    """Who is entered, has not withdrawn and has not played, once anybody has."""
    weighed: Weighed

    @property
    def participants(self) -> int:
        """Who takes part: the number that the file, the weight and the reports state."""
        return self.weighed.players

    @cached_property
    def placed(self) -> int:
        """Among how many the places are."""
        return sum(line.place is not None for line in self.lines)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        return columns_of(self.tournament)

    @property
    def is_counted(self) -> bool:
        """Whether the organiser says that the European ranking counts the event."""
        return bool(self.words.mers)

    @property
    def gaps(self) -> list[Found]:
        """What is missing, in the order of `Gap`; by player within each."""
        gaps = [*_event_gaps(self), *_table_gaps(self), *_player_gaps(self), *_column_gaps(self)]
        return sorted(gaps, key=lambda gap: list(Gap).index(gap.gap))


def ema_results(tournament: Tournament) -> EmaResults:
    """Return the results as they stand; a running session counts as if it ended now."""
    now, words = ranking(tournament, Audience.STAFF), event_page_of(tournament)
    placed = sum(row.standing.rank is not None for row in now.rows)
    return EmaResults(
        tournament,
        words,
        now,
        tuple(
            EmaLine(row, base(row.standing.rank, placed) if row.standing.rank and placed > 1 else None)
            for row in now.rows
            if row.standing.sessions
        ),
        tuple(row.player for row in now.rows if not row.standing.sessions) if now.sessions else (),
        weighed(tournament, words),
    )


@dataclass(frozen=True)
class Weighed:
    """Who takes part, from where and how long, and the weight that comes of it."""

    days: int
    players: int
    substitutes: int
    """Those who count as players: at most three, whoever is entered to fill a table and has not withdrawn."""
    countries: tuple[tuple[str, int], ...]
    """(alpha-3, how many), the most first, by the players' own countries."""
    guests: int
    """Players with a guest's number: in the weight they count for the country of the event."""
    counted_countries: int
    """How many countries the weight counts."""
    weight: Weight


def weighed(tournament: Tournament, words: EventPage) -> Weighed:
    """Count who takes part (`players_of`) as the ranking does; `words` says where the event is, and of what kind."""
    everybody = list(players_of(tournament).values_list("country", "ema_number"))
    own = Counter(country for country, _number in everybody if country)
    guests = sum(is_guest(number) for _country, number in everybody)
    counted = {words.country if is_guest(number) else country for country, number in everybody} - {""}
    days = (tournament.ends_on - tournament.starts_on).days + 1
    fill = tournament.players.filter(is_substitute=True, withdrawn_at=None).count()
    substitutes = min(fill, MOST_SUBSTITUTES)
    is_championship = words.mers == EventPage.Mers.CHAMPIONSHIP
    return Weighed(
        days,
        len(everybody),
        substitutes,
        tuple(sorted(own.items(), key=lambda pair: (-pair[1], pair[0]))),
        guests,
        len(counted),
        weight(days, len(everybody), len(counted), substitutes=substitutes, is_championship=is_championship),
    )


def columns_of(tournament: Tournament) -> tuple[Column, ...]:
    """Return the columns of a tournament's file; the default ones if none are stored."""
    stored = EmaColumns.objects.filter(tournament=tournament).first()
    return tuple(Column(**column) for column in stored.columns) if stored else DEFAULT


# --- What is missing ---


MCR = "mcr"
"""The rulebook that the EMA's events are played by."""


class Gap(Enum):
    """What is missing; the value is its problem."""

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
        "ema_referee_missing", "No umpire is named on the event’s page, and nobody here is chief umpire."
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
        "ema_many_substitutes", "There are {substitutes} substitutes; {most} count as players in the weight."
    )
    EMPTY_TABLE = problem_code("ema_table_empty", "Session {session}, table {table}: nothing is recorded.")
    GAME_POINTS = problem_code(
        "ema_game_points_sum",
        "Session {session}, table {table}: without penalties the game points come to {points} and not to 0.",
    )
    TABLE_POINTS = problem_code(
        "ema_table_points_sum",
        "Session {session}, table {table}: the table points come to {points} and not to 7.",
    )
    NUMBER_MISSING = problem_code(
        "ema_number_missing", "{name} has no EMA number, and is of a country with a federation."
    )
    NUMBER_MALFORMED = problem_code(
        "ema_number_malformed", "{name}: “{ema_number}” is no EMA number, which has eight digits."
    )
    NUMBER_TWICE = problem_code(
        "ema_number_twice", "EMA number {ema_number} belongs to {names}: one of them has another."
    )
    NUMBER_ELSEWHERE = problem_code(
        "ema_number_elsewhere",
        "{name}: EMA number {ema_number} was issued in {federation}, but the player is from "
        "{country}. The player may have moved.",
    )
    COUNTRY = problem_code("ema_country_missing", "{name} has no country.")
    NAME = problem_code("ema_name_missing", "{name}: first name or last name is missing.")
    NO_PLACE = problem_code(
        "ema_without_place", "{name} has no place, and so no base, but is counted among the participants."
    )
    NEVER_PLAYED = problem_code(
        "ema_never_played", "{name} has not played and has not withdrawn, and so counts in the weight."
    )
    COLUMN_EMPTY = problem_code("ema_column_empty", "Column “{heading}” is empty: choose its content.")
    COLUMN_MISSING = problem_code("ema_column_missing", "There is no column like “{heading}”.")


NOTES = frozenset(
    {Gap.NUMBER_ELSEWHERE, Gap.SUBSTITUTES, Gap.RULEBOOK, Gap.NO_PLACE, Gap.NAME, Gap.MAY_CHANGE}
)
"""What may well be so: it is told, and nothing need be mended."""


@dataclass(frozen=True)
class Found:
    """One gap. `player`, `session` and `table`: whom or what it is about, where it is one."""

    gap: Gap
    params: Mapping[str, str | int] = field(default_factory=dict)
    player: int | None = None
    session: int | None = None
    table: int | None = None

    @property
    def is_note(self) -> bool:
        return self.gap in NOTES

    @property
    def problem(self) -> Problem:
        """The same, to be said as a sentence."""
        return self.gap.value(**self.params)


def _event_gaps(results: EmaResults) -> Iterator[Found]:
    tournament, now = results.tournament, results.ranking
    if now.publication is None or not now.publication.is_final or not now.is_as_published:
        yield Found(Gap.NOT_FINAL)
    elif now.state is not State.FINAL:
        yield Found(Gap.MAY_CHANGE)
    if (played := len(now.sessions)) < tournament.sessions_planned:
        yield Found(Gap.SESSIONS, {"played": played, "planned": tournament.sessions_planned})
    if results.placed < 2:
        yield Found(Gap.FEW, {"players": results.placed})
    if not results.is_counted:
        yield Found(Gap.NOT_COUNTED)
    if not results.words.country:
        yield Found(Gap.EVENT_COUNTRY)
    if not results.words.referees and not tournament.memberships.filter(role=Role.CHIEF).exists():
        yield Found(Gap.REFEREE)
    if tournament.rules.name != MCR:
        yield Found(Gap.RULEBOOK, {"rulebook": tournament.rules.scoring.key})
    if list(tournament.rules.scale) != list(STANDARD_SCALE):
        yield Found(Gap.SCALE)
    if (fill := tournament.players.filter(is_substitute=True, withdrawn_at=None).count()) > MOST_SUBSTITUTES:
        yield Found(Gap.SUBSTITUTES, {"substitutes": fill, "most": MOST_SUBSTITUTES})


def _table_gaps(results: EmaResults) -> Iterator[Found]:
    """List tables whose payments do not sum to 0, or table points not to 7, by session and table.

    A rulebook of its own scale has sums of its own: its table points are not asked.
    """
    tournament, scale = results.tournament, results.tournament.rules.scale
    whole = Fraction(sum(STANDARD_SCALE)) if list(scale) == list(STANDARD_SCALE) else None
    shared = {
        (table.session, table.table): sum(
            (score.table_points for score in table_scores(table, scale)), Fraction(0)
        )
        for table in table_results(tournament, Audience.STAFF, closed_only=True)
    }
    paid = _payments_by_table(tournament)
    tables = Table.objects.filter(session__tournament=tournament, session__state=Session.State.CLOSED)
    for at in tables.order_by("session__number", "number").values_list("session__number", "number"):
        place = dict(zip(("session", "table"), at, strict=True))
        if at not in shared:
            yield Found(Gap.EMPTY_TABLE, place, **place)
            continue
        if paid[at]:
            yield Found(Gap.GAME_POINTS, place | {"points": paid[at]}, **place)
        if whole is not None and shared[at] != whole:
            yield Found(Gap.TABLE_POINTS, place | {"points": two_decimals(shared[at])}, **place)


def _payments_by_table(tournament: Tournament) -> dict[tuple[int, int], int]:
    """Map tables to the sum of their four scores, without what penalties gave or took."""
    seats = Seat.objects.filter(table__session__tournament=tournament).order_by()
    rows = seats.values_list("table__session__number", "table__number").annotate(Sum("game_points"))
    payments = {(session, table): points for session, table, points in rows}
    fined = Penalty.objects.filter(table__session__tournament=tournament, cancelled_at=None)
    for penalty in fined.select_related("table__session"):
        place = penalty.table.session.number, penalty.table.number
        payments[place] = payments.get(place, 0) - sum(effects_at_table([penalty]).values())
    return payments


def _player_gaps(results: EmaResults) -> Iterator[Found]:
    by_number: defaultdict[str, list[Player]] = defaultdict(list)
    for line in sorted(results.lines, key=lambda line: line.player.number):
        player, name = line.player, {"name": line.player.name}
        by_number[player.ema_number].append(player)
        if line.place is None:
            yield Found(Gap.NO_PLACE, name, player.number)
        if not player.country:
            yield Found(Gap.COUNTRY, name, player.number)
        if not (player.first_name and player.last_name) or player.erased_at:
            yield Found(Gap.NAME, name, player.number)
        yield from _number_gaps(player)
    for idle in results.idle:
        yield Found(Gap.NEVER_PLAYED, {"name": idle.name}, idle.number)
    for number, sharing in by_number.items():
        if number and len(sharing) > 1:
            names = joined(player.name for player in sharing)
            yield Found(Gap.NUMBER_TWICE, {"ema_number": number, "names": names}, sharing[-1].number)


def _number_gaps(player: Player) -> Iterator[Found]:
    number, name = player.ema_number, {"name": player.name}
    if not number and player.country in FEDERATIONS.values():
        yield Found(Gap.NUMBER_MISSING, name, player.number)
    elif number and not is_number(number):
        yield Found(Gap.NUMBER_MALFORMED, name | {"ema_number": number}, player.number)
    elif country := other_country(number, player.country):
        about = {"federation": country_name(country), "country": country_name(player.country)}
        yield Found(Gap.NUMBER_ELSEWHERE, name | about | {"ema_number": number}, player.number)


def _column_gaps(results: EmaResults) -> Iterator[Found]:
    for column in results.columns:
        if column.field == TEXT and not column.text:
            yield Found(Gap.COLUMN_EMPTY, {"heading": column.heading})
    usual = {"last_name": "LAST NAME"} | {column.field: column.heading for column in DEFAULT}
    for needed in missing(results.columns):
        yield Found(Gap.COLUMN_MISSING, {"heading": usual[needed]})
