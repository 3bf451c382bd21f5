"""The columns of the results file for the European Mahjong Association."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

FIXED_TEXT: Final = "text"
"""A field with the same text in every row."""
REQUIRED: Final = ("place", "last_name", "ema_number", "table_points", "game_points", "country")
"""Fields that the ranking cannot be computed without."""
ALTERNATIVES: Final[Mapping[str, frozenset[str]]] = {
    "last_name": frozenset({"last_name", "last_name_capitals"}),
    "country": frozenset({"country", "country_name"}),
}
"""Required field → fields with the same content."""
MAX_COLUMNS: Final = 40
MAX_COLUMN_LENGTH: Final = 80
"""Characters of a heading or text."""


@dataclass(frozen=True)
class Column:
    """A column of the results file. `field`: one of `EmaColumns.Field`; `text`: the content if that is `FIXED_TEXT`.

    Organisers can change every column, because the association's requirements change and it publishes no template.
    """

    heading: str
    field: str
    text: str = ""


DEFAULT_COLUMNS: Final = (
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
    Column("City", FIXED_TEXT),
    Column("Short name", "short_name"),
    Column("Rules", "rules"),
    Column("Period", "period"),
    Column("NbDays", "days"),
    Column("Extra", "remark"),
)
"""The columns of the files that are sent to the EMA (RULES §9)."""


def missing_fields(columns: Sequence[Column]) -> list[str]:
    """Return the required fields that no column has.

    >>> missing_fields(DEFAULT_COLUMNS), missing_fields([Column("Name", "last_name_capitals")])[:2]
    ([], ['place', 'ema_number'])
    """
    fields = {column.field for column in columns}
    return [field for field in REQUIRED if not fields & ALTERNATIVES.get(field, {field})]


MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def period(first: tuple[int, int, int], last: tuple[int, int, int]) -> str:
    """Return the days of an event in English, as the EMA's lists have them.

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
