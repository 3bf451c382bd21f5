"""The columns of a results file for the European Mahjong Association, as data: a heading, and what stands below it.

What the association wants changes, and its template could not be had: so an organiser may change every column.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

TEXT: Final = "text"
"""The same words in every line, as the organiser wrote them."""
FIELDS: Final = (
    *("event_name", "short_name", "participants", "first_day", "last_day", "period", "days", "venue"),
    *("event_country", "rules", "mers_weight", "place", "number", "first_name", "last_name"),
    *("last_name_capitals", "ema_number", "table_points", "game_points", "ema_member", "country"),
    *("country_name", "team", "club", "mers_base", "remark", TEXT),
)
"""Of the event first, then of a player."""
NEEDED: Final = ("place", "last_name", "ema_number", "table_points", "game_points", "country")
"""Without these nobody can rank by the file."""
STANDS_IN: Final[Mapping[str, frozenset[str]]] = {
    "last_name": frozenset({"last_name", "last_name_capitals"}),
    "country": frozenset({"country", "country_name"}),
}
"""What of the needed ones another field says as well."""
MOST: Final = 40
LONGEST: Final = 80


@dataclass(frozen=True)
class Column:
    """`field`: one of `FIELDS`; `text` is what stands there if that is `TEXT`."""

    heading: str
    field: str
    text: str = ""

    def to_json(self) -> dict[str, str]:
        return {"heading": self.heading, "field": self.field, "text": self.text}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Column":
        return cls(data["heading"], data["field"], data["text"])


DEFAULT: Final = (
    Column("Tournament name", "event_name"),
    Column("Number of participants", "participants"),
    Column("Place", "place"),
    Column("First name", "first_name"),
    Column("LAST NAME", "last_name_capitals"),
    Column("EMA number", "ema_number"),
    Column("Table points", "table_points"),
    Column("Score", "game_points"),
    Column("EMA member", "ema_member"),
    Column("Country", "country"),
    Column("Date", "last_day"),
    Column("Country court", "event_country"),
    Column("City", TEXT),
    Column("Short name", "short_name"),
    Column("Rules", "rules"),
    Column("Period", "period"),
    Column("NbDays", "days"),
    Column("Extra", "remark"),
)
"""In the order in which the EMA has been sent them (RULES §9)."""


def missing(columns: Sequence[Column]) -> list[str]:
    """The needed fields that no column has.

    >>> missing(DEFAULT), missing([Column("Name", "last_name_capitals")])[:2]
    ([], ['place', 'ema_number'])
    """
    there = {column.field for column in columns}
    return [field for field in NEEDED if not there & STANDS_IN.get(field, {field})]


MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def period(first: tuple[int, int, int], last: tuple[int, int, int]) -> str:
    """The days of an event as the EMA's own lists write them, in English everywhere.

    >>> period((2027, 3, 14), (2027, 3, 14)), period((2027, 3, 14), (2027, 3, 15)), period((2027, 1, 31), (2027, 2, 1))
    ('14 Mar 2027', '14-15 Mar 2027', '31 Jan - 1 Feb 2027')
    >>> period((2026, 12, 31), (2027, 1, 1))
    '31 Dec 2026 - 1 Jan 2027'
    """
    end = f"{last[2]} {MONTHS[last[1] - 1]} {last[0]}"
    if first == last:
        return end
    if first[:2] == last[:2]:
        return f"{first[2]}-{end}"
    year = f" {first[0]}" if first[0] != last[0] else ""
    return f"{first[2]} {MONTHS[first[1] - 1]}{year} - {end}"
