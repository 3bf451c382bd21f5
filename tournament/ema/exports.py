"""The results file for the European Mahjong Association.

It is in English in every language. Whole numbers are numbers; an EMA number is a text, to keep its leading zero.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from tournament.base.access import Right
from tournament.base.countries import country_name
from tournament.base.engine.rules import two_decimals
from tournament.ema.engine.columns import FIXED_TEXT, period
from tournament.ema.engine.columns import Column as EmaColumn
from tournament.ema.selectors.results import EmaLine, EmaResults, ema_results
from tournament.web.exports.lists import Column, ListTable, Value

RULES: Final = "Chinese official"
"""The EMA's name for the Mahjong Competition Rules."""


def _value(column: EmaColumn, results: EmaResults, line: EmaLine) -> Value:
    if column.field == FIXED_TEXT:
        return column.text
    if column.field in _EVENT_VALUES:
        return _EVENT_VALUES[column.field](results)
    return _PLAYER_VALUES[column.field](line)


def _number(value: Fraction | int) -> Value:
    """Return an integer if the value is whole, else a float with two decimals."""
    exact = Fraction(value)
    return int(exact) if exact.denominator == 1 else float(two_decimals(exact))


def _period(results: EmaResults) -> str:
    first, last = results.tournament.starts_on, results.tournament.ends_on
    return period((first.year, first.month, first.day), (last.year, last.month, last.day))


def _country_name(line: EmaLine) -> str:
    with override("en"):
        return country_name(line.player.country)


def _remark(line: EmaLine) -> str:
    remarks = ("withdrawn" if line.row.standing.withdrawn else "", "" if line.place else "no place")
    return ", ".join(filter(None, remarks))


_EVENT_VALUES: Final[Mapping[str, Callable[[EmaResults], Value]]] = {
    "event_name": lambda results: results.tournament.name,
    "short_name": lambda results: results.tournament.slug,
    "participants": lambda results: results.participation.players,
    "first_day": lambda results: results.tournament.starts_on,
    "last_day": lambda results: results.tournament.ends_on,
    "period": _period,
    "days": lambda results: results.participation.days,
    "venue": lambda results: results.tournament.venue,
    "event_country": lambda results: results.page.country,
    "rules": lambda results: RULES,
    "mers_weight": lambda results: _number(results.participation.weight.total),
}
_PLAYER_VALUES: Final[Mapping[str, Callable[[EmaLine], Value]]] = {
    "place": lambda line: line.place,
    "number": lambda line: line.player.number,
    "first_name": lambda line: line.player.first_name,
    "last_name": lambda line: line.player.last_name,
    "last_name_capitals": lambda line: line.player.last_name.upper(),
    "ema_number": lambda line: line.player.ema_number,
    "table_points": lambda line: _number(line.row.standing.table_points),
    "game_points": lambda line: _number(line.row.standing.game_points),
    "ema_member": lambda line: "YES" if line.is_member else "NO",
    "country": lambda line: line.player.country,
    "country_name": _country_name,
    "team": lambda line: line.player.team,
    "club": lambda line: line.player.club,
    "mers_base": lambda line: line.base,
    "remark": _remark,
}


EMA = ListTable(
    "ema",
    _("EMA results"),
    columns=lambda results: [
        Column(column.heading, column.heading, partial(_value, column, results)) for column in results.columns
    ],
    rows=lambda results: results.lines,
    right=Right.ORGANISE,
    read=lambda reader: ema_results(reader.tournament),
    path="ema",
    sheet="Results",
)
"""A row per player; facts about the event are repeated in every row."""
