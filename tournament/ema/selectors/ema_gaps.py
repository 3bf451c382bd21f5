"""The pre-flight of a results file: what the European Mahjong Association would ask about, each with where it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scoring.engine.problems import Problem
from scoring.texts import joined
from tournament.base.engine.table_points import STANDARD_SCALE
from tournament.base.models.people import Player
from tournament.base.models.tournament import Role
from tournament.ema.engine.ema_columns import DEFAULT, TEXT, missing
from tournament.ema.engine.mers import MOST_SUBSTITUTES
from tournament.ema.selectors.ema_results import EmaResults
from tournament.ema.selectors.ema_sums import wrong_sums
from tournament.players.engine import FEDERATIONS, is_number, other_country
from tournament.ranking.selectors.ranking import State
from tournament.web.texts.countries import country_name

MCR = "mcr"
"""The rulebook that the EMA's events are played by."""


class Gap(StrEnum):
    """What is missing; the value is the code of its sentence."""

    NOT_FINAL = "ema_not_final"
    MAY_CHANGE = "ema_may_change"
    SESSIONS = "ema_sessions_missing"
    FEW = "ema_too_few_players"
    NOT_COUNTED = "ema_not_counted"
    EVENT_COUNTRY = "ema_event_country_missing"
    REFEREE = "ema_referee_missing"
    RULEBOOK = "ema_other_rulebook"
    SCALE = "ema_other_scale"
    SUBSTITUTES = "ema_many_substitutes"
    EMPTY_TABLE = "ema_table_empty"
    GAME_POINTS = "ema_game_points_sum"
    TABLE_POINTS = "ema_table_points_sum"
    NUMBER_MISSING = "ema_number_missing"
    NUMBER_MALFORMED = "ema_number_malformed"
    NUMBER_TWICE = "ema_number_twice"
    NUMBER_ELSEWHERE = "ema_number_elsewhere"
    COUNTRY = "ema_country_missing"
    NAME = "ema_name_missing"
    NO_PLACE = "ema_without_place"
    NEVER_PLAYED = "ema_never_played"
    COLUMN_EMPTY = "ema_column_empty"
    COLUMN_MISSING = "ema_column_missing"


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
        return Problem(self.gap.value, "", dict(self.params))


def ema_gaps(results: EmaResults) -> tuple[Found, ...]:
    """Everything, in the order of `Gap`; by player within each."""
    found = [*_of_the_event(results), *_of_the_tables(results), *_of_players(results), *_of_columns(results)]
    order = list(Gap)
    return tuple(sorted(found, key=lambda one: order.index(one.gap)))


def _of_the_event(results: EmaResults) -> Iterator[Found]:
    tournament, now = results.tournament, results.ranking
    if now.publication is None or not now.publication.is_final or not now.is_as_published:
        yield Found(Gap.NOT_FINAL)
    elif now.state is not State.FINAL:
        yield Found(Gap.MAY_CHANGE)
    if (played := len(now.sessions)) < tournament.sessions_planned:
        yield Found(Gap.SESSIONS, {"played": played, "planned": tournament.sessions_planned})
    if results.participants < 2:
        yield Found(Gap.FEW, {"players": results.participants})
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


def _of_the_tables(results: EmaResults) -> Iterator[Found]:
    for one in wrong_sums(results.tournament):
        place = {"session": one.session, "table": one.table}
        if one.is_empty:
            yield Found(Gap.EMPTY_TABLE, place, **place)
        if one.game_points:
            yield Found(Gap.GAME_POINTS, place | {"points": one.game_points}, **place)
        if one.table_points:
            yield Found(Gap.TABLE_POINTS, place | {"points": one.table_points}, **place)


def _of_players(results: EmaResults) -> Iterator[Found]:
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
        yield from _of_a_number(player)
    for idle in results.idle:
        yield Found(Gap.NEVER_PLAYED, {"name": idle.name}, idle.number)
    for number, sharing in by_number.items():
        if number and len(sharing) > 1:
            names = joined(player.name for player in sharing)
            yield Found(Gap.NUMBER_TWICE, {"ema_number": number, "names": names}, sharing[-1].number)


def _of_a_number(player: Player) -> Iterator[Found]:
    number, name = player.ema_number, {"name": player.name}
    if not number and player.country in FEDERATIONS.values():
        yield Found(Gap.NUMBER_MISSING, name, player.number)
    elif number and not is_number(number):
        yield Found(Gap.NUMBER_MALFORMED, name | {"ema_number": number}, player.number)
    elif country := other_country(number, player.country):
        about = {"federation": country_name(country), "country": country_name(player.country)}
        yield Found(Gap.NUMBER_ELSEWHERE, name | about | {"ema_number": number}, player.number)


def _of_columns(results: EmaResults) -> Iterator[Found]:
    for column in results.columns:
        if column.field == TEXT and not column.text:
            yield Found(Gap.COLUMN_EMPTY, {"heading": column.heading})
    usual = {"last_name": "LAST NAME"} | {column.field: column.heading for column in DEFAULT}
    for needed in missing(results.columns):
        yield Found(Gap.COLUMN_MISSING, {"heading": usual[needed]})
