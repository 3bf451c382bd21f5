"""People across tournaments, in templates."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.translation import gettext as _

from scoring.book.terms import fan_link
from scoring.texts import fan_name, joined
from tournament.people.selectors import Entry
from tournament.people.texts import reasons_text

register = template.Library()
register.filter(reasons_text)
register.filter(fan_name)
register.filter(fan_link)

WIDTH, LEFT, TOP, BOTTOM = 360, 40, 8, 120


@register.inclusion_tag("people/_places_plot.html")
def places_plot(entries: Sequence[Entry]) -> dict[str, Any]:
    """Where somebody came in each tournament, the oldest first: at the top the first place, at the foot the last."""
    placed = [entry for entry in reversed(entries) if entry.rank is not None and entry.of > 1]
    across = (WIDTH - LEFT - 10) / max(1, len(placed) - 1)
    points = [
        {
            "x": round(LEFT + across * place, 1),
            "y": round(TOP + (BOTTOM - TOP) * ((entry.rank or 1) - 1) / (entry.of - 1), 1),
        }
        for place, entry in enumerate(placed)
    ]
    places = joined(f"{entry.rank}/{entry.of}" for entry in placed)
    return {
        "points": points,
        "line": " ".join(f"{point['x']},{point['y']}" for point in points),
        "label": _("Places, the oldest first: %(places)s") % {"places": places},
        "first": placed[0].tournament.starts_on if placed else None,
        "last": placed[-1].tournament.starts_on if placed else None,
    }
