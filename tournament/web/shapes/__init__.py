"""The shape of a JSON value: what a JSON Schema says of it, and everything in which a value is not so, by its place.

A place is a JSON pointer (RFC 6901): `/hands/3/points`. A shape is said once, and both are made of it.
"""

from tournament.web.shapes.plain import (
    Amount,
    Base64,
    Day,
    Exactly,
    Hour,
    Moment,
    OneOf,
    Shape,
    Text,
    Uuid,
    Whole,
    YesNo,
    fault,
    inside,
)
from tournament.web.shapes.within import Anything, ListOf, MapOf, OrNull, Record

__all__ = [
    "Amount",
    "Anything",
    "Base64",
    "Day",
    "Exactly",
    "Hour",
    "ListOf",
    "MapOf",
    "Moment",
    "OneOf",
    "OrNull",
    "Record",
    "Shape",
    "Text",
    "Uuid",
    "Whole",
    "YesNo",
    "fault",
    "inside",
]
