"""The classical game in words: its lines, seasons and flowers. Names are rule data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from scoring.classical import Flower, Row, Sort, find_row

Json = dict[str, Any]

SORTS: Final[dict[Sort, str | Promise]] = {
    Sort.POINTS: gettext_lazy("Points, for everybody"),
    Sort.BONUS: gettext_lazy("Bonuses, for the winner"),
    Sort.DOUBLES: gettext_lazy("Doubles, for everybody"),
    Sort.WINNER_DOUBLES: gettext_lazy("Doubles, for the winner"),
    Sort.LIMIT: gettext_lazy("Limit hands"),
    Sort.DEAD: gettext_lazy("Scores nothing"),
}
"""What the lines of a sort stand under."""


def row_name(row: Row) -> str:
    return row.names.in_language(get_language() or "en")


def flower_name(flower: Flower) -> str:
    return flower.names.in_language(get_language() or "en")


def line_worth(line: Mapping[str, Any], limit: int) -> str:
    """4, ×2, or the limit."""
    sort = Sort(line["sort"])
    if sort is Sort.LIMIT:
        return str(limit)
    return f"×{line['value']}" if sort in (Sort.DOUBLES, Sort.WINNER_DOUBLES) else str(line["value"])


def sum_text(found: Mapping[str, Any]) -> str:
    """How the points come about: "36 × 4 = 144", and what the limit makes of it."""
    added, factor, full = found["added"], found["factor"], found["in_full"]
    worked = f"{added} × {factor} = {full}" if factor > 1 else f"{added}"
    if found["points"] == full:
        return worked
    return _("{worked}; the limit is {limit}").format(worked=worked, limit=found["limit"])


def with_names(found: Mapping[str, Any]) -> Json:
    """A score (`scoring.classical.Score.to_json`) in which each line says itself:
    [{…, "name", "worth", "flower_names"}].
    """
    lines = [_named(line, found["limit"]) for line in found.get("lines", [])]
    return {**found, "lines": lines} if lines else dict(found)


def _named(line: Mapping[str, Any], limit: int) -> Json:
    flowers = [flower_name(Flower[key.upper()]) for key in line["flowers"]]
    return {
        **line,
        "name": row_name(find_row(line["key"])),
        "worth": line_worth(line, limit),
        "flower_names": flowers,
    }


def by_sort(found: Mapping[str, Any]) -> list[tuple[str, list[Json]]]:
    """The lines under their headings, in the order they are worked out: added, multiplied, then the limit."""
    order = (Sort.POINTS, Sort.BONUS, Sort.DOUBLES, Sort.WINNER_DOUBLES, Sort.LIMIT, Sort.DEAD)
    groups = ((sort, [line for line in found["lines"] if line["sort"] == sort.value]) for sort in order)
    return [(str(SORTS[sort]), lines) for sort, lines in groups if lines]
