"""Template tags of people across tournaments."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.translation import gettext as _

from scoring.book.terms import fan_link
from scoring.texts import fan_name, joined
from tournament.people.selectors import TournamentEntry
from tournament.people.texts import reasons_text

register = template.Library()
register.filter(reasons_text)
register.filter(fan_name)
register.filter(fan_link)

WIDTH, LEFT, TOP, BOTTOM = 360, 40, 8, 120


@register.inclusion_tag("people/_places_plot.html")
def places_plot(entries: Sequence[TournamentEntry]) -> dict[str, Any]:
    """Plot a person's places, the oldest tournament first; the first place is at the top, the last at the bottom."""
    placed = [entry for entry in reversed(entries) if entry.rank is not None and entry.of > 1]
    step = (WIDTH - LEFT - 10) / max(1, len(placed) - 1)
    points = [
        {
            "x": round(LEFT + step * index, 1),
            "y": round(TOP + (BOTTOM - TOP) * ((entry.rank or 1) - 1) / (entry.of - 1), 1),
        }
        for index, entry in enumerate(placed)
    ]
    places = joined(f"{entry.rank}/{entry.of}" for entry in placed)
    return {
        "points": points,
        "line": " ".join(f"{point['x']},{point['y']}" for point in points),
        "label": _("Places, the oldest first: %(places)s") % {"places": places},
        "first": placed[0].tournament.starts_on if placed else None,
        "last": placed[-1].tournament.starts_on if placed else None,
    }
