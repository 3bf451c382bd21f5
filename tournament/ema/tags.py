"""What an event's results come to in the European ranking, as a receipt."""

from collections.abc import Iterator

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.ema.engine import MOST_DAYS
from tournament.ema.selectors import EmaLine, EmaResults, Weighed
from tournament.ema.texts import weight_text

register = template.Library()
register.filter("figure", weight_text)


@register.filter
def weight_lines(weighed: Weighed) -> list[dict[str, str]]:
    """Return the weight part by part, for `components/receipt.html`."""
    return list(_lines(weighed))


def _lines(weighed: Weighed) -> Iterator[dict[str, str]]:
    parts, countries = weighed.weight, weighed.counted_countries
    yield {
        "name": ngettext("{n} day", "{n} days", weighed.days).format(n=weighed.days),
        "note": _("at most {n}").format(n=MOST_DAYS) if weighed.days > MOST_DAYS else "",
        "points": weight_text(parts.days),
    }
    players = weighed.players + weighed.substitutes
    with_them = ngettext("{n} substitute among them", "{n} substitutes among them", weighed.substitutes)
    yield {
        "name": ngettext("{n} player", "{n} players", players).format(n=players),
        "note": with_them.format(n=weighed.substitutes) if weighed.substitutes else "",
        "points": weight_text(parts.players),
    }
    guests = ngettext(
        "{n} guest counts for the country of the event",
        "{n} guests count for the country of the event",
        weighed.guests,
    )
    yield {
        "name": ngettext("{n} country", "{n} countries", countries).format(n=countries),
        "note": guests.format(n=weighed.guests) if weighed.guests else "",
        "points": weight_text(parts.countries),
    }
    if parts.championship:
        yield {"name": _("Championship with qualification"), "points": weight_text(parts.championship)}


@register.simple_tag
def how_based(results: EmaResults, line: EmaLine) -> str:
    """Explain a base: 1000 × 13 ÷ 15."""
    if line.base is None or line.place is None:
        return ""
    return f"1000\u00a0×\u00a0{results.placed - line.place}\u00a0÷\u00a0{results.placed - 1}"
