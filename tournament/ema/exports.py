"""The results of an event as a file for the European Mahjong Association: XLSX for people, CSV for programs.

In English everywhere, by columns that are data. Whole numbers are numbers, an EMA number is a text with its zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Final

from django.utils.translation import override

from tournament.base.engine.rules import two_decimals
from tournament.ema.engine import TEXT, Column, period
from tournament.ema.selectors import EmaLine, EmaResults
from tournament.web.exports.sheets import Cell, csv_of, workbook_of
from tournament.web.texts.words import country_name

RULES: Final = "Chinese official"
"""What the EMA calls the competition rules."""


def workbook(results: EmaResults) -> bytes:
    return workbook_of("Results", [column.heading for column in results.columns], rows(results))


def csv_file(results: EmaResults) -> bytes:
    return csv_of([column.heading for column in results.columns], rows(results))


def rows(results: EmaResults) -> Iterator[list[Cell]]:
    """A line a player. What is of the event stands in each."""
    return ([_cell(column, results, line) for column in results.columns] for line in results.lines)


def _cell(column: Column, results: EmaResults, line: EmaLine) -> Cell:
    if column.field == TEXT:
        return column.text
    if column.field in _OF_THE_EVENT:
        return _OF_THE_EVENT[column.field](results)
    return _OF_A_PLAYER[column.field](line)


def _number(value: Fraction | int) -> Cell:
    """Whole where it is, else with two decimals, as on paper."""
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


_OF_THE_EVENT: Final[Mapping[str, Callable[[EmaResults], Cell]]] = {
    "event_name": lambda results: results.tournament.name,
    "short_name": lambda results: results.tournament.slug,
    "participants": lambda results: results.participants,
    "first_day": lambda results: results.tournament.starts_on,
    "last_day": lambda results: results.tournament.ends_on,
    "period": _period,
    "days": lambda results: results.weighed.days,
    "venue": lambda results: results.tournament.venue,
    "event_country": lambda results: results.words.country,
    "rules": lambda results: RULES,
    "mers_weight": lambda results: _number(results.weighed.weight.total),
}
_OF_A_PLAYER: Final[Mapping[str, Callable[[EmaLine], Cell]]] = {
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
